from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import date
from string import ascii_lowercase
from typing import Any

import pytest

from festinger.config import LearningSettings, PromptStorage
from festinger.core.language.reader.questions import TOKENS_MIN
from festinger.core.language.reader.unread import TurnPart, UnreadTurn
from festinger.core.language.turns import Role, Turn
from festinger.core.lines.listing import UtteranceFilter
from festinger.core.lines.originlines import OriginLines
from festinger.core.lines.turns import digest_of
from festinger.core.recollection.overlap import why_unsayable
from festinger.core.system.models import Model, Provider
from festinger.core.system.preferences import Switch
from festinger.core.world.world import World
from festinger.errors import BadAnswer, LeaseLost, ModelUnavailable
from festinger.services.language.forgetting import Forgetter, forget_lines
from festinger.services.language.reader.known import SENTENCES_MAX, known_about
from festinger.services.language.reader.providers import ProviderReader
from festinger.services.language.reader.turns import (
    ATTEMPTS_MAX,
    LeasedTurns,
    TurnReading,
)
from festinger.services.language.saying import say as tell
from festinger.services.recollection.recollect import PromptOrigin
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.language import turn_queue
from festinger.store.postgres import PostgresStore
from festinger.store.system.pool import Pool
from tests.memories import TRUST, Clock, held, recollect_prompt
from tests.scripted_model import ScriptedModel
from tests.services.conftest import settled
from tests.services.language.test_keeping import every_text

PROD = "prod is on pg14 since the spring."
PG14 = "on pg14 since the spring."
STAGING = "staging is on pg15 already."
SHOP = PromptOrigin("s1", "shop")
ROOM = 2_000


@pytest.fixture
def reading(store: PostgresStore, memories: Memories) -> TurnReading:
    """Lend the turns of the test's memories."""
    memories.have_read(True)
    return TurnReading(store.unread)


async def say(
    memory: TenantMemory,
    text: str,
    *before: Turn,
    subject: str = "nadia",
    where: PromptOrigin = SHOP,
) -> None:
    """Has somebody say something, and waits until it is committed."""
    turns = [*before, Turn(Role.USER, text, digest=text.encode())]
    recollect_prompt(memory, turns, principal="key-1", subject=subject, where=where)
    await settled(memory)


async def waiting(pool: Pool) -> list[str]:
    """Return the texts that wait to be read."""
    rows = await pool.fetch("select body from unread_turns order by said_at, number")
    return [row["body"] for row in rows]


def lines(leased: LeasedTurns | None) -> list[dict[str, Any]]:
    """Return the lines of a request."""
    assert leased
    return [json.loads(line) for line in leased.request.prompt.split("\n")]


def texts(leased: LeasedTurns | None) -> list[str]:
    """Return the texts of people's turns in a request."""
    return [it["text"] for it in lines(leased) if it.get("role") == "user"]


def answer(quote: str, subject: str, predicate: str, value: str, **fields: Any) -> str:
    """Return an answer with one statement."""
    statement = {
        "turn": 2,
        "quote": quote,
        "subject": subject,
        "predicate": predicate,
        "value": value,
        **fields,
    }
    return json.dumps({"statements": [statement]})


def stated(world: World) -> set[str]:
    """Return the held facts, in words."""
    return {f"{it.concept} [{it.dimension}] {it.parent}" for it in held(world)}


async def lapse(pool: Pool) -> None:
    """End all leases."""
    await pool.execute("update unread_turns set leased_until = now() - interval '1s'")


async def test_what_people_say_waits_to_be_read(reading, memory, pool):
    """With its speaker, its place, its time, and the end of the turn before it."""
    asked = Turn(Role.ASSISTANT, "Which Postgres is prod on?")
    await say(memory, PROD, asked)

    row = await pool.fetchrow("select * from unread_turns")
    assert row["body"] == PROD
    assert (row["speaker"], row["principal"]) == ("nadia", "key-1")
    assert (row["project"], row["session"]) == ("shop", "s1")
    assert row["said_at"].timestamp() == memory.now()
    assert (row["before_role"], row["before"]) == ("assistant", asked.text)


async def test_what_is_pasted_or_secret_does_not_wait(reading, memory, pool):
    """The rest is as it was typed, line for line."""
    await say(
        memory, f"{PROD}\n```\nport = 5432\n```\nthe staging password is Tr0ub4dor&3Zx"
    )

    (body,) = await waiting(pool)
    assert body.startswith(f"{PROD}\n")
    assert "5432" not in body
    assert "Tr0ub4dor" not in await every_text(pool)


