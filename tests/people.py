"""Candidates and people, for tests of how people are asked."""

from __future__ import annotations

from typing import Any

from festinger.core.graph.candidates import Candidate, CandidateState
from festinger.core.graph.proposal import StatementSource, Triple
from festinger.core.validation.policy import Person, ValidationPolicy
from festinger.store.graph.rows import to_time
from festinger.store.system.pool import Pool
from tests.memories import DAY, NOW

COMMUNITY = "matrix:!town:example.org"
MODERATORS = "matrix:!mods:example.org"
EVERYWHERE = (COMMUNITY, MODERATORS)
EVERYBODY = ("alice", "bob", "carol", "mo", "max")

POLICY = ValidationPolicy(
    people={
        name: Person({"matrix": f"@{name}:example.org"}, moderator=name[0] == "m")
        for name in EVERYBODY
    },
    channel=COMMUNITY,
    moderator_channel=MODERATORS,
    digest_schedule="never",
    gold_share=0.0,
)


def candidate(**changes: Any) -> Candidate:
    """Return a machine's guess that Alice joined the Chess Club."""
    values: dict[str, Any] = {
        "id": 1,
        "state": CandidateState.PENDING,
        "triple": Triple("alice", "chess_club", "joined", False),
        "confidence": 0.36,
        "source": StatementSource.INFERRED,
        "rule": "",
        "reason": "doubtful",
        "proposer": "scanner",
        "author": "alice",
        "subject": "",
        "evidence": "I joined the Chess Club last week.",
        "statements": 1,
        "created": NOW,
        "predicate": "t:joined",
        "subject_raw": "Alice",
        "object_raw": "Chess Club",
        "expires": NOW + 2 * DAY,
    }
    return Candidate(**values | changes)


async def put(pool: Pool, number: int = 1, **columns: Any) -> int:
    """Write a candidate as it stands in the database; answer its number."""
    values: dict[str, Any] = {
        "concept": "alice",
        "parent": f"chess_club_{number}",
        "dimension": "joined",
        "is_isa": False,
        "negated": False,
        "confidence": 0.36,
        "source": "inferred",
        "proposer": "scanner",
        "author": "alice",
        "sentence": "I joined the Chess Club last week.",
        "predicate": "t:joined",
        "subject_raw": "Alice",
        "object_raw": "Chess Club",
        "lane": "author",
        "created_at": to_time(NOW),
        "expires_at": to_time(NOW + 2 * DAY),
        "cid": f"bafy{number}",
        **columns,
    }
    names = ", ".join(values)
    places = ", ".join(f"${place}" for place in range(2, len(values) + 2))
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute(
            "insert into assertions (tenant, id, concept, parent, dimension, is_isa,"
            " negated, confidence, source, principal, proposer, outcome, reason, created_at)"
            " values ('default', $1, 'alice', 'chess_club', 'joined', false, false, 0.36,"
            " 'inferred', 'alice', 'scanner', 'candidate', 'doubtful', now())",
            number,
        )
        await connection.execute(
            f"insert into candidates (tenant, id, assertion_id, {names})"
            f" values ('default', $1, $1, {places})",
            number,
            *values.values(),
        )
    return number


async def answered(pool: Pool, number: int, who: str, response: str) -> None:
    """Write that somebody answered about a candidate."""
    async with pool.acquire() as connection:
        await connection.execute(
            "insert into validation_events (tenant, cid, candidate_id, proposer, responder,"
            " role, response, before_visible, created_at) select tenant, $2 || $3, id,"
            " proposer, $2, 'community', $3, true, now() from candidates where id = $1",
            number,
            who,
            response,
        )


async def execute(pool: Pool, statement: str, *values: Any) -> None:
    """Has the database do something."""
    async with pool.acquire() as connection:
        await connection.execute(statement, *values)
