from festinger.api.v1 import conflict_pb2 as _conflict_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetConflictRequest(_message.Message):
    __slots__ = ("conflict_id",)
    CONFLICT_ID_FIELD_NUMBER: _ClassVar[int]
    conflict_id: int
    def __init__(self, conflict_id: _Optional[int] = ...) -> None: ...

class GetConflictResponse(_message.Message):
    __slots__ = ("conflict",)
    CONFLICT_FIELD_NUMBER: _ClassVar[int]
    conflict: _conflict_pb2.Conflict
    def __init__(self, conflict: _Optional[_Union[_conflict_pb2.Conflict, _Mapping]] = ...) -> None: ...

class ListConflictsRequest(_message.Message):
    __slots__ = ("states", "concept", "page_size", "page_token")
    STATES_FIELD_NUMBER: _ClassVar[int]
    CONCEPT_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    states: _containers.RepeatedScalarFieldContainer[_conflict_pb2.Conflict.State]
    concept: str
    page_size: int
    page_token: str
    def __init__(self, states: _Optional[_Iterable[_Union[_conflict_pb2.Conflict.State, str]]] = ..., concept: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListConflictsResponse(_message.Message):
    __slots__ = ("conflicts", "next_page_token")
    CONFLICTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    conflicts: _containers.RepeatedCompositeFieldContainer[_conflict_pb2.Conflict]
    next_page_token: str
    def __init__(self, conflicts: _Optional[_Iterable[_Union[_conflict_pb2.Conflict, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
