"""ConfigService's models, over real gRPC."""

from __future__ import annotations

import base64
import json
import secrets

import grpc
import pytest
from structlog.testing import capture_logs

from festinger.api.v1 import config_service_pb2 as pb
from festinger.api.v1.model_pb2 import Model
from festinger.llm.keyring import FILE
from tests.providers import HANG, KEY, Fail, Say
from tests.serving import Client, refused

OPERATOR = Client.as_("operator")
CODE = grpc.StatusCode


@pytest.fixture
def add(client, provider):
    """Add a model of Claude's at the stand-in; give it."""

    async def add(who=OPERATOR, **fields):
        request = pb.CreateModelRequest(
            **{
                "provider": Model.PROVIDER_CLAUDE,
                "model_name": "claude-opus-4-6",
                "api_key": KEY,
                "base_url": provider.url,
            }
            | fields
        )
        return (await client.config.CreateModel(request, metadata=who)).model

    return add


async def listed(client, who=OPERATOR):
    """Return all models."""
    return (await client.config.ListModels(pb.ListModelsRequest(), metadata=who)).models


async def tried(client, number, **options):
    """Return the result of trying a model."""
    request = pb.TestModelRequest(model_id=number)
    return await client.config.TestModel(request, metadata=OPERATOR, **options)


async def update(client, key, value):
    """Change a setting."""
    request = pb.UpdateSettingRequest(key=key, value=value)
    return await client.config.UpdateSetting(request, metadata=OPERATOR)


async def test_every_memory_knows_one_that_needs_no_key(client, acme):
    """Ollama's, chosen for nothing; a new memory as well as the first one."""
    for who in (OPERATOR, Client.as_("operator", tenant="acme")):
        (model,) = await listed(client, who)

        assert (model.id, model.provider) == (1, Model.PROVIDER_OLLAMA)
        assert model.model_name == "llama3.2"
        assert not model.purposes
        assert not model.api_key_hint


async def test_added_model_is_listed(add, client, provider):
    """With the key's last four characters, and no more of it."""
    added = await add()

    _, found = await listed(client)
    assert found == added
    assert (found.id, found.model_name) == (2, "claude-opus-4-6")
    assert (found.base_url, found.api_key_hint) == (provider.url, KEY[-4:])
    assert found.HasField("create_time")
    assert KEY[:-4] not in str(found)


async def test_key_is_nowhere_to_be_read(add, client, pool, provider):
    """Neither in the database nor in a log; a call that failed does not show it either."""
    with capture_logs() as logs:
        added = await add(request_id="r1")
        provider.will(Fail(401))
        trial = await tried(client, added.id)

    dump = [
        str(dict(row))
        for table in ("models", "model_usage", "requests", "config")
        for row in await pool.fetch(f"select {table}::text as all from {table}")
    ]
    shown = f"{dump} {logs} {trial}"
    assert "claude-opus-4-6" in shown
    assert KEY not in shown
    assert KEY.encode().hex() not in shown


async def test_repeated_call_adds_nothing(add, client):
    """The same request_id gives the same model."""
    first = await add(request_id="r1")
    second = await add(request_id="r1")

    assert first == second
    assert len(await listed(client)) == 2


async def test_request_id_of_another_model_is_refused(add):
    """A client's mistake, as everywhere."""
    await add(request_id="r1")

    with refused() as refusal:
        await add(request_id="r1", model_name="another")

    assert refusal.reason == "REQUEST_ID_REUSED"
    assert refusal.metadata == {"request_id": "r1"}


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"provider": 0}, "provider"),
        ({"provider": 99}, "provider"),
        ({"model_name": ""}, "model_name"),
        ({"model_name": " "}, "model_name"),
        ({"model_name": "a\nb"}, "model_name"),
        ({"model_name": "x" * 201}, "model_name"),
        ({"api_key": ""}, "api_key"),
        ({"api_key": "two words"}, "api_key"),
        ({"api_key": "a\r\nHost: evil"}, "api_key"),
        ({"api_key": "é"}, "api_key"),
        ({"api_key": "x" * 1001}, "api_key"),
        ({"provider": Model.PROVIDER_OPENAI, "api_key": "", "base_url": ""}, "api_key"),
        ({"base_url": "example.org"}, "base_url"),
        ({"base_url": "ftp://example.org"}, "base_url"),
        ({"base_url": "http://me:secret@example.org"}, "base_url"),
        ({"base_url": "http://example.org:99999"}, "base_url"),
        ({"base_url": "http://" + "x" * 500}, "base_url"),
        ({"base_url": "http://127.0.0.1:11435"}, "base_url"),
        ({"base_url": "http://localhost:11435/v1"}, "base_url"),
    ],
)
async def test_wrong_model_is_refused(add, client, fields, field):
    """The field is named, and what stood there is not repeated if it may be secret."""
    with refused() as refusal:
        await add(**fields)

    assert (refusal.code, refusal.metadata) == (CODE.INVALID_ARGUMENT, {"field": field})
    assert "secret" not in refusal.message.replace("not kept secret", "")
    assert len(await listed(client)) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"provider": Model.PROVIDER_OLLAMA, "base_url": ""},
        {"provider": Model.PROVIDER_OPENAI, "base_url": "http://127.0.0.1:8000/v1/"},
    ],
)
async def test_local_models_need_no_key(add, fields):
    """Ollama's, and those of servers that speak OpenAI's API."""
    added = await add(api_key="", **fields)

    assert added.api_key_hint == ""
    assert not added.base_url.endswith("/")


