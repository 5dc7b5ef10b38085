"""Writes of a batch: all in one transaction, the tenant's version last."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from types import MappingProxyType

import asyncpg

from festinger import _fast
from festinger.core.graph.changes import Changes, LedgerEntry
from festinger.core.graph.conflicts import Clash
from festinger.core.graph.outcome import Verdict
from festinger.core.graph.proposal import StatementSource
from festinger.store.graph import ledger, origins, settling
from festinger.store.graph.rows import MODALITIES, to_time
from festinger.store.language import turns, unread
from festinger.store.memories import interactions
from festinger.store.provenance import trail
from festinger.store.review import records, state, sweeps
from festinger.store.system.pool import Connection
from festinger.store.system.queries import sql
from festinger.store.validation import answers, backlog
from festinger.store.world.batches import Batch, Committed, RaceLost
from festinger.store.world.loading import subject_memories


async def write(
    connection: Connection, tenant: str, batch: Batch, dictionary: Collection[str]
) -> Committed:
    """Write a batch in the transaction that holds the tenant's write lock.

    Raises:
        RaceLost: Another server was first; the transaction must not be committed.
    """
    changes, now = batch.changes, to_time(batch.now)
    try:
        await add_concepts(
            connection, tenant, changes.concepts, dictionary, placed=changes.placed
        )
        await _close(connection, tenant, changes, now)
        await _add_dimensions(connection, tenant, changes, now)
        conflicts = await _enqueue(connection, tenant, changes, now)
        candidates = await answers.add_candidates(connection, tenant, changes)
        await ledger.add(connection, tenant, changes, conflicts, candidates, now)
        await _hold(connection, tenant, changes, now)
        await origins.add(connection, tenant, changes.origins)
        await settling.decide(connection, tenant, batch, now)
        await answers.write(connection, tenant, batch, now)
        await settling.remember(connection, tenant, changes, now)
        await interactions.end(connection, tenant, batch.remembered, now)
        await backlog.end(connection, tenant, batch.dreamt, now)
        await records.write(connection, tenant, batch.records)
        await state.write(connection, tenant, batch.state)
        changes.subjects |= batch.records.subjects
        await sweeps.mark_extracted(connection, tenant, batch.extracted)
        await trail.write(connection, tenant, batch.trail, now)
        memories = await subject_memories(connection, tenant, changes.subjects)
        await unread.add(connection, tenant, batch)
        spoken, gone = await turns.write(connection, tenant, batch)
        await unread.end(connection, tenant, batch)
        await turns.erase(connection, tenant, batch.erased)
        unquoted = await origins.forget(connection, tenant, batch)
        dropped = await turns.drop_tokens(connection, tenant, batch.unnamed)
        written = sorted({*gone, *(turn.id for turn in spoken)})
        places = changes.touched | set(dropped) | set(unquoted.values())
        version = await ledger.bump(connection, tenant, places, batch, written)
    except (
        asyncpg.UniqueViolationError,
        asyncpg.ForeignKeyViolationError,
        asyncpg.DeadlockDetectedError,
    ) as error:
        # The database differs from the world: something wrote without the write lock,
        # or a concurrent flush of counters for the same new words won a deadlock.
        raise RaceLost(places=changes.touched) from error
    return Committed(
        version, conflicts, candidates, memories, spoken, gone, dropped, unquoted
    )


async def add_concepts(
    connection: Connection,
    tenant: str,
    concepts: dict[int, str],
    dictionary: Collection[str],
    *,
    placed: Collection[int] = (),
    counted: Mapping[int, tuple[int, float]] = MappingProxyType({}),
) -> set[int]:
    """Add the rows of concepts that have none.

    Args:
        placed: The concepts that have a fact in this transaction.
        counted: The number of encounters of some concepts, and the time of the last
            one in seconds since the epoch.

    Returns:
        The numbers of the concepts whose rows were added.

    Raises:
        RaceLost: Another server has added some tokens under another number.
    """
    if not concepts:
        return set()
    tokens = list(concepts.values())
    everyday = [token in dictionary for token in tokens]
    counts = [counted.get(number, (0, None)) for number in concepts]
    rows = await connection.fetch(
        sql("add_concepts"),
        tenant,
        list(concepts),
        tokens,
        everyday,
        list(placed),
        *map(list, zip(*counts, strict=True)),
    )
    written = {row["id"] for row in rows}
    missing = [token for number, token in concepts.items() if number not in written]
    if missing:
        found = await connection.fetch(sql("find_concepts"), tenant, missing)
        moved = {row["token"]: row["id"] for row in found}
        if any(concepts.get(number) != token for token, number in moved.items()):
            raise RaceLost(concepts=moved)
    return written


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
    denials = [
        (*closing.denial, closing.by) for closing in changes.closings if closing.denial
    ]
    if denials:
        columns = [list(column) for column in zip(*denials, strict=True)]
        await connection.execute(sql("close_denials"), tenant, *columns, now)


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
    """Queue refused statements, with one pending item per statement."""
    refused: dict[Clash, list[LedgerEntry]] = {}
    for entry in changes.entries:
        if entry.clash:
            refused.setdefault(entry.clash, []).append(entry)
    numbers = {}
    for clash, entries in refused.items():
        first = entries[0]
        stated = max(
            entry.proposal.source is StatementSource.GUTASK for entry in entries
        )
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
        if number is None and first.reopens:
            number = await connection.fetchval(
                sql("reopen_conflict"),
                tenant,
                first.reopens,
                *item[-2:],
                first.existing_parent_id,
                first.outcome.collision,
                first.triple.is_isa,
                first.id,
                now,
            )
        if number is None:
            number = await connection.fetchval(sql("reserve"), tenant, "conflict", 1)
            await connection.execute(
                sql("add_conflict"),
                *item,
                number,
                first.existing_parent_id,
                first.outcome.collision,
                first.triple.is_isa,
                first.id,
                now,
            )
        numbers[clash] = number
    return numbers


async def _hold(
    connection: Connection, tenant: str, changes: Changes, now: datetime
) -> None:
    """Write the edges in their final state of the batch, and the denials."""
    final = {edge.place: edge for edge in changes.restored_edges}
    new = set(final)
    for entry in changes.entries:
        if entry.edge:
            key = entry.edge.place
            final[key] = entry.edge
            if entry.outcome.verdict is Verdict.HELD:
                new.add(key)
    confirmed = [final[key] for key in sorted(final.keys() - new)]
    await _confirm_edges(connection, tenant, changes, confirmed)
    denials = [(*entry.denial, entry.id) for entry in changes.entries if entry.denial]
    denials += [(*denial, row) for denial, row in changes.restored_denials.items()]
    edges = [final[key] for key in sorted(new)]
    if not edges and not denials:
        return
    # No other server can have written facts about a concept that is new in this
    # transaction.
    old_edges = [edge for edge in edges if edge.concept_id not in changes.concepts]
    old_denials = [each for each in denials if each[0] not in changes.concepts]
    dimensions = {edge.dim_id for edge in old_edges} | {d[2] for d in old_denials}
    if dimensions:
        await connection.execute(sql("lock_dimensions"), tenant, list(dimensions))
    if edges:
        restored = {it.place for it in changes.restored_edges}
        since = [now if edge.place in restored else None for edge in edges]
        await _insert_edges(connection, tenant, edges, since)
    if placed := changes.placed - changes.concepts.keys():
        await connection.execute(sql("place_concepts"), tenant, sorted(placed))
    if denials:
        columns = [list(column) for column in zip(*denials, strict=True)]
        await connection.execute(sql("add_denials"), tenant, *columns, now)
    if dimensions:
        found = await connection.fetch(
            sql("find_contradictions"),
            tenant,
            [edge.concept_id for edge in old_edges],
            [edge.parent_id for edge in old_edges],
            [edge.dim_id for edge in old_edges],
            list({it.concept_id for it in old_edges} | {it[0] for it in old_denials}),
        )
        if found:
            # The statements were judged against an outdated world.
            places = {row["id"] for row in found}
            raise RaceLost(places=changes.touched | places)


async def _insert_edges(
    connection: Connection,
    tenant: str,
    edges: list[_fast.Edge],
    restored: list[datetime | None],
) -> None:
    await connection.execute(
        sql("hold_edges"),
        tenant,
        [edge.concept_id for edge in edges],
        [edge.parent_id for edge in edges],
        [edge.dim_id for edge in edges],
        [edge.is_isa for edge in edges],
        [edge.confidence for edge in edges],
        [to_time(edge.last_confirmed) for edge in edges],
        [StatementSource.from_code(edge.source) for edge in edges],
        [MODALITIES[edge.modality - 1] for edge in edges],
        [edge.assertion_id for edge in edges],
        restored,
        [edge.slot for edge in edges],
    )


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
        [MODALITIES[edge.modality - 1] for edge in edges],
    )
    if len(confirmed) != len(edges):
        # Another server replaced edges that this batch assumed to be held.
        raise RaceLost(places=changes.touched)
