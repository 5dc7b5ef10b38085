"""Asking models: the real SDKs against a stand-in that speaks the real APIs."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field, SecretStr, create_model

from festinger.core.system.models import Provider, Purpose
from festinger.errors import (
    BadAnswer,
    KeyUnreadable,
    ModelExhausted,
    ModelRefused,
    ModelUnavailable,
    NoModel,
)
from festinger.llm.failures import ANSWER_BYTES_MAX
from festinger.llm.keyring import FILE
from festinger.llm.providers import providers
from festinger.services.system.model_asker import Limits, ModelAsker
from tests.memories import DAY
from tests.providers import CUT, HANG, KEY, Endless, Fail, Say, Send
from tests.waiting import until

SYSTEM, PROMPT = "You say what is what.", "What is the private gnommoweb?"
GOOD = {"parent": "repo", "is_isa": True}
EVERY = list(Provider)
ADDRESSES = {Provider.CLAUDE: "", Provider.OPENAI: "/v1", Provider.OLLAMA: ""}


class Placed(BaseModel):
    """Type of a concept."""

    parent: str = Field(min_length=1)
    is_isa: bool = True


class Inner(BaseModel):
    """A part of an answer."""

    dimension: Literal["membership", "runs-on"]


class Listed(BaseModel):
    """An answer with parts."""

    triples: list[Inner]
    note: str | None = None


@pytest.fixture
def choose(models, store, memories, provider):
    """Add a model of the stand-in's and chooses it; give its number."""

    async def choose(kind, name="some-model", key=KEY):
        model = await models.add(
            "default",
            kind,
            name,
            key=SecretStr(key) if key else None,
            base_url=provider.url + ADDRESSES[kind],
        )
        await store.models.change_setting(
            "default", "resolve_model_id", str(model.id), 1
        )
        await memories.read_settings("default")
        return model.id

    return choose


async def ask(asker, form=Placed):
    """Ask the model that was chosen."""
    return await asker.ask(
        "default", Purpose.RESOLVE, system=SYSTEM, prompt=PROMPT, form=form
    )


async def spent(store, asker):
    """Return the usage of today, by purpose, of the model that was added last."""
    return (await store.models.models("default", asker.today))[-1].today


@pytest.mark.parametrize("kind", EVERY)
async def test_answer_has_the_form_that_was_asked_for(asker, provider, choose, kind):
    """Each provider is asked in its own way, and what it says is a checked value."""
    await choose(kind)
    provider.will(Say(GOOD))

    assert await ask(asker) == Placed(parent="repo", is_isa=True)
    assert SYSTEM in str(provider.asked)
    assert PROMPT in str(provider.asked)


@pytest.mark.parametrize("kind", EVERY)
async def test_closed_list_is_part_of_what_is_asked(asker, provider, choose, kind):
    """The model is held to the names it is offered, also in nested and optional parts."""
    dimensions: Any = Literal["type", "runs-on"]
    form: Any = create_model("Form", __base__=Listed, first=(dimensions, ...))
    await choose(kind)
    provider.will(
        Say({"first": "type", "triples": [{"dimension": "runs-on"}], "note": None})
    )

    answer = await ask(asker, form)

    assert (answer.first, answer.triples[0].dimension) == ("type", "runs-on")
    asked = str(provider.asked[0])
    assert "['type', 'runs-on']" in asked
    assert "['membership', 'runs-on']" in asked


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize(
    "wrong", [{"parent": ""}, {"parent": 7}, "no JSON", "", [1], '{"parent": "re']
)
async def test_wrong_answer_is_repaired_once(asker, provider, choose, kind, wrong):
    """The model is told what is wrong, and may answer again."""
    await choose(kind)
    provider.will(Say(wrong), Say(GOOD))

    assert (await ask(asker)).parent == "repo"
    said = provider.asked[1]["messages"][-1]["content"]
    assert "That cannot be used" in said


@pytest.mark.parametrize("kind", EVERY)
async def test_second_wrong_answer_is_bad(asker, provider, choose, kind, store, clock):
    """Nobody asks a third time; both answers are counted, and the model shows why."""
    number = await choose(kind)
    provider.will(Say({"parent": ""}), Say({"secret": "answer"}))

    with pytest.raises(BadAnswer) as caught:
        await ask(asker)

    assert len(provider.asked) == 2
    assert "parent: Field required" in caught.value.message
    usage = (await spent(store, asker))[Purpose.RESOLVE]
    assert (usage.calls, usage.input_tokens, usage.output_tokens) == (2, 40, 10)
    model = await store.models.model("default", number, asker.today)
    assert model.last_error == caught.value.message


