"""ConfigService's settings, over real gRPC."""

from __future__ import annotations

import grpc
import pytest

from festinger.api.v1 import config_service_pb2 as pb
from festinger.core.system.preferences import Preferences
from festinger.services.world.memory import Memories
from tests.memories import TRUST
from tests.serving import Client, refused

OPERATOR = Client.as_("operator")
CODE = grpc.StatusCode


async def update(client, key, *value, who=OPERATOR):
    """Change a setting, or give it its default again."""
    request = pb.UpdateSettingRequest(key=key)
    if value:
        request.value = value[0]
    return (await client.config.UpdateSetting(request, metadata=who)).setting


async def listed(client, who=OPERATOR):
    """Return all settings, by key."""
    request = pb.ListSettingsRequest()
    settings = (await client.config.ListSettings(request, metadata=who)).settings
    return {setting.key: setting for setting in settings}


async def test_all_settings_are_listed(client):
    """By key, with what is in force, the default, and what each is for."""
    settings = await listed(client)

    assert list(settings) == sorted(Preferences().rows())
    for key, value in Preferences().rows().items():
        assert (settings[key].value, settings[key].default_value) == (value, value)
        assert settings[key].description.endswith(".")
        assert not settings[key].HasField("update_time")


async def test_changed_setting_is_in_force_at_once(client):
    """The very next prompt is answered by it."""
    await client.states("gnommoweb -isa repo")
    before = await client.says("What is gnommoweb?")

    setting = await update(client, "recollection_max_concepts", "0")

    assert before.lines
    assert setting.value == "0"
    assert not (await client.says("Tell me, what is gnommoweb?")).lines


async def test_other_servers_follow_with_their_counters(client, store, clock):
    """They read the settings whenever they write what they counted."""
    other = Memories(store, now=clock, trust=TRUST)
    memory = await other.get("default")

    await update(client, "hints_per_block", "1")
    before = memory.preferences.hints_per_block
    await other.flush()

    assert (before, memory.preferences.hints_per_block) == (1, 1)
    await other.stop()


async def test_changed_setting_says_when(client, clock):
    """Once it has its default again it was never changed."""
    changed = await update(client, "hints_per_block", "1")
    listed_now = (await listed(client))["hints_per_block"]
    reset = await update(client, "hints_per_block")

    assert changed == listed_now
    assert changed.update_time.ToSeconds() == clock.now
    assert (reset.value, reset.HasField("update_time")) == ("1", False)


async def test_value_is_kept_as_it_is_read(client):
    """Spaces and signs that mean nothing are gone."""
    assert (await update(client, "hints_per_block", " +2 ")).value == "2"
    assert (await update(client, "saliency_read_threshold", "1")).value == "1.0"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("hints_per_block", ""),
        ("hints_per_block", "many"),
        ("hints_per_block", "-1"),
        ("hints_per_block", "99999999999999999999"),
        ("saliency_read_threshold", "nan"),
        ("saliency_read_threshold", "inf"),
        ("recollection_confidence_floor", "1.01"),
        ("recollection_position", "above"),
        ("resolution_schedule", "at two"),
        ("resolution_schedule", "0 2 * * * *"),
        ("resolution_timezone", "Berlin"),
        ("daily_token_budget", "x" * 201),
        ("guess_model_id", "a\0b"),
        ("reading", "maybe"),
    ],
)
async def test_wrong_value_is_refused(client, key, value):
    """The settings in force stay so."""
    with refused() as refusal:
        await update(client, key, value)

    assert refusal.code is CODE.INVALID_ARGUMENT
    assert refusal.metadata == {"field": "value"}
    assert (await listed(client))[key].value == Preferences().rows()[key]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("recollection_position", "recent"),
        ("resolution_schedule", "never"),
        ("resolution_schedule", "*/5 1-3 * * MON"),
        ("resolution_timezone", "Europe/Berlin"),
        ("recollection_confidence_floor", "1.0"),
    ],
)
async def test_right_value_is_taken(client, key, value):
    """Words, schedules and time zones as well as numbers."""
    assert (await update(client, key, value)).value == value


@pytest.mark.parametrize("key", ["", "colour", "data_dir"])
async def test_unknown_setting_is_not_found(client, key):
    """A setting of the configuration file is none of these."""
    with refused() as refusal:
        await update(client, key, "1")

    assert (refusal.code, refusal.reason) == (CODE.NOT_FOUND, "SETTING_NOT_FOUND")
    assert refusal.metadata == {"key": key}


@pytest.mark.parametrize("key", ["guess_model_id", "resolve_model_id"])
async def test_absent_model_cannot_be_chosen(client, key):
    """The setting stays, so that nothing asks for what is not there."""
    with refused() as refusal:
        await update(client, key, "9")

    assert (refusal.code, refusal.reason) == (CODE.NOT_FOUND, "MODEL_NOT_FOUND")
    assert refusal.metadata == {"model_id": "9"}
    assert (await listed(client))[key].value == "0"


async def test_no_model_may_be_chosen(client):
    """0 has the resolver rest."""
    await update(client, "resolve_model_id", "1")

    assert (await update(client, "resolve_model_id", "0")).value == "0"


async def test_each_memory_has_its_own(client, acme):
    """A change in one is none in another."""
    await update(client, "hints_per_block", "1")

    there = await listed(client, Client.as_("operator", tenant="acme"))

    assert there["hints_per_block"].value == "1"


async def test_broken_row_shows_what_is_in_force(client, pool):
    """An unreadable value that somebody wrote into the table by hand is not shown as true."""
    await pool.execute("update config set value = 'x' where key = 'hints_per_block'")

    assert (await listed(client))["hints_per_block"].value == "1"


@pytest.mark.parametrize("who", [(), Client.as_("guest"), Client.as_("shim")])
async def test_only_operators_change_settings(client, who):
    """Nor does anybody else read them."""
    for call in (listed(client, who), update(client, "hints_per_block", "1", who=who)):
        with refused() as refusal:
            await call
        assert refusal.code is CODE.PERMISSION_DENIED


async def test_memory_that_is_not_there_has_no_settings(client):
    """As in all calls."""
    with refused() as refusal:
        await listed(client, Client.as_("operator", tenant="nowhere"))

    assert refusal.reason == "TENANT_NOT_FOUND"
