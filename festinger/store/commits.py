"""Writing one batch: everything in one transaction, the tenant's version last."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict, replace
from datetime import datetime

import asyncpg

from festinger import _fast
from festinger.core.conflicts import Clash
from festinger.core.draft import Changes, Entry
from festinger.core.outcome import Verdict
from festinger.core.proposal import Source
from festinger.flows.ports import Batch, Committed, RaceLost
from festinger.store.pool import Connection
from festinger.store.queries import sql
from festinger.store.rows import fact_json, to_time


async def commit(
    connection: Connection, tenant: str, batch: Batch, dictionary: Collection[str]
) -> Committed:
    """Writes a batch, all or nothing.

    Raises:
        RaceLost: Another server was first; nothing was written.
    """
    changes, now = batch.changes, to_time(batch.now)
    try:
        async with connection.transaction():
            await add_concepts(connection, tenant, changes.concepts, dictionary)
            await _close(connection, tenant, changes, now)
            await _add_dimensions(connection, tenant, changes, now)
            conflicts = await _enqueue(connection, tenant, changes, now)
            factoids = await _add_factoids(connection, tenant, changes, now)
            await _add_assertions(connection, tenant, changes, conflicts, factoids, now)
            await _hold(connection, tenant, changes, now)
            await _decide(connection, tenant, batch, now)
            places = sorted(changes.touched)
            version = await connection.fetchval(sql("bump"), tenant, places)
            await _answer(connection, tenant, batch, version)
    except (asyncpg.UniqueViolationError, asyncpg.TransactionRollbackError) as error:
        # Another server placed one of these concepts, or took one of these requests;
        # or both waited for each other, and we were chosen to give way.
        raise RaceLost(places=changes.touched) from error
    return Committed(version, conflicts, factoids)


async def add_concepts(
    connection: Connection,
    tenant: str,
    concepts: dict[int, str],
    dictionary: Collection[str],
) -> None:
    """Gives concepts their rows.

    Raises:
        RaceLost: Some have another number by now.
    """
    if not concepts:
        return
    tokens = list(concepts.values())
    everyday = [token in dictionary for token in tokens]
    rows = await connection.fetch(
        sql("add_concepts"), tenant, list(concepts), tokens, everyday
    )
    written = {row["id"] for row in rows}
    missing = [token for number, token in concepts.items() if number not in written]
    if missing:
        found = await connection.fetch(sql("find_concepts"), tenant, missing)
        moved = {row["token"]: row["id"] for row in found}
        if any(concepts.get(number) != token for token, number in moved.items()):
            raise RaceLost(concepts=moved)


async def _close(
    connection: Connection, tenant: str, changes: Changes, now: datetime
) -> None:
    edges = [(closing.edge, closing.by) for closing in changes.closings if closing.edge]
    if edges:
        ended = await connection.fetch(
            sql("close_edges"),
            tenant,
            [edge.concept_id for edge, _ in edges],
            [edge.parent_id for edge, _ in edges],
            [edge.dim_id for edge, _ in edges],
            [by for _, by in edges],
            now,
        )
        if len(ended) != len(edges):
            raise RaceLost(places=changes.touched)
    denials = [closing.denial for closing in changes.closings if closing.denial]
    if denials:
        columns = [list(column) for column in zip(*denials, strict=True)]
        await connection.execute(sql("close_denials"), tenant, *columns)


async def _add_dimensions(
    connection: Connection, tenant: str, changes: Changes, now: datetime
) -> None:
    if changes.dimensions:
        ids, flavours = list(changes.dimensions), list(changes.dimensions.values())
        await connection.execute(sql("add_dimensions"), tenant, ids, flavours)
        await connection.execute(sql("add_roots"), tenant, ids, flavours, now)


async def _enqueue(
    connection: Connection, tenant: str, changes: Changes, now: datetime
) -> dict[Clash, int]:
    """Queues what was refused, one pending item a statement."""
    refused: dict[Clash, list[Entry]] = {}
    for entry in changes.entries:
        if entry.clash:
            refused.setdefault(entry.clash, []).append(entry)
    numbers = {}
    for clash, entries in refused.items():
        first = entries[0]
        stated = max(entry.proposal.source is Source.GUTASK for entry in entries)
        # What people state is decided first (E3).
        item = (
            tenant,
            *clash[:2],
            clash.parent_id,
            clash.negated,
            len(entries),
            int(stated),
        )
        number = await connection.fetchval(sql("count_on_conflict"), *item)
        if number is None:
            number = await connection.fetchval(sql("reserve"), tenant, "conflict", 1)
            await connection.execute(
                sql("add_conflict"),
                *item,
                number,
                first.existing_parent_id,
                first.outcome.collision,
                first.proposal.triple.is_isa,
                first.id,
                now,
            )
        numbers[clash] = number
    return numbers


async def _add_factoids(
    connection: Connection, tenant: str, changes: Changes, now: datetime
) -> dict[int, int]:
    """Lets doubtful statements wait, one pending candidate a statement."""
    numbers = {}
    for entry in changes.entries:
        if entry.outcome.verdict is not Verdict.CANDIDATE:
            continue
        proposal, triple = entry.proposal, entry.proposal.triple
        item = (
            tenant,
            triple.concept,
            triple.parent,
            triple.dimension,
            triple.is_isa,
            triple.negated,
            proposal.confidence,
        )
        number = await connection.fetchval(sql("count_on_factoid"), *item)
        if number is None:
            number = await connection.fetchval(sql("reserve"), tenant, "factoid", 1)
            await connection.execute(
                sql("add_factoid"),
                *item,
                number,
                proposal.source,
                proposal.evidence.rule,
                entry.outcome.reason,
                proposal.proposer,
                proposal.principal,
                proposal.subject,
                proposal.evidence.sentence,
                entry.id,
                now,
            )
        numbers[entry.id] = number
    return numbers


async def _add_assertions(
    connection: Connection,
    tenant: str,
    changes: Changes,
    conflicts: dict[Clash, int],
    factoids: dict[int, int],
    now: datetime,
) -> None:
    if not changes.entries:
        return
    rows = [
        (
            entry.id,
            entry.proposal.triple.concept,
            entry.proposal.triple.parent,
            entry.proposal.triple.dimension,
            entry.proposal.triple.is_isa,
            entry.proposal.triple.negated,
            entry.proposal.confidence,
            entry.proposal.source,
            entry.proposal.principal,
            entry.proposal.proposer,
            entry.proposal.subject,
            entry.proposal.evidence.sentence,
            entry.proposal.evidence.rule,
            entry.proposal.evidence.segment or None,
            entry.proposal.evidence.ordinal,
            entry.outcome.verdict,
            entry.outcome.reason,
            entry.outcome.message,
            fact_json(entry.outcome.fact),
            conflicts.get(entry.clash) if entry.clash else None,
            factoids.get(entry.id),
        )
        for entry in changes.entries
    ]
    columns = [list(column) for column in zip(*rows, strict=True)]
    await connection.execute(sql("add_assertions"), tenant, *columns, now)


async def _hold(
    connection: Connection, tenant: str, changes: Changes, now: datetime
) -> None:
    """Writes the edges, each in its last state of the batch."""
    final: dict[tuple[int, int], _fast.Edge] = {}
    new: set[tuple[int, int]] = set()
    for entry in changes.entries:
        if entry.edge:
            key = (entry.edge.concept_id, entry.edge.dim_id)
            final[key] = entry.edge
            if entry.outcome.verdict is Verdict.HELD:
                new.add(key)
    await _insert_edges(
        connection, tenant, changes, [final[key] for key in sorted(new)]
    )
    confirmed = [final[key] for key in sorted(final.keys() - new)]
    await _confirm_edges(connection, tenant, changes, confirmed)
    denials = [(*entry.denial, entry.id) for entry in changes.entries if entry.denial]
    if denials:
        columns = [list(column) for column in zip(*denials, strict=True)]
        await connection.execute(sql("add_denials"), tenant, *columns, now)
    if changes.placed:
        await connection.execute(sql("place_concepts"), tenant, sorted(changes.placed))


async def _insert_edges(
    connection: Connection, tenant: str, changes: Changes, edges: list[_fast.Edge]
) -> None:
    if not edges:
        return
    concepts = [edge.concept_id for edge in edges]
    parents = [edge.parent_id for edge in edges]
    dimensions = [edge.dim_id for edge in edges]
    await connection.execute(sql("lock_dimensions"), tenant, dimensions)
    await connection.execute(
        sql("hold_edges"),
        tenant,
        concepts,
        parents,
        dimensions,
        [edge.is_isa for edge in edges],
        [edge.confidence for edge in edges],
        [to_time(edge.last_confirmed) for edge in edges],
        [Source.from_code(edge.source) for edge in edges],
        [edge.assertion_id for edge in edges],
    )
    # Against what other servers hold, which this one may not know yet (C2).
    circle = await connection.fetch(
        sql("find_circles"), tenant, concepts, parents, dimensions
    )
    if circle:
        raise RaceLost(places=changes.touched | {row["id"] for row in circle})


async def _confirm_edges(
    connection: Connection, tenant: str, changes: Changes, edges: list[_fast.Edge]
) -> None:
    if not edges:
        return
    confirmed = await connection.fetch(
        sql("confirm_edges"),
        tenant,
        [edge.concept_id for edge in edges],
        [edge.parent_id for edge in edges],
        [edge.dim_id for edge in edges],
        [edge.confidence for edge in edges],
        [to_time(edge.last_confirmed) for edge in edges],
    )
    if len(confirmed) != len(edges):
        # Another server replaced what this batch believed to be held.
        raise RaceLost(places=changes.touched)


async def _decide(
    connection: Connection, tenant: str, batch: Batch, now: datetime
) -> None:
    for settlement in batch.settlements:
        resolution = {
            "decision": settlement.decision,
            "principal": settlement.principal,
            "reasoning": settlement.reasoning,
        }
        settled = await connection.fetchval(
            sql("settle_conflict"),
            tenant,
            settlement.conflict_id,
            settlement.state,
            json.dumps(resolution),
            now,
        )
        if settled is None:
            raise RaceLost(places=batch.changes.touched)
    for ruling in batch.rulings:
        decided = await connection.fetchval(
            sql("decide_factoid"),
            tenant,
            ruling.factoid_id,
            ruling.state,
            ruling.principal,
            now,
        )
        if decided is None:
            raise RaceLost(places=batch.changes.touched)


async def _answer(
    connection: Connection,
    tenant: str,
    batch: Batch,
    version: int,
) -> None:
    """Remembers what each call led to, so that repeating it changes nothing."""
    for key, entry, answered in batch.requests:
        answered = replace(answered, version=version)
        if entry is not None:
            answered = replace(answered, assertion_id=entry.id)
        await connection.execute(
            sql("add_request"),
            tenant,
            key.principal,
            key.id,
            key.method,
            key.payload,
            json.dumps(asdict(answered)),
        )