async def test_full_memory_leases_nothing(reading, memories, memory):
    """It would learn nothing; what waits is read once there is room."""
    await say(memory, PROD)
    memories.limit_lines(lambda tenant: len(memory.world.lines))
    full = await reading.lease(memory, ROOM)
    memories.limit_lines(lambda tenant: 0)

    assert full is None
    assert texts(await reading.lease(memory, ROOM)) == [PROD]


@pytest.mark.parametrize("how", ["configuration", "setting", "keep"])
async def test_nothing_waits_where_nobody_reads(reading, memories, memory, pool, how):
    """Switched off by the configuration or at run time, or nothing is kept at all."""
    if how == "configuration":
        memories.have_read(False)
    elif how == "setting":
        memory.preferences = memory.preferences.__class__(reading=Switch.OFF)
    else:
        memory.keeps = PromptStorage.NOTHING
    await say(memory, PROD)

    assert await waiting(pool) == []
    assert await reading.lease(memory, ROOM) is None


async def test_what_is_kept_from_somebody_is_not_read(reading, memory, pool):
    """A statement would be told to everybody."""
    await say(memory, "the party for Nan is on the 11th. don't tell Nan.")

    assert await waiting(pool) == []


async def test_turn_waits_once(reading, memory, pool):
    """A client sends its history again; what was read does not wait anew."""
    await say(memory, PROD)
    memory.recent_turns.forget([PROD.encode()])
    await say(memory, PROD)
    assert await waiting(pool) == [PROD]

    leased = await reading.lease(memory, ROOM)
    await reading.submit(memory, leased.lease, '{"statements": []}')
    memory.recent_turns.forget([PROD.encode()])
    await say(memory, PROD)

    assert await waiting(pool) == []


async def test_what_is_told_outright_waits_as_well(reading, memory, pool):
    """Plain words are kept as said, and read like any others."""
    await tell(memory, "The vault box sits behind the old dynamo.", principal="key-1")

    assert await waiting(pool) == ["The vault box sits behind the old dynamo."]


async def test_flood_is_bounded(reading, memory, pool, monkeypatch):
    """The oldest turns are let go."""
    monkeypatch.setattr(turn_queue, "WAITING_MAX", 2)
    monkeypatch.setattr(turn_queue, "TRIM_EVERY", 1)
    for text in (PROD, STAGING, "the backup runs at noon."):
        memory.now.now += 1
        await say(memory, text)

    assert await waiting(pool) == [STAGING, "the backup runs at noon."]


async def test_statement_is_learnt_and_the_turn_is_read(reading, memory, pool):
    """In one transaction; the ledger says whose words it was."""
    await say(memory, PROD)
    leased = await reading.lease(memory, ROOM)
    assert texts(leased) == [PROD]

    learnt = await reading.submit(
        memory, leased.lease, answer("prod is on pg14", "prod", "runs_on", "pg14")
    )

    assert sum(learnt.verdicts.values()) == 1
    assert await waiting(pool) == []
    row = await pool.fetchrow("select * from assertions where source = 'cloud_llm'")
    assert (row["principal"], row["subject"]) == ("key-1", "nadia")
    assert row["sentence"] == "prod is on pg14"
    assert reading.statistics("default").learned == 1


async def test_what_is_held_is_shown(reading, memory):
    """By its number in the ledger, to be named."""
    await say(memory, PROD)
    leased = await reading.lease(memory, ROOM)
    await reading.submit(
        memory, leased.lease, answer("prod is on pg14", "prod", "runs_on", "pg14")
    )
    await say(memory, "prod moved to pg16 last night.")

    known = [it for it in lines(await reading.lease(memory, ROOM)) if "known" in it]

    assert [(it["subject"], it["predicate"], it["value"]) for it in known] == [
        ("production", "runs-on", "pg14")
    ]


