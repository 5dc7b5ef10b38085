"""Writes of edges and denials: the one place that changes what is held."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from festinger import _fast
from festinger.core.graph.changes import Changes
from festinger.core.graph.outcome import Verdict
from festinger.core.graph.proposal import StatementSource
from festinger.store.graph.rows import MODALITIES, to_time
from festinger.store.system.pool import Connection
from festinger.store.system.queries import arrays_of, columns_of, sql
from festinger.store.system.statement_batch import JoiningConnection
from festinger.store.world.batches import RaceLost


async def close(
    connection: Connection, tenant: str, changes: Changes, now: datetime
) -> None:
    """End edges and denials, and keep them in the history."""
    # A closing ends an edge or a denial.
    ending = [(it.edge, it.by) for it in changes.closings if it.edge]
    if ending:
        edges, by = columns_of(ending)
        places = arrays_of(edges, "concept_id parent_id dim_id")
        ended = await connection.fetch(sql("close_edges"), tenant, *places, by, now)
        # An edge that is not there was ended by another server.
        if len(ended) != len(edges):
            raise RaceLost(places=changes.touched)
    denials = [(*it.denial, it.by) for it in changes.closings if it.denial]
    if denials:
        await connection.execute(
            sql("close_denials"), tenant, *columns_of(denials), now
        )


async def pass_by(
    connection: JoiningConnection, changes: Changes, now: datetime
) -> None:
    """Write edges into the history that began and ended in the batch."""
    if edges := [edge for edge, _ in changes.passing]:
        await connection.later(
            "pass_edges",
            *arrays_of(edges, "concept_id parent_id dim_id is_isa confidence"),
            [StatementSource.from_code(edge.source) for edge in edges],
            [MODALITIES[edge.modality - 1] for edge in edges],
            *arrays_of(edges, "assertion_id slot"),
            [by for _, by in changes.passing],
            now,
        )


async def add_dimensions(
    connection: Connection, tenant: str, changes: Changes, now: datetime
) -> None:
    """Add new dimensions with their roots."""
    if changes.dimensions:
        ids, flavours = list(changes.dimensions), list(changes.dimensions.values())
        await connection.execute(sql("add_dimensions"), tenant, ids, flavours)
        await connection.execute(sql("add_roots"), tenant, ids, flavours, now)


async def hold(connection: JoiningConnection, changes: Changes, now: datetime) -> None:
    """Write the edges in their final state of the batch, and the denials."""
    # An edge that a batch holds and then confirms is written once, in its final state: joined
    # statements see none of each other's rows.
    edges, confirmed = _final(changes)
    await _confirm_edges(connection, changes, confirmed)
    denials = [(*entry.denial, entry.id) for entry in changes.entries if entry.denial]
    # Denials that the undo of a decision brings back.
    denials += [(*denial, row) for denial, row in changes.restored_denials.items()]
    if edges:
        # Restored edges get the time of their return, for the history of their concept.
        restored = {it.place for it in changes.restored_edges}
        since = [now if edge.place in restored else None for edge in edges]
        await _insert_edges(connection, edges, since)
    # Concepts that are new here were placed with their row.
    if placed := changes.placed - changes.concepts.keys():
        await connection.later("place_concepts", sorted(placed))
    if denials:
        await connection.later("add_denials", *columns_of(denials), now)


def _final(changes: Changes) -> tuple[list[_fast.Edge], list[_fast.Edge]]:
    """Return the edges that are new and those that are confirmed, as they end up."""
    final = {edge.place: edge for edge in changes.restored_edges}
    new = set(final)
    for entry in changes.entries:
        if entry.edge:
            key = entry.edge.place
            # The last entry about an edge has its final confidence.
            final[key] = entry.edge
            if entry.outcome.verdict is Verdict.HELD:
                new.add(key)
    # In one order, so that two transactions do not wait for each other.
    confirmed = [final[key] for key in sorted(final.keys() - new)]
    return [final[key] for key in sorted(new)], confirmed


async def verify(connection: Connection, tenant: str, changes: Changes) -> None:
    """Check what `hold` has written for contradictions that no index refuses.

    Raises:
        RaceLost: The statements were judged against an outdated world.
    """
    written, _ = _final(changes)
    # No other server can have facts about a concept that is new here: nothing to check.
    edges = [edge for edge in written if edge.concept_id not in changes.concepts]
    denied = {entry.denial[0] for entry in changes.entries if entry.denial}
    denied |= {denial[0] for denial in changes.restored_denials}
    concepts = {edge.concept_id for edge in edges} | denied - changes.concepts.keys()
    if not concepts:
        return
    found = await connection.fetch(
        sql("find_contradictions"),
        tenant,
        *arrays_of(edges, "concept_id parent_id dim_id"),
        list(concepts),
    )
    if found:
        raise RaceLost(places=changes.touched | {row["id"] for row in found})


async def _insert_edges(
    connection: JoiningConnection,
    edges: list[_fast.Edge],
    restored: list[datetime | None],
) -> None:
    await connection.later(
        "hold_edges",
        *arrays_of(edges, "concept_id parent_id dim_id is_isa confidence"),
        [to_time(edge.last_confirmed) for edge in edges],
        [StatementSource.from_code(edge.source) for edge in edges],
        [MODALITIES[edge.modality - 1] for edge in edges],  # codes begin at 1
        [edge.assertion_id for edge in edges],
        restored,
        [edge.slot for edge in edges],
    )


async def _confirm_edges(
    connection: JoiningConnection, changes: Changes, edges: list[_fast.Edge]
) -> None:
    if not edges:
        return

    async def check(confirmed: Sequence[int]) -> None:
        """Raise RaceLost if an edge is held no longer."""
        if len(confirmed) != len(edges):
            # Another server replaced edges that this batch assumed to be held.
            raise RaceLost(places=changes.touched)

    await connection.later(
        "confirm_edges",
        *arrays_of(edges, "concept_id parent_id dim_id confidence"),
        [to_time(edge.last_confirmed) for edge in edges],
        [MODALITIES[edge.modality - 1] for edge in edges],
        check=check,
    )