@pytest.mark.parametrize("kind", EVERY)
async def test_cut_answer_is_told_to_be_shorter(asker, provider, choose, kind):
    """Half of an answer is none, and the model is told why."""
    await choose(kind)
    provider.will(Say('{"parent": "re', cut=True), Say(GOOD))

    await ask(asker)

    assert "answer shorter" in str(provider.asked[1])


@pytest.mark.parametrize("kind", EVERY)
async def test_fenced_answer_is_read(asker, provider, choose, kind):
    """Models like to put JSON into a code block."""
    await choose(kind)
    provider.will(Say('```json\n{"parent": "repo"}\n```\n'))

    assert (await ask(asker)).parent == "repo"


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("status", [429, 500, 503, 529])
async def test_passing_failure_is_outlived(
    asker, provider, choose, kind, status, pauses
):
    """The pauses double, and each is a random part of itself."""
    await choose(kind)
    provider.will(Fail(status), Fail(status), Say(GOOD))

    assert (await ask(asker)).parent == "repo"
    assert pauses == [0.5, 1.0]


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize(
    ("status", "error"), [(429, ModelExhausted), (500, ModelUnavailable)]
)
async def test_lasting_failure_is_told(
    asker, provider, choose, kind, status, error, store, clock
):
    """After four attempts, each of which is counted."""
    await choose(kind)
    provider.will(*[Fail(status)] * 4)

    with pytest.raises(error):
        await ask(asker)

    assert len(provider.asked) == 4
    assert (await spent(store, asker))[Purpose.RESOLVE].failures == 4


@pytest.mark.parametrize("kind", EVERY)
async def test_provider_says_how_long_to_wait(asker, provider, choose, kind, pauses):
    """Retry-After is a shortest pause; a date counts as well."""
    await choose(kind)
    past = {"Retry-After": "Thu, 01 Jan 2026 00:00:00 GMT"}
    provider.will(Fail(429, headers={"Retry-After": "7"}), Fail(503, headers=past))
    provider.will(Say(GOOD))

    await ask(asker)

    assert pauses == [7.5, 1.0]


@pytest.mark.parametrize("kind", EVERY)
async def test_long_pauses_are_not_waited_for(asker, provider, choose, kind, pauses):
    """A provider that wants us back in an hour is reported to the operator instead."""
    await choose(kind)
    provider.will(Fail(429, headers={"Retry-After": "3600"}))

    with pytest.raises(ModelExhausted):
        await ask(asker)

    assert pauses == []


async def test_used_up_quota_is_not_asked_again(asker, provider, choose):
    """OpenAI says by a code that waiting does not help."""
    await choose(Provider.OPENAI)
    provider.will(Fail(429, code="insufficient_quota"))

    with pytest.raises(ModelExhausted) as caught:
        await ask(asker)

    assert "insufficient_quota" in caught.value.message
    assert len(provider.asked) == 1


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("status", [400, 401, 403, 404])
async def test_refusal_is_told_at_once(asker, provider, choose, kind, status):
    """Asking again would not help; OpenAI's is asked without a schema, in case."""
    await choose(kind)
    provider.will(*[Fail(status)] * 2)

    with pytest.raises(ModelRefused):
        await ask(asker)

    repeated = kind is Provider.OPENAI and status == 400
    assert len(provider.asked) == 1 + repeated


async def test_missing_ollama_model_says_how_to_get_it(asker, provider, choose):
    """The usual first mistake has its command."""
    await choose(Provider.OLLAMA, name="missing")

    with pytest.raises(ModelRefused, match="ollama pull missing"):
        await ask(asker)


