"""Conversion of rows to records and other core values, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import asyncpg

from festinger.core.language.turns import Role
from festinger.core.review.findings import StoredChunk, StoredDocument
from festinger.core.review.passage import Passage
from festinger.core.review.records import MemoryRecord, Origin, RecordEdit
from festinger.store.graph.rows import seconds_or_none, time_or_none, to_time
from festinger.store.system.queries import fields_of, value_of

INDEXED_BYTES_MAX = 600
"""The maximum size of indexed content, in bytes: Postgres limits index rows to 2,700
bytes, including the other columns. Longer content is indexed by its digest."""


def to_record(row: asyncpg.Record) -> MemoryRecord:
    """Convert a row to a record, that is a memory or an entity."""
    origin = value_of(
        Origin,
        row,
        # Spans are (start, end) in the passage, in characters.
        span=(row["span_start"], row["span_end"]),
        quote_span=(row["quote_start"], row["quote_end"]),
    )
    return value_of(MemoryRecord, row, origin=origin)


def to_edit(row: asyncpg.Record) -> RecordEdit:
    """Convert a row to an edit of a record."""
    return value_of(
        RecordEdit,
        row,
        before=_record_of(row["before"]),
        after=_record_of(row["after"]),
    )


def _record_of(kept: str | None) -> MemoryRecord | None:
    # An edit keeps the whole record, as JSON, on both sides; a new record has no before.
    return MemoryRecord.from_json(json.loads(kept)) if kept else None


def edit_row(tenant: str, edit: RecordEdit) -> tuple[Any, ...]:
    """Return an edit as the arguments of `add_edit`."""
    return (
        tenant,
        *fields_of(edit, "id record_id action principal decision"),
        json.dumps(edit.before.to_json()) if edit.before else None,
        json.dumps(edit.after.to_json()) if edit.after else None,
        to_time(edit.created_at),
    )


def record_row(tenant: str, record: MemoryRecord) -> tuple[Any, ...]:
    """Return a record as the arguments of `write_record`."""
    origin = record.origin
    return (
        tenant,
        *fields_of(record, "id kind type content"),
        indexed(record.key.content),
        *fields_of(record, "project subject status confidence rank reasoning fact"),
        record.outcome,
        # References: 0 and an empty text stand for none, as NULL does in the database.
        record.assertion_id or None,
        origin.chunk_id or None,
        origin.interaction_id or None,
        *fields_of(origin, "hand_authored rule extractor extractor_version"),
        *origin.span,
        origin.quote,
        *origin.quote_span,
        origin.place,
        record.proposer,
        record.re_extraction_count,
        time_or_none(record.last_re_extracted_at),
        record.cycle,
        time_or_none(record.pending_since),
        time_or_none(record.deferred_at),
        to_time(record.confirmed_at),
        record.graduated_from or None,
        record.graduated_to or None,
        record.superseded_by or None,
        list(record.contradicts),
        record.decider,
        record.sole,
        record.original_content,
        record.version,
        to_time(record.created_at),
    )


def indexed(content: str) -> str:
    """Return the index key of normalised content, a digest if the content is long."""
    # `sha256:` and 64 digits of a hash stand for what the index cannot hold.
    data = content.encode()
    if len(data) <= INDEXED_BYTES_MAX:
        return content
    return f"sha256:{sha256(data).hexdigest()}"


def of_chunk(row: asyncpg.Record) -> Passage:
    """Convert a row to the passage of a chunk."""
    # A name such as `README.md > Install > Linux`.
    name = " > ".join((row["path"], *row["headings"]))
    return Passage(
        "chunk", row["id"], name, row["text"], row["document_id"], row["path"]
    )


def of_interaction(row: asyncpg.Record) -> Passage:
    """Convert a row to the passage of an interaction, made of the user's turns."""
    turns: list[dict[str, str]] = json.loads(row["turns"])
    # Memories are read in the person's own words (G3a).
    said = [turn["text"] for turn in turns if turn["role"] == Role.USER]
    name = row["session"] or row["subject"]
    return Passage("interaction", str(row["id"]), name, "\n\n".join(said))


def to_whole(
    row: asyncpg.Record, parts: Sequence[asyncpg.Record], fresh: str
) -> StoredDocument:
    """Convert a row to a document with its chunks, of which one is to be read again."""
    return StoredDocument(
        row["id"],
        row["path"],
        row["project"],
        seconds_or_none(row["modified_at"]),
        [
            StoredChunk(
                part["id"], tuple(part["headings"]), part["text"], part["id"] == fresh
            )
            for part in parts
        ],
    )
