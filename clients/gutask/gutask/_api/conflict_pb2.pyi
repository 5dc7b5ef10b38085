# mypy: ignore-errors
import datetime

from gutask._api import edge_pb2 as _edge_pb2
from gutask._api import source_pb2 as _source_pb2
from gutask._api import triple_pb2 as _triple_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Conflict(_message.Message):
    __slots__ = ("id", "state", "type", "incoming", "existing", "incoming_confidence", "incoming_source", "incoming_principal", "evidence", "priority", "statement_count", "create_time", "resolution", "etag", "attempts", "last_error", "earlier_resolutions", "for_people", "existing_origin", "incoming_origin")
    class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STATE_UNSPECIFIED: _ClassVar[Conflict.State]
        STATE_PENDING: _ClassVar[Conflict.State]
        STATE_RESOLVED: _ClassVar[Conflict.State]
        STATE_DISMISSED: _ClassVar[Conflict.State]
    STATE_UNSPECIFIED: Conflict.State
    STATE_PENDING: Conflict.State
    STATE_RESOLVED: Conflict.State
    STATE_DISMISSED: Conflict.State
    class Type(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        TYPE_UNSPECIFIED: _ClassVar[Conflict.Type]
        TYPE_ISA_ISA: _ClassVar[Conflict.Type]
        TYPE_ISPART_ISPART: _ClassVar[Conflict.Type]
        TYPE_MISCLASSIFICATION: _ClassVar[Conflict.Type]
        TYPE_CYCLE: _ClassVar[Conflict.Type]
        TYPE_NEGATION: _ClassVar[Conflict.Type]
    TYPE_UNSPECIFIED: Conflict.Type
    TYPE_ISA_ISA: Conflict.Type
    TYPE_ISPART_ISPART: Conflict.Type
    TYPE_MISCLASSIFICATION: Conflict.Type
    TYPE_CYCLE: Conflict.Type
    TYPE_NEGATION: Conflict.Type
    class Decision(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        DECISION_UNSPECIFIED: _ClassVar[Conflict.Decision]
        DECISION_UPDATE: _ClassVar[Conflict.Decision]
        DECISION_DISMISS: _ClassVar[Conflict.Decision]
        DECISION_DECOMPOSE: _ClassVar[Conflict.Decision]
        DECISION_RECLASSIFY: _ClassVar[Conflict.Decision]
    DECISION_UNSPECIFIED: Conflict.Decision
    DECISION_UPDATE: Conflict.Decision
    DECISION_DISMISS: Conflict.Decision
    DECISION_DECOMPOSE: Conflict.Decision
    DECISION_RECLASSIFY: Conflict.Decision
    class Resolution(_message.Message):
        __slots__ = ("decision", "principal", "reasoning", "resolve_time", "undo_principal", "undo_reasoning", "undo_time")
        DECISION_FIELD_NUMBER: _ClassVar[int]
        PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
        REASONING_FIELD_NUMBER: _ClassVar[int]
        RESOLVE_TIME_FIELD_NUMBER: _ClassVar[int]
        UNDO_PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
        UNDO_REASONING_FIELD_NUMBER: _ClassVar[int]
        UNDO_TIME_FIELD_NUMBER: _ClassVar[int]
        decision: Conflict.Decision
        principal: str
        reasoning: str
        resolve_time: _timestamp_pb2.Timestamp
        undo_principal: str
        undo_reasoning: str
        undo_time: _timestamp_pb2.Timestamp
        def __init__(self, decision: _Optional[_Union[Conflict.Decision, str]] = ..., principal: _Optional[str] = ..., reasoning: _Optional[str] = ..., resolve_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., undo_principal: _Optional[str] = ..., undo_reasoning: _Optional[str] = ..., undo_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
    class Origin(_message.Message):
        __slots__ = ("quote", "speaker", "project", "said_time", "value")
        QUOTE_FIELD_NUMBER: _ClassVar[int]
        SPEAKER_FIELD_NUMBER: _ClassVar[int]
        PROJECT_FIELD_NUMBER: _ClassVar[int]
        SAID_TIME_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        quote: str
        speaker: str
        project: str
        said_time: _timestamp_pb2.Timestamp
        value: str
        def __init__(self, quote: _Optional[str] = ..., speaker: _Optional[str] = ..., project: _Optional[str] = ..., said_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., value: _Optional[str] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    INCOMING_FIELD_NUMBER: _ClassVar[int]
    EXISTING_FIELD_NUMBER: _ClassVar[int]
    INCOMING_CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    INCOMING_SOURCE_FIELD_NUMBER: _ClassVar[int]
    INCOMING_PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    STATEMENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    RESOLUTION_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    LAST_ERROR_FIELD_NUMBER: _ClassVar[int]
    EARLIER_RESOLUTIONS_FIELD_NUMBER: _ClassVar[int]
    FOR_PEOPLE_FIELD_NUMBER: _ClassVar[int]
    EXISTING_ORIGIN_FIELD_NUMBER: _ClassVar[int]
    INCOMING_ORIGIN_FIELD_NUMBER: _ClassVar[int]
    id: int
    state: Conflict.State
    type: Conflict.Type
    incoming: _triple_pb2.Triple
    existing: _edge_pb2.Edge
    incoming_confidence: float
    incoming_source: _source_pb2.Source
    incoming_principal: str
    evidence: str
    priority: int
    statement_count: int
    create_time: _timestamp_pb2.Timestamp
    resolution: Conflict.Resolution
    etag: str
    attempts: int
    last_error: str
    earlier_resolutions: _containers.RepeatedCompositeFieldContainer[Conflict.Resolution]
    for_people: bool
    existing_origin: Conflict.Origin
    incoming_origin: Conflict.Origin
    def __init__(self, id: _Optional[int] = ..., state: _Optional[_Union[Conflict.State, str]] = ..., type: _Optional[_Union[Conflict.Type, str]] = ..., incoming: _Optional[_Union[_triple_pb2.Triple, _Mapping]] = ..., existing: _Optional[_Union[_edge_pb2.Edge, _Mapping]] = ..., incoming_confidence: _Optional[float] = ..., incoming_source: _Optional[_Union[_source_pb2.Source, str]] = ..., incoming_principal: _Optional[str] = ..., evidence: _Optional[str] = ..., priority: _Optional[int] = ..., statement_count: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., resolution: _Optional[_Union[Conflict.Resolution, _Mapping]] = ..., etag: _Optional[str] = ..., attempts: _Optional[int] = ..., last_error: _Optional[str] = ..., earlier_resolutions: _Optional[_Iterable[_Union[Conflict.Resolution, _Mapping]]] = ..., for_people: _Optional[bool] = ..., existing_origin: _Optional[_Union[Conflict.Origin, _Mapping]] = ..., incoming_origin: _Optional[_Union[Conflict.Origin, _Mapping]] = ...) -> None: ...