async def test_removed_model_is_gone(add, client, pool):
    """With its key and its counts; the number is not used again."""
    added = await add()
    request = pb.DeleteModelRequest(model_id=added.id)
    await client.config.DeleteModel(request, metadata=OPERATOR)

    assert [it.id for it in await listed(client)] == [1]
    assert (await add()).id == 3
    with refused() as refusal:
        await client.config.DeleteModel(request, metadata=OPERATOR)
    assert (refusal.code, refusal.reason) == (CODE.NOT_FOUND, "MODEL_NOT_FOUND")
    assert refusal.metadata == {"model_id": "2"}


async def test_chosen_model_is_not_removed(add, client):
    """The setting that names it is said; once another is chosen it may go."""
    added = await add()
    await update(client, "resolve_model_id", str(added.id))
    request = pb.DeleteModelRequest(model_id=added.id)

    with refused() as refusal:
        await client.config.DeleteModel(request, metadata=OPERATOR)

    assert (refusal.code, refusal.reason) == (CODE.FAILED_PRECONDITION, "MODEL_IN_USE")
    assert refusal.metadata == {"model_id": "2", "key": "resolve_model_id"}
    await update(client, "resolve_model_id", "1")
    await client.config.DeleteModel(request, metadata=OPERATOR)


async def test_chosen_model_says_what_for(add, client):
    """By both settings that may choose one."""
    added = await add()
    await update(client, "dream_model_id", str(added.id))
    await update(client, "resolve_model_id", str(added.id))

    _, model = await listed(client)

    assert list(model.purposes) == [Model.PURPOSE_RESOLVE, Model.PURPOSE_DREAM]


async def test_model_that_answers_is_told(add, client, provider, clock):
    """With how long it took, and what it cost."""
    added = await add()
    provider.will(Say({"word": "pong"}, tokens=(11, 3)))

    trial = await tried(client, added.id)

    assert (trial.answered, trial.error) == (True, "")
    assert trial.duration.ToTimedelta().total_seconds() > 0
    (usage,) = trial.model.usage_today
    assert usage.purpose == Model.PURPOSE_TEST
    assert (usage.call_count, usage.input_token_count) == (1, 11)
    assert usage.output_token_count == 3
    assert trial.model.last_answer_time.ToSeconds() == clock.now


async def test_model_that_fails_is_an_answer(add, client, provider):
    """The model's error is told at once and shown with it; it is not an error of the call."""
    added = await add()
    provider.will(Fail(503))

    trial = await tried(client, added.id)

    assert not trial.answered
    assert "503" in trial.error
    assert trial.model.last_error == trial.error
    assert trial.model.usage_today[0].failure_count == 1
    assert len(provider.asked) == 1


async def test_slow_model_is_told_within_the_call(add, client, provider):
    """The model has less time than the caller."""
    added = await add()
    provider.will(HANG)

    trial = await tried(client, added.id, timeout=2.0)

    assert "gave no answer within" in trial.error


async def test_key_that_cannot_be_read_is_an_answer(add, client, tmp_path, provider):
    """A lost key file is found out by trying."""
    added = await add()
    (tmp_path / FILE).unlink()

    trial = await tried(client, added.id)

    assert "cannot be decrypted" in trial.error
    assert provider.asked == []


async def test_absent_model_cannot_be_tried(client):
    """An unknown model is an error of the call."""
    with refused() as refusal:
        await tried(client, 2**62)

    assert (refusal.code, refusal.reason) == (CODE.NOT_FOUND, "MODEL_NOT_FOUND")


async def test_rotation_needs_the_new_key_only(add, client, tmp_path, provider):
    """Afterwards the older one can be taken out of the file."""
    added = await add()
    file = tmp_path / FILE
    newest = base64.b64encode(secrets.token_bytes(32)).decode()
    file.write_text(f"{newest}\n{file.read_text()}")

    rotated = await client.config.RotateKeys(pb.RotateKeysRequest(), metadata=OPERATOR)

    file.write_text(f"{newest}\n")
    provider.will(Say({"word": "pong"}))
    assert rotated.key_count == 1
    assert (await tried(client, added.id)).answered


async def test_rotation_is_all_or_nothing(add, client, tmp_path, pool):
    """A key that cannot be read leaves the others as they are."""
    await add()
    file = tmp_path / FILE
    old = file.read_text()
    other = base64.b64encode(secrets.token_bytes(32)).decode()
    file.write_text(f"{other}\n")
    lost = await add()
    file.write_text(old)
    before = await pool.fetch("select id, api_key from models order by id")

    with refused() as refusal:
        await client.config.RotateKeys(pb.RotateKeysRequest(), metadata=OPERATOR)

    assert (refusal.code, refusal.reason) == (
        CODE.FAILED_PRECONDITION,
        "KEY_UNREADABLE",
    )
    assert refusal.metadata == {"model_id": str(lost.id)}
    assert await pool.fetch("select id, api_key from models order by id") == before


async def test_each_memory_has_its_own(add, client, acme):
    """Neither models nor keys are seen from another tenant."""
    await add()

    there = await listed(client, Client.as_("operator", tenant="acme"))

    assert [it.model_name for it in there] == ["llama3.2"]


@pytest.mark.parametrize("who", [(), Client.as_("guest"), Client.as_("shim")])
async def test_only_operators_see_models(client, add, who):
    """An agent neither reads nor adds them."""
    for call in (lambda: listed(client, who), lambda: add(who=who)):
        with refused() as refusal:
            await call()
        assert refusal.code is CODE.PERMISSION_DENIED


async def test_ledger_of_calls_knows_no_key(add, pool):
    """Two calls that differ in their key's beginning leave the same trace."""
    await add(request_id="r1")
    await add(request_id="r1", api_key=f"another-{KEY}")

    rows = await pool.fetch("select method, response from requests")

    assert [(it["method"], json.loads(it["response"])) for it in rows] == [
        ("CreateModel", {"model_id": 2})
    ]
