import datetime

from festinger.api.v1 import source_pb2 as _source_pb2
from festinger.api.v1 import triple_pb2 as _triple_pb2
from festinger.api.v1 import validation_pb2 as _validation_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Candidate(_message.Message):
    __slots__ = ("id", "state", "triple", "confidence", "source", "rule", "reason", "proposer", "author", "evidence", "statement_count", "create_time", "decider", "decide_time", "cid", "external_id", "predicate", "subject_raw", "object_raw", "message_cid", "chunk_id", "extractor_version", "prompt_hash", "model_version", "justification", "priority", "lane", "sensitive", "flagged", "contradicts", "expire_time", "decision_rule", "belief", "tally")
    class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STATE_UNSPECIFIED: _ClassVar[Candidate.State]
        STATE_PENDING_VALIDATION: _ClassVar[Candidate.State]
        STATE_CONFIRMED: _ClassVar[Candidate.State]
        STATE_REJECTED: _ClassVar[Candidate.State]
        STATE_EXPIRED: _ClassVar[Candidate.State]
    STATE_UNSPECIFIED: Candidate.State
    STATE_PENDING_VALIDATION: Candidate.State
    STATE_CONFIRMED: Candidate.State
    STATE_REJECTED: Candidate.State
    STATE_EXPIRED: Candidate.State
    ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    TRIPLE_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    PROPOSER_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    STATEMENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    DECIDER_FIELD_NUMBER: _ClassVar[int]
    DECIDE_TIME_FIELD_NUMBER: _ClassVar[int]
    CID_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_ID_FIELD_NUMBER: _ClassVar[int]
    PREDICATE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_RAW_FIELD_NUMBER: _ClassVar[int]
    OBJECT_RAW_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_CID_FIELD_NUMBER: _ClassVar[int]
    CHUNK_ID_FIELD_NUMBER: _ClassVar[int]
    EXTRACTOR_VERSION_FIELD_NUMBER: _ClassVar[int]
    PROMPT_HASH_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_FIELD_NUMBER: _ClassVar[int]
    JUSTIFICATION_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    LANE_FIELD_NUMBER: _ClassVar[int]
    SENSITIVE_FIELD_NUMBER: _ClassVar[int]
    FLAGGED_FIELD_NUMBER: _ClassVar[int]
    CONTRADICTS_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    DECISION_RULE_FIELD_NUMBER: _ClassVar[int]
    BELIEF_FIELD_NUMBER: _ClassVar[int]
    TALLY_FIELD_NUMBER: _ClassVar[int]
    id: int
    state: Candidate.State
    triple: _triple_pb2.Triple
    confidence: float
    source: _source_pb2.Source
    rule: str
    reason: str
    proposer: str
    author: str
    evidence: str
    statement_count: int
    create_time: _timestamp_pb2.Timestamp
    decider: str
    decide_time: _timestamp_pb2.Timestamp
    cid: str
    external_id: str
    predicate: str
    subject_raw: str
    object_raw: str
    message_cid: str
    chunk_id: str
    extractor_version: str
    prompt_hash: str
    model_version: str
    justification: str
    priority: _validation_pb2.Priority
    lane: _validation_pb2.Lane
    sensitive: bool
    flagged: bool
    contradicts: str
    expire_time: _timestamp_pb2.Timestamp
    decision_rule: str
    belief: bool
    tally: _validation_pb2.Tally
    def __init__(self, id: _Optional[int] = ..., state: _Optional[_Union[Candidate.State, str]] = ..., triple: _Optional[_Union[_triple_pb2.Triple, _Mapping]] = ..., confidence: _Optional[float] = ..., source: _Optional[_Union[_source_pb2.Source, str]] = ..., rule: _Optional[str] = ..., reason: _Optional[str] = ..., proposer: _Optional[str] = ..., author: _Optional[str] = ..., evidence: _Optional[str] = ..., statement_count: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., decider: _Optional[str] = ..., decide_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., cid: _Optional[str] = ..., external_id: _Optional[str] = ..., predicate: _Optional[str] = ..., subject_raw: _Optional[str] = ..., object_raw: _Optional[str] = ..., message_cid: _Optional[str] = ..., chunk_id: _Optional[str] = ..., extractor_version: _Optional[str] = ..., prompt_hash: _Optional[str] = ..., model_version: _Optional[str] = ..., justification: _Optional[str] = ..., priority: _Optional[_Union[_validation_pb2.Priority, str]] = ..., lane: _Optional[_Union[_validation_pb2.Lane, str]] = ..., sensitive: _Optional[bool] = ..., flagged: _Optional[bool] = ..., contradicts: _Optional[str] = ..., expire_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., decision_rule: _Optional[str] = ..., belief: _Optional[bool] = ..., tally: _Optional[_Union[_validation_pb2.Tally, _Mapping]] = ...) -> None: ...
