import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
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
    __slots__ = ("concept_count", "fact_count", "denial_count", "version")
    CONCEPT_COUNT_FIELD_NUMBER: _ClassVar[int]
    FACT_COUNT_FIELD_NUMBER: _ClassVar[int]
    DENIAL_COUNT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    concept_count: int
    fact_count: int
    denial_count: int
    version: int
    def __init__(self, concept_count: _Optional[int] = ..., fact_count: _Optional[int] = ..., denial_count: _Optional[int] = ..., version: _Optional[int] = ...) -> None: ...

class GetDayRequest(_message.Message):
    __slots__ = ("since_time", "events_max")
    SINCE_TIME_FIELD_NUMBER: _ClassVar[int]
    EVENTS_MAX_FIELD_NUMBER: _ClassVar[int]
    since_time: _timestamp_pb2.Timestamp
    events_max: int
    def __init__(self, since_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., events_max: _Optional[int] = ...) -> None: ...

class GetDayResponse(_message.Message):
    __slots__ = ("counts", "events")
    class Count(_message.Message):
        __slots__ = ("what", "principal", "count")
        WHAT_FIELD_NUMBER: _ClassVar[int]
        PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
        COUNT_FIELD_NUMBER: _ClassVar[int]
        what: str
        principal: str
        count: int
        def __init__(self, what: _Optional[str] = ..., principal: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...
    class Event(_message.Message):
        __slots__ = ("what", "concept", "text", "principal", "quote", "conflict_id", "time")
        WHAT_FIELD_NUMBER: _ClassVar[int]
        CONCEPT_FIELD_NUMBER: _ClassVar[int]
        TEXT_FIELD_NUMBER: _ClassVar[int]
        PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
        QUOTE_FIELD_NUMBER: _ClassVar[int]
        CONFLICT_ID_FIELD_NUMBER: _ClassVar[int]
        TIME_FIELD_NUMBER: _ClassVar[int]
        what: str
        concept: str
        text: str
        principal: str
        quote: str
        conflict_id: int
        time: _timestamp_pb2.Timestamp
        def __init__(self, what: _Optional[str] = ..., concept: _Optional[str] = ..., text: _Optional[str] = ..., principal: _Optional[str] = ..., quote: _Optional[str] = ..., conflict_id: _Optional[int] = ..., time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    counts: _containers.RepeatedCompositeFieldContainer[GetDayResponse.Count]
    events: _containers.RepeatedCompositeFieldContainer[GetDayResponse.Event]
    def __init__(self, counts: _Optional[_Iterable[_Union[GetDayResponse.Count, _Mapping]]] = ..., events: _Optional[_Iterable[_Union[GetDayResponse.Event, _Mapping]]] = ...) -> None: ...

class GetTrendsRequest(_message.Message):
    __slots__ = ("day_count",)
    DAY_COUNT_FIELD_NUMBER: _ClassVar[int]
    day_count: int
    def __init__(self, day_count: _Optional[int] = ...) -> None: ...

class GetTrendsResponse(_message.Message):
    __slots__ = ("days",)
    class Day(_message.Message):
        __slots__ = ("start_time", "learnt_count", "contradicted_count", "forgotten_count", "helped_count", "wrong_count", "agreed_count", "differed_count", "fact_count", "sentence_count")
        START_TIME_FIELD_NUMBER: _ClassVar[int]
        LEARNT_COUNT_FIELD_NUMBER: _ClassVar[int]
        CONTRADICTED_COUNT_FIELD_NUMBER: _ClassVar[int]
        FORGOTTEN_COUNT_FIELD_NUMBER: _ClassVar[int]
        HELPED_COUNT_FIELD_NUMBER: _ClassVar[int]
        WRONG_COUNT_FIELD_NUMBER: _ClassVar[int]
        AGREED_COUNT_FIELD_NUMBER: _ClassVar[int]
        DIFFERED_COUNT_FIELD_NUMBER: _ClassVar[int]
        FACT_COUNT_FIELD_NUMBER: _ClassVar[int]
        SENTENCE_COUNT_FIELD_NUMBER: _ClassVar[int]
        start_time: _timestamp_pb2.Timestamp
        learnt_count: int
        contradicted_count: int
        forgotten_count: int
        helped_count: int
        wrong_count: int
        agreed_count: int
        differed_count: int
        fact_count: int
        sentence_count: int
        def __init__(self, start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., learnt_count: _Optional[int] = ..., contradicted_count: _Optional[int] = ..., forgotten_count: _Optional[int] = ..., helped_count: _Optional[int] = ..., wrong_count: _Optional[int] = ..., agreed_count: _Optional[int] = ..., differed_count: _Optional[int] = ..., fact_count: _Optional[int] = ..., sentence_count: _Optional[int] = ...) -> None: ...
    DAYS_FIELD_NUMBER: _ClassVar[int]
    days: _containers.RepeatedCompositeFieldContainer[GetTrendsResponse.Day]
    def __init__(self, days: _Optional[_Iterable[_Union[GetTrendsResponse.Day, _Mapping]]] = ...) -> None: ...
