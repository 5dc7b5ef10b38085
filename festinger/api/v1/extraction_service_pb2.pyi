import datetime

from festinger.api.v1 import memory_record_pb2 as _memory_record_pb2
from festinger.api.v1 import memory_service_pb2 as _memory_service_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Interaction(_message.Message):
    __slots__ = ("id", "subject", "project", "session", "principal", "state", "extract", "turn_count", "turns", "summary", "attempts", "last_error", "due_time", "create_time", "update_time", "found_count", "stored_count", "findings", "log")
    class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STATE_UNSPECIFIED: _ClassVar[Interaction.State]
        STATE_OPEN: _ClassVar[Interaction.State]
        STATE_CLOSED: _ClassVar[Interaction.State]
        STATE_SUMMARISED: _ClassVar[Interaction.State]
        STATE_EXTRACTED: _ClassVar[Interaction.State]
        STATE_FAILED: _ClassVar[Interaction.State]
        STATE_FORGOTTEN: _ClassVar[Interaction.State]
    STATE_UNSPECIFIED: Interaction.State
    STATE_OPEN: Interaction.State
    STATE_CLOSED: Interaction.State
    STATE_SUMMARISED: Interaction.State
    STATE_EXTRACTED: Interaction.State
    STATE_FAILED: Interaction.State
    STATE_FORGOTTEN: Interaction.State
    class Finding(_message.Message):
        __slots__ = ("text", "type", "confidence", "outcome", "reason", "record_id", "detail")
        TEXT_FIELD_NUMBER: _ClassVar[int]
        TYPE_FIELD_NUMBER: _ClassVar[int]
        CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
        OUTCOME_FIELD_NUMBER: _ClassVar[int]
        REASON_FIELD_NUMBER: _ClassVar[int]
        RECORD_ID_FIELD_NUMBER: _ClassVar[int]
        DETAIL_FIELD_NUMBER: _ClassVar[int]
        text: str
        type: _memory_record_pb2.MemoryRecord.Type
        confidence: float
        outcome: str
        reason: str
        record_id: int
        detail: str
        def __init__(self, text: _Optional[str] = ..., type: _Optional[_Union[_memory_record_pb2.MemoryRecord.Type, str]] = ..., confidence: _Optional[float] = ..., outcome: _Optional[str] = ..., reason: _Optional[str] = ..., record_id: _Optional[int] = ..., detail: _Optional[str] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    EXTRACT_FIELD_NUMBER: _ClassVar[int]
    TURN_COUNT_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    LAST_ERROR_FIELD_NUMBER: _ClassVar[int]
    DUE_TIME_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    FOUND_COUNT_FIELD_NUMBER: _ClassVar[int]
    STORED_COUNT_FIELD_NUMBER: _ClassVar[int]
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    LOG_FIELD_NUMBER: _ClassVar[int]
    id: int
    subject: str
    project: str
    session: str
    principal: str
    state: Interaction.State
    extract: bool
    turn_count: int
    turns: _containers.RepeatedCompositeFieldContainer[_memory_service_pb2.Turn]
    summary: str
    attempts: int
    last_error: str
    due_time: _timestamp_pb2.Timestamp
    create_time: _timestamp_pb2.Timestamp
    update_time: _timestamp_pb2.Timestamp
    found_count: int
    stored_count: int
    findings: _containers.RepeatedCompositeFieldContainer[Interaction.Finding]
    log: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, id: _Optional[int] = ..., subject: _Optional[str] = ..., project: _Optional[str] = ..., session: _Optional[str] = ..., principal: _Optional[str] = ..., state: _Optional[_Union[Interaction.State, str]] = ..., extract: _Optional[bool] = ..., turn_count: _Optional[int] = ..., turns: _Optional[_Iterable[_Union[_memory_service_pb2.Turn, _Mapping]]] = ..., summary: _Optional[str] = ..., attempts: _Optional[int] = ..., last_error: _Optional[str] = ..., due_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., found_count: _Optional[int] = ..., stored_count: _Optional[int] = ..., findings: _Optional[_Iterable[_Union[Interaction.Finding, _Mapping]]] = ..., log: _Optional[_Iterable[str]] = ...) -> None: ...