@pytest.mark.parametrize("together", [False, True])
async def test_what_is_held_about_a_short_sentence_is_shown_beside_a_long_one(
    reading, memory, together
):
    """In one turn or in two: otherwise nobody would learn that the short one ends it."""
    await say(memory, "The lathe is in room 4.")
    names = [f"{letter}db" for letter in ascii_lowercase]
    await say(memory, f"prod uses {', '.join(names)}.")
    leased = await reading.lease(memory, ROOM)
    read = [
        {"turn": 2, "quote": "The lathe is in room 4", "subject": "lathe"}
        | {"predicate": "located", "value": "room 4"},
        *(
            {"turn": 4, "quote": name, "subject": "prod", "predicate": "uses"}
            | {"value": f"{name}, the {name} of prod"}
            for name in names
        ),
    ]
    await reading.submit(memory, leased.lease, json.dumps({"statements": read}))
    said = [f"prod is fine: {', '.join(names)}.", "the lathe can go then."]
    for session, text in enumerate([" ".join(said)] if together else said, 2):
        await say(memory, text, where=PromptOrigin(f"s{session}"))

    request = lines(await reading.lease(memory, 1_000))

    known = [it["subject"] for it in request if "known" in it]
    assert "lathe" in known
    assert 1 < len(known) < len(names)


async def test_thousands_of_lines_are_not_searched_for_one_by_one(memory, monkeypatch):
    """Of a long turn the first sentences are, and the others together."""
    text = "\n".join(f"row {number}" for number in range(3_000))
    unread = UnreadTurn(text, "nadia", "key-1", "shop", "s1", memory.now(), b"t")
    searched: list[Any] = []

    def search(lines: OriginLines, *asked: Any) -> list[Any]:
        """Find nothing."""
        searched.append(asked)
        return []

    monkeypatch.setattr(OriginLines, "search", search)

    known_about(memory.world, [TurnPart(1, unread, 0, len(text))])

    assert 1 < len(searched) <= SENTENCES_MAX + 2


async def test_other_values_of_a_subject_are_shown_if_a_turn_may_change_them(
    reading, memory
):
    """
    "Same day but 20:30" names neither the meeting nor what it changes.
    """
    await say(memory, "The choir meets on Tuesday 18:00 in room C-114 for free.")
    leased = await reading.lease(memory, ROOM)
    read = [
        {"turn": 2, "quote": "The choir meets on Tuesday 18:00", "subject": "choir"}
        | {"predicate": "scheduled", "value": "Tuesday 18:00"},
        {"turn": 2, "quote": "in room C-114", "subject": "choir"}
        | {"predicate": "room", "value": "C-114"},
        {"turn": 2, "quote": "for free", "subject": "choir"}
        | {"predicate": "price", "value": "free"},
    ]
    await reading.submit(memory, leased.lease, json.dumps({"statements": read}))
    text = "C-114 gets new heating, so the same day but 20:30 in B2."
    await say(memory, text, where=PromptOrigin("s2"))

    request = lines(await reading.lease(memory, ROOM))

    known = [it["predicate"] for it in request if "known" in it]
    assert known[:2] == ["room", "scheduled"]


async def test_what_is_alike_in_meaning_is_shown_without_a_common_word(reading, memory):
    """Of the values that people change, one in eleven is not named by its words."""
    things = [f"{it}-rack" for it in ascii_lowercase]
    await say(memory, f"The physician is Moss. The yard has {', '.join(things)}.")
    leased = await reading.lease(memory, ROOM)
    read = [
        {"turn": 2, "quote": "The physician is Moss", "subject": "physician"}
        | {"predicate": "is", "value": "Moss"},
        *(
            {"turn": 2, "quote": it, "subject": "yard", "predicate": "has", "value": it}
            for it in things
        ),
    ]
    await reading.submit(memory, leased.lease, json.dumps({"statements": read}))
    await say(memory, "our new doctor starts on monday", where=PromptOrigin("s2"))

    request = lines(await reading.lease(memory, ROOM))

    assert "physician" in [it["subject"] for it in request if "known" in it]


async def test_batches_follow_one_another(reading, memory):
    """While one is read no other is lent: the next is to be shown what came of it."""
    await say(memory, PROD)
    first = await reading.lease(memory, ROOM)
    await say(memory, STAGING)
    assert texts(first) == [PROD]
    assert await reading.lease(memory, ROOM) is None

    await reading.submit(memory, first.lease, '{"statements": []}')

    assert texts(await reading.lease(memory, ROOM)) == [STAGING]


