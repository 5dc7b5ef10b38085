from __future__ import annotations

from tests.console.house import found, text_of


async def test_writing_reading_and_changing(house):
    """An item is written, shown with who wrote it, and what it was before."""
    fields = {"project": "dome", "key": "release"}
    await house.send("/admin/state", **fields, value="0.9")
    page = await house.see("/admin/state?project=dome")
    tag = found(r'name="etag" value="([^"]+)"', page)

    _, page = await house.send(
        "/admin/state?project=dome", **fields, value="1.0", etag=tag
    )
    text = text_of(page)

    assert "release 1.0 by operator" in text
    assert "What it was before (1) 0.9" in text
    assert "dome" in text_of(await house.see("/admin/state"))
    assert "Nothing is known of mast yet" in text_of(
        await house.see("/admin/state?project=mast")
    )


async def test_what_changed_meanwhile_is_refused(house):
    """A person who wrote on an older page is told, and the text is kept."""
    fields = {"project": "dome", "key": "release"}
    await house.send("/admin/state", **fields, value="0.9")
    tag = found(r'name="etag" value="([^"]+)"', await house.see("/admin/state"))
    await house.send("/admin/state", **fields, value="1.0")

    status, page = await house.send("/admin/state", **fields, value="1.1", etag=tag)

    assert status == 409
    assert "it has changed meanwhile" in text_of(page)
    assert ">1.1</textarea>" in page
    assert "release 1.0 by operator" in text_of(page)


async def test_removing(house):
    """A removed item says so, with its last value; programs get it on demand only."""
    fields = {"project": "dome", "key": "release"}
    await house.send("/admin/state", **fields, value="0.9")

    _, page = await house.send("/admin/state", **fields, remove="1")
    _, holds = await house.json("GET", "/project/state?project=dome")
    _, all_items = await house.json("GET", "/project/state?show_removed=true")
    text = text_of(page)

    assert "release (removed) by operator" in text
    assert "What it was before (1) 0.9" in text
    assert "Write it again" in text
    assert holds["items"] == []
    ((value, before),) = [
        (it["value"], it["previous_values"]) for it in all_items["items"]
    ]
    assert (value, before) == ("", ["0.9"])


async def test_too_much_is_refused(house):
    """A value that is too long is refused, and nothing is written."""
    status, page = await house.send(
        "/admin/state", project="dome", key="release", value="x" * 4001
    )

    assert status == 400
    assert 'role="alert"' in page
    assert "Nothing is known yet." in text_of(page)


async def test_nothing_leads_here_from_a_candidate(house, extracted):
    """No page about a record has a form that would write state, whatever its status."""
    await extracted("use Postgres", project="dome")

    pages = [await house.see("/admin/inbox"), await house.see("/admin/review/1")]
    await house.send("/admin/inbox/accept", item="record-1")
    pages.append(await house.see("/admin/review/1"))
    await house.send(
        "/admin/state", project="dome", key="db", value="", record_id="1", number="1"
    )

    assert [page for page in pages if 'action="/admin/state"' in page] == []
    _, state = await house.json("GET", "/project/state")
    assert [it for it in state["items"] if it["value"]] == []
