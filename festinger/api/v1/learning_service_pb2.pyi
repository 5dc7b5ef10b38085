import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class LeaseTurnsRequest(_message.Message):
    __slots__ = ("tokens_max",)
    TOKENS_MAX_FIELD_NUMBER: _ClassVar[int]
    tokens_max: int
    def __init__(self, tokens_max: _Optional[int] = ...) -> None: ...

class LeaseTurnsResponse(_message.Message):
    __slots__ = ("lease", "system", "prompt", "schema", "tokens", "turn_count", "tokens_min")
    LEASE_FIELD_NUMBER: _ClassVar[int]
    SYSTEM_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    TURN_COUNT_FIELD_NUMBER: _ClassVar[int]
    TOKENS_MIN_FIELD_NUMBER: _ClassVar[int]
    lease: str
    system: str
    prompt: str
    schema: str
    tokens: int
    turn_count: int
    tokens_min: int
    def __init__(self, lease: _Optional[str] = ..., system: _Optional[str] = ..., prompt: _Optional[str] = ..., schema: _Optional[str] = ..., tokens: _Optional[int] = ..., turn_count: _Optional[int] = ..., tokens_min: _Optional[int] = ...) -> None: ...

class SubmitAnswerRequest(_message.Message):
    __slots__ = ("lease", "answer", "token_count")
    LEASE_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    TOKEN_COUNT_FIELD_NUMBER: _ClassVar[int]
    lease: str
    answer: str
    token_count: int
    def __init__(self, lease: _Optional[str] = ..., answer: _Optional[str] = ..., token_count: _Optional[int] = ...) -> None: ...

class SubmitAnswerResponse(_message.Message):
    __slots__ = ("held_count", "corroborated_count", "candidate_count", "conflicted_count")
    HELD_COUNT_FIELD_NUMBER: _ClassVar[int]
    CORROBORATED_COUNT_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_COUNT_FIELD_NUMBER: _ClassVar[int]
    CONFLICTED_COUNT_FIELD_NUMBER: _ClassVar[int]
    held_count: int
    corroborated_count: int
    candidate_count: int
    conflicted_count: int
    def __init__(self, held_count: _Optional[int] = ..., corroborated_count: _Optional[int] = ..., candidate_count: _Optional[int] = ..., conflicted_count: _Optional[int] = ...) -> None: ...

class ReleaseTurnsRequest(_message.Message):
    __slots__ = ("lease", "failure")
    LEASE_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    lease: str
    failure: str
    def __init__(self, lease: _Optional[str] = ..., failure: _Optional[str] = ...) -> None: ...

class ReleaseTurnsResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetLearningRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetLearningResponse(_message.Message):
    __slots__ = ("enabled", "waiting_count", "reading_count", "postponed_count", "oldest_time", "learned_count", "candidate_count", "refused_counts", "batch_count", "failure_count", "given_up_count", "token_count", "problem")
    class RefusedCountsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    ENABLED_FIELD_NUMBER: _ClassVar[int]
    WAITING_COUNT_FIELD_NUMBER: _ClassVar[int]
    READING_COUNT_FIELD_NUMBER: _ClassVar[int]
    POSTPONED_COUNT_FIELD_NUMBER: _ClassVar[int]
    OLDEST_TIME_FIELD_NUMBER: _ClassVar[int]
    LEARNED_COUNT_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_COUNT_FIELD_NUMBER: _ClassVar[int]
    REFUSED_COUNTS_FIELD_NUMBER: _ClassVar[int]
    BATCH_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAILURE_COUNT_FIELD_NUMBER: _ClassVar[int]
    GIVEN_UP_COUNT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_COUNT_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    enabled: bool
    waiting_count: int
    reading_count: int
    postponed_count: int
    oldest_time: _timestamp_pb2.Timestamp
    learned_count: int
    candidate_count: int
    refused_counts: _containers.ScalarMap[str, int]
    batch_count: int
    failure_count: int
    given_up_count: int
    token_count: int
    problem: str
    def __init__(self, enabled: _Optional[bool] = ..., waiting_count: _Optional[int] = ..., reading_count: _Optional[int] = ..., postponed_count: _Optional[int] = ..., oldest_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., learned_count: _Optional[int] = ..., candidate_count: _Optional[int] = ..., refused_counts: _Optional[_Mapping[str, int]] = ..., batch_count: _Optional[int] = ..., failure_count: _Optional[int] = ..., given_up_count: _Optional[int] = ..., token_count: _Optional[int] = ..., problem: _Optional[str] = ...) -> None: ...

class ListUnembeddedLinesRequest(_message.Message):
    __slots__ = ("model", "page_size")
    MODEL_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    model: str
    page_size: int
    def __init__(self, model: _Optional[str] = ..., page_size: _Optional[int] = ...) -> None: ...

class ListUnembeddedLinesResponse(_message.Message):
    __slots__ = ("lines", "waiting_count", "embedded_count", "supported")
    class Line(_message.Message):
        __slots__ = ("key", "text")
        KEY_FIELD_NUMBER: _ClassVar[int]
        TEXT_FIELD_NUMBER: _ClassVar[int]
        key: bytes
        text: str
        def __init__(self, key: _Optional[bytes] = ..., text: _Optional[str] = ...) -> None: ...
    LINES_FIELD_NUMBER: _ClassVar[int]
    WAITING_COUNT_FIELD_NUMBER: _ClassVar[int]
    EMBEDDED_COUNT_FIELD_NUMBER: _ClassVar[int]
    SUPPORTED_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedCompositeFieldContainer[ListUnembeddedLinesResponse.Line]
    waiting_count: int
    embedded_count: int
    supported: bool
    def __init__(self, lines: _Optional[_Iterable[_Union[ListUnembeddedLinesResponse.Line, _Mapping]]] = ..., waiting_count: _Optional[int] = ..., embedded_count: _Optional[int] = ..., supported: _Optional[bool] = ...) -> None: ...

class SubmitEmbeddingsRequest(_message.Message):
    __slots__ = ("model", "lines")
    class Line(_message.Message):
        __slots__ = ("key", "vector")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VECTOR_FIELD_NUMBER: _ClassVar[int]
        key: bytes
        vector: bytes
        def __init__(self, key: _Optional[bytes] = ..., vector: _Optional[bytes] = ...) -> None: ...
    MODEL_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    model: str
    lines: _containers.RepeatedCompositeFieldContainer[SubmitEmbeddingsRequest.Line]
    def __init__(self, model: _Optional[str] = ..., lines: _Optional[_Iterable[_Union[SubmitEmbeddingsRequest.Line, _Mapping]]] = ...) -> None: ...

class SubmitEmbeddingsResponse(_message.Message):
    __slots__ = ("embedded_count",)
    EMBEDDED_COUNT_FIELD_NUMBER: _ClassVar[int]
    embedded_count: int
    def __init__(self, embedded_count: _Optional[int] = ...) -> None: ...
