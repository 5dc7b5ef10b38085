"""Statements that readers find, at the gate: values, changes, both sides, undoing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from festinger.core.graph.origins import (
    ReadStatement,
    StatementOrigin,
    StatementReader,
)
from festinger.core.graph.outcome import Verdict
from festinger.core.graph.predicates import PredicateEdit
from festinger.core.graph.resolution import ConflictDecision, ConflictState
from festinger.services.graph.predicates import PredicateSet, set_predicate
from festinger.services.graph.resolving import Undoing
from festinger.services.language.stating import StateAll, settle_changes
from festinger.services.world.tenant_memory import TenantMemory


def origin(quote: str = "as said", **more: Any) -> StatementOrigin:
    """Return words of carol's, said in no project."""
    fields: dict[str, Any] = {
        "quote": quote,
        "speaker": "carol",
        "principal": "carol",
        "project": "",
        "session": "",
        "said": 1_000.0,
        "turn_digest": b"t" * 16,
        "reader": StatementReader.MODEL,
    }
    return StatementOrigin(**(fields | more))


def said(subject: str, predicate: str, value: str, **more: Any) -> ReadStatement:
    """Return a statement of carol's."""
    words = {
        key: more.pop(key) for key in ("project", "session", "speaker") if key in more
    }
    quote = f"{subject} {predicate} {value}"
    return ReadStatement(subject, predicate, value, origin(quote, **words), **more)


async def hold(memory: TenantMemory, *statements: ReadStatement) -> list[Any]:
    """State all of them, one after the other."""
    outcomes: list[Any] = []
    for statement in statements:
        stated = await memory.writer.submit(StateAll(memory, [statement]))
        outcomes += await settle_changes(memory, stated)
    return outcomes


def held(memory: TenantMemory) -> set[str]:
    """Return the held facts, in words."""
    world = memory.world
    return {
        f"{fact.concept} [{fact.dimension}] {fact.parent}"
        for edge in world.graph
        if edge.assertion_id
        for fact in [world.name(edge)]
    }


async def pending(memory: TenantMemory) -> list[str]:
    """Return the statements that wait in the resolution queue."""
    async with memory.store.reading(memory.tenant) as reads:
        found = await reads.conflicts(states=[ConflictState.PENDING], limit=100)
    return [str(each.incoming) for each in found]


async def test_second_value_of_a_single_predicate_waits(memory):
    """A port is one: another one, said without words of change, is a conflict."""
    await hold(memory, said("gnommoweb", "port", "8080"))

    (stated,) = await hold(memory, said("gnommoweb", "port", "9090", speaker="dave"))

    assert stated.outcome.verdict is Verdict.CONFLICTED
    assert held(memory) == {"gnommoweb [port] 8080"}
    assert await pending(memory) == ["gnommoweb -ispart 9090 in context of port"]


async def test_many_values_of_a_multi_predicate_are_held(memory):
    """A second thing in use is no contradiction of the first."""
    await hold(
        memory,
        said("gnommoweb", "uses", "redis"),
        said("gnommoweb", "uses", "Postgres 14"),
        said("gnommoweb", "uses", "celery"),
    )

    assert held(memory) == {
        "gnommoweb [uses] redis",
        "gnommoweb [uses] postgres_14",
        "gnommoweb [uses] celery",
    }
    assert await pending(memory) == []


@pytest.mark.parametrize("single", [True, False])
async def test_statement_decides_where_its_predicate_does_not(memory, single):
    """A sofa goes to one person, a newsletter to many."""
    await hold(memory, said("gnommosofa", "goes to", "imre", single=single))

    await hold(
        memory, said("gnommosofa", "goes to", "rosa", single=single, speaker="dave")
    )

    assert len(held(memory)) == (1 if single else 2)
    assert len(await pending(memory)) == (1 if single else 0)


async def test_words_of_change_replace_what_is_held(memory):
    """The old value is history, the new one is held, and the change is a decided conflict."""
    await hold(memory, said("gnommoweb", "runs on", "podman"))

    (stated,) = await hold(
        memory,
        said("gnommoweb", "runs on", "kubernetes", changes=True, speaker="dave"),
    )

    assert stated.outcome.verdict is Verdict.HELD
    assert held(memory) == {"gnommoweb [runs-on] kubernetes"}
    async with memory.store.reading(memory.tenant) as reads:
        (decided,) = await reads.conflicts(states=[ConflictState.RESOLVED], limit=9)
    assert (decided.decision, decided.decided.principal) == (
        ConflictDecision.UPDATE,
        "dave",
    )


