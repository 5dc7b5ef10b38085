# mypy: ignore-errors
import datetime

from gutask._api import conflict_pb2 as _conflict_pb2
from gutask._api import outcome_pb2 as _outcome_pb2
from gutask._api import source_pb2 as _source_pb2
from gutask._api import triple_pb2 as _triple_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class HistoryEvent(_message.Message):
    __slots__ = ("event_time", "kind", "triple", "verdict", "reason", "text", "principal", "source", "confidence", "assertion_id", "conflict_id", "candidate_id", "closed_by", "valid_from_time", "decision")
    class Kind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        KIND_UNSPECIFIED: _ClassVar[HistoryEvent.Kind]
        KIND_STATED: _ClassVar[HistoryEvent.Kind]
        KIND_RETRACTED: _ClassVar[HistoryEvent.Kind]
        KIND_ENDED: _ClassVar[HistoryEvent.Kind]
        KIND_SETTLED: _ClassVar[HistoryEvent.Kind]
        KIND_RULED: _ClassVar[HistoryEvent.Kind]
    KIND_UNSPECIFIED: HistoryEvent.Kind
    KIND_STATED: HistoryEvent.Kind
    KIND_RETRACTED: HistoryEvent.Kind
    KIND_ENDED: HistoryEvent.Kind
    KIND_SETTLED: HistoryEvent.Kind
    KIND_RULED: HistoryEvent.Kind
    EVENT_TIME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TRIPLE_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    ASSERTION_ID_FIELD_NUMBER: _ClassVar[int]
    CONFLICT_ID_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_ID_FIELD_NUMBER: _ClassVar[int]
    CLOSED_BY_FIELD_NUMBER: _ClassVar[int]
    VALID_FROM_TIME_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    event_time: _timestamp_pb2.Timestamp
    kind: HistoryEvent.Kind
    triple: _triple_pb2.Triple
    verdict: _outcome_pb2.Outcome.Verdict
    reason: str
    text: str
    principal: str
    source: _source_pb2.Source
    confidence: float
    assertion_id: int
    conflict_id: int
    candidate_id: int
    closed_by: str
    valid_from_time: _timestamp_pb2.Timestamp
    decision: _conflict_pb2.Conflict.Decision
    def __init__(self, event_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., kind: _Optional[_Union[HistoryEvent.Kind, str]] = ..., triple: _Optional[_Union[_triple_pb2.Triple, _Mapping]] = ..., verdict: _Optional[_Union[_outcome_pb2.Outcome.Verdict, str]] = ..., reason: _Optional[str] = ..., text: _Optional[str] = ..., principal: _Optional[str] = ..., source: _Optional[_Union[_source_pb2.Source, str]] = ..., confidence: _Optional[float] = ..., assertion_id: _Optional[int] = ..., conflict_id: _Optional[int] = ..., candidate_id: _Optional[int] = ..., closed_by: _Optional[str] = ..., valid_from_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., decision: _Optional[_Union[_conflict_pb2.Conflict.Decision, str]] = ...) -> None: ...