async def test_long_turn_is_read_to_its_end(reading, memory, pool):
    """Part by part, with statements out of each."""
    await say(memory, " ".join(f"host{it} is on pg{it}." for it in range(60)))
    shown = ""
    for _ in range(20):
        leased = await reading.lease(memory, 450)
        if leased is None:
            break
        shown += texts(leased)[0]
        name = texts(leased)[0].split()[0]
        value = f"pg{name[4:]}"
        await reading.submit(
            memory,
            leased.lease,
            answer(f"{name} is on {value}", name, "runs_on", value),
        )

    assert shown.split() == [
        it for n in range(60) for it in f"host{n} is on pg{n}.".split()
    ]
    assert await waiting(pool) == []
    assert reading.statistics("default").learned > 1


async def test_turns_that_gave_way_are_read_next(reading, memory):
    """As if they had never been lent."""
    await say(memory, PROD)
    leased = await reading.lease(memory, ROOM)
    await reading.release(memory, leased.lease)

    assert texts(await reading.lease(memory, ROOM)) == [PROD]


async def test_reader_that_died_is_followed_by_another(reading, memory, pool):
    """Once its lease is over; what it brings then is not learnt."""
    await say(memory, PROD)
    dead = await reading.lease(memory, ROOM)
    await lapse(pool)
    heir = await reading.lease(memory, ROOM)
    said = answer("prod is on pg14", "prod", "runs_on", "pg14")

    with pytest.raises(LeaseLost):
        await reading.submit(memory, dead.lease, said)
    await reading.submit(memory, heir.lease, said)
    with pytest.raises(LeaseLost):
        await reading.submit(memory, heir.lease, said)

    assert reading.statistics("default").learned == 1


async def test_crash_reads_nothing_twice(store, reading, memory, clock, pool):
    """A turn that another server finds after a kill is read, or waits; never both."""
    await say(memory, PROD)
    leased = await reading.lease(memory, ROOM)
    said = answer("prod is on pg14", "prod", "runs_on", "pg14")

    # Nobody knows whether it came to the commit.
    task = asyncio.create_task(reading.submit(memory, leased.lease, said))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await memory.writer.stop()

    other = Memories(store, now=clock, trust=TRUST)
    other.have_read(True)
    heir = await other.get("default")
    await lapse(pool)
    held = await pool.fetchval(
        "select count(*) from assertions where source = 'cloud_llm'"
    )
    again = await TurnReading(store.unread).lease(heir, ROOM)
    assert (held == 1) != (again is not None)
    await other.stop()


@pytest.mark.parametrize(
    "said",
    [
        "They said that prod is on pg14.",
        '{"statements": [{"turn": 2,',
        json.dumps({"statements": [{}] * 3_000}),
        " " * 1_100_000,
    ],
    ids=["prose", "broken", "thousands", "endless"],
)
async def test_answer_that_cannot_be_used_loses_nothing(reading, memory, pool, said):
    """The turns are read again later, twice, and then left to the rules."""
    await say(memory, PROD)
    for attempt in range(1, ATTEMPTS_MAX + 1):
        leased = await reading.lease(memory, ROOM)
        with pytest.raises(BadAnswer):
            await reading.submit(memory, leased.lease, said)
        assert await reading.lease(memory, ROOM) is None
        assert await waiting(pool) == ([PROD] if attempt < ATTEMPTS_MAX else [])
        await pool.execute("update unread_turns set due_at = now()")

    statistics = reading.statistics("default")
    assert (statistics.failures, statistics.given_up) == (ATTEMPTS_MAX, 1)
    assert PROD not in statistics.problem


async def test_invented_statements_are_refused_and_the_turn_is_read(
    reading, memory, pool
):
    """An answer of the right form is an answer, whatever it says."""
    await say(memory, PROD)
    leased = await reading.lease(memory, ROOM)

    await reading.submit(
        memory, leased.lease, answer("prod is on pg99", "prod", "runs_on", "pg99")
    )

    assert await waiting(pool) == []
    found = await pool.fetch("select * from assertions where source = 'cloud_llm'")
    assert found == []
    assert reading.statistics("default").refused == {"not quoted": 1}


async def test_doubtful_statement_waits_for_people(reading, memory, pool):
    """It is a candidate, with the reason."""
    await say(memory, "I think prod is on pg14")
    leased = await reading.lease(memory, ROOM)

    await reading.submit(
        memory, leased.lease, answer("prod is on pg14", "prod", "runs_on", "pg14")
    )

    row = await pool.fetchrow("select * from candidates")
    assert (row["sentence"], row["proposer"]) == ("prod is on pg14", "model")
    assert await pool.fetchval("select count(*) from urd where dim_id <> id") == 0


