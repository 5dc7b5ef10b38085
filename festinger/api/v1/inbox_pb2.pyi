import datetime

from festinger.api.v1 import candidate_pb2 as _candidate_pb2
from festinger.api.v1 import conflict_pb2 as _conflict_pb2
from festinger.api.v1 import memory_record_pb2 as _memory_record_pb2
from festinger.api.v1 import triple_pb2 as _triple_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class InboxItem(_message.Message):
    __slots__ = ("id", "kind", "cost", "told_count", "doubt", "urgency", "text", "why", "project", "answerer", "rule", "source", "defer_time", "conflict", "candidate", "record", "settled", "feedback", "effects", "like_ids", "source_gone")
    class Kind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        KIND_UNSPECIFIED: _ClassVar[InboxItem.Kind]
        KIND_CONFLICT: _ClassVar[InboxItem.Kind]
        KIND_QUESTION: _ClassVar[InboxItem.Kind]
        KIND_STATEMENT: _ClassVar[InboxItem.Kind]
        KIND_MEMORY: _ClassVar[InboxItem.Kind]
        KIND_ENTITY: _ClassVar[InboxItem.Kind]
        KIND_SETTLED: _ClassVar[InboxItem.Kind]
        KIND_FLAGGED: _ClassVar[InboxItem.Kind]
        KIND_FEEDBACK: _ClassVar[InboxItem.Kind]
    KIND_UNSPECIFIED: InboxItem.Kind
    KIND_CONFLICT: InboxItem.Kind
    KIND_QUESTION: InboxItem.Kind
    KIND_STATEMENT: InboxItem.Kind
    KIND_MEMORY: InboxItem.Kind
    KIND_ENTITY: InboxItem.Kind
    KIND_SETTLED: InboxItem.Kind
    KIND_FLAGGED: InboxItem.Kind
    KIND_FEEDBACK: InboxItem.Kind
    class Settled(_message.Message):
        __slots__ = ("triple", "ending", "conflict_id", "statement_count", "evidence", "principal", "create_time")
        TRIPLE_FIELD_NUMBER: _ClassVar[int]
        ENDING_FIELD_NUMBER: _ClassVar[int]
        CONFLICT_ID_FIELD_NUMBER: _ClassVar[int]
        STATEMENT_COUNT_FIELD_NUMBER: _ClassVar[int]
        EVIDENCE_FIELD_NUMBER: _ClassVar[int]
        PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
        CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
        triple: _triple_pb2.Triple
        ending: str
        conflict_id: int
        statement_count: int
        evidence: str
        principal: str
        create_time: _timestamp_pb2.Timestamp
        def __init__(self, triple: _Optional[_Union[_triple_pb2.Triple, _Mapping]] = ..., ending: _Optional[str] = ..., conflict_id: _Optional[int] = ..., statement_count: _Optional[int] = ..., evidence: _Optional[str] = ..., principal: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
    class Feedback(_message.Message):
        __slots__ = ("text", "quote", "speaker", "principal", "prompt", "facts", "create_time")
        TEXT_FIELD_NUMBER: _ClassVar[int]
        QUOTE_FIELD_NUMBER: _ClassVar[int]
        SPEAKER_FIELD_NUMBER: _ClassVar[int]
        PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
        PROMPT_FIELD_NUMBER: _ClassVar[int]
        FACTS_FIELD_NUMBER: _ClassVar[int]
        CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
        text: str
        quote: str
        speaker: str
        principal: str
        prompt: str
        facts: _containers.RepeatedScalarFieldContainer[str]
        create_time: _timestamp_pb2.Timestamp
        def __init__(self, text: _Optional[str] = ..., quote: _Optional[str] = ..., speaker: _Optional[str] = ..., principal: _Optional[str] = ..., prompt: _Optional[str] = ..., facts: _Optional[_Iterable[str]] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
    class Effects(_message.Message):
        __slots__ = ("mention", "mention_count", "now_lines", "accepted_lines", "rejected_lines")
        MENTION_FIELD_NUMBER: _ClassVar[int]
        MENTION_COUNT_FIELD_NUMBER: _ClassVar[int]
        NOW_LINES_FIELD_NUMBER: _ClassVar[int]
        ACCEPTED_LINES_FIELD_NUMBER: _ClassVar[int]
        REJECTED_LINES_FIELD_NUMBER: _ClassVar[int]
        mention: str
        mention_count: int
        now_lines: _containers.RepeatedScalarFieldContainer[str]
        accepted_lines: _containers.RepeatedScalarFieldContainer[str]
        rejected_lines: _containers.RepeatedScalarFieldContainer[str]
        def __init__(self, mention: _Optional[str] = ..., mention_count: _Optional[int] = ..., now_lines: _Optional[_Iterable[str]] = ..., accepted_lines: _Optional[_Iterable[str]] = ..., rejected_lines: _Optional[_Iterable[str]] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    COST_FIELD_NUMBER: _ClassVar[int]
    TOLD_COUNT_FIELD_NUMBER: _ClassVar[int]
    DOUBT_FIELD_NUMBER: _ClassVar[int]
    URGENCY_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    ANSWERER_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    DEFER_TIME_FIELD_NUMBER: _ClassVar[int]
    CONFLICT_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_FIELD_NUMBER: _ClassVar[int]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    SETTLED_FIELD_NUMBER: _ClassVar[int]
    FEEDBACK_FIELD_NUMBER: _ClassVar[int]
    EFFECTS_FIELD_NUMBER: _ClassVar[int]
    LIKE_IDS_FIELD_NUMBER: _ClassVar[int]
    SOURCE_GONE_FIELD_NUMBER: _ClassVar[int]
    id: str
    kind: InboxItem.Kind
    cost: float
    told_count: int
    doubt: float
    urgency: float
    text: str
    why: str
    project: str
    answerer: str
    rule: str
    source: str
    defer_time: _timestamp_pb2.Timestamp
    conflict: _conflict_pb2.Conflict
    candidate: _candidate_pb2.Candidate
    record: _memory_record_pb2.MemoryRecord
    settled: InboxItem.Settled
    feedback: InboxItem.Feedback
    effects: InboxItem.Effects
    like_ids: _containers.RepeatedScalarFieldContainer[str]
    source_gone: bool
    def __init__(self, id: _Optional[str] = ..., kind: _Optional[_Union[InboxItem.Kind, str]] = ..., cost: _Optional[float] = ..., told_count: _Optional[int] = ..., doubt: _Optional[float] = ..., urgency: _Optional[float] = ..., text: _Optional[str] = ..., why: _Optional[str] = ..., project: _Optional[str] = ..., answerer: _Optional[str] = ..., rule: _Optional[str] = ..., source: _Optional[str] = ..., defer_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., conflict: _Optional[_Union[_conflict_pb2.Conflict, _Mapping]] = ..., candidate: _Optional[_Union[_candidate_pb2.Candidate, _Mapping]] = ..., record: _Optional[_Union[_memory_record_pb2.MemoryRecord, _Mapping]] = ..., settled: _Optional[_Union[InboxItem.Settled, _Mapping]] = ..., feedback: _Optional[_Union[InboxItem.Feedback, _Mapping]] = ..., effects: _Optional[_Union[InboxItem.Effects, _Mapping]] = ..., like_ids: _Optional[_Iterable[str]] = ..., source_gone: _Optional[bool] = ...) -> None: ...

class InboxDecision(_message.Message):
    __slots__ = ("id", "action", "principal", "item_ids", "create_time", "undo_principal", "item_texts")
    class Action(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        ACTION_UNSPECIFIED: _ClassVar[InboxDecision.Action]
        ACTION_ACCEPT: _ClassVar[InboxDecision.Action]
        ACTION_REJECT: _ClassVar[InboxDecision.Action]
        ACTION_DEFER: _ClassVar[InboxDecision.Action]
        ACTION_RESUME: _ClassVar[InboxDecision.Action]
    ACTION_UNSPECIFIED: InboxDecision.Action
    ACTION_ACCEPT: InboxDecision.Action
    ACTION_REJECT: InboxDecision.Action
    ACTION_DEFER: InboxDecision.Action
    ACTION_RESUME: InboxDecision.Action
    ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    ITEM_IDS_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    UNDO_PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    ITEM_TEXTS_FIELD_NUMBER: _ClassVar[int]
    id: str
    action: InboxDecision.Action
    principal: str
    item_ids: _containers.RepeatedScalarFieldContainer[str]
    create_time: _timestamp_pb2.Timestamp
    undo_principal: str
    item_texts: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, id: _Optional[str] = ..., action: _Optional[_Union[InboxDecision.Action, str]] = ..., principal: _Optional[str] = ..., item_ids: _Optional[_Iterable[str]] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., undo_principal: _Optional[str] = ..., item_texts: _Optional[_Iterable[str]] = ...) -> None: ...
