"""Formatting of memories and entities as lines of text."""

from __future__ import annotations

import click

from festinger.api.v1 import memory_record_pb2
from festinger.cli.lines import harmless, printable
from festinger.mapping import word_of


def record_line(record: memory_record_pb2.MemoryRecord) -> str:
    """Format a memory or an entity with its notes and source."""
    origin = record.origin
    head = f"#{record.id} {record_status(record)}  {record_words(record)}: {record.content}"
    # A file name may contain line breaks.
    found = f"{printable(origin.place)}: " if origin.place else ""
    lines = [f"{head}  ({', '.join(record_notes(record))})"]
    if origin.quote:
        lines.append(f"    {found}“{origin.quote}”")
    elif origin.hand_authored:
        lines.append("    written by hand")
    return harmless("\n".join(lines))


def record_status(record: memory_record_pb2.MemoryRecord) -> str:
    """Return the status of a record: `candidate`."""
    return word_of(memory_record_pb2.MemoryRecord.Status, record.status)


def record_words(record: memory_record_pb2.MemoryRecord) -> str:
    """Return the type and kind of a record: `decision (entity)`."""
    kind = word_of(memory_record_pb2.MemoryRecord.Type, record.type)
    is_entity = record.kind == memory_record_pb2.MemoryRecord.KIND_ENTITY
    return f"{kind} (entity)" if is_entity else kind


def record_notes(record: memory_record_pb2.MemoryRecord) -> list[str]:
    """Return the notes on a record for reviewers, such as its confidence."""
    origin = record.origin
    notes = [f"project {record.project}"] if record.project else []
    notes += [f"about {record.subject}"] if record.subject else []
    notes.append(f"confidence {record.confidence:.2f}")
    if origin.rule:
        notes.append(f"{origin.rule} of {origin.extractor} {origin.extractor_version}")
    if record.re_extraction_count:
        # Counted from the second time.
        notes.append(f"seen {record.re_extraction_count + 1} times")
    notes += ["stale"] if record.stale else []
    notes += ["put aside"] if record.HasField("defer_time") else []
    if record.fact:
        outcome = f": {record.outcome}" if record.outcome else ""
        notes.append(f"states {record.fact}{outcome}")
    if record.contradicts:
        numbers = ", ".join(f"#{number}" for number in record.contradicts)
        notes.append(f"contradicts {numbers}")
    return notes


def marked(origin: memory_record_pb2.MemoryRecord.Origin) -> str:
    """Return the quote of a record with the match highlighted."""
    quote, start, end = harmless(origin.quote), origin.quote_start, origin.quote_end
    if not 0 <= start < end <= len(quote):  # unknown, or of an older text
        return quote
    match = click.style(quote[start:end], underline=True, bold=True)
    return quote[:start] + match + quote[end:]