@pytest.mark.parametrize(
    ("subject", "earlier", "is_held"),
    [
        ("service", "", True),
        ("grafana", "", False),
        ("grafana", "grafana is slow again.", True),
        ("grafana cloud", "grafana is slow again.", False),
    ],
)
async def test_subject_that_is_left_out_was_said_before_or_is_everyday(
    reading, memory, subject, earlier, is_held
):
    """A name that nobody ever said waits for people."""
    other = PromptOrigin("s0", SHOP.project)
    if earlier:
        await say(memory, earlier, subject="jonas", where=other)
    await say(memory, PG14)
    leased = await reading.lease(memory, ROOM)

    await reading.submit(
        memory, leased.lease, answer(PG14, subject, "runs_on", "pg14", turn=None)
    )

    assert bool(stated(memory.world)) is is_held


async def test_name_is_that_of_the_project_if_it_has_facts_there(memory):
    """Without its article it is about the same as with it."""
    await say(memory, "the timeout is 30 seconds")
    await say(memory, "timeout is back at 20 seconds")

    assert {it.concept for it in held(memory.world)} == {"shop/timeout"}


async def test_subject_of_another_project_is_not_known_in_this(reading, memory):
    """A person who never spoke of it here has not left it out."""
    elsewhere = PromptOrigin("s0", "garden")
    await say(memory, "grafana is slow again.", subject="jonas", where=elsewhere)
    await say(memory, PG14)
    leased = await reading.lease(memory, ROOM)

    await reading.submit(
        memory, leased.lease, answer(PG14, "grafana", "runs_on", "pg14", turn=None)
    )

    assert stated(memory.world) == set()


@pytest.mark.parametrize(("value", "is_held"), [("podman", True), ("trust", False)])
async def test_everyday_subject_needs_a_name_as_its_value(memory, value, is_held):
    """
    "Billing runs on podman" is a fact, "society runs on trust" may be a saying.
    """
    memory.world.dictionary = memory.world.dictionary | {"billing", "trust"}
    text = f"billing runs on {value}."

    await say(memory, text, where=PromptOrigin("s1"))

    found = {f"billing [runs-on] {value}"} if is_held else set()
    assert stated(memory.world) == found


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("i am off on fridays.", "rose"),
        ("rose is off on fridays.", "rose"),
        ("the rose is off on fridays.", "shop/rose"),
    ],
)
async def test_name_of_a_speaker_is_no_common_noun(reading, memory, text, concept):
    """Rose is the same person in every project, the rose is one of a project's things."""
    memory.world.dictionary = memory.world.dictionary | {"rose"}
    await say(memory, text, subject="Rose")
    leased = await reading.lease(memory, ROOM)

    await reading.submit(
        memory, leased.lease, answer(text, "rose", "off_on", "fridays")
    )

    assert stated(memory.world) == {f"{concept} [off-on] Friday"}


async def test_forgotten_sentence_is_not_read(reading, memory, pool):
    """No copy of it is left, and what is being read of it teaches nothing."""
    await say(memory, f"{PROD} {STAGING}")
    answered = Turn(Role.ASSISTANT, f"You said: {PROD}")
    await say(memory, "The backup runs at noon.", answered)
    leased = await reading.lease(memory, ROOM)

    await forget_lines(memory, UtteranceFilter(phrase="pg14"), principal="key-1")

    assert PROD not in await every_text(pool)
    with pytest.raises(LeaseLost):
        await reading.submit(
            memory, leased.lease, answer("prod is on pg14", "prod", "runs_on", "pg14")
        )
    assert "pg14" not in await every_text(pool)


async def test_sentence_that_was_taken_back_teaches_nothing(reading, memory):
    """A model may have read it before the next message took it back."""
    await say(memory, PROD)
    leased = await reading.lease(memory, ROOM)
    await say(memory, "haha, just kidding")

    await reading.submit(
        memory, leased.lease, answer("prod is on pg14", "prod", "runs_on", "pg14")
    )

    assert stated(memory.world) == set()


