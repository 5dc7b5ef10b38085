import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Model(_message.Message):
    __slots__ = ("id", "provider", "model_name", "base_url", "api_key_hint", "create_time", "purposes", "usage_today", "last_answer_time", "last_error")
    class Provider(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        PROVIDER_UNSPECIFIED: _ClassVar[Model.Provider]
        PROVIDER_CLAUDE: _ClassVar[Model.Provider]
        PROVIDER_OPENAI: _ClassVar[Model.Provider]
        PROVIDER_OLLAMA: _ClassVar[Model.Provider]
    PROVIDER_UNSPECIFIED: Model.Provider
    PROVIDER_CLAUDE: Model.Provider
    PROVIDER_OPENAI: Model.Provider
    PROVIDER_OLLAMA: Model.Provider
    class Purpose(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        PURPOSE_UNSPECIFIED: _ClassVar[Model.Purpose]
        PURPOSE_RESOLVE: _ClassVar[Model.Purpose]
        PURPOSE_TEST: _ClassVar[Model.Purpose]
        PURPOSE_EXTRACT: _ClassVar[Model.Purpose]
        PURPOSE_GUESS: _ClassVar[Model.Purpose]
        PURPOSE_DREAM: _ClassVar[Model.Purpose]
        PURPOSE_READ: _ClassVar[Model.Purpose]
    PURPOSE_UNSPECIFIED: Model.Purpose
    PURPOSE_RESOLVE: Model.Purpose
    PURPOSE_TEST: Model.Purpose
    PURPOSE_EXTRACT: Model.Purpose
    PURPOSE_GUESS: Model.Purpose
    PURPOSE_DREAM: Model.Purpose
    PURPOSE_READ: Model.Purpose
    class Usage(_message.Message):
        __slots__ = ("purpose", "call_count", "failure_count", "input_token_count", "output_token_count")
        PURPOSE_FIELD_NUMBER: _ClassVar[int]
        CALL_COUNT_FIELD_NUMBER: _ClassVar[int]
        FAILURE_COUNT_FIELD_NUMBER: _ClassVar[int]
        INPUT_TOKEN_COUNT_FIELD_NUMBER: _ClassVar[int]
        OUTPUT_TOKEN_COUNT_FIELD_NUMBER: _ClassVar[int]
        purpose: Model.Purpose
        call_count: int
        failure_count: int
        input_token_count: int
        output_token_count: int
        def __init__(self, purpose: _Optional[_Union[Model.Purpose, str]] = ..., call_count: _Optional[int] = ..., failure_count: _Optional[int] = ..., input_token_count: _Optional[int] = ..., output_token_count: _Optional[int] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    MODEL_NAME_FIELD_NUMBER: _ClassVar[int]
    BASE_URL_FIELD_NUMBER: _ClassVar[int]
    API_KEY_HINT_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    PURPOSES_FIELD_NUMBER: _ClassVar[int]
    USAGE_TODAY_FIELD_NUMBER: _ClassVar[int]
    LAST_ANSWER_TIME_FIELD_NUMBER: _ClassVar[int]
    LAST_ERROR_FIELD_NUMBER: _ClassVar[int]
    id: int
    provider: Model.Provider
    model_name: str
    base_url: str
    api_key_hint: str
    create_time: _timestamp_pb2.Timestamp
    purposes: _containers.RepeatedScalarFieldContainer[Model.Purpose]
    usage_today: _containers.RepeatedCompositeFieldContainer[Model.Usage]
    last_answer_time: _timestamp_pb2.Timestamp
    last_error: str
    def __init__(self, id: _Optional[int] = ..., provider: _Optional[_Union[Model.Provider, str]] = ..., model_name: _Optional[str] = ..., base_url: _Optional[str] = ..., api_key_hint: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., purposes: _Optional[_Iterable[_Union[Model.Purpose, str]]] = ..., usage_today: _Optional[_Iterable[_Union[Model.Usage, _Mapping]]] = ..., last_answer_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_error: _Optional[str] = ...) -> None: ...
