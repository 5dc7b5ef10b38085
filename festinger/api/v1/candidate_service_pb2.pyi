from festinger.api.v1 import candidate_pb2 as _candidate_pb2
from festinger.api.v1 import outcome_pb2 as _outcome_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListCandidatesRequest(_message.Message):
    __slots__ = ("states", "page_size", "page_token", "newest_first", "flagged")
    STATES_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    NEWEST_FIRST_FIELD_NUMBER: _ClassVar[int]
    FLAGGED_FIELD_NUMBER: _ClassVar[int]
    states: _containers.RepeatedScalarFieldContainer[_candidate_pb2.Candidate.State]
    page_size: int
    page_token: str
    newest_first: bool
    flagged: bool
    def __init__(self, states: _Optional[_Iterable[_Union[_candidate_pb2.Candidate.State, str]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., newest_first: _Optional[bool] = ..., flagged: _Optional[bool] = ...) -> None: ...

class ListCandidatesResponse(_message.Message):
    __slots__ = ("candidates", "next_page_token")
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    candidates: _containers.RepeatedCompositeFieldContainer[_candidate_pb2.Candidate]
    next_page_token: str
    def __init__(self, candidates: _Optional[_Iterable[_Union[_candidate_pb2.Candidate, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ConfirmCandidateRequest(_message.Message):
    __slots__ = ("candidate_id", "request_id")
    CANDIDATE_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    candidate_id: int
    request_id: str
    def __init__(self, candidate_id: _Optional[int] = ..., request_id: _Optional[str] = ...) -> None: ...

class ConfirmCandidateResponse(_message.Message):
    __slots__ = ("candidate", "outcome", "version")
    CANDIDATE_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    candidate: _candidate_pb2.Candidate
    outcome: _outcome_pb2.Outcome
    version: int
    def __init__(self, candidate: _Optional[_Union[_candidate_pb2.Candidate, _Mapping]] = ..., outcome: _Optional[_Union[_outcome_pb2.Outcome, _Mapping]] = ..., version: _Optional[int] = ...) -> None: ...

class RejectCandidateRequest(_message.Message):
    __slots__ = ("candidate_id", "request_id")
    CANDIDATE_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    candidate_id: int
    request_id: str
    def __init__(self, candidate_id: _Optional[int] = ..., request_id: _Optional[str] = ...) -> None: ...

class RejectCandidateResponse(_message.Message):
    __slots__ = ("candidate", "version")
    CANDIDATE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    candidate: _candidate_pb2.Candidate
    version: int
    def __init__(self, candidate: _Optional[_Union[_candidate_pb2.Candidate, _Mapping]] = ..., version: _Optional[int] = ...) -> None: ...