async def test_what_is_too_old_is_not_read(reading, memory, memories, clock, pool):
    """It is forgotten with everything else of its time, and so where it is all there is."""
    memory.keeps = PromptStorage.STATEMENTS
    await say(memory, PROD)
    assert await waiting(pool) == [PROD]
    clock.now += 91 * 86_400

    await Forgetter(memories, days=90, now=clock).look()

    assert await waiting(pool) == []


async def test_too_little_room_lends_nothing(reading, memory):
    """A machine that is too slow for it is asked nothing."""
    await say(memory, PROD)

    assert await reading.lease(memory, TOKENS_MIN - 1) is None


async def test_unknown_name_that_is_met_often_is_asked_about(reading, memory):
    """From the sixteenth encounter on (B4), until something is held of it."""

    async def unknown() -> list[Any]:
        leased = await reading.lease(memory, ROOM)
        await reading.release(memory, leased.lease)
        return [it["unknown"] for it in lines(leased) if "unknown" in it]

    for number in range(15):
        await say(memory, f"we have pushed gnommoweb for the {number}th time")
    assert await unknown() == []
    await say(memory, "the service has gnommoweb in it")
    assert await unknown() == ["gnommoweb"]
    leased = await reading.lease(memory, ROOM)
    await reading.submit(
        memory,
        leased.lease,
        answer("we have pushed gnommoweb", "shop", "runs_on", "gnommoweb"),
    )
    await say(memory, "gnommoweb is slow again")

    assert await unknown() == []


async def test_unknown_name_is_learnt_from_a_model_and_told(reading, memory):
    """Task T36: over the write threshold, asked, answered, held, and told with the next prompt."""
    for number in range(16):
        await say(memory, f"we have pushed gnommoweb as our repo, try {number}")
    leased = await reading.lease(memory, ROOM)
    assert {"unknown": "gnommoweb"} in lines(leased)

    await reading.submit(
        memory,
        leased.lease,
        answer("gnommoweb as our repo", "gnommoweb", "is a", "repo"),
    )

    assert "gnommoweb [type] repo" in stated(memory.world)
    told = recollect_prompt(
        memory, [Turn(Role.USER, "What kind of thing is gnommoweb?")], principal="key-1"
    )
    assert told.lines[0].text.startswith("gnommoweb: [type] repo")


# A model of a provider


@pytest.fixture
async def provider_reader(
    memories: Memories,
    reading: TurnReading,
    store: PostgresStore,
    model: ScriptedModel,
    clock: Clock,
) -> AsyncIterator[ProviderReader]:
    """Has the scripted model read, when the test has it look."""
    chosen = await store.models.add(
        "default", Model(0, Provider.OPENAI, "gpt"), lambda _: None, None, date.today()
    )
    reader = ProviderReader(memories, reading, store.models, model, now=clock)
    reader.settings = LearningSettings(model=str(chosen.id))
    yield reader
    await reader.stop()


async def test_chosen_model_reads_at_once(provider_reader, memory, model, pool):
    """It is nobody's loaded model: there is no pause to wait for."""
    await say(memory, PROD)
    fields = {
        "kind": "fact",
        "single": True,
        "negated": False,
        "replaces": None,
        "topics": [],
    }
    model.says(
        json.loads(answer("prod is on pg14", "prod", "runs_on", "pg14", **fields))
    )

    await provider_reader.look()
    await provider_reader.finished()

    assert await waiting(pool) == []
    found = await pool.fetch("select * from assertions where source = 'cloud_llm'")
    assert [it["sentence"] for it in found] == ["prod is on pg14"]


async def test_memory_that_cannot_be_loaded_keeps_no_other_from_being_read(
    provider_reader, memory, store, pool, broken
):
    """Each look begins with the same one, so that the others would never have their turn."""
    await say(memory, PROD)
    memory.preferences = memory.preferences.__class__(reading=Switch.OFF)
    broken(store.unread, "tenants")

    await provider_reader.look()

    assert await waiting(pool) == []


async def test_budget_of_an_hour_holds(provider_reader, memory, model, pool):
    """The remaining turns then wait."""
    provider_reader.settings = LearningSettings(
        model=provider_reader.settings.model, tokens_per_hour=100
    )
    await say(memory, PROD)

    await provider_reader.look()
    await provider_reader.finished()

    assert await waiting(pool) == [PROD]
    assert model.asked == []


