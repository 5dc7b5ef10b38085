from __future__ import annotations

from dataclasses import replace

import asyncpg
import pytest

from festinger.core.graph.outcome import CollisionType, Verdict
from festinger.core.graph.proposal import Evidence, Triple
from festinger.core.graph.resolution import ConflictDecision, ConflictState, Settlement
from festinger.core.world.draft import Draft
from festinger.errors import CandidateNotFound, ConflictNotFound, TenantNotFound
from festinger.services.world.reserving import reserve
from festinger.store.world.batches import CallResult, RequestKey
from tests.memories import NOW, snapshot, stated
from tests.store.world.writing import commit, read, write
from tests.structures import soas_by_token

FACT = "gnommoweb -isa repo"


@pytest.fixture
async def world(store):
    """The memory `default`, as it is loaded."""
    return await store.load("default")


async def rows(pool, question, *arguments):
    """Return the rows of an answer, as tuples."""
    return [tuple(row) for row in await pool.fetch(question, *arguments)]


async def test_loading_gives_what_was_committed(store, world):
    """Facts, denials, conflicts and new dimensions are the same after a restart."""
    await write(
        store,
        world,
        stated("gnommoweb -isa repo in context of tools"),
        stated("gnommoweb -ispart agent0"),
        stated("gnommoweb -not -isa container"),
        stated("gnommoweb -ispart elsewhere"),
        stated("dobby -isa worker", confidence=0.5),
    )

    loaded = await store.load("default")

    kept = set(soas_by_token(loaded))
    expected = snapshot(world)
    expected["soas_by_token"] = {
        token: row for token, row in soas_by_token(world).items() if token in kept
    }
    expected["soas_by_id"] = {
        row.id: it for it, row in expected["soas_by_token"].items()
    }
    assert snapshot(loaded) == expected


async def test_every_statement_is_in_the_ledger(store, world, pool):
    """All five outcomes leave a row, with who, how sure and what was held then (C4)."""
    await write(
        store,
        world,
        stated(FACT),
        stated(FACT, "bob"),
        stated("gnommoweb -isa container", "carol"),
        stated("dobby -isa worker", confidence=0.5, reason="generic"),
        stated("dobby -isa dobby"),
    )

    ledger = await rows(
        pool,
        "select concept, principal, outcome, reason, fact->>'parent', conflict_id, "
        "candidate_id from assertions order by id",
    )
    assert ledger == [
        ("gnommoweb", "alice", "held", "", "repo", None, None),
        ("gnommoweb", "bob", "corroborated", "", "repo", None, None),
        ("gnommoweb", "carol", "conflicted", "isa_isa", "repo", 1, None),
        ("dobby", "alice", "candidate", "generic", None, None, 1),
        ("dobby", "alice", "rejected", "self_reference", None, None, None),
    ]


async def test_ledger_gives_the_outcome_back(store, world):
    """A statement's outcome can be read again, word by word."""
    outcomes, committed = await write(
        store, world, stated(FACT), stated("gnommoweb -isa container", "bob")
    )
    (clash,) = committed.conflicts
    expected = [
        outcomes[0],
        outcomes[1]._replace(conflict_id=committed.conflicts[clash]),
    ]

    found = [await read(store, "outcome", it.assertion_id) for it in outcomes]

    assert found == expected


async def test_versions_have_no_gaps(store, world, pool):
    """Each commit is one version, logged with the concepts that it changed."""
    for fact in ("ant -isa pet", "bee -isa pet", "cat -isa pet"):
        await write(store, world, stated(fact))

    ids = [soas_by_token(world)[name].id for name in ("ant", "bee", "cat")]
    log = await rows(pool, "select version, concept_ids from change_log order by 1")
    assert log == [(i, [number]) for i, number in enumerate(ids, 1)]
    assert world.version == 3


async def test_corroboration_raises_confidence_once_a_principal(store, world, pool):
    """The ledger remembers who stated a fact, over restarts (C3)."""
    fact = stated(FACT, confidence=0.7)
    confidences = []
    for principal in ("alice", "alice", "bob", "bob", "alice"):
        restarted = await store.load("default")
        await write(store, restarted, fact._replace(principal=principal))
        confidences += await pool.fetch(
            "select confidence from urd where id <> parent_id"
        )

    assert [row[0] for row in confidences] == pytest.approx(
        [0.7, 0.7, 0.91, 0.91, 0.91]
    )


async def test_conflict_counts_on_its_pending_item(store, world):
    """One item a refused statement, with how often it was made and by whom first."""
    await write(store, world, stated(FACT))
    contradiction = stated("gnommoweb -isa container", "bob", evidence=Evidence("So."))

    await write(store, world, contradiction, contradiction._replace(principal="carol"))
    await write(store, world, contradiction)

    (conflict,) = await read(store, "conflicts")
    assert (conflict.id, conflict.statements) == (1, 3)
    assert (conflict.principal, conflict.evidence) == ("bob", "So.")
    assert conflict.type is CollisionType.ISA_ISA
    assert conflict.existing is not None
    assert conflict.existing.parent == "repo"


async def test_stated_conflicts_come_first(store, world):
    """A person's statement has priority over an inference, from its first count (E3)."""
    await write(store, world, stated(FACT))
    inferred = stated("gnommoweb -isa container", source="inferred")

    await write(store, world, inferred)
    before = (await read(store, "conflict", 1)).priority
    await write(store, world, inferred._replace(source=stated(FACT).source))

    assert (before, (await read(store, "conflict", 1)).priority) == (0, 1)