@pytest.mark.parametrize("kind", [Provider.CLAUDE, Provider.OPENAI])
async def test_failure_shows_neither_key_nor_prompt(asker, provider, choose, kind):
    """Even where the provider quotes the key."""
    await choose(kind, key="sk-expired-9876543210-abcd")

    with pytest.raises(ModelRefused, match="not accepted") as caught:
        await ask(asker)

    shown = f"{caught.value!r} {caught.value.metadata} {caught.value.__cause__}"
    assert "expired" not in shown.replace("may have expired", "")
    assert "gnommoweb" not in shown


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("line", [CUT, Send(b"<html>"), Send(b"{}"), Send(b"[]")])
async def test_broken_answers_are_asked_for_again(asker, provider, choose, kind, line):
    """A connection that breaks, and a page that is none of the API."""
    await choose(kind)
    provider.will(line, Say(GOOD))

    assert (await ask(asker)).parent == "repo"


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("status", [200, 500])
async def test_answer_without_end_is_not_read(asker, provider, choose, kind, status):
    """Neither an answer nor an error takes more memory than an answer may have."""
    await choose(kind)
    provider.will(Endless(status))

    with pytest.raises(BadAnswer, match=str(ANSWER_BYTES_MAX)):
        await ask(asker)


@pytest.mark.parametrize("kind", EVERY)
async def test_large_answer_is_not_read(asker, provider, choose, kind):
    """Ten megabytes at once are no better."""
    await choose(kind)
    provider.will(Say("x" * 10_000_000))

    with pytest.raises(BadAnswer, match=str(ANSWER_BYTES_MAX)):
        await ask(asker)


@pytest.mark.parametrize("kind", EVERY)
async def test_packed_answer_is_not_unpacked(asker, provider, choose, kind):
    """We ask for plain bytes; how large packed ones would be nobody knows."""
    await choose(kind)
    provider.will(Send(b"\x1f\x8b\x08", {"content-encoding": "gzip"}))

    with pytest.raises(BadAnswer):
        await ask(asker)

    assert provider.headers[0]["accept-encoding"] == "identity"


@pytest.mark.parametrize("kind", EVERY)
async def test_absent_provider_is_unavailable(models, asker, memories, store, kind):
    """Nobody listens there."""
    model = await models.add(
        "default", kind, "x", key=SecretStr(KEY), base_url="http://127.0.0.1:1"
    )
    await store.models.change_setting("default", "resolve_model_id", str(model.id), 1)
    await memories.read_settings("default")

    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        await ask(asker)


@pytest.mark.parametrize("kind", EVERY)
async def test_slow_model_is_given_up(
    store, keyring, memories, clock, provider, choose, kind
):
    """Once: it had all the time there is."""
    await choose(kind)
    provider.will(HANG)
    hurried = ModelAsker(
        store.models,
        keyring,
        providers([provider.url]),
        memories,
        now=clock,
        limits=Limits(answer_seconds_max=0.5),
    )

    with pytest.raises(ModelUnavailable, match=r"within 0\.5 s"):
        await ask(hurried)


@pytest.mark.parametrize("kind", EVERY)
async def test_cancelled_question_ends_its_request(asker, provider, choose, kind):
    """The cancellation reaches the caller, and the provider's connection is closed."""
    await choose(kind)
    provider.will(HANG)
    asking = asyncio.create_task(ask(asker))
    await provider.arrived.wait()

    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking

    await provider.left.wait()


async def test_only_so_many_requests_at_once(asker, provider, choose):
    """Further ones wait for a model that is busy."""
    await choose(Provider.OLLAMA)
    provider.will(*[Say(GOOD)] * 5)
    provider.hold.clear()
    asking = [asyncio.create_task(ask(asker)) for _ in range(5)]
    await until(lambda: provider.busy == Limits().calls_max)
    await asyncio.sleep(0.2)  # for one too many, if it were sent

    provider.hold.set()
    await asyncio.gather(*asking)

    assert provider.busiest == Limits().calls_max


async def test_nobody_is_asked_before_one_is_chosen(asker, provider):
    """The error names the setting, and the command that sets it."""
    with pytest.raises(
        NoModel, match="festinger config set resolve_model_id"
    ) as caught:
        await ask(asker)

    assert caught.value.metadata == {"key": "resolve_model_id"}
    assert provider.asked == []


async def test_budget_of_a_day_is_kept(asker, provider, choose, memories, store, clock):
    """The usage of today counts, by whichever model and server; tomorrow is another day."""
    number = await choose(Provider.CLAUDE)
    await store.models.change_setting("default", "daily_token_budget", "50", 1)
    await memories.read_settings("default")
    provider.will(*[Say(GOOD)] * 3)
    await ask(asker)
    await ask(asker)

    with pytest.raises(ModelExhausted, match="50 tokens were used today"):
        await ask(asker)
    clock.now += DAY
    await ask(asker)

    assert len(provider.asked) == 3
    model = await store.models.model("default", number, asker.today)
    assert model.today[Purpose.RESOLVE].input_tokens == 20