async def test_change_is_undone_by_its_number(memory):
    """Undoing a change brings back what was held, with the words it was read from."""
    await hold(memory, said("gnommoweb", "runs on", "podman"))
    await hold(memory, said("gnommoweb", "runs on", "kubernetes", changes=True))
    async with memory.store.reading(memory.tenant) as reads:
        (decided,) = await reads.conflicts(states=[ConflictState.RESOLVED], limit=9)

    await memory.writer.submit(
        Undoing(decided.id, principal="dave", reasoning="no", etag="", request=None)
    )

    assert held(memory) == {"gnommoweb [runs-on] podman"}
    (edge,) = [edge for edge in memory.world.graph if edge.assertion_id]
    assert memory.world.origins[edge.assertion_id].quote == "gnommoweb runs on podman"


async def test_what_replaced_a_statement_is_known_after_a_reload(memories, memory):
    """The words of the oldest value lead to the one that is held now."""
    values = [
        said("gnommoweb", "port", "8080"),
        said("gnommoweb", "port", "9090", changes=True),
        said("gnommoweb", "port", "9999", changes=True),
    ]
    await hold(memory, *values)
    (oldest,) = [
        number
        for number, read in memory.world.origins.items()
        if read.quote == "gnommoweb port 8080"
    ]
    before = memory.world.read.successor_of(oldest)

    reloaded = await memories.reload("default")

    after = reloaded.world.read.successor_of(oldest)
    assert [it.text for it in after] == [it.text for it in before]
    assert [it.text for it in after] == ["gnommoweb: [port] 9999"]


@pytest.mark.parametrize("before", [False, True])
async def test_more_precise_value_of_the_same_turn_is_held(memories, memory, before):
    """A turn can hold or confirm a value, and then make it more precise."""
    vague = said("gnommoweb", "runs on", "postgres")
    if before:
        await hold(memory, vague)
    precise = said("gnommoweb", "runs on", "postgres 14")

    await memory.writer.submit(StateAll(memory, [vague, precise]))

    assert held(memory) == {"gnommoweb [runs-on] postgres_14"}
    assert await memory.writer.check() == []
    assert held(await memories.reload("default")) == {"gnommoweb [runs-on] postgres_14"}


async def test_value_that_returns_is_a_change_like_any_other(memory):
    """Podman again: that it was replaced once does not keep it from being held anew."""
    await hold(
        memory,
        said("gnommoweb", "runs on", "podman"),
        said("gnommoweb", "runs on", "kubernetes", changes=True),
        said("gnommoweb", "runs on", "podman", changes=True),
    )

    assert held(memory) == {"gnommoweb [runs-on] podman"}


async def test_same_speaker_corrects_within_a_session(memory):
    """A person who says another value in the same conversation has corrected themselves."""
    await hold(
        memory,
        said("gnommoweb", "port", "8080", session="s1"),
        said("gnommoweb", "port", "9090", session="s1"),
    )

    assert held(memory) == {"gnommoweb [port] 9090"}


async def test_what_is_no_longer_so_ends(memory):
    """A denial with words of change ends what it denies, with nothing in its place."""
    await hold(memory, said("gnommoweb", "runs on", "podman"))

    await hold(
        memory, said("gnommoweb", "runs on", "podman", negated=True, changes=True)
    )

    assert held(memory) == set()


async def test_no_more_denies_what_is_held(memory):
    """Of another speaker it waits beside what it denies."""
    await hold(memory, said("gnommoweb", "status", "supported until June"))

    await hold(memory, said("gnommoweb", "status", "No more", speaker="dave"))

    assert await pending(memory) == [
        "gnommoweb -not -ispart supported_until_june in context of status"
    ]


async def test_old_value_of_many_ends_where_the_change_names_it(memory):
    """`uses valkey instead of redis` leaves the other values alone."""
    await hold(
        memory,
        said("gnommoweb", "uses", "redis"),
        said("gnommoweb", "uses", "celery"),
        said("gnommoweb", "uses", "valkey", changes=True, old_value="redis"),
    )

    assert held(memory) == {"gnommoweb [uses] celery", "gnommoweb [uses] valkey"}


