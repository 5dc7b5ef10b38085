"""Decisions about conflicts, and the tombstones and redirects they leave."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import count

from festinger.core.graph.changes import Changes, LedgerEntry
from festinger.core.graph.conflicts import Clash
from festinger.core.graph.gate import SETTLED
from festinger.core.graph.proposal import StatementSource
from festinger.core.world.undoing import Effects
from festinger.store.graph.rows import to_clash
from festinger.store.system.pool import Connection
from festinger.store.system.queries import arrays_of, columns_of, fields_of, sql
from festinger.store.world.batches import RaceLost


async def enqueue(
    connection: Connection, tenant: str, changes: Changes, now: datetime
) -> dict[Clash, int]:
    """Queue refused statements, with one pending item per statement."""
    refused: dict[Clash, list[LedgerEntry]] = {}
    for entry in changes.entries:
        # A statement that a batch refuses twice is one item with two statements (C5a).
        if entry.clash:
            refused.setdefault(entry.clash, []).append(entry)
    if not refused:
        return {}
    items = {clash: _item(clash, entries) for clash, entries in refused.items()}
    # In this order: an item that waits, one that was dismissed and is stated again by a
    # person, a new one.
    counted = await connection.fetch(
        sql("count_on_conflicts"), tenant, *columns_of(items.values())
    )
    numbers = {to_clash(row): row["id"] for row in counted}
    for clash, (first, *_) in refused.items():
        if clash not in numbers and first.reopens:
            reopened = await connection.fetchval(
                sql("reopen_conflict"),
                tenant,
                first.reopens,
                *items[clash][-3:],
                *_statement(first, changes, now),
            )
            if reopened is not None:
                numbers[clash] = reopened
    new = [clash for clash in refused if clash not in numbers]
    if new:
        number = await connection.fetchval(sql("reserve"), tenant, "conflict", len(new))
        numbers |= dict(zip(new, count(number), strict=False))
        # Many at once: a predicate that becomes single-valued may queue thousands.
        await connection.executemany(
            sql("add_conflict"),
            [
                (
                    tenant,
                    *items[clash],
                    numbers[clash],
                    *_statement(refused[clash][0], changes, now),
                )
                for clash in new
            ],
        )
    return numbers


def _item(
    clash: Clash, entries: Sequence[LedgerEntry]
) -> tuple[int, int, int, bool, int, int, str]:
    """Return an item's key, number of statements, priority, and who changes the fact."""
    # What people state is decided first (E3).
    stated = any(it.proposal.source is StatementSource.GUTASK for it in entries)
    changed_by = next((it.changed_by for it in entries if it.changed_by), "")
    return (*clash, len(entries), int(stated), changed_by)


def _statement(
    first: LedgerEntry, changes: Changes, now: datetime
) -> tuple[object, ...]:
    """Return the columns of an item about its first statement."""
    origin = changes.origins.get(first.id)
    return (
        first.existing_parent_id,
        first.outcome.collision,
        first.triple.is_isa,
        first.id,
        now,
        first.proposal.evidence.rule,
        first.proposal.source,
        origin.project if origin else "",
    )


async def decide(
    connection: Connection,
    tenant: str,
    changes: Changes,
    effects: Mapping[int, Effects],
    now: datetime,
) -> None:
    """Close queue items, and reopen those whose decision is undone.

    Args:
        effects: The changes of decisions, by number of their queue item.

    Raises:
        RaceLost: An item to close is closed already, or one to reopen is not closed.
    """
    # Undone decisions go first: the same item may be decided anew in this batch.
    for reopening in changes.reopenings:
        reopened = await connection.fetchval(
            sql("take_back_decision"),
            tenant,
            *fields_of(reopening, "conflict_id principal reasoning for_people"),
            now,
        )
        # Null: another server decided it, or took it back, in between.
        if reopened is None:
            raise RaceLost(places=changes.touched)
    for settlement in changes.settlements:
        resolution = {
            "decision": settlement.decision,
            "principal": settlement.principal,
            "reasoning": settlement.reasoning,
        }
        effect = effects.get(settlement.conflict_id)
        settled = await connection.fetchval(
            sql("settle_conflict"),
            tenant,
            settlement.conflict_id,
            settlement.state,
            json.dumps(resolution),
            now,
            json.dumps(effect.to_json()) if effect else None,  # for its undo (C4)
        )
        if settled is None:
            raise RaceLost(places=changes.touched)


async def remember(
    connection: Connection, tenant: str, changes: Changes, now: datetime
) -> None:
    """Add, remove and count on tombstones and redirects."""
    if changes.tombstones:
        # What changed is dropped and written anew; None stands for one that is to be gone.
        await connection.execute(
            sql("drop_tombstones"), tenant, *_columns(changes.tombstones)
        )
        new = {key: each for key, each in changes.tombstones.items() if each}
        await connection.execute(
            sql("add_tombstones"),
            tenant,
            *_columns(new),
            [each.ending for each in new.values()],
            [each.conflict_id for each in new.values()],
            now,
        )
    if changes.redirects:
        # As above: what changed is dropped and written anew.
        await connection.execute(
            sql("drop_redirects"), tenant, *_columns(changes.redirects)
        )
        moved = {key: each for key, each in changes.redirects.items() if each}
        await connection.execute(
            sql("add_redirects"), tenant, *_columns(moved), list(moved.values()), now
        )
    if changes.counted:
        await _count(connection, tenant, changes)


async def _count(connection: Connection, tenant: str, changes: Changes) -> None:
    """Count repeated statements on their tombstones and on the closed queue items."""
    again = changes.counted
    await connection.execute(
        sql("count_on_tombstones"), tenant, *_columns(again), list(again.values())
    )
    # Restated though settled: shown to people, and not judged again.
    settled = [it for it in changes.entries if it.outcome.reason == SETTLED]
    await connection.execute(
        sql("note_restatements"),
        tenant,
        *arrays_of([it.triple for it in settled], "concept parent dimension negated"),
        [it.id for it in settled],
    )
    # A tombstone of a decision names its conflict, one of a retraction none.
    closed = Counter(it.outcome.conflict_id for it in settled if it.outcome.conflict_id)
    if closed:
        await connection.execute(
            sql("count_on_closed"), tenant, list(closed), list(closed.values())
        )


def _columns(keys: Iterable[Clash]) -> list[list[object]]:
    """Return keys as parallel arrays: concepts, dimensions, parents, negated."""
    keys = list(keys)
    return [[key[place] for key in keys] for place in range(len(Clash._fields))]
