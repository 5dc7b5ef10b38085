import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Wave(_message.Message):
    __slots__ = ("id", "project", "root", "scope", "state", "principal", "extract", "start_time", "end_time", "file_count", "unchanged_count", "refused_count", "removed_count", "new_chunk_count", "kept_chunk_count", "report", "error")
    class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STATE_UNSPECIFIED: _ClassVar[Wave.State]
        STATE_RUNNING: _ClassVar[Wave.State]
        STATE_EXTRACTING: _ClassVar[Wave.State]
        STATE_DONE: _ClassVar[Wave.State]
        STATE_FAILED: _ClassVar[Wave.State]
    STATE_UNSPECIFIED: Wave.State
    STATE_RUNNING: Wave.State
    STATE_EXTRACTING: Wave.State
    STATE_DONE: Wave.State
    STATE_FAILED: Wave.State
    class Report(_message.Message):
        __slots__ = ("chunk_count", "found_count", "candidate_count", "overflow_count", "duplicate_count", "dropped_counts", "error_count", "rule_counts", "path")
        class DroppedCountsEntry(_message.Message):
            __slots__ = ("key", "value")
            KEY_FIELD_NUMBER: _ClassVar[int]
            VALUE_FIELD_NUMBER: _ClassVar[int]
            key: str
            value: int
            def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
        class RuleCountsEntry(_message.Message):
            __slots__ = ("key", "value")
            KEY_FIELD_NUMBER: _ClassVar[int]
            VALUE_FIELD_NUMBER: _ClassVar[int]
            key: str
            value: int
            def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
        CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
        FOUND_COUNT_FIELD_NUMBER: _ClassVar[int]
        CANDIDATE_COUNT_FIELD_NUMBER: _ClassVar[int]
        OVERFLOW_COUNT_FIELD_NUMBER: _ClassVar[int]
        DUPLICATE_COUNT_FIELD_NUMBER: _ClassVar[int]
        DROPPED_COUNTS_FIELD_NUMBER: _ClassVar[int]
        ERROR_COUNT_FIELD_NUMBER: _ClassVar[int]
        RULE_COUNTS_FIELD_NUMBER: _ClassVar[int]
        PATH_FIELD_NUMBER: _ClassVar[int]
        chunk_count: int
        found_count: int
        candidate_count: int
        overflow_count: int
        duplicate_count: int
        dropped_counts: _containers.ScalarMap[str, int]
        error_count: int
        rule_counts: _containers.ScalarMap[str, int]
        path: str
        def __init__(self, chunk_count: _Optional[int] = ..., found_count: _Optional[int] = ..., candidate_count: _Optional[int] = ..., overflow_count: _Optional[int] = ..., duplicate_count: _Optional[int] = ..., dropped_counts: _Optional[_Mapping[str, int]] = ..., error_count: _Optional[int] = ..., rule_counts: _Optional[_Mapping[str, int]] = ..., path: _Optional[str] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    ROOT_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    EXTRACT_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    FILE_COUNT_FIELD_NUMBER: _ClassVar[int]
    UNCHANGED_COUNT_FIELD_NUMBER: _ClassVar[int]
    REFUSED_COUNT_FIELD_NUMBER: _ClassVar[int]
    REMOVED_COUNT_FIELD_NUMBER: _ClassVar[int]
    NEW_CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    KEPT_CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    REPORT_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    id: int
    project: str
    root: str
    scope: str
    state: Wave.State
    principal: str
    extract: bool
    start_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    file_count: int
    unchanged_count: int
    refused_count: int
    removed_count: int
    new_chunk_count: int
    kept_chunk_count: int
    report: Wave.Report
    error: str
    def __init__(self, id: _Optional[int] = ..., project: _Optional[str] = ..., root: _Optional[str] = ..., scope: _Optional[str] = ..., state: _Optional[_Union[Wave.State, str]] = ..., principal: _Optional[str] = ..., extract: _Optional[bool] = ..., start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., file_count: _Optional[int] = ..., unchanged_count: _Optional[int] = ..., refused_count: _Optional[int] = ..., removed_count: _Optional[int] = ..., new_chunk_count: _Optional[int] = ..., kept_chunk_count: _Optional[int] = ..., report: _Optional[_Union[Wave.Report, _Mapping]] = ..., error: _Optional[str] = ...) -> None: ...

class StartWaveRequest(_message.Message):
    __slots__ = ("project", "root", "scope", "extract")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    ROOT_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    EXTRACT_FIELD_NUMBER: _ClassVar[int]
    project: str
    root: str
    scope: str
    extract: bool
    def __init__(self, project: _Optional[str] = ..., root: _Optional[str] = ..., scope: _Optional[str] = ..., extract: _Optional[bool] = ...) -> None: ...

class StartWaveResponse(_message.Message):
    __slots__ = ("wave", "resumed", "document_bytes_max", "call_bytes_max")
    WAVE_FIELD_NUMBER: _ClassVar[int]
    RESUMED_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_BYTES_MAX_FIELD_NUMBER: _ClassVar[int]
    CALL_BYTES_MAX_FIELD_NUMBER: _ClassVar[int]
    wave: Wave
    resumed: bool
    document_bytes_max: int
    call_bytes_max: int
    def __init__(self, wave: _Optional[_Union[Wave, _Mapping]] = ..., resumed: _Optional[bool] = ..., document_bytes_max: _Optional[int] = ..., call_bytes_max: _Optional[int] = ...) -> None: ...

class Document(_message.Message):
    __slots__ = ("path", "digest", "size", "modify_time", "content", "problem")
    PATH_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    MODIFY_TIME_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    path: str
    digest: bytes
    size: int
    modify_time: _timestamp_pb2.Timestamp
    content: bytes
    problem: str
    def __init__(self, path: _Optional[str] = ..., digest: _Optional[bytes] = ..., size: _Optional[int] = ..., modify_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., content: _Optional[bytes] = ..., problem: _Optional[str] = ...) -> None: ...

class AddDocumentsRequest(_message.Message):
    __slots__ = ("wave_id", "documents")
    WAVE_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENTS_FIELD_NUMBER: _ClassVar[int]
    wave_id: int
    documents: _containers.RepeatedCompositeFieldContainer[Document]
    def __init__(self, wave_id: _Optional[int] = ..., documents: _Optional[_Iterable[_Union[Document, _Mapping]]] = ...) -> None: ...

class AddDocumentsResponse(_message.Message):
    __slots__ = ("added",)
    class Result(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        RESULT_UNSPECIFIED: _ClassVar[AddDocumentsResponse.Result]
        RESULT_UNCHANGED: _ClassVar[AddDocumentsResponse.Result]
        RESULT_WANTED: _ClassVar[AddDocumentsResponse.Result]
        RESULT_READ: _ClassVar[AddDocumentsResponse.Result]
        RESULT_REFUSED: _ClassVar[AddDocumentsResponse.Result]
    RESULT_UNSPECIFIED: AddDocumentsResponse.Result
    RESULT_UNCHANGED: AddDocumentsResponse.Result
    RESULT_WANTED: AddDocumentsResponse.Result
    RESULT_READ: AddDocumentsResponse.Result
    RESULT_REFUSED: AddDocumentsResponse.Result
    class Added(_message.Message):
        __slots__ = ("result", "problem", "new_chunk_count")
        RESULT_FIELD_NUMBER: _ClassVar[int]
        PROBLEM_FIELD_NUMBER: _ClassVar[int]
        NEW_CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
        result: AddDocumentsResponse.Result
        problem: str
        new_chunk_count: int
        def __init__(self, result: _Optional[_Union[AddDocumentsResponse.Result, str]] = ..., problem: _Optional[str] = ..., new_chunk_count: _Optional[int] = ...) -> None: ...
    ADDED_FIELD_NUMBER: _ClassVar[int]
    added: _containers.RepeatedCompositeFieldContainer[AddDocumentsResponse.Added]
    def __init__(self, added: _Optional[_Iterable[_Union[AddDocumentsResponse.Added, _Mapping]]] = ...) -> None: ...

class FinishWaveRequest(_message.Message):
    __slots__ = ("wave_id",)
    WAVE_ID_FIELD_NUMBER: _ClassVar[int]
    wave_id: int
    def __init__(self, wave_id: _Optional[int] = ...) -> None: ...

class FinishWaveResponse(_message.Message):
    __slots__ = ("wave", "chunk_count", "done_chunk_count")
    WAVE_FIELD_NUMBER: _ClassVar[int]
    CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    DONE_CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    wave: Wave
    chunk_count: int
    done_chunk_count: int
    def __init__(self, wave: _Optional[_Union[Wave, _Mapping]] = ..., chunk_count: _Optional[int] = ..., done_chunk_count: _Optional[int] = ...) -> None: ...

class ExtractWaveRequest(_message.Message):
    __slots__ = ("wave_id",)
    WAVE_ID_FIELD_NUMBER: _ClassVar[int]
    wave_id: int
    def __init__(self, wave_id: _Optional[int] = ...) -> None: ...

class ExtractWaveResponse(_message.Message):
    __slots__ = ("wave", "chunk_count", "done_chunk_count")
    WAVE_FIELD_NUMBER: _ClassVar[int]
    CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    DONE_CHUNK_COUNT_FIELD_NUMBER: _ClassVar[int]
    wave: Wave
    chunk_count: int
    done_chunk_count: int
    def __init__(self, wave: _Optional[_Union[Wave, _Mapping]] = ..., chunk_count: _Optional[int] = ..., done_chunk_count: _Optional[int] = ...) -> None: ...

class GetWaveRequest(_message.Message):
    __slots__ = ("wave_id",)
    WAVE_ID_FIELD_NUMBER: _ClassVar[int]
    wave_id: int
    def __init__(self, wave_id: _Optional[int] = ...) -> None: ...

class GetWaveResponse(_message.Message):
    __slots__ = ("wave",)
    WAVE_FIELD_NUMBER: _ClassVar[int]
    wave: Wave
    def __init__(self, wave: _Optional[_Union[Wave, _Mapping]] = ...) -> None: ...

class ListWavesRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListWavesResponse(_message.Message):
    __slots__ = ("waves", "next_page_token")
    WAVES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    waves: _containers.RepeatedCompositeFieldContainer[Wave]
    next_page_token: str
    def __init__(self, waves: _Optional[_Iterable[_Union[Wave, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
