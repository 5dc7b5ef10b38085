"""Formatting of conflicts, waves and models as lines of text."""

from __future__ import annotations

import os
import re
from datetime import UTC

from google.protobuf.timestamp_pb2 import Timestamp

from festinger.api.v1 import conflict_pb2, ingestion_service_pb2, model_pb2, triple_pb2
from festinger.mapping import word_of

# Tab and newline stay. U+202E and the like turn the direction: `txt.exe` reads `exe.txt`.
_UNSEEN = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]"
)
"""Control characters, and characters that change the direction of text."""


def harmless(text: str) -> str:
    """Replace characters that are unsafe on a terminal, preserving the length."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)


def printable(name: str) -> str:
    """Return a file name as a printable line, with escapes."""
    # Names are bytes: invalid UTF-8 is shown as `\xff`.
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode()
        for each in text
    )


def counted(count: int, noun: str, plural: str = "") -> str:
    """Format a count with its noun: `1 vote`, `2 people`."""
    return f"{count} {noun if count == 1 else plural or f'{noun}s'}"


def statement(triple: triple_pb2.Triple, said: str = "") -> str:
    """Format a statement: `gnommoweb: [type] not repo`.

    Args:
        said: Value as it was worded; empty to use its name.
    """
    return f"{triple.concept}: [{triple.dimension}] {_parent(triple, said)}"


def conflict_line(conflict: conflict_pb2.Conflict) -> str:
    """Format a conflict with its quotes and decisions."""
    state = word_of(conflict_pb2.Conflict.State, conflict.state)
    kind = word_of(conflict_pb2.Conflict.Type, conflict.type)
    incoming = conflict.incoming
    # As people worded it, if that is known; a name such as `04:30 every night` otherwise.
    held = conflict.existing_origin.value or conflict.existing.parent or "nothing"
    against = _parent(incoming, conflict.incoming_origin.value)
    # Once decided, what was held may be so no more.
    both = (
        f"held {held}, refused {against}"
        if conflict.state == conflict_pb2.Conflict.STATE_PENDING
        else f"met {held}; in question was {against}"
    )
    lines = [
        f"#{conflict.id} {state}  {incoming.concept} [{incoming.dimension}]: "
        f"{both}  ({kind}, by {conflict.incoming_principal}"
        f"{_times(conflict.statement_count)})"
    ]
    for side, name in (
        (conflict.existing_origin, "held"),
        (conflict.incoming_origin, "against it"),
    ):
        if side.quote:
            said = side.said_time.ToDatetime().strftime("%Y-%m-%d")
            lines.append(f"    {name}: {side.speaker}, {said}: “{side.quote}”")
    # With the words of its origin the evidence would say the same twice.
    if conflict.evidence and not conflict.incoming_origin.quote:
        lines.append(f"    “{conflict.evidence}”")
    lines += [f"    {_resolution(each)}" for each in conflict.earlier_resolutions]
    # A model may have failed before and still try; only its last failure leaves it to people.
    if conflict.for_people and conflict.last_error:
        lines.append(f"    the model gave up: {conflict.last_error}")
    if conflict.HasField("resolution"):
        lines.append(f"    {_resolution(conflict.resolution)}")
    return harmless("\n".join(lines))


def wave_line(wave: ingestion_service_pb2.Wave) -> str:
    """Format a wave of documents with its results."""
    state = word_of(ingestion_service_pb2.Wave.State, wave.state)
    place = "/".join(part for part in (wave.root, wave.scope) if part)
    project = f"  project {wave.project}" if wave.project else ""
    read = wave.file_count - wave.unchanged_count - wave.refused_count
    lines = [
        f"wave {wave.id} {state}  {moment(wave.start_time)}  {place}{project}",
        f"    {wave.file_count} files: {read} read, {wave.unchanged_count} unchanged, "
        f"{wave.refused_count} refused; {wave.removed_count} removed; "
        f"{wave.new_chunk_count} parts new, {wave.kept_chunk_count} as before",
    ]
    if wave.HasField("report"):
        lines += _report_lines(wave.report)
    if wave.error:
        lines.append(f"    failed: {wave.error}")
    return harmless("\n".join(lines))


def _report_lines(report: ingestion_service_pb2.Wave.Report) -> list[str]:
    # By words, with the counts, so that those of 0 can be left out.
    became = {
        counted(report.candidate_count, "candidate"): report.candidate_count,
        f"{report.overflow_count} for later reviews": report.overflow_count,
        counted(report.duplicate_count, "duplicate"): report.duplicate_count,
    }
    for reason, count in sorted(report.dropped_counts.items()):
        became[f"{count} {reason.replace('_', ' ')}"] = count
    became[counted(report.error_count, "error")] = report.error_count
    what = ", ".join(words for words, count in became.items() if count)
    parts = counted(report.chunk_count, "part")
    # Waves without an extraction have a path only.
    found = f"{report.found_count} found in {parts}" if report.chunk_count else ""
    lines = ": ".join(filter(None, (found, what)))
    return [f"    {line}" for line in (lines, f"report: {report.path}") if line]


def moment(time: Timestamp) -> str:
    """Format a time to the minute, in UTC."""
    return f"{time.ToDatetime(UTC):%Y-%m-%d %H:%M} UTC"


def model_line(model: model_pb2.Model) -> str:
    """Format a model with its purposes and its usage of today."""
    provider = word_of(model_pb2.Model.Provider, model.provider)
    parts = [f"#{model.id} {provider} {model.model_name}"]
    if model.base_url:
        parts.append(f"at {model.base_url}")
    if model.api_key_hint:
        parts.append(f"key …{model.api_key_hint}")
    parts.append(", ".join(map(_purpose, model.purposes)) or "not chosen")
    lines = ["  ".join(parts)]
    lines += [
        f"    {_purpose(usage.purpose)} today: {usage.call_count} answers, "
        f"{usage.failure_count} failures, {usage.input_token_count} tokens in, "
        f"{usage.output_token_count} out"
        for usage in model.usage_today
    ]
    if model.last_error:
        lines.append(f"    last failed: {model.last_error}")
    return harmless("\n".join(lines))


def _purpose(purpose: model_pb2.Model.Purpose) -> str:
    return word_of(model_pb2.Model.Purpose, purpose)


def _resolution(resolution: conflict_pb2.Conflict.Resolution) -> str:
    word = word_of(conflict_pb2.Conflict.Decision, resolution.decision)
    because = f": {resolution.reasoning}" if resolution.reasoning else ""
    line = f"{word}, decided by {resolution.principal}{because}"
    if not resolution.undo_principal:
        return line
    because = f": {resolution.undo_reasoning}" if resolution.undo_reasoning else ""
    return f"{line} — undone by {resolution.undo_principal}{because}"


def _parent(triple: triple_pb2.Triple, said: str = "") -> str:
    value = said or triple.parent
    return f"not {value}" if triple.negated else value


def _times(statements: int) -> str:
    return f", {statements} times" if statements > 1 else ""