async def test_budget_holds_for_repeated_requests(
    asker, provider, choose, memories, store
):
    """A wrong answer is not repaired with tokens that are not there."""
    await choose(Provider.OLLAMA)
    await store.models.change_setting("default", "daily_token_budget", "25", 1)
    await memories.read_settings("default")
    provider.will(Say("no JSON"), Say(GOOD))

    with pytest.raises(ModelExhausted):
        await ask(asker)

    assert len(provider.asked) == 1


async def test_answer_takes_the_last_error_back(asker, provider, choose, store, clock):
    """A model that has answered since shows no old complaint."""
    number = await choose(Provider.OPENAI)
    provider.will(Fail(401), Say(GOOD))
    with pytest.raises(ModelRefused):
        await ask(asker)
    failed = await store.models.model("default", number, asker.today)

    await ask(asker)

    model = await store.models.model("default", number, asker.today)
    assert "not accepted" in failed.last_error
    assert failed.last_answer is None
    assert (model.last_error, model.last_answer) == ("", clock.now)


async def test_server_without_schemas_is_asked_in_words(asker, provider, choose):
    """It is remembered, so that the next question is one request."""
    provider.knows_schemas = False
    await choose(Provider.OPENAI, key="")
    provider.will(Say(GOOD), Say(GOOD))

    assert (await ask(asker)).parent == "repo"
    await ask(asker)

    formats = [asked["response_format"]["type"] for asked in provider.asked]
    assert formats == ["json_schema", "json_object", "json_object"]
    assert "JSON schema" in provider.asked[1]["messages"][0]["content"]


async def test_uncounted_tokens_are_estimated(asker, provider, choose, store):
    """A server that counts none does not get round the budget."""
    provider.counts = False
    await choose(Provider.OPENAI, key="")
    provider.will(Say({"parent": "r" * 400}))

    await ask(asker)

    usage = (await spent(store, asker))[Purpose.RESOLVE]
    assert usage.input_tokens > len(SYSTEM + PROMPT) // 4
    assert 100 <= usage.output_tokens <= 110


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("tokens", [(-1, 1), (1, 2**70)])
async def test_impossible_counts_are_no_answer(asker, provider, choose, kind, tokens):
    """They would make a day's budget endless, or break its table."""
    await choose(kind)
    provider.will(Say(GOOD, tokens=tokens), Say(GOOD))

    await ask(asker)

    assert len(provider.asked) == 2


async def test_what_an_answer_holds_breaks_nothing(asker, provider, choose):
    """An error's details can be kept, whatever their keys are."""
    await choose(Provider.OLLAMA)
    form: Any = create_model("Form", __config__={"extra": "forbid"}, parent=(str, ...))
    provider.will(*[Say({"parent": "x", "a\0b\u202e": 1})] * 2)

    with pytest.raises(BadAnswer, match="not permitted"):
        await ask(asker, form)


@pytest.mark.parametrize("kind", EVERY)
async def test_environment_lends_no_key(asker, provider, choose, kind, monkeypatch):
    """Environment variables for other programs go to no provider of ours."""
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID",
                 "OPENAI_PROJECT_ID", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):  # fmt: skip
        monkeypatch.setenv(name, "borrowed")
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "OLLAMA_HOST"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    await choose(kind, key=KEY if kind.needs_key(provider.url) else "")
    provider.will(Say(GOOD))

    await ask(asker)

    assert "borrowed" not in str(provider.headers)


async def test_ollama_is_asked_past_the_shim(store, keyring, memories, clock, provider):
    """Without an address it is the shim's upstream, and the next one if that is away."""
    await store.models.change_setting("default", "resolve_model_id", "1", 1)
    await memories.read_settings("default")
    behind = providers(["http://127.0.0.1:1", provider.url])
    asker = ModelAsker(store.models, keyring, behind, memories, now=clock)
    provider.will(Say(GOOD))

    assert (await ask(asker)).parent == "repo"
    assert provider.asked[0]["model"] == "llama3.2"


async def test_key_that_is_gone_is_told(asker, choose, tmp_path, provider, store):
    """A lost key file says what to do, and the model shows it."""
    number = await choose(Provider.CLAUDE)
    (tmp_path / FILE).unlink()

    with pytest.raises(KeyUnreadable, match="add it again"):
        await ask(asker)

    model = await store.models.model("default", number, asker.today)
    assert "cannot be decrypted" in model.last_error
    assert provider.asked == []
