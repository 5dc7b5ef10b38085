# mypy: ignore-errors
import datetime

from gutask._api import source_pb2 as _source_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Edge(_message.Message):
    __slots__ = ("concept", "parent", "dimension", "is_isa", "confidence", "last_confirm_time", "source", "assertion_id", "contested", "belief")
    CONCEPT_FIELD_NUMBER: _ClassVar[int]
    PARENT_FIELD_NUMBER: _ClassVar[int]
    DIMENSION_FIELD_NUMBER: _ClassVar[int]
    IS_ISA_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    LAST_CONFIRM_TIME_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    ASSERTION_ID_FIELD_NUMBER: _ClassVar[int]
    CONTESTED_FIELD_NUMBER: _ClassVar[int]
    BELIEF_FIELD_NUMBER: _ClassVar[int]
    concept: str
    parent: str
    dimension: str
    is_isa: bool
    confidence: float
    last_confirm_time: _timestamp_pb2.Timestamp
    source: _source_pb2.Source
    assertion_id: int
    contested: bool
    belief: bool
    def __init__(self, concept: _Optional[str] = ..., parent: _Optional[str] = ..., dimension: _Optional[str] = ..., is_isa: _Optional[bool] = ..., confidence: _Optional[float] = ..., last_confirm_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., source: _Optional[_Union[_source_pb2.Source, str]] = ..., assertion_id: _Optional[int] = ..., contested: _Optional[bool] = ..., belief: _Optional[bool] = ...) -> None: ...
