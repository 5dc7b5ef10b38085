"""Reads and writes of records: typed memories and entities."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import asyncpg

from festinger.core.graph.proposal import Triple
from festinger.core.lines.notes import notes_in, take_notes
from festinger.core.memories.memory import Memory
from festinger.core.memories.types import CONVERSATION_TYPES, Status, normalised
from festinger.core.review.findings import StoredDocument
from festinger.core.review.passage import Passage
from festinger.core.review.queue import Cycle, FacetCount, QueueStanding
from festinger.core.review.records import (
    STALE_SECONDS,
    Key,
    MemoryRecord,
    RecordChanges,
    RecordEdit,
    RecordFilter,
)
from festinger.core.system.preferences import Preferences, read_setting
from festinger.core.world.world import World
from festinger.errors import EditNotFound, RecordNotFound
from festinger.store.graph.rows import to_time
from festinger.store.memories.records import to_memory
from festinger.store.review.recordrows import (
    edit_row,
    indexed,
    of_chunk,
    of_interaction,
    record_row,
    to_edit,
    to_record,
    to_whole,
)
from festinger.store.system.pool import Connection
from festinger.store.system.queries import columns_of, fields_of, sql, value_of
from festinger.store.system.tenancy import TenantReads
from festinger.store.world.batches import AggregateWrites, BatchTransaction


class RecordReads(TenantReads):
    """Reads of one tenant's records."""

    # Both are set by `PostgresReads`.
    async def record(self, record_id: int) -> MemoryRecord:
        """Return a record, or raise `RecordNotFound`."""
        found = await self.records_by_id([record_id])
        if record_id not in found:
            raise RecordNotFound(
                f"there is no memory and no entity #{record_id}",
                record_id=str(record_id),
            )
        return found[record_id]

    async def records(
        self, wanted: RecordFilter, *, after: int = 0, limit: int = 50
    ) -> list[MemoryRecord]:
        """Return records with numbers above `after`, oldest first."""
        rows = await self._rows(
            "records",
            after,
            wanted.kind or "",
            list(wanted.types),
            list(wanted.statuses),
            *fields_of(wanted, "project subject extractor contains"),
            # As it is indexed: in lower case, without final punctuation, long texts as digests.
            indexed(normalised(wanted.same_as)),
            *fields_of(wanted, "deferred confidence_min visible_to"),
            limit,
        )
        return [to_record(row) for row in rows]

    async def records_by_id(self, ids: Iterable[int]) -> dict[int, MemoryRecord]:
        """Return the records with these numbers that exist, by number."""
        if not (asked := list(ids)):
            return {}
        rows = await self._rows("records_by_id", asked)
        return {row["id"]: to_record(row) for row in rows}

    async def records_by_key(self, keys: Iterable[Key]) -> dict[Key, MemoryRecord]:
        """Return the records that a new one with one of these keys would duplicate."""
        # The database has the digest of a long content instead.
        found_by = {key._replace(content=indexed(key.content)) for key in keys}
        if not found_by:
            return {}
        rows = await self._rows("records_by_key", *columns_of(found_by))
        return {record.key: record for record in map(to_record, rows)}

    async def records_edited(self, keys: Iterable[Key]) -> dict[Key, MemoryRecord]:
        """Return the records that were edited, by the keys that they were written with."""
        wanted = set(keys)
        if not wanted:
            return {}
        # The database compares all but the content: the wording is that of before the edit.
        groups = {(it.kind, it.type, it.project, it.subject) for it in wanted}
        rows = await self._rows("records_edited", *columns_of(groups))
        found = {record.original_key: record for record in map(to_record, rows)}
        return {key: record for key, record in found.items() if key in wanted}

    async def superseded_by(self, record_id: int) -> list[MemoryRecord]:
        """Return the records that a record supersedes."""
        rows = await self._rows("superseded_by", record_id)
        return [to_record(row) for row in rows]

    async def overflow(self, project: str, limit: int) -> list[MemoryRecord]:
        """Return what waits for a project's next review cycle, the best first."""
        rows = await self._rows("overflow", project, limit)
        return [to_record(row) for row in rows]

    async def cycle(self, project: str) -> Cycle:
        """Return the current review cycle of a project."""
        row = await self._row("cycle", project)
        assert row is not None, "there is always one row"
        return _cycle(row, project)

    async def standing(self, *, project: str, now: float) -> QueueStanding:
        """Return counts of the review queue, optionally of one project."""
        row = await self._row(
            "review_standing",
            project,
            to_time(now),
            # Candidates that wait since before this are stale.
            to_time(now - STALE_SECONDS),
        )
        assert row is not None, "there is always one row"
        return value_of(
            QueueStanding,
            row,
            cycle=_cycle(row, project),
            facets=[FacetCount(*each) for each in json.loads(row["facets"])],
        )

    async def edit(self, edit_id: int) -> RecordEdit:
        """Return an edit of a record, or raise `EditNotFound`."""
        row = await self._row("edit", edit_id)
        if row is None:
            raise EditNotFound(f"there is no edit #{edit_id}", edit_id=str(edit_id))
        return to_edit(row)

    async def edits(
        self,
        *,
        record_id: int = 0,
        decision: int = 0,
        before: int = 0,
        limit: int | None = 50,
    ) -> list[RecordEdit]:
        """Return edits with numbers below `before`, newest first.

        Args:
            before: 0 for any number.
            limit: Maximum number of edits; None for all.
        """
        rows = await self._rows("edits", record_id, decision, before, limit)
        return [to_edit(row) for row in rows]

    async def unused(self, kind: str) -> int:
        """Return the next unused number of a kind; the write lock keeps it unused."""
        number: int = await self._value("unused", kind)
        return number

    async def is_sole(self, principal: str) -> bool:
        """Return whether no other principal has made a decision in this memory."""
        others: bool = await self._value("decided_by_others", principal)
        # A sole decider may approve what they proposed themselves (E6).
        return not others

    async def restated(self, triple: Triple) -> dict[str, int]:
        """Return the last ledger row of people that makes a statement, by dimension."""
        # Rows of entities and of decisions are ignored.
        rows = await self._rows("restated", *_in_any_dimension(triple))
        return {row["dimension"]: row["id"] for row in rows}

    async def stating(self, triple: Triple) -> dict[int, str]:
        """Return the active entities that make a statement, with its dimension."""
        rows = await self._rows("stating", *_in_any_dimension(triple))
        return {row["id"]: row["dimension"] for row in rows}

    async def passage(self, record: MemoryRecord) -> Passage | None:
        """Return the text that a record was found in; None if it no longer exists."""
        origin = record.origin
        # A record has one source, a chunk or an interaction; what was written by hand has none.
        if origin.chunk_id:
            row = await self._row("chunk", origin.chunk_id)
            return of_chunk(row) if row else None
        if origin.interaction_id:
            row = await self._row("recorded_interaction", origin.interaction_id)
            return of_interaction(row) if row else None
        return None

    async def document(self, chunk_id: str) -> StoredDocument | None:
        """Return the document with a chunk; None if it no longer contains it."""
        row = await self._row("document_of_chunk", chunk_id)
        if row is None:
            return None
        parts = await self._rows("chunks_of_document", row["id"])
        return to_whole(row, parts, chunk_id)


