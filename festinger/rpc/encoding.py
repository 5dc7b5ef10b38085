"""Recollect's answer as the bytes of its message, written without the message.

To fill a message field by field, and to have it written out, takes ten times as long.
Which number a field has is asked of the generated messages.

One source for both builds: it is compiled as it is, with the types beside it (`.pxd`).
"""

from __future__ import annotations

from struct import pack
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from festinger.api.v1 import edge_pb2, outcome_pb2, source_pb2, triple_pb2
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.core.outcome import Fact, Outcome, Verdict
from festinger.core.preferences import Position
from festinger.core.proposal import Source, Triple
from festinger.core.recollection import Kind, Line, render
from festinger.core.retelling import Change
from festinger.flows.recollect import Recollection
from festinger.rpc.filling import in_micros, is_moment

_INT64_MASK: Final = 2**64 - 1
_WIRE_TYPES: Final = {
    FieldDescriptor.CPPTYPE_BOOL: 0,
    FieldDescriptor.CPPTYPE_ENUM: 0,
    FieldDescriptor.CPPTYPE_INT32: 0,
    FieldDescriptor.CPPTYPE_INT64: 0,
    FieldDescriptor.CPPTYPE_DOUBLE: 1,
    FieldDescriptor.CPPTYPE_STRING: 2,
    FieldDescriptor.CPPTYPE_MESSAGE: 2,
}


def _tag(message: type[Message], name: str) -> bytes:
    """What stands before the value of a field."""
    field = message.DESCRIPTOR.fields_by_name[name]
    return bytes((field.number << 3 | _WIRE_TYPES[field.cpp_type],))


def _enum(tag: bytes, kind: Any, prefix: str, members: Any) -> dict[Any, bytes]:
    """A field of an enum, by its value: to look a member up runs Python's code."""
    return {
        each.value: tag + bytes((kind.Value(prefix + each.name),)) for each in members
    }


def _number(value: int) -> bytes:
    """A varint."""
    rest = value & _INT64_MASK
    if rest < 128:
        return _BYTES[rest]
    written = bytearray()
    while rest >= 128:
        written.append(rest & 127 | 128)
        rest >>= 7
    written.append(rest)
    return bytes(written)


_BYTES: Final = tuple(bytes((each,)) for each in range(128))
_TRUE: Final = _BYTES[1]

_RESPONSE: Final = pb.RecollectResponse
_LINES: Final = _tag(_RESPONSE, "lines")
_BLOCK: Final = _tag(_RESPONSE, "block")
_OUTCOMES: Final = _tag(_RESPONSE, "outcomes")
_VERSION: Final = _tag(_RESPONSE, "version")
_STALE: Final = _tag(_RESPONSE, "stale") + _TRUE
_CHANGES: Final = _tag(_RESPONSE, "changes")
_POSITIONS: Final = _enum(
    _tag(_RESPONSE, "position"), pb.RecollectResponse.Position, "POSITION_", Position
)

_LINE: Final = pb.RecollectResponse.Line
_CONCEPT: Final = _tag(_LINE, "concept")
_TEXT: Final = _tag(_LINE, "text")
_DIGEST: Final = _tag(_LINE, "digest")
_WHY: Final = _tag(_LINE, "why")
_KINDS: Final = _enum(
    _tag(_LINE, "kind"), pb.RecollectResponse.Line.Kind, "KIND_", Kind
)
# The same few are told again and again; why they are changes.
_HEADS_MAX: Final = 8192
_HEADS: Final[dict[str, tuple[str, Kind, bytes]]] = {}

_CHANGE: Final = pb.RecollectResponse.Change
_TOLD_INDEX: Final = _tag(_CHANGE, "told_index")
_CHANGED_LINE: Final = _tag(_CHANGE, "line")

_OUTCOME: Final = outcome_pb2.Outcome
_VERDICTS: Final = _enum(
    _tag(_OUTCOME, "verdict"), outcome_pb2.Outcome.Verdict, "VERDICT_", Verdict
)
_TRIPLE: Final = _tag(_OUTCOME, "triple")
_EDGE: Final = _tag(_OUTCOME, "edge")
_CONFLICT_ID: Final = _tag(_OUTCOME, "conflict_id")
_FACTOID_ID: Final = _tag(_OUTCOME, "factoid_id")
_REASON: Final = _tag(_OUTCOME, "reason")
_MESSAGE: Final = _tag(_OUTCOME, "message")
_OUTCOME_ASSERTION_ID: Final = _tag(_OUTCOME, "assertion_id")

_STATED: Final = triple_pb2.Triple
_TRIPLE_CONCEPT: Final = _tag(_STATED, "concept")
_TRIPLE_PARENT: Final = _tag(_STATED, "parent")
_TRIPLE_DIMENSION: Final = _tag(_STATED, "dimension")
_TRIPLE_IS_ISA: Final = _tag(_STATED, "is_isa") + _TRUE
_NEGATED: Final = _tag(_STATED, "negated") + _TRUE

_FACT: Final = edge_pb2.Edge
_EDGE_CONCEPT: Final = _tag(_FACT, "concept")
_EDGE_PARENT: Final = _tag(_FACT, "parent")
_EDGE_DIMENSION: Final = _tag(_FACT, "dimension")
_EDGE_IS_ISA: Final = _tag(_FACT, "is_isa") + _TRUE
_CONFIDENCE: Final = _tag(_FACT, "confidence")
_LAST_CONFIRM_TIME: Final = _tag(_FACT, "last_confirm_time")
_SOURCES: Final = _enum(_tag(_FACT, "source"), source_pb2.Source, "SOURCE_", Source)
_EDGE_ASSERTION_ID: Final = _tag(_FACT, "assertion_id")
_CONTESTED: Final = _tag(_FACT, "contested") + _TRUE