@pytest.mark.parametrize(
    ("held_before", "then"),
    [("node 18", "node 20"), ("Postgres 14", "Postgres 16.2")],
)
async def test_other_version_ends_the_one_before(memory, held_before, then):
    """Behind words of change, since both may be in use."""
    await hold(memory, said("gnommoweb", "uses", held_before))
    await hold(memory, said("gnommoweb", "uses", "celery"))

    await hold(memory, said("gnommoweb", "uses", then, changes=True))

    new = then.lower().replace(" ", "_")
    assert held(memory) == {"gnommoweb [uses] celery", f"gnommoweb [uses] {new}"}


@pytest.mark.parametrize(
    ("predicate", "value"), [("status", "gone"), ("replaced by", "valkey")]
)
async def test_group_no_longer_uses_what_is_gone(memory, predicate, value):
    """It stays with everything else that the group uses."""
    shop = {"project": "shop"}
    await hold(memory, said("we", "uses", "redis", **shop))
    await hold(memory, said("we", "uses", "redis_cluster", **shop))

    await hold(memory, said("redis", predicate, value, changes=True, **shop))

    used = {it for it in held(memory) if "[uses]" in it}
    assert used == {"shop [uses] redis_cluster"}


async def test_runs_before_a_time_has_no_inverse(memory):
    """A robot that runs at eleven is no host of eleven o'clock."""
    await hold(memory, said("gnommobot", "runs", "11:00"))

    assert held(memory) == {"gnommobot [scheduled] 11:00"}


@pytest.mark.parametrize(
    ("predicate", "single", "kept"),
    [("goes to", True, False), ("goes to", False, True), ("uses", True, True)],
)
async def test_change_of_the_only_route_ends_it(memory, predicate, single, kept):
    """
    Alerts may go to two people, but a model that calls the new one the only one is
    believed where words of change say so; a tool is used beside others.
    """
    await hold(memory, said("gnommoweb", predicate, "imre"))

    await hold(
        memory, said("gnommoweb", predicate, "rosa", changes=True, single=single)
    )

    assert any(it.endswith("imre") for it in held(memory)) is kept
    assert any(it.endswith("rosa") for it in held(memory))


async def test_more_precise_value_is_no_contradiction(memory):
    """A database, then a Postgres database, then a database: the precise one is held."""
    await hold(
        memory,
        said("gnommoweb", "is a", "database"),
        said("gnommoweb", "is a", "postgres database", speaker="dave"),
        said("gnommoweb", "is a", "database", speaker="erin"),
    )

    assert held(memory) == {"gnommoweb [type] postgres_database"}
    assert await pending(memory) == []


async def test_same_value_in_another_spelling_is_the_same(memory):
    """`PG 14` and `Postgres 14`, `9:30 am` and `09:30` agree."""
    await hold(
        memory,
        said("gnommoweb", "database", "PG 14", single=True),
        said("gnommoweb", "database", "Postgres 14", single=True, speaker="dave"),
        said("gnommoweb", "standup", "9:30 am", single=True),
        said("gnommoweb", "standup", "09:30", single=True, speaker="dave"),
    )

    assert await pending(memory) == []
    assert len(held(memory)) == 2


async def test_common_noun_holds_in_its_project(memory):
    """Two projects with an indexer each contradict each other in nothing."""
    await hold(
        memory,
        said("the indexer", "port", "8080", project="catalog"),
        said("the indexer", "port", "9090", project="shop"),
    )

    assert held(memory) == {
        "catalog/indexer [port] 8080",
        "shop/indexer [port] 9090",
    }


async def test_statement_that_claims_to_be_the_only_one_collides(memory):
    """In a dimension that nobody registered two claims to the only place collide."""
    await hold(
        memory,
        said("gnommoweb", "retry limit", "3", single=True),
        said("gnommoweb", "retry limit", "5", single=True, speaker="dave"),
    )

    assert held(memory) == {"gnommoweb [retry-limit] 3"}
    assert len(await pending(memory)) == 1


async def test_doubted_statement_waits_for_people(memory):
    """A reading that is doubted is a candidate and is not held."""
    (stated,) = await hold(memory, said("gnommoweb", "port", "1", doubt="hedged"))

    assert stated.outcome.verdict is Verdict.CANDIDATE
    assert held(memory) == set()


