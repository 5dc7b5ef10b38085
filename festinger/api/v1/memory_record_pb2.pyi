import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MemoryRecord(_message.Message):
    __slots__ = ("id", "kind", "type", "content", "project", "subject", "status", "confidence", "origin", "fact", "outcome", "re_extraction_count", "re_extract_time", "create_time", "pending_time", "stale", "defer_time", "confirm_time", "effective_confidence", "graduated_from", "graduated_to", "superseded_by", "contradicts", "decider", "original_content", "etag", "reasoning")
    class Kind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        KIND_UNSPECIFIED: _ClassVar[MemoryRecord.Kind]
        KIND_MEMORY: _ClassVar[MemoryRecord.Kind]
        KIND_ENTITY: _ClassVar[MemoryRecord.Kind]
    KIND_UNSPECIFIED: MemoryRecord.Kind
    KIND_MEMORY: MemoryRecord.Kind
    KIND_ENTITY: MemoryRecord.Kind
    class Type(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        TYPE_UNSPECIFIED: _ClassVar[MemoryRecord.Type]
        TYPE_USER_FACT: _ClassVar[MemoryRecord.Type]
        TYPE_USER_PATTERN: _ClassVar[MemoryRecord.Type]
        TYPE_SHARED_NARRATIVE: _ClassVar[MemoryRecord.Type]
        TYPE_IDENTITY: _ClassVar[MemoryRecord.Type]
        TYPE_PREFERENCE: _ClassVar[MemoryRecord.Type]
        TYPE_DECISION: _ClassVar[MemoryRecord.Type]
        TYPE_REQUIREMENT: _ClassVar[MemoryRecord.Type]
        TYPE_CONSTRAINT: _ClassVar[MemoryRecord.Type]
        TYPE_MEASUREMENT: _ClassVar[MemoryRecord.Type]
        TYPE_COMPONENT: _ClassVar[MemoryRecord.Type]
        TYPE_VALIDATION_CLAIM: _ClassVar[MemoryRecord.Type]
    TYPE_UNSPECIFIED: MemoryRecord.Type
    TYPE_USER_FACT: MemoryRecord.Type
    TYPE_USER_PATTERN: MemoryRecord.Type
    TYPE_SHARED_NARRATIVE: MemoryRecord.Type
    TYPE_IDENTITY: MemoryRecord.Type
    TYPE_PREFERENCE: MemoryRecord.Type
    TYPE_DECISION: MemoryRecord.Type
    TYPE_REQUIREMENT: MemoryRecord.Type
    TYPE_CONSTRAINT: MemoryRecord.Type
    TYPE_MEASUREMENT: MemoryRecord.Type
    TYPE_COMPONENT: MemoryRecord.Type
    TYPE_VALIDATION_CLAIM: MemoryRecord.Type
    class Status(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STATUS_UNSPECIFIED: _ClassVar[MemoryRecord.Status]
        STATUS_CANDIDATE: _ClassVar[MemoryRecord.Status]
        STATUS_ACTIVE: _ClassVar[MemoryRecord.Status]
        STATUS_INVALID: _ClassVar[MemoryRecord.Status]
        STATUS_SUPERSEDED: _ClassVar[MemoryRecord.Status]
        STATUS_GRADUATED: _ClassVar[MemoryRecord.Status]
        STATUS_OVERFLOW: _ClassVar[MemoryRecord.Status]
    STATUS_UNSPECIFIED: MemoryRecord.Status
    STATUS_CANDIDATE: MemoryRecord.Status
    STATUS_ACTIVE: MemoryRecord.Status
    STATUS_INVALID: MemoryRecord.Status
    STATUS_SUPERSEDED: MemoryRecord.Status
    STATUS_GRADUATED: MemoryRecord.Status
    STATUS_OVERFLOW: MemoryRecord.Status
    class Origin(_message.Message):
        __slots__ = ("chunk_id", "interaction_id", "hand_authored", "rule", "extractor", "extractor_version", "start_offset", "end_offset", "quote", "quote_start", "quote_end", "place")
        CHUNK_ID_FIELD_NUMBER: _ClassVar[int]
        INTERACTION_ID_FIELD_NUMBER: _ClassVar[int]
        HAND_AUTHORED_FIELD_NUMBER: _ClassVar[int]
        RULE_FIELD_NUMBER: _ClassVar[int]
        EXTRACTOR_FIELD_NUMBER: _ClassVar[int]
        EXTRACTOR_VERSION_FIELD_NUMBER: _ClassVar[int]
        START_OFFSET_FIELD_NUMBER: _ClassVar[int]
        END_OFFSET_FIELD_NUMBER: _ClassVar[int]
        QUOTE_FIELD_NUMBER: _ClassVar[int]
        QUOTE_START_FIELD_NUMBER: _ClassVar[int]
        QUOTE_END_FIELD_NUMBER: _ClassVar[int]
        PLACE_FIELD_NUMBER: _ClassVar[int]
        chunk_id: str
        interaction_id: int
        hand_authored: bool
        rule: str
        extractor: str
        extractor_version: str
        start_offset: int
        end_offset: int
        quote: str
        quote_start: int
        quote_end: int
        place: str
        def __init__(self, chunk_id: _Optional[str] = ..., interaction_id: _Optional[int] = ..., hand_authored: _Optional[bool] = ..., rule: _Optional[str] = ..., extractor: _Optional[str] = ..., extractor_version: _Optional[str] = ..., start_offset: _Optional[int] = ..., end_offset: _Optional[int] = ..., quote: _Optional[str] = ..., quote_start: _Optional[int] = ..., quote_end: _Optional[int] = ..., place: _Optional[str] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    FACT_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    RE_EXTRACTION_COUNT_FIELD_NUMBER: _ClassVar[int]
    RE_EXTRACT_TIME_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    PENDING_TIME_FIELD_NUMBER: _ClassVar[int]
    STALE_FIELD_NUMBER: _ClassVar[int]
    DEFER_TIME_FIELD_NUMBER: _ClassVar[int]
    CONFIRM_TIME_FIELD_NUMBER: _ClassVar[int]
    EFFECTIVE_CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    GRADUATED_FROM_FIELD_NUMBER: _ClassVar[int]
    GRADUATED_TO_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDED_BY_FIELD_NUMBER: _ClassVar[int]
    CONTRADICTS_FIELD_NUMBER: _ClassVar[int]
    DECIDER_FIELD_NUMBER: _ClassVar[int]
    ORIGINAL_CONTENT_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REASONING_FIELD_NUMBER: _ClassVar[int]
    id: int
    kind: MemoryRecord.Kind
    type: MemoryRecord.Type
    content: str
    project: str
    subject: str
    status: MemoryRecord.Status
    confidence: float
    origin: MemoryRecord.Origin
    fact: str
    outcome: str
    re_extraction_count: int
    re_extract_time: _timestamp_pb2.Timestamp
    create_time: _timestamp_pb2.Timestamp
    pending_time: _timestamp_pb2.Timestamp
    stale: bool
    defer_time: _timestamp_pb2.Timestamp
    confirm_time: _timestamp_pb2.Timestamp
    effective_confidence: float
    graduated_from: int
    graduated_to: int
    superseded_by: int
    contradicts: _containers.RepeatedScalarFieldContainer[int]
    decider: str
    original_content: str
    etag: str
    reasoning: str
    def __init__(self, id: _Optional[int] = ..., kind: _Optional[_Union[MemoryRecord.Kind, str]] = ..., type: _Optional[_Union[MemoryRecord.Type, str]] = ..., content: _Optional[str] = ..., project: _Optional[str] = ..., subject: _Optional[str] = ..., status: _Optional[_Union[MemoryRecord.Status, str]] = ..., confidence: _Optional[float] = ..., origin: _Optional[_Union[MemoryRecord.Origin, _Mapping]] = ..., fact: _Optional[str] = ..., outcome: _Optional[str] = ..., re_extraction_count: _Optional[int] = ..., re_extract_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., pending_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., stale: _Optional[bool] = ..., defer_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., confirm_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., effective_confidence: _Optional[float] = ..., graduated_from: _Optional[int] = ..., graduated_to: _Optional[int] = ..., superseded_by: _Optional[int] = ..., contradicts: _Optional[_Iterable[int]] = ..., decider: _Optional[str] = ..., original_content: _Optional[str] = ..., etag: _Optional[str] = ..., reasoning: _Optional[str] = ...) -> None: ...

class Edit(_message.Message):
    __slots__ = ("id", "record_id", "action", "principal", "time", "old_status", "new_status", "old_content", "new_content", "undone_by")
    ID_FIELD_NUMBER: _ClassVar[int]
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    OLD_STATUS_FIELD_NUMBER: _ClassVar[int]
    NEW_STATUS_FIELD_NUMBER: _ClassVar[int]
    OLD_CONTENT_FIELD_NUMBER: _ClassVar[int]
    NEW_CONTENT_FIELD_NUMBER: _ClassVar[int]
    UNDONE_BY_FIELD_NUMBER: _ClassVar[int]
    id: int
    record_id: int
    action: str
    principal: str
    time: _timestamp_pb2.Timestamp
    old_status: MemoryRecord.Status
    new_status: MemoryRecord.Status
    old_content: str
    new_content: str
    undone_by: int
    def __init__(self, id: _Optional[int] = ..., record_id: _Optional[int] = ..., action: _Optional[str] = ..., principal: _Optional[str] = ..., time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., old_status: _Optional[_Union[MemoryRecord.Status, str]] = ..., new_status: _Optional[_Union[MemoryRecord.Status, str]] = ..., old_content: _Optional[str] = ..., new_content: _Optional[str] = ..., undone_by: _Optional[int] = ...) -> None: ...
