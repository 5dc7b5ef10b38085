import datetime

from festinger.api.v1 import source_pb2 as _source_pb2
from festinger.api.v1 import triple_pb2 as _triple_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Factoid(_message.Message):
    __slots__ = ("id", "state", "triple", "confidence", "source", "rule", "reason", "proposer", "author", "evidence", "statement_count", "create_time", "decider", "decide_time")
    class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STATE_UNSPECIFIED: _ClassVar[Factoid.State]
        STATE_PENDING_VALIDATION: _ClassVar[Factoid.State]
        STATE_CONFIRMED: _ClassVar[Factoid.State]
        STATE_REJECTED: _ClassVar[Factoid.State]
        STATE_EXPIRED: _ClassVar[Factoid.State]
    STATE_UNSPECIFIED: Factoid.State
    STATE_PENDING_VALIDATION: Factoid.State
    STATE_CONFIRMED: Factoid.State
    STATE_REJECTED: Factoid.State
    STATE_EXPIRED: Factoid.State
    ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    TRIPLE_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    PROPOSER_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    STATEMENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    DECIDER_FIELD_NUMBER: _ClassVar[int]
    DECIDE_TIME_FIELD_NUMBER: _ClassVar[int]
    id: int
    state: Factoid.State
    triple: _triple_pb2.Triple
    confidence: float
    source: _source_pb2.Source
    rule: str
    reason: str
    proposer: str
    author: str
    evidence: str
    statement_count: int
    create_time: _timestamp_pb2.Timestamp
    decider: str
    decide_time: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[int] = ..., state: _Optional[_Union[Factoid.State, str]] = ..., triple: _Optional[_Union[_triple_pb2.Triple, _Mapping]] = ..., confidence: _Optional[float] = ..., source: _Optional[_Union[_source_pb2.Source, str]] = ..., rule: _Optional[str] = ..., reason: _Optional[str] = ..., proposer: _Optional[str] = ..., author: _Optional[str] = ..., evidence: _Optional[str] = ..., statement_count: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., decider: _Optional[str] = ..., decide_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