async def test_cycle_has_no_existing_parent(store, world):
    """A circle meets no fact in its own place (C6)."""
    await write(store, world, stated("ant -isa bee"), stated("bee -isa ant"))

    conflict = await read(store, "conflict", 1)

    assert (conflict.type, conflict.existing) == (CollisionType.CYCLE, None)


async def test_candidate_counts_on_its_pending_item(store, world):
    """One candidate a statement, as sure as its surest statement."""
    doubtful = stated(FACT, confidence=0.5)

    await write(store, world, doubtful, doubtful._replace(confidence=0.6))
    await write(store, world, doubtful._replace(confidence=0.55))

    (candidate,) = await read(store, "candidates")
    assert (candidate.statements, candidate.confidence) == (3, 0.6)
    assert candidate.triple == Triple("gnommoweb", "repo", "type", True)


async def test_replaced_edge_leaves_its_history(store, world, pool):
    """An ended fact tells from when to when it held, and what ended it (C4)."""
    await write(store, world, stated(FACT))
    await write(store, world, stated("gnommoweb -isa container"))
    draft = Draft(world, now=NOW + 60)
    triple = Triple("gnommoweb", "container", "type", True)
    draft.close(triple, by="conflict 1")
    (clash,) = world.conflicts
    await reserve(store, "default", world, 1)
    draft.settle(Settlement(clash, 1, ConflictDecision.UPDATE, "op", "newer"))
    draft.propose(stated("gnommoweb -isa container"))

    await commit(store, draft)

    history = await rows(
        pool,
        "select p.token, h.closed_by, extract(epoch from valid_from)::float8, "
        "extract(epoch from valid_to)::float8 "
        "from urd_history h join soas p on p.id = h.parent_id",
    )
    held = await rows(
        pool,
        "select p.token from urd join soas p on p.id = parent_id "
        "where urd.id <> parent_id",
    )
    assert history == [("repo", "conflict 1", NOW, NOW + 60)]
    assert held == [("container",)]
    assert (await read(store, "conflict", 1)).decided.principal == "op"


async def test_requests_are_remembered_with_what_they_led_to(store, world):
    """A call's name leads to its ledger row and the version after it."""
    await reserve(store, "default", world, 1)
    key = RequestKey("alice", "r1", "Assert", b"payload")
    draft = Draft(world, now=NOW)
    entry = draft.propose(stated(FACT))

    await commit(store, draft, requests=[(key, entry, CallResult())])

    known = await read(store, "answered", [key, replace(key, id="r2")])
    assert known == {
        ("alice", "r1"): (key, CallResult(assertion_id=entry.id, version=1))
    }


async def test_failed_batch_writes_nothing(store, world, pool):
    """A row that the database refuses takes the whole batch with it."""
    bad = stated("ant -isa bee", evidence=Evidence("x" * 401))

    with pytest.raises(asyncpg.CheckViolationError):
        await write(store, world, stated(FACT), bad)

    assert await rows(pool, "select 1 from assertions") == []
    assert (await store.load("default")).version == 0


async def test_proposer_is_never_the_decider(store, world, pool):
    """The database itself refuses that somebody decides about what they proposed (E6)."""
    await write(store, world, stated(FACT, confidence=0.5, proposer="scanner"))
    decide = "update candidates set status = 'confirmed', decided_at = now(), decided_by = $1"

    with pytest.raises(asyncpg.CheckViolationError):
        await pool.execute(decide, "scanner")
    await pool.execute(decide, "alice")


async def test_database_itself_refuses_a_second_parent(store, world, pool):
    """One parent per concept per dimension is an index, not a habit (C1)."""
    await write(store, world, stated(FACT), stated("x -isa container"))
    ids = {
        token: soas_by_token(world)[token].id
        for token in ("gnommoweb", "container", "type")
    }

    with pytest.raises(asyncpg.UniqueViolationError, match="urd_one_value"):
        await pool.execute(
            "insert into urd (tenant, id, parent_id, dim_id, is_isa, confidence, "
            "last_confirmed, source) "
            "values ('default', $1, $2, $3, true, 1, now(), 'gutask')",
            *ids.values(),
        )


@pytest.mark.parametrize("number", [0, -1, 99, 2**63 - 1, -(2**63)])
async def test_unknown_numbers_are_not_found(store, number):
    """Any number a client may send is a conflict, a candidate, or neither."""
    with pytest.raises(ConflictNotFound):
        await read(store, "conflict", number)
    with pytest.raises(CandidateNotFound):
        await read(store, "candidate", number)


async def test_unknown_tenant_is_not_found(store):
    """A memory that nobody made is not loaded, and the error says how to make one."""
    with pytest.raises(TenantNotFound, match="festinger system tenant add acme"):
        await store.load("acme")


async def test_verdict_of_a_batch_is_final(store, world):
    """Held and contradicted in one batch: one edge, one conflict, both numbered."""
    outcomes, committed = await write(
        store, world, stated(FACT), stated("gnommoweb -isa container")
    )

    assert [it.verdict for it in outcomes] == [Verdict.HELD, Verdict.CONFLICTED]
    assert list(committed.conflicts.values()) == [1]
    assert (await read(store, "conflict", 1)).state is ConflictState.PENDING