@dataclass(slots=True)
class RecordWrites(AggregateWrites):
    """Writes of records, with the memories of the people they are about."""

    changes: RecordChanges = field(default_factory=RecordChanges)
    memories: Mapping[str, Sequence[Memory]] = field(default_factory=dict)

    async def write(self, transaction: BatchTransaction) -> None:
        """Write the records, and read the memories of their subjects."""
        connection, tenant = transaction.connection, transaction.tenant
        await _write(connection, tenant, self.changes)
        self.memories = await subject_memories(
            connection, tenant, self.changes.subjects
        )
        transaction.log.subjects |= self.changes.subjects
        # Other servers read all notes again if an entity is among the changes.
        transaction.log.notes |= bool(notes_in(self.changes, ()))

    def publish(self, world: World, version: int) -> None:
        """Replace the memories of the subjects, and the lines of entities."""
        world.remember(self.changes.subjects, self.memories)
        take_notes(world.lines.sources, notes_in(self.changes, ()))


async def _write(connection: Connection, tenant: str, changes: RecordChanges) -> None:
    """Write records and their edits, in a batch's transaction."""
    if changes.deleted:
        await connection.execute(sql("delete_records"), tenant, list(changes.deleted))
    if changes.written:
        # Superseded records are written first, because their successors may have the
        # same unique key.
        records = sorted(
            changes.written.values(),
            key=lambda record: (record.status is not Status.SUPERSEDED, record.id),
        )
        rows = [record_row(tenant, record) for record in records]
        await connection.executemany(sql("write_record"), rows)
        # `unused` told numbers without reserving them, which is done here, once they are used.
        await connection.execute(
            sql("use_up"), tenant, "record", max(changes.written) + 1
        )
    if changes.edits:
        edits = [edit_row(tenant, edit) for edit in changes.edits]
        await connection.executemany(sql("add_edit"), edits)
        await connection.execute(
            sql("use_up"), tenant, "edit", changes.edits[-1].id + 1
        )
    if changes.undone:
        await connection.execute(
            sql("mark_undone"),
            tenant,
            list(changes.undone),
            list(changes.undone.values()),
        )
    for project, cycle in changes.cycles.items():
        await connection.execute(sql("set_cycle"), tenant, project, *cycle)


def _cycle(row: asyncpg.Record, project: str) -> Cycle:
    try:
        # The row has text that somebody may have written past the checks.
        size = read_setting("review_cycle_candidates", row["size"] or "")
    except ValueError:
        size = Preferences().review_cycle_candidates
    # At least one candidate, or no cycle would ever end.
    return Cycle(row["number"], row["written"], row["open"], max(1, size), project)


def _in_any_dimension(triple: Triple) -> tuple[str, str, bool, bool]:
    return triple.concept, triple.parent, triple.is_isa, triple.negated


async def subject_memories(
    connection: Connection, tenant: str, subjects: Collection[str]
) -> dict[str, list[Memory]]:
    """Return the active memories about subjects, the oldest first."""
    if not subjects:
        return {}
    rows = await connection.fetch(
        sql("memories_of_subjects"), tenant, list(CONVERSATION_TYPES), list(subjects)
    )
    memories: dict[str, list[Memory]] = {}
    for row in rows:
        memories.setdefault(row["subject"], []).append(to_memory(row))
    return memories