_SECONDS: Final = _tag(Timestamp, "seconds")
_NANOS: Final = _tag(Timestamp, "nanos")

_ANSWER: Final = pb.RecollectStreamResponse
_ID: Final = _tag(_ANSWER, "id")
_ANSWERED: Final = _tag(_ANSWER, "response")


def encode_response(recollection: Recollection, stale: bool) -> bytes:
    """What a prompt is given, as a `RecollectResponse`."""
    lines, position, outcomes, version, changes = recollection
    parts: list[bytes] = []
    for line in lines:
        _put(parts, _LINES, _line(line))
    _put_text(parts, _BLOCK, render(lines))
    parts.append(_POSITIONS[position._value_])
    for outcome in outcomes:
        _put(parts, _OUTCOMES, _outcome(outcome))
    _put_number(parts, _VERSION, version)
    if stale:
        parts.append(_STALE)
    for change in changes:
        _put(parts, _CHANGES, _change(change))
    return b"".join(parts)


def encode_answer(number: int, response: bytes) -> bytes:
    """The same as the answer to a request of a stream, a `RecollectStreamResponse`."""
    parts: list[bytes] = []
    _put_number(parts, _ID, number)
    _put(parts, _ANSWERED, response)
    return b"".join(parts)


def _line(line: Line) -> bytes:
    concept, text, kind, why = line
    known = _HEADS.get(text)
    if known is not None and known[0] == concept and known[1] is kind:
        parts = [known[2]]
    else:
        parts = [_head(line)]
    _put_text(parts, _WHY, why)
    return b"".join(parts)


def _head(line: Line) -> bytes:
    """A line up to why it was chosen, from now on remembered."""
    concept, text, kind, _ = line
    parts: list[bytes] = []
    _put_text(parts, _CONCEPT, concept)
    _put_text(parts, _TEXT, text)
    _put(parts, _DIGEST, line.digest)
    parts.append(_KINDS[kind._value_])
    head = b"".join(parts)
    if len(_HEADS) >= _HEADS_MAX:
        _HEADS.clear()
    _HEADS[text] = (concept, kind, head)
    return head


def _change(change: Change) -> bytes:
    parts: list[bytes] = []
    _put_number(parts, _TOLD_INDEX, change.index)
    if change.line is not None:
        _put(parts, _CHANGED_LINE, _line(change.line))
    return b"".join(parts)


def _outcome(outcome: Outcome) -> bytes:
    verdict, triple, fact, _, reason, message, conflict, factoid, assertion = outcome
    parts = [_VERDICTS[verdict._value_]]
    _put(parts, _TRIPLE, _triple(triple))
    if fact is not None:
        _put(parts, _EDGE, _edge(fact))
    _put_number(parts, _CONFLICT_ID, conflict)
    _put_number(parts, _FACTOID_ID, factoid)
    _put_text(parts, _REASON, reason)
    _put_text(parts, _MESSAGE, message)
    _put_number(parts, _OUTCOME_ASSERTION_ID, assertion)
    return b"".join(parts)


def _triple(triple: Triple) -> bytes:
    concept, parent, dimension, is_isa, negated = triple
    parts: list[bytes] = []
    _put_text(parts, _TRIPLE_CONCEPT, concept)
    _put_text(parts, _TRIPLE_PARENT, parent)
    _put_text(parts, _TRIPLE_DIMENSION, dimension)
    if is_isa:
        parts.append(_TRIPLE_IS_ISA)
    if negated:
        parts.append(_NEGATED)
    return b"".join(parts)


def _edge(fact: Fact) -> bytes:
    concept, parent, dimension, is_isa, confidence, last, source, number, doubted = fact
    parts: list[bytes] = []
    _put_text(parts, _EDGE_CONCEPT, concept)
    _put_text(parts, _EDGE_PARENT, parent)
    _put_text(parts, _EDGE_DIMENSION, dimension)
    if is_isa:
        parts.append(_EDGE_IS_ISA)
    if confidence:
        parts += _CONFIDENCE, pack("<d", confidence)
    if is_moment(last):
        _put(parts, _LAST_CONFIRM_TIME, _time(last))
    parts.append(_SOURCES[source._value_])
    _put_number(parts, _EDGE_ASSERTION_ID, number)
    if doubted:
        parts.append(_CONTESTED)
    return b"".join(parts)


def _time(seconds: float) -> bytes:
    whole, micros = in_micros(seconds)
    parts: list[bytes] = []
    _put_number(parts, _SECONDS, whole)
    _put_number(parts, _NANOS, micros * 1000)
    return b"".join(parts)


def _put(parts: list[bytes], tag: bytes, value: bytes) -> None:
    """Adds bytes, or a message, whether or not they are empty."""
    parts += tag, _number(len(value)), value


def _put_text(parts: list[bytes], tag: bytes, text: str) -> None:
    if text:
        _put(parts, tag, text.encode())


def _put_number(parts: list[bytes], tag: bytes, value: int) -> None:
    if value:
        parts += tag, _number(value)
