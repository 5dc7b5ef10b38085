import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Inquiry(_message.Message):
    __slots__ = ("concept", "state", "encounter_count", "sentences", "attempts", "last_error", "create_time", "due_time", "end_time", "findings")
    class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STATE_UNSPECIFIED: _ClassVar[Inquiry.State]
        STATE_WAITING: _ClassVar[Inquiry.State]
        STATE_DONE: _ClassVar[Inquiry.State]
        STATE_FAILED: _ClassVar[Inquiry.State]
    STATE_UNSPECIFIED: Inquiry.State
    STATE_WAITING: Inquiry.State
    STATE_DONE: Inquiry.State
    STATE_FAILED: Inquiry.State
    class Finding(_message.Message):
        __slots__ = ("fact", "outcome", "reason")
        FACT_FIELD_NUMBER: _ClassVar[int]
        OUTCOME_FIELD_NUMBER: _ClassVar[int]
        REASON_FIELD_NUMBER: _ClassVar[int]
        fact: str
        outcome: str
        reason: str
        def __init__(self, fact: _Optional[str] = ..., outcome: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...
    CONCEPT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ENCOUNTER_COUNT_FIELD_NUMBER: _ClassVar[int]
    SENTENCES_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    LAST_ERROR_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    DUE_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    concept: str
    state: Inquiry.State
    encounter_count: int
    sentences: _containers.RepeatedScalarFieldContainer[str]
    attempts: int
    last_error: str
    create_time: _timestamp_pb2.Timestamp
    due_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    findings: _containers.RepeatedCompositeFieldContainer[Inquiry.Finding]
    def __init__(self, concept: _Optional[str] = ..., state: _Optional[_Union[Inquiry.State, str]] = ..., encounter_count: _Optional[int] = ..., sentences: _Optional[_Iterable[str]] = ..., attempts: _Optional[int] = ..., last_error: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., due_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., findings: _Optional[_Iterable[_Union[Inquiry.Finding, _Mapping]]] = ...) -> None: ...

class ListInquiriesRequest(_message.Message):
    __slots__ = ("states", "page_size", "page_token")
    STATES_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    states: _containers.RepeatedScalarFieldContainer[Inquiry.State]
    page_size: int
    page_token: str
    def __init__(self, states: _Optional[_Iterable[_Union[Inquiry.State, str]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListInquiriesResponse(_message.Message):
    __slots__ = ("inquiries", "next_page_token", "resting")
    INQUIRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    RESTING_FIELD_NUMBER: _ClassVar[int]
    inquiries: _containers.RepeatedCompositeFieldContainer[Inquiry]
    next_page_token: str
    resting: str
    def __init__(self, inquiries: _Optional[_Iterable[_Union[Inquiry, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., resting: _Optional[str] = ...) -> None: ...

class RetryInquiryRequest(_message.Message):
    __slots__ = ("concept",)
    CONCEPT_FIELD_NUMBER: _ClassVar[int]
    concept: str
    def __init__(self, concept: _Optional[str] = ...) -> None: ...

class RetryInquiryResponse(_message.Message):
    __slots__ = ("inquiry",)
    INQUIRY_FIELD_NUMBER: _ClassVar[int]
    inquiry: Inquiry
    def __init__(self, inquiry: _Optional[_Union[Inquiry, _Mapping]] = ...) -> None: ...
