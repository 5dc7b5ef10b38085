"""Conversion of records, their edits and the review queue to messages and back."""

from __future__ import annotations

from festinger.api.v1 import memory_record_pb2
from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.core.graph.statement import FACT_CHARACTERS_MAX, parse_fact
from festinger.core.memories.memory import effective
from festinger.core.memories.rules import RULES
from festinger.core.memories.types import MemoryKind, MemoryType, Status
from festinger.core.review.passage import Passage, shown
from festinger.core.review.queue import QueueStanding
from festinger.core.review.records import (
    CONTENT_CHARACTERS_MAX,
    MemoryRecord,
    Origin,
    ProposedRecord,
    RecordEdit,
    RecordFilter,
)
from festinger.core.review.state import NAME_CHARACTERS_MAX, StateItem
from festinger.core.review.transitions import name
from festinger.errors import InvalidArgument
from festinger.rpc.convert import checked
from festinger.rpc.fields import (
    from_number,
    from_numbers,
    members_of,
    message_of,
    to_time,
)
from festinger.rpc.system.callers import RpcCaller

CONTAINS_CHARACTERS_MAX = 200
SUBJECT_CHARACTERS_MAX = 128
CONFIDENCE_BY_HAND = 1.0
"""Confidence of a record written by hand; it is reviewed all the same."""

_KINDS = members_of(memory_record_pb2.MemoryRecord.Kind, MemoryKind)
_TYPES = members_of(memory_record_pb2.MemoryRecord.Type, MemoryType)
_STATUSES = members_of(memory_record_pb2.MemoryRecord.Status, Status)


def to_record(record: MemoryRecord, now: float) -> memory_record_pb2.MemoryRecord:
    """Convert a memory or an entity to a message.

    Args:
        now: Seconds since the epoch, for its staleness and its decayed confidence.
    """
    # Confidence fades in the window of its type (G4), counted from the last confirmation.
    window = RULES[record.type].window_days
    return message_of(
        memory_record_pb2.MemoryRecord,
        record,
        origin=message_of(
            memory_record_pb2.MemoryRecord.Origin,
            record.origin,
            start_offset=record.origin.span[0],
            end_offset=record.origin.span[1],
            quote_start=record.origin.quote_span[0],
            quote_end=record.origin.quote_span[1],
        ),
        re_extract_time=to_time(record.last_re_extracted_at),
        pending_time=to_time(record.pending_since),
        stale=record.is_stale(now),
        effective_confidence=effective(
            record.confidence, record.confirmed_at, now, window
        ),
    )


def to_edit(edit: RecordEdit) -> memory_record_pb2.Edit:
    """Convert an edit of a record to a message."""
    before, after = edit.before, edit.after
    # Equal contents are left out: most edits change the status alone.
    said = before is None or after is None or before.content != after.content
    return message_of(
        memory_record_pb2.Edit,
        edit,
        time=to_time(edit.created_at),
        # Unset for a record that did not exist before.
        old_status=f"STATUS_{before.status.name}" if before else None,
        # Unset for a deleted one.
        new_status=f"STATUS_{after.status.name}" if after else None,
        old_content=before.content if before and said else "",
        new_content=after.content if after and said else "",
    )


def to_chain(
    record: MemoryRecord, memory: MemoryRecord | None, passage: Passage | None
) -> list[pb.GetRecordResponse.Step]:
    """Return the steps from a record back to its source.

    Args:
        memory: The memory that it graduated from, if any.
        passage: The text it was found in; None if it was written by hand.
    """
    step = pb.GetRecordResponse.Step
    chain = [
        step(kind="record", id=str(record.id), name=name(record), text=record.content)
    ]
    if memory:
        chain.append(
            step(
                kind="memory", id=str(memory.id), name=name(memory), text=memory.content
            )
        )
    # Chunks and interactions that records name are never deleted, only marked.
    if passage is None:
        return [*chain, step(kind="hand", name=record.proposer)]
    # A long passage is cut around the quotation, so that offsets are those of the cut text.
    text, (start, end) = shown(passage.text, record.origin)
    chain.append(
        step(
            kind=passage.kind,
            id=passage.id,
            name=passage.name,
            text=text,
            start_offset=start,
            end_offset=end,
        )
    )
    # A conversation has no document behind it.
    if passage.document_id:
        number = str(passage.document_id)
        chain.append(step(kind="document", id=number, name=passage.path))
    return chain


