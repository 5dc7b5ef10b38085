import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Object(_message.Message):
    __slots__ = ("cid", "kind", "data", "json", "create_time", "withheld")
    CID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    JSON_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    WITHHELD_FIELD_NUMBER: _ClassVar[int]
    cid: str
    kind: str
    data: bytes
    json: str
    create_time: _timestamp_pb2.Timestamp
    withheld: str
    def __init__(self, cid: _Optional[str] = ..., kind: _Optional[str] = ..., data: _Optional[bytes] = ..., json: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., withheld: _Optional[str] = ...) -> None: ...

class MetaTriple(_message.Message):
    __slots__ = ("subject", "predicate", "object")
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    PREDICATE_FIELD_NUMBER: _ClassVar[int]
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    subject: str
    predicate: str
    object: str
    def __init__(self, subject: _Optional[str] = ..., predicate: _Optional[str] = ..., object: _Optional[str] = ...) -> None: ...

class TraceRequest(_message.Message):
    __slots__ = ("cid", "concept", "dimension")
    CID_FIELD_NUMBER: _ClassVar[int]
    CONCEPT_FIELD_NUMBER: _ClassVar[int]
    DIMENSION_FIELD_NUMBER: _ClassVar[int]
    cid: str
    concept: str
    dimension: str
    def __init__(self, cid: _Optional[str] = ..., concept: _Optional[str] = ..., dimension: _Optional[str] = ...) -> None: ...

class TraceResponse(_message.Message):
    __slots__ = ("objects", "links", "more", "start")
    OBJECTS_FIELD_NUMBER: _ClassVar[int]
    LINKS_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    objects: _containers.RepeatedCompositeFieldContainer[Object]
    links: _containers.RepeatedCompositeFieldContainer[MetaTriple]
    more: bool
    start: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, objects: _Optional[_Iterable[_Union[Object, _Mapping]]] = ..., links: _Optional[_Iterable[_Union[MetaTriple, _Mapping]]] = ..., more: _Optional[bool] = ..., start: _Optional[_Iterable[str]] = ...) -> None: ...

class GetObjectRequest(_message.Message):
    __slots__ = ("cid",)
    CID_FIELD_NUMBER: _ClassVar[int]
    cid: str
    def __init__(self, cid: _Optional[str] = ...) -> None: ...

class GetObjectResponse(_message.Message):
    __slots__ = ("object",)
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    object: Object
    def __init__(self, object: _Optional[_Union[Object, _Mapping]] = ...) -> None: ...