async def test_model_chosen_in_place_of_one_that_rests_is_asked_at_once(
    provider_reader, memory, model, store, pool
):
    """A failure pauses the model that failed, and no other."""
    await say(memory, PROD)
    model.says(ModelUnavailable("no answer"), {"statements": []})
    other = await store.models.add(
        "default", Model(0, Provider.OPENAI, "new"), lambda _: None, None, date.today()
    )

    for _ in range(2):
        await provider_reader.look()
        await provider_reader.finished()
    resting = await waiting(pool)
    provider_reader.settings = LearningSettings(model=str(other.id))
    await provider_reader.look()
    await provider_reader.finished()

    assert resting == [PROD]
    assert len(model.asked) == 2
    assert await waiting(pool) == []


async def test_what_waits_is_forgotten_once_reading_is_switched_off(
    provider_reader, memory, pool
):
    """Whoever switches it off wants nothing kept for it."""
    await say(memory, PROD)
    memory.preferences = memory.preferences.__class__(reading=Switch.OFF)

    await provider_reader.look()

    assert await waiting(pool) == []


@pytest.mark.parametrize("restarts", [False, True])
async def test_what_a_model_reads_takes_the_place_of_what_rules_read(
    reading, memory, store, restarts
):
    """From the same words, under another name; the sentence itself holds all the while."""
    text = "About the catalog indexer again. The cron runs at 04:25."
    await say(memory, text)
    assert stated(memory.world) == {"shop/cron [scheduled] 04:25"}
    leased = await reading.lease(memory, ROOM)
    words = "The cron runs at 04:25"
    learnt = answer(words, "catalog indexer", "scheduled", "04:25")

    await reading.submit(memory, leased.lease, learnt)

    world = await store.load("default") if restarts else memory.world
    assert stated(world) == {"catalog_indexer [scheduled] 04:25"}
    sentences = world.lines.sources.turn_of(digest_of(text))
    assert {why_unsayable(world.lines, it) for it in sentences} == {""}


async def test_change_of_what_rules_read_ends_what_a_model_made_of_it(reading, memory):
    """The model names the reading of the rules, which its own has replaced meanwhile."""
    text = "About the catalog indexer again. The cron runs at 04:25."
    await say(memory, text)
    await say(memory, "oh, half past five now.", where=PromptOrigin("s2", "shop"))
    leased = await reading.lease(memory, ROOM)
    number = next(it["known"] for it in lines(leased) if "known" in it)
    first = json.loads(
        answer("The cron runs at 04:25", "catalog indexer", "scheduled", "04:25")
    )
    then = json.loads(
        answer("half past five", "cron", "scheduled", "half past five", replaces=number)
    )
    read = {"statements": [*first["statements"], {**then["statements"][0], "turn": 4}]}

    await reading.submit(memory, leased.lease, json.dumps(read))
    await memory.settle()

    assert not {it for it in stated(memory.world) if "04:25" in it}


async def test_statement_named_as_the_rules_named_it_is_about_what_a_model_read(
    reading, memory
):
    """
    A model that reads both turns at once knows the first only as the rules read it: what
    contradicts it waits all the same.
    """
    await say(memory, "About the catalog indexer again. The cron runs at 04:25.")
    await say(memory, "I saw it at half past five, that one.", subject="jonas")
    leased = await reading.lease(memory, ROOM)
    first = json.loads(
        answer("The cron runs at 04:25", "catalog indexer", "scheduled", "04:25")
    )
    then = json.loads(answer("half past five", "cron", "scheduled", "half past five"))
    read = {"statements": [*first["statements"], {**then["statements"][0], "turn": 4}]}

    await reading.submit(memory, leased.lease, json.dumps(read))

    assert stated(memory.world) == {"catalog_indexer [scheduled] 04:25"}
    assert len(list(memory.world.conflicts)) == 1


async def test_contested_reading_of_rules_stays(reading, memory):
    """A statement against it is decided by people first."""
    text = "About the catalog indexer again. The cron runs at 04:25."
    await say(memory, text)
    await say(memory, "the cron runs at 05:35.", subject="jonas")
    leased = await reading.lease(memory, ROOM)
    learnt = answer("The cron runs at 04:25", "catalog indexer", "scheduled", "04:25")

    await reading.submit(memory, leased.lease, learnt)

    assert stated(memory.world) == {
        "shop/cron [scheduled] 04:25",
        "catalog_indexer [scheduled] 04:25",
    }
