from festinger.api.v1 import factoid_pb2 as _factoid_pb2
from festinger.api.v1 import outcome_pb2 as _outcome_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListFactoidsRequest(_message.Message):
    __slots__ = ("states", "page_size", "page_token", "newest_first", "flagged")
    STATES_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    NEWEST_FIRST_FIELD_NUMBER: _ClassVar[int]
    FLAGGED_FIELD_NUMBER: _ClassVar[int]
    states: _containers.RepeatedScalarFieldContainer[_factoid_pb2.Factoid.State]
    page_size: int
    page_token: str
    newest_first: bool
    flagged: bool
    def __init__(self, states: _Optional[_Iterable[_Union[_factoid_pb2.Factoid.State, str]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., newest_first: _Optional[bool] = ..., flagged: _Optional[bool] = ...) -> None: ...

class ListFactoidsResponse(_message.Message):
    __slots__ = ("factoids", "next_page_token")
    FACTOIDS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    factoids: _containers.RepeatedCompositeFieldContainer[_factoid_pb2.Factoid]
    next_page_token: str
    def __init__(self, factoids: _Optional[_Iterable[_Union[_factoid_pb2.Factoid, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ConfirmFactoidRequest(_message.Message):
    __slots__ = ("factoid_id", "request_id")
    FACTOID_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    factoid_id: int
    request_id: str
    def __init__(self, factoid_id: _Optional[int] = ..., request_id: _Optional[str] = ...) -> None: ...

class ConfirmFactoidResponse(_message.Message):
    __slots__ = ("factoid", "outcome", "version")
    FACTOID_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    factoid: _factoid_pb2.Factoid
    outcome: _outcome_pb2.Outcome
    version: int
    def __init__(self, factoid: _Optional[_Union[_factoid_pb2.Factoid, _Mapping]] = ..., outcome: _Optional[_Union[_outcome_pb2.Outcome, _Mapping]] = ..., version: _Optional[int] = ...) -> None: ...

class RejectFactoidRequest(_message.Message):
    __slots__ = ("factoid_id", "request_id")
    FACTOID_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    factoid_id: int
    request_id: str
    def __init__(self, factoid_id: _Optional[int] = ..., request_id: _Optional[str] = ...) -> None: ...

class RejectFactoidResponse(_message.Message):
    __slots__ = ("factoid", "version")
    FACTOID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    factoid: _factoid_pb2.Factoid
    version: int
    def __init__(self, factoid: _Optional[_Union[_factoid_pb2.Factoid, _Mapping]] = ..., version: _Optional[int] = ...) -> None: ...
