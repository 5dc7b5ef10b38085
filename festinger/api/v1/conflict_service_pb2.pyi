import datetime

from festinger.api.v1 import conflict_pb2 as _conflict_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Run(_message.Message):
    __slots__ = ("id", "state", "principal", "start_time", "end_time", "conflict_count", "done_count", "resolved_count", "dismissed_count", "failed_count", "error")
    class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STATE_UNSPECIFIED: _ClassVar[Run.State]
        STATE_RUNNING: _ClassVar[Run.State]
        STATE_DONE: _ClassVar[Run.State]
        STATE_FAILED: _ClassVar[Run.State]
    STATE_UNSPECIFIED: Run.State
    STATE_RUNNING: Run.State
    STATE_DONE: Run.State
    STATE_FAILED: Run.State
    ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    CONFLICT_COUNT_FIELD_NUMBER: _ClassVar[int]
    DONE_COUNT_FIELD_NUMBER: _ClassVar[int]
    RESOLVED_COUNT_FIELD_NUMBER: _ClassVar[int]
    DISMISSED_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAILED_COUNT_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    id: int
    state: Run.State
    principal: str
    start_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    conflict_count: int
    done_count: int
    resolved_count: int
    dismissed_count: int
    failed_count: int
    error: str
    def __init__(self, id: _Optional[int] = ..., state: _Optional[_Union[Run.State, str]] = ..., principal: _Optional[str] = ..., start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., conflict_count: _Optional[int] = ..., done_count: _Optional[int] = ..., resolved_count: _Optional[int] = ..., dismissed_count: _Optional[int] = ..., failed_count: _Optional[int] = ..., error: _Optional[str] = ...) -> None: ...

class RunRequest(_message.Message):
    __slots__ = ("conflict_ids",)
    CONFLICT_IDS_FIELD_NUMBER: _ClassVar[int]
    conflict_ids: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, conflict_ids: _Optional[_Iterable[int]] = ...) -> None: ...

class RunResponse(_message.Message):
    __slots__ = ("run", "conflict", "error", "duration")
    RUN_FIELD_NUMBER: _ClassVar[int]
    CONFLICT_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    DURATION_FIELD_NUMBER: _ClassVar[int]
    run: Run
    conflict: _conflict_pb2.Conflict
    error: str
    duration: _duration_pb2.Duration
    def __init__(self, run: _Optional[_Union[Run, _Mapping]] = ..., conflict: _Optional[_Union[_conflict_pb2.Conflict, _Mapping]] = ..., error: _Optional[str] = ..., duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class GetResolverRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetResolverResponse(_message.Message):
    __slots__ = ("runs", "next_run_time", "resting", "pending_count", "for_people_count", "oldest_pending_time")
    RUNS_FIELD_NUMBER: _ClassVar[int]
    NEXT_RUN_TIME_FIELD_NUMBER: _ClassVar[int]
    RESTING_FIELD_NUMBER: _ClassVar[int]
    PENDING_COUNT_FIELD_NUMBER: _ClassVar[int]
    FOR_PEOPLE_COUNT_FIELD_NUMBER: _ClassVar[int]
    OLDEST_PENDING_TIME_FIELD_NUMBER: _ClassVar[int]
    runs: _containers.RepeatedCompositeFieldContainer[Run]
    next_run_time: _timestamp_pb2.Timestamp
    resting: str
    pending_count: int
    for_people_count: int
    oldest_pending_time: _timestamp_pb2.Timestamp
    def __init__(self, runs: _Optional[_Iterable[_Union[Run, _Mapping]]] = ..., next_run_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., resting: _Optional[str] = ..., pending_count: _Optional[int] = ..., for_people_count: _Optional[int] = ..., oldest_pending_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class UndoRequest(_message.Message):
    __slots__ = ("conflict_id", "reasoning", "etag", "request_id")
    CONFLICT_ID_FIELD_NUMBER: _ClassVar[int]
    REASONING_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    conflict_id: int
    reasoning: str
    etag: str
    request_id: str
    def __init__(self, conflict_id: _Optional[int] = ..., reasoning: _Optional[str] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class UndoResponse(_message.Message):
    __slots__ = ("conflict", "version")
    CONFLICT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    conflict: _conflict_pb2.Conflict
    version: int
    def __init__(self, conflict: _Optional[_Union[_conflict_pb2.Conflict, _Mapping]] = ..., version: _Optional[int] = ...) -> None: ...

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
