import datetime

from festinger.api.v1 import concept_pb2 as _concept_pb2
from festinger.api.v1 import history_pb2 as _history_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetConceptRequest(_message.Message):
    __slots__ = ("token", "as_of_time")
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    AS_OF_TIME_FIELD_NUMBER: _ClassVar[int]
    token: str
    as_of_time: _timestamp_pb2.Timestamp
    def __init__(self, token: _Optional[str] = ..., as_of_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GetConceptResponse(_message.Message):
    __slots__ = ("concept", "version", "stale")
    CONCEPT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    STALE_FIELD_NUMBER: _ClassVar[int]
    concept: _concept_pb2.Concept
    version: int
    stale: bool
    def __init__(self, concept: _Optional[_Union[_concept_pb2.Concept, _Mapping]] = ..., version: _Optional[int] = ..., stale: _Optional[bool] = ...) -> None: ...

class HistoryRequest(_message.Message):
    __slots__ = ("token", "dimension", "page_size", "page_token")
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    DIMENSION_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    token: str
    dimension: str
    page_size: int
    page_token: str
    def __init__(self, token: _Optional[str] = ..., dimension: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class HistoryResponse(_message.Message):
    __slots__ = ("events", "next_page_token")
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[_history_pb2.HistoryEvent]
    next_page_token: str
    def __init__(self, events: _Optional[_Iterable[_Union[_history_pb2.HistoryEvent, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListConceptsRequest(_message.Message):
    __slots__ = ("prefix", "placed", "page_size", "page_token", "parent")
    PREFIX_FIELD_NUMBER: _ClassVar[int]
    PLACED_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PARENT_FIELD_NUMBER: _ClassVar[int]
    prefix: str
    placed: bool
    page_size: int
    page_token: str
    parent: str
    def __init__(self, prefix: _Optional[str] = ..., placed: _Optional[bool] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., parent: _Optional[str] = ...) -> None: ...

class ListConceptsResponse(_message.Message):
    __slots__ = ("concepts", "next_page_token")
    CONCEPTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    concepts: _containers.RepeatedCompositeFieldContainer[_concept_pb2.Concept]
    next_page_token: str
    def __init__(self, concepts: _Optional[_Iterable[_Union[_concept_pb2.Concept, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
