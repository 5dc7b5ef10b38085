# mypy: ignore-errors
import datetime

from gutask._api import edge_pb2 as _edge_pb2
from gutask._api import triple_pb2 as _triple_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Concept(_message.Message):
    __slots__ = ("id", "token", "encounter_count", "saliency", "novelty", "dictionary", "last_seen_time", "edges", "conflict_ids", "denials")
    ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    ENCOUNTER_COUNT_FIELD_NUMBER: _ClassVar[int]
    SALIENCY_FIELD_NUMBER: _ClassVar[int]
    NOVELTY_FIELD_NUMBER: _ClassVar[int]
    DICTIONARY_FIELD_NUMBER: _ClassVar[int]
    LAST_SEEN_TIME_FIELD_NUMBER: _ClassVar[int]
    EDGES_FIELD_NUMBER: _ClassVar[int]
    CONFLICT_IDS_FIELD_NUMBER: _ClassVar[int]
    DENIALS_FIELD_NUMBER: _ClassVar[int]
    id: int
    token: str
    encounter_count: int
    saliency: float
    novelty: float
    dictionary: bool
    last_seen_time: _timestamp_pb2.Timestamp
    edges: _containers.RepeatedCompositeFieldContainer[_edge_pb2.Edge]
    conflict_ids: _containers.RepeatedScalarFieldContainer[int]
    denials: _containers.RepeatedCompositeFieldContainer[_triple_pb2.Triple]
    def __init__(self, id: _Optional[int] = ..., token: _Optional[str] = ..., encounter_count: _Optional[int] = ..., saliency: _Optional[float] = ..., novelty: _Optional[float] = ..., dictionary: _Optional[bool] = ..., last_seen_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., edges: _Optional[_Iterable[_Union[_edge_pb2.Edge, _Mapping]]] = ..., conflict_ids: _Optional[_Iterable[int]] = ..., denials: _Optional[_Iterable[_Union[_triple_pb2.Triple, _Mapping]]] = ...) -> None: ...
