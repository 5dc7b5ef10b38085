"""Formatting of items of the inbox as lines of text."""

from __future__ import annotations

import click

from festinger.api.v1 import conflict_pb2, memory_record_pb2
from festinger.api.v1.inbox_pb2 import InboxDecision, InboxItem
from festinger.api.v1.inbox_service_pb2 import InboxFilter
from festinger.cli.lines import counted, harmless, moment, printable, statement
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


def kind_of(item: InboxItem) -> str:
    """Return the kind of an item: `conflict`."""
    return word_of(InboxItem.Kind, item.kind)


def nothing(wanted: InboxFilter) -> str:
    """Return the sentence for an empty list of a filter."""
    if not wanted.ListFields():  # no filter at all
        return "Nothing waits for you."
    if wanted == InboxFilter(deferred=True):
        return "Nothing was put aside."
    return "Nothing in the inbox is like this."


def item_line(item: InboxItem) -> str:
    """Format an item with its quotes."""
    told = counted(item.told_count, "time")
    notes = [f"told {told}", f"doubt {item.doubt:.2f}", f"cost {item.cost:.2f}"]
    notes += [f"project {item.project}"] if item.project else []
    notes.append(f"for {item.answerer}")
    notes += [f"about {item.record.subject}"] if item.record.subject else []
    notes += ["its document does not say it any longer"] if item.source_gone else []
    notes += ["put aside"] if item.HasField("defer_time") else []
    lines = [f"{item.id}  {kind_of(item)}  {item.text}  ({', '.join(notes)})"]
    lines += [f"    {line}" for line in sides(item)]
    return harmless("\n".join(lines))


def item_page(item: InboxItem) -> str:
    """Format an item with why it is asked, and what each answer changes."""
    # Styled last: `harmless` would replace the style's own escapes.
    lines = [click.style(harmless(item.text), bold=True)]
    lines += [f"  {line}" for line in map(harmless, sides(item))]
    if item.HasField("record"):
        origin = item.record.origin
        if origin.quote:
            lines.append(f"  “{marked(origin)}”")
        lines.append(f"  {harmless(', '.join(record_notes(item.record)))}")
    lines.append(f"  why: {harmless(item.why)}")
    effects = item.effects
    if effects.mention:
        often = counted(effects.mention_count, "time")
        lines.append(f"  prompts that mention {effects.mention} ({often} so far):")
    for name, told in (
        ("now", effects.now_lines),
        ("accepted", effects.accepted_lines),
        ("rejected", effects.rejected_lines),
    ):
        lines += [f"    {name}: {harmless(' · '.join(told) or 'nothing')}"]
    if item.like_ids:
        lines.append(f"  decided along: {', '.join(item.like_ids)}")
    return "\n".join(lines)


def sides(item: InboxItem) -> list[str]:
    """Return who said what: both sides of a conflict, else the sentence it is from."""
    match item.WhichOneof("subject"):
        case "conflict":
            return _sides_of(item.conflict)
        case "candidate":
            candidate = item.candidate
            # The author said it; without one the machine that read it is named.
            by = candidate.author or candidate.proposer
            said = f": “{candidate.evidence}”" if candidate.evidence else ""
            return [f"{by}, {moment(candidate.create_time)}{said}"]
        case "record":
            origin = item.record.origin
            # A file name may contain line breaks.
            found = f"{printable(origin.place)}: " if origin.place else ""
            return [f"{found}“{origin.quote}”"] if origin.quote else []
        case "feedback":
            feedback = item.feedback
            quote = f": “{feedback.quote}”" if feedback.quote else ""
            by = f"{feedback.speaker}{quote}"
            when = moment(feedback.create_time)
            return [*filter(None, [by]), f"wrong, says {feedback.principal}, {when}"]
    # The kind without a case above: what was settled and is stated again.
    settled = item.settled
    said = f": “{settled.evidence}”" if settled.evidence else ""
    return [f"{settled.principal}, {moment(settled.create_time)}{said}"]


def _sides_of(conflict: conflict_pb2.Conflict) -> list[str]:
    lines = []
    if conflict.HasField("existing"):
        triple = conflict.existing
        origin = conflict.existing_origin
        by = (
            f"  {origin.speaker}, {moment(origin.said_time)}: “{origin.quote}”"
            if origin.quote
            # Stated before origins were kept, or outright.
            else f"  confirmed {moment(triple.last_confirm_time)}"
        )
        lines.append(f"held: {origin.value or triple.parent}{by}")
    origin, incoming = conflict.incoming_origin, conflict.incoming
    quote = origin.quote or conflict.evidence  # of a client: the evidence that it sent
    said = f": “{quote}”" if quote else ""
    who = origin.speaker or conflict.incoming_principal
    when = moment(conflict.create_time)
    lines.append(
        f"against it: {statement(incoming, origin.value)}  {who}, {when}{said}"
    )
    if conflict.last_error:
        lines.append(f"a model failed at it: {conflict.last_error}")
    return lines


def decision_line(decision: InboxDecision) -> str:
    """Format a decision with its items."""
    action = word_of(InboxDecision.Action, decision.action)
    first, *others = decision.item_ids
    more = f" and {len(others)} more" if others else ""
    said = next(iter(decision.item_texts), "")
    text = f": {said}" if said else ""
    undone = f"  undone by {decision.undo_principal}" if decision.undo_principal else ""
    return harmless(
        f"{decision.id}  {action} {first}{text}{more}  by {decision.principal}, "
        f"{moment(decision.create_time)}{undone}"
    )
