import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ReloadRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ReloadResponse(_message.Message):
    __slots__ = ("version", "concept_count", "edge_count", "duration")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    CONCEPT_COUNT_FIELD_NUMBER: _ClassVar[int]
    EDGE_COUNT_FIELD_NUMBER: _ClassVar[int]
    DURATION_FIELD_NUMBER: _ClassVar[int]
    version: int
    concept_count: int
    edge_count: int
    duration: _duration_pb2.Duration
    def __init__(self, version: _Optional[int] = ..., concept_count: _Optional[int] = ..., edge_count: _Optional[int] = ..., duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class CheckWorldRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CheckWorldResponse(_message.Message):
    __slots__ = ("version", "row_count", "differences")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    ROW_COUNT_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCES_FIELD_NUMBER: _ClassVar[int]
    version: int
    row_count: int
    differences: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, version: _Optional[int] = ..., row_count: _Optional[int] = ..., differences: _Optional[_Iterable[str]] = ...) -> None: ...

class GetSizeRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetSizeResponse(_message.Message):
    __slots__ = ("concept_count", "edge_count", "denial_count", "version")
    CONCEPT_COUNT_FIELD_NUMBER: _ClassVar[int]
    EDGE_COUNT_FIELD_NUMBER: _ClassVar[int]
    DENIAL_COUNT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    concept_count: int
    edge_count: int
    denial_count: int
    version: int
    def __init__(self, concept_count: _Optional[int] = ..., edge_count: _Optional[int] = ..., denial_count: _Optional[int] = ..., version: _Optional[int] = ...) -> None: ...
