"""Backlog for the tests of dreaming, and a model's answers about it."""

from __future__ import annotations

import json
from typing import Any

from festinger.core.graph.statement import parse_fact
from festinger.services.graph.facts import assert_fact
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.graph.rows import to_time
from festinger.store.system.pool import Pool

JOINED = "alice -ispart chess_club in context of joined"
SENTENCE = "Alice joined the Chess Club."
NOTHING: dict[str, Any] = {"triples": []}

_ADD_CANDIDATE = """
insert into candidates (tenant, id, concept, parent, dimension, is_isa, negated, confidence,
                      source, rule, reason, proposer, author, subject, sentence, status,
                      decided_by, decided_at, assertion_id, created_at, predicate,
                      chunk_id, sensitive)
select 'default', 1000 + $1::bigint, $2, $3, $4, $5, $6, 0.5, 'inferred', 'is a', 'doubtful', $7, $8, $9,
       $10, $11, $12, $13, a.id, $13, $14, $15, $16
from (select max(id) as id from assertions) a
"""
_ADD_ITEM = """
insert into backlog (tenant, id, candidate_id, reason, priority, due_at, created_at)
values ('default', $1::bigint, 1000 + $1::bigint, $2, $3, $4, $4)
"""
_ADD_EVENT = """
insert into validation_events (tenant, cid, candidate_id, proposer, responder, role, response,
                               before_visible, note, created_at)
select 'default', $1, id, proposer, $3, $4, $5, true, $6, $7 from candidates where id = 1000 + $2::bigint
"""


async def put(
    memory: TenantMemory,
    pool: Pool,
    number: int,
    *,
    fact: str = JOINED,
    sentence: str = SENTENCE,
    because: str = "expired",
    priority: str = "normal",
    proposer: str = "scanner",
    author: str = "alice",
    subject: str = "alice",
    predicate: str = "t:joined",
    chunk_id: str = "",
    sensitive: bool = False,
    confirmed: bool = False,
) -> None:
    """
    Put a candidate that was decided, or not in time, into the backlog. Its number is
    a thousand more than the item's, where no other candidate's is.
    """
    # A row of the ledger for it to be of.
    await assert_fact(
        memory, parse_fact("seed -isa thing"), principal="op", request=None
    )
    now = to_time(memory.now())
    status = "confirmed" if confirmed else because
    decided = status in ("confirmed", "rejected")
    await pool.execute(
        _ADD_CANDIDATE,
        number,
        *parse_fact(fact),
        proposer,
        author,
        subject,
        sentence,
        status if status != "requested" else "expired",
        "bob" if decided else None,
        now,
        predicate,
        chunk_id,
        sensitive,
    )
    if not confirmed:
        await pool.execute(_ADD_ITEM, number, because, priority, now)


async def answered(
    pool: Pool, number: int, responder: str, response: str, *, note: str = "", at: float
) -> None:
    """Let somebody have answered about a candidate."""
    await pool.execute(
        _ADD_EVENT,
        f"event-{number}-{responder}",
        number,
        responder,
        "community",
        response,
        note,
        to_time(at),
    )


async def conversed(
    pool: Pool, number: int, *turns: tuple[str, str], subject: str = "alice"
) -> None:
    """Let a conversation have been captured."""
    await pool.execute(
        """
        insert into interactions (tenant, id, subject, session, principal, turns,
                                  created_at, updated_at)
        values ('default', $1, $2, $3, $2, $4::jsonb, now(), now())
        """,
        number,
        subject,
        f"s{number}",
        json.dumps([{"role": role, "text": text} for role, text in turns]),
    )


def dreams(*triples: dict[str, Any]) -> dict[str, Any]:
    """Return a model's answer."""
    return {"triples": list(triples)}


def dream(
    subject: str = "Alice",
    predicate: str = "t:joined",
    object: str = "Chess Club",
    quote: str = SENTENCE,
    **fields: Any,
) -> dict[str, Any]:
    """Return a triple of it."""
    return {
        "subject": subject,
        "predicate": predicate,
        "object": object,
        "quote": quote,
        "confidence": 0.9,
    } | fields
