from __future__ import annotations

import pytest

from tests.console.house import text_of
from tests.providers import KEY, Fail, Say


async def value(pool, key):
    """Return the database's value of a setting."""
    return await pool.fetchval("select value from config where key = $1", key)


async def test_settings_are_changed_and_reset(house, pool):
    """A value is in force at once, and marked as changed until the default is back."""
    status, page = await house.send("/admin/settings/hints_per_block", value="2")
    changed = await value(pool, "hints_per_block")
    _, again = await house.send("/admin/settings/hints_per_block", value="2", reset="1")

    assert status == 200
    assert "hints_per_block changed just now" in text_of(page)
    assert "Done; it is in force." in page
    assert changed == "2"
    assert "hints_per_block changed" not in text_of(again)


@pytest.mark.parametrize(
    ("key", "bad"),
    [
        ("hints_per_block", "many"),
        ("resolution_schedule", "at night"),
        ("nothing", "1"),
    ],
)
async def test_wrong_values_are_refused_in_place(house, key, bad):
    """The reason stands at the setting, with what was written."""
    status, page = await house.send(f"/admin/settings/{key}", value=bad)

    assert status in {400, 404}
    assert key == "nothing" or ('role="alert"' in page and f'value="{bad}"' in page)


async def test_models_are_added_chosen_tested_and_removed(house, pool, provider):
    """Of a key only its last four characters are ever shown."""
    _, added = await house.send(
        "/admin/models",
        provider="openai",
        model_name="gpt-5",
        base_url=f"{provider.url}/v1",
        api_key=KEY,
    )
    provider.will(Say({"word": "ready"}))
    _, tested = await house.send("/admin/models/2/test")
    _, chosen = await house.send("/admin/models/2/choose", purpose="resolve")
    number = await value(pool, "resolve_model_id")
    refused, _ = await house.send("/admin/models/2/remove")
    await house.send("/admin/models/2/choose", purpose="resolve", rest="1")
    _, removed = await house.send("/admin/models/2/remove")

    assert f"key ••••{KEY[-4:]}" in text_of(added)
    assert "answered in" in text_of(tested) or 'role="alert"' in tested
    assert number == "2"
    assert 'aria-pressed="true"' in chosen
    assert refused == 409
    assert "gpt-5" not in removed
    assert KEY not in "".join((added, tested, chosen, removed))


async def test_model_that_fails_its_test_is_said(house, provider):
    """Why it does not answer stands at the model."""
    await house.send(
        "/admin/models",
        provider="openai",
        model_name="gpt-5",
        base_url=f"{provider.url}/v1",
        api_key=KEY,
    )
    provider.will(Fail(401))

    _, page = await house.send("/admin/models/2/test")

    assert 'role="alert"' in page
    assert KEY not in page


async def test_refused_model_keeps_what_was_written_but_the_key(house):
    """An invalid value is refused with the reason; the key has to be given again."""
    status, page = await house.send(
        "/admin/models",
        provider="openai",
        model_name="gpt-5",
        base_url="not an address",
        api_key="sk-very-secret",
    )

    assert status == 400
    assert 'role="alert"' in page
    assert 'value="gpt-5"' in page
    assert "sk-very-secret" not in page