@pytest.mark.parametrize(
    "value",
    [
        "9" * 10_000,
        "1e999",
        "31 February",
        "$-0",
        "https://bob:hunter22@x.example/y",
        "",
    ],
)
async def test_value_that_is_none_is_refused_in_words(memory, value):
    """A value that cannot be one is refused with the reason, and nothing is held."""
    (stated,) = await hold(memory, replace(said("gnommoweb", "port", "1"), value=value))

    assert (stated.outcome is None) == bool(stated.refusal)
    assert stated.refusal or held(memory)


async def test_statements_and_their_words_survive_a_reload(memory, memories):
    """A held fact is loaded again with its slots and the words it was read from."""
    await hold(
        memory,
        said("gnommoweb", "uses", "redis"),
        said("gnommoweb", "uses", "celery"),
        said("gnommoweb", "port", "8080"),
        said("gnommoweb", "port", "9090", speaker="dave"),
    )
    before, origins = held(memory), dict(memory.world.origins)

    await memories.reload(memory.tenant)

    assert held(memory) == before
    assert memory.world.origins == origins
    assert [it.speaker for it in memory.world.conflicts.origins.values()] == ["dave"]


async def redefine(
    memory: TenantMemory, dimension: str, cardinality: str
) -> PredicateSet:
    """Have a dimension be of another cardinality, as an operator does."""
    edit = PredicateEdit(dimension, cardinality=cardinality)
    return await set_predicate(memory, edit, "operator")


async def test_values_of_a_dimension_that_becomes_single_wait(memory, store):
    """The surest stays; the others are conflicts, and nothing is lost."""
    await hold(
        memory,
        said("gnommoweb", "mirrored by", "north"),
        said("gnommoweb", "mirrored by", "south"),
    )

    done = await redefine(memory, "mirrored-by", "single")

    assert done.queued == 1
    assert held(memory) == {"gnommoweb [mirrored-by] north"}
    assert await pending(memory) == [
        "gnommoweb -ispart south in context of mirrored-by"
    ]
    (edge,) = [it for it in (await store.load("default")).graph if it.assertion_id]
    assert edge.slot == 0


async def test_value_of_a_dimension_that_becomes_multi_leaves_room(memory, store):
    """The only value is one of several from then on."""
    await hold(memory, said("gnommoweb", "retry limit", "3", single=True))

    await redefine(memory, "retry-limit", "multi")
    await hold(memory, said("gnommoweb", "retry limit", "5", single=True))

    assert held(memory) == {"gnommoweb [retry-limit] 3", "gnommoweb [retry-limit] 5"}
    assert all(it.many for it in (await store.load("default")).graph if it.assertion_id)


async def test_doubted_refinement_takes_no_place(memory):
    """Perhaps a Postgres database: the database stays held until people say so."""
    await hold(
        memory,
        said("gnommoweb", "is a", "database"),
        said("gnommoweb", "is a", "postgres database", doubt="hedged"),
    )

    assert held(memory) == {"gnommoweb [type] database"}


async def test_what_was_settled_waits_again_once_two_people_say_it(memory):
    """One who repeats it is only counted; a second person is not refused in silence."""
    await hold(
        memory,
        said("gnommoweb", "port", "8080"),
        said("gnommoweb", "port", "9090", changes=True),
        said("gnommoweb", "port", "8080", speaker="dave"),
    )
    assert await pending(memory) == []

    await hold(memory, said("gnommoweb", "port", "8080", speaker="erin"))

    assert await pending(memory) == ["gnommoweb -ispart 8080 in context of port"]
    assert held(memory) == {"gnommoweb [port] 9090"}


async def test_doubted_change_leaves_settled_what_was(memory):
    """Only who means it opens what people or later words have settled against."""
    await hold(
        memory,
        said("gnommoweb", "port", "8080"),
        said("gnommoweb", "port", "9090", changes=True),
        said("gnommoweb", "port", "8080", changes=True, doubt="hedged"),
    )

    (again,) = await hold(memory, said("gnommoweb", "port", "8080", speaker="dave"))

    assert again.outcome.reason == "settled"
    assert held(memory) == {"gnommoweb [port] 9090"}