class Rejection(_message.Message):
    __slots__ = ("id", "subject", "interaction_id", "reason", "detail", "text", "type", "confidence", "threshold", "proposal", "validation", "create_time")
    class Validation(_message.Message):
        __slots__ = ("exact_match", "key_phrases", "support", "reason")
        EXACT_MATCH_FIELD_NUMBER: _ClassVar[int]
        KEY_PHRASES_FIELD_NUMBER: _ClassVar[int]
        SUPPORT_FIELD_NUMBER: _ClassVar[int]
        REASON_FIELD_NUMBER: _ClassVar[int]
        exact_match: bool
        key_phrases: bool
        support: float
        reason: str
        def __init__(self, exact_match: _Optional[bool] = ..., key_phrases: _Optional[bool] = ..., support: _Optional[float] = ..., reason: _Optional[str] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    INTERACTION_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_FIELD_NUMBER: _ClassVar[int]
    VALIDATION_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    id: int
    subject: str
    interaction_id: int
    reason: str
    detail: str
    text: str
    type: _memory_record_pb2.MemoryRecord.Type
    confidence: float
    threshold: float
    proposal: bool
    validation: Rejection.Validation
    create_time: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[int] = ..., subject: _Optional[str] = ..., interaction_id: _Optional[int] = ..., reason: _Optional[str] = ..., detail: _Optional[str] = ..., text: _Optional[str] = ..., type: _Optional[_Union[_memory_record_pb2.MemoryRecord.Type, str]] = ..., confidence: _Optional[float] = ..., threshold: _Optional[float] = ..., proposal: _Optional[bool] = ..., validation: _Optional[_Union[Rejection.Validation, _Mapping]] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CaptureRequest(_message.Message):
    __slots__ = ("subject", "project", "session", "turns", "extract", "request_id")
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    EXTRACT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    subject: str
    project: str
    session: str
    turns: _containers.RepeatedCompositeFieldContainer[_memory_service_pb2.Turn]
    extract: bool
    request_id: str
    def __init__(self, subject: _Optional[str] = ..., project: _Optional[str] = ..., session: _Optional[str] = ..., turns: _Optional[_Iterable[_Union[_memory_service_pb2.Turn, _Mapping]]] = ..., extract: _Optional[bool] = ..., request_id: _Optional[str] = ...) -> None: ...

class CaptureResponse(_message.Message):
    __slots__ = ("interaction", "added_count")
    INTERACTION_FIELD_NUMBER: _ClassVar[int]
    ADDED_COUNT_FIELD_NUMBER: _ClassVar[int]
    interaction: Interaction
    added_count: int
    def __init__(self, interaction: _Optional[_Union[Interaction, _Mapping]] = ..., added_count: _Optional[int] = ...) -> None: ...

class GetInteractionRequest(_message.Message):
    __slots__ = ("interaction_id",)
    INTERACTION_ID_FIELD_NUMBER: _ClassVar[int]
    interaction_id: int
    def __init__(self, interaction_id: _Optional[int] = ...) -> None: ...

class GetInteractionResponse(_message.Message):
    __slots__ = ("interaction",)
    INTERACTION_FIELD_NUMBER: _ClassVar[int]
    interaction: Interaction
    def __init__(self, interaction: _Optional[_Union[Interaction, _Mapping]] = ...) -> None: ...

class ListInteractionsRequest(_message.Message):
    __slots__ = ("states", "subject", "page_size", "page_token")
    STATES_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    states: _containers.RepeatedScalarFieldContainer[Interaction.State]
    subject: str
    page_size: int
    page_token: str
    def __init__(self, states: _Optional[_Iterable[_Union[Interaction.State, str]]] = ..., subject: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListInteractionsResponse(_message.Message):
    __slots__ = ("interactions", "next_page_token", "resting")
    INTERACTIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    RESTING_FIELD_NUMBER: _ClassVar[int]
    interactions: _containers.RepeatedCompositeFieldContainer[Interaction]
    next_page_token: str
    resting: str
    def __init__(self, interactions: _Optional[_Iterable[_Union[Interaction, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., resting: _Optional[str] = ...) -> None: ...

class ExtractRequest(_message.Message):
    __slots__ = ("interaction_id",)
    INTERACTION_ID_FIELD_NUMBER: _ClassVar[int]
    interaction_id: int
    def __init__(self, interaction_id: _Optional[int] = ...) -> None: ...

class ExtractResponse(_message.Message):
    __slots__ = ("interaction",)
    INTERACTION_FIELD_NUMBER: _ClassVar[int]
    interaction: Interaction
    def __init__(self, interaction: _Optional[_Union[Interaction, _Mapping]] = ...) -> None: ...

class ForgetInteractionRequest(_message.Message):
    __slots__ = ("interaction_id",)
    INTERACTION_ID_FIELD_NUMBER: _ClassVar[int]
    interaction_id: int
    def __init__(self, interaction_id: _Optional[int] = ...) -> None: ...

class ForgetInteractionResponse(_message.Message):
    __slots__ = ("interaction",)
    INTERACTION_FIELD_NUMBER: _ClassVar[int]
    interaction: Interaction
    def __init__(self, interaction: _Optional[_Union[Interaction, _Mapping]] = ...) -> None: ...

class ListRejectionsRequest(_message.Message):
    __slots__ = ("subject", "interaction_id", "proposals_only", "page_size", "page_token")
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    INTERACTION_ID_FIELD_NUMBER: _ClassVar[int]
    PROPOSALS_ONLY_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    subject: str
    interaction_id: int
    proposals_only: bool
    page_size: int
    page_token: str
    def __init__(self, subject: _Optional[str] = ..., interaction_id: _Optional[int] = ..., proposals_only: _Optional[bool] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListRejectionsResponse(_message.Message):
    __slots__ = ("rejections", "next_page_token")
    REJECTIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    rejections: _containers.RepeatedCompositeFieldContainer[Rejection]
    next_page_token: str
    def __init__(self, rejections: _Optional[_Iterable[_Union[Rejection, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetRejectionReportRequest(_message.Message):
    __slots__ = ("last_count",)
    LAST_COUNT_FIELD_NUMBER: _ClassVar[int]
    last_count: int
    def __init__(self, last_count: _Optional[int] = ...) -> None: ...

class GetRejectionReportResponse(_message.Message):
    __slots__ = ("extraction_count", "shares", "trend", "recommendation", "lines")
    class Share(_message.Message):
        __slots__ = ("name", "count", "share")
        NAME_FIELD_NUMBER: _ClassVar[int]
        COUNT_FIELD_NUMBER: _ClassVar[int]
        SHARE_FIELD_NUMBER: _ClassVar[int]
        name: str
        count: int
        share: float
        def __init__(self, name: _Optional[str] = ..., count: _Optional[int] = ..., share: _Optional[float] = ...) -> None: ...
    EXTRACTION_COUNT_FIELD_NUMBER: _ClassVar[int]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    TREND_FIELD_NUMBER: _ClassVar[int]
    RECOMMENDATION_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    extraction_count: int
    shares: _containers.RepeatedCompositeFieldContainer[GetRejectionReportResponse.Share]
    trend: str
    recommendation: str
    lines: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, extraction_count: _Optional[int] = ..., shares: _Optional[_Iterable[_Union[GetRejectionReportResponse.Share, _Mapping]]] = ..., trend: _Optional[str] = ..., recommendation: _Optional[str] = ..., lines: _Optional[_Iterable[str]] = ...) -> None: ...