def to_queue(standing: QueueStanding) -> pb.GetQueueResponse:
    """Convert the state of the review queue to a response."""
    cycle = standing.cycle
    return pb.GetQueueResponse(
        cycle=cycle.number,
        cycle_size=cycle.size,
        written_count=cycle.written,
        decided_count=cycle.written - cycle.open,
        deferred_count=standing.deferred,
        pending_count=standing.pending,
        stale_count=standing.stale,
        overflow_count=standing.overflow,
        oldest_pending_time=to_time(standing.oldest),
        facets=[message_of(pb.GetQueueResponse.Facet, it) for it in standing.facets],
    )


def to_item(item: StateItem) -> pb.StateItem:
    """Convert an item of a project's trusted state to a message."""
    return message_of(pb.StateItem, item, previous_values=item.earlier)


def from_list(request: pb.ListRecordsRequest, caller: RpcCaller) -> RecordFilter:
    """Return the filter of a list, with what the caller may see."""
    if not 0.0 <= request.confidence_min <= 1.0:
        raise InvalidArgument(
            "confidence_min must lie in [0.0, 1.0]", field="confidence_min"
        )
    return RecordFilter(
        kind=from_kind(request.kind) if request.kind else None,  # 0 stands for both
        types=from_numbers(request.types, _TYPES, "types"),
        statuses=from_numbers(request.statuses, _STATUSES, "statuses"),
        project=checked(request.project, "project", NAME_CHARACTERS_MAX),
        subject=checked(request.subject, "subject", SUBJECT_CHARACTERS_MAX),
        extractor=checked(request.extractor, "extractor", CONTAINS_CHARACTERS_MAX),
        contains=checked(request.contains, "contains", CONTAINS_CHARACTERS_MAX),
        same_as=checked(request.same_as, "same_as", CONTENT_CHARACTERS_MAX),
        deferred=request.deferred,
        confidence_min=request.confidence_min,
        # An agent sees what is about nobody, or about its own person (G5).
        visible_to=None if caller.operator else caller.subject or caller.principal,
    )


def from_proposal(request: pb.ProposeRecordRequest, principal: str) -> ProposedRecord:
    """Convert a request to the offer of a record, or raise `InvalidArgument`."""
    # Parsed only to refuse it now; it is stated when a person promotes the record.
    if fact := checked(request.fact, "fact", FACT_CHARACTERS_MAX):
        parse_fact(fact)
    return ProposedRecord(
        from_kind(request.kind),
        from_type(request.type),
        from_content(request.content),
        Origin(),  # by hand: there is no source
        CONFIDENCE_BY_HAND,
        principal,
        project=checked(request.project, "project", NAME_CHARACTERS_MAX),
        subject=checked(request.subject, "subject", SUBJECT_CHARACTERS_MAX),
        fact=fact,
    )


def from_kind(kind: int) -> MemoryKind:
    """Convert a record's kind. Raises `InvalidArgument`: neither memory nor entity."""
    if kind not in _KINDS:
        raise InvalidArgument("kind must be KIND_MEMORY or KIND_ENTITY", field="kind")
    return _KINDS[kind]


def from_type(type: int) -> MemoryType:
    """Convert a record's type. Raises `InvalidArgument`: unknown or missing."""
    # 0 is most often a field that was left out, and no unknown type.
    if not type:
        words = ", ".join(_TYPES.values())
        raise InvalidArgument(f"type is missing. It is one of {words}", field="type")
    return from_number(type, _TYPES, "type")


def from_content(content: str) -> str:
    """Return a record's content, stripped; see `needed`."""
    return needed(content, "content", CONTENT_CHARACTERS_MAX)


def needed(text: str, field: str, characters_max: int) -> str:
    """Return a required text, stripped, or raise `InvalidArgument`."""
    # Stripped first: blanks alone are no content.
    text = checked(text.strip(), field, characters_max)
    if not text:
        raise InvalidArgument(f"{field} is missing", field=field)
    return text
