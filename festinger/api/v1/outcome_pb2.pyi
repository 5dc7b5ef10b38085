from festinger.api.v1 import edge_pb2 as _edge_pb2
from festinger.api.v1 import triple_pb2 as _triple_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Outcome(_message.Message):
    __slots__ = ("verdict", "triple", "edge", "conflict_id", "candidate_id", "reason", "message", "assertion_id")
    class Verdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        VERDICT_UNSPECIFIED: _ClassVar[Outcome.Verdict]
        VERDICT_HELD: _ClassVar[Outcome.Verdict]
        VERDICT_CORROBORATED: _ClassVar[Outcome.Verdict]
        VERDICT_CONFLICTED: _ClassVar[Outcome.Verdict]
        VERDICT_CANDIDATE: _ClassVar[Outcome.Verdict]
        VERDICT_REJECTED: _ClassVar[Outcome.Verdict]
    VERDICT_UNSPECIFIED: Outcome.Verdict
    VERDICT_HELD: Outcome.Verdict
    VERDICT_CORROBORATED: Outcome.Verdict
    VERDICT_CONFLICTED: Outcome.Verdict
    VERDICT_CANDIDATE: Outcome.Verdict
    VERDICT_REJECTED: Outcome.Verdict
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    TRIPLE_FIELD_NUMBER: _ClassVar[int]
    EDGE_FIELD_NUMBER: _ClassVar[int]
    CONFLICT_ID_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    ASSERTION_ID_FIELD_NUMBER: _ClassVar[int]
    verdict: Outcome.Verdict
    triple: _triple_pb2.Triple
    edge: _edge_pb2.Edge
    conflict_id: int
    candidate_id: int
    reason: str
    message: str
    assertion_id: int
    def __init__(self, verdict: _Optional[_Union[Outcome.Verdict, str]] = ..., triple: _Optional[_Union[_triple_pb2.Triple, _Mapping]] = ..., edge: _Optional[_Union[_edge_pb2.Edge, _Mapping]] = ..., conflict_id: _Optional[int] = ..., candidate_id: _Optional[int] = ..., reason: _Optional[str] = ..., message: _Optional[str] = ..., assertion_id: _Optional[int] = ...) -> None: ...
