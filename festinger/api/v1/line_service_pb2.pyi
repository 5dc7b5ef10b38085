import datetime

from festinger.api.v1 import embedding_pb2 as _embedding_pb2
from festinger.api.v1 import outcome_pb2 as _outcome_pb2
from festinger.api.v1 import triple_pb2 as _triple_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MemoryLine(_message.Message):
    __slots__ = ("name", "kind", "status", "text", "quote", "speaker", "project", "session", "say_time", "subject", "predicate", "value", "instruction", "confirmed", "limited", "held", "kept")
    class Kind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        KIND_UNSPECIFIED: _ClassVar[MemoryLine.Kind]
        KIND_UTTERANCE: _ClassVar[MemoryLine.Kind]
        KIND_STATEMENT: _ClassVar[MemoryLine.Kind]
        KIND_MEMORY: _ClassVar[MemoryLine.Kind]
        KIND_ENTITY: _ClassVar[MemoryLine.Kind]
        KIND_STATE: _ClassVar[MemoryLine.Kind]
    KIND_UNSPECIFIED: MemoryLine.Kind
    KIND_UTTERANCE: MemoryLine.Kind
    KIND_STATEMENT: MemoryLine.Kind
    KIND_MEMORY: MemoryLine.Kind
    KIND_ENTITY: MemoryLine.Kind
    KIND_STATE: MemoryLine.Kind
    class Status(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STATUS_UNSPECIFIED: _ClassVar[MemoryLine.Status]
        STATUS_ACTIVE: _ClassVar[MemoryLine.Status]
        STATUS_CANDIDATE: _ClassVar[MemoryLine.Status]
        STATUS_CLOSED: _ClassVar[MemoryLine.Status]
    STATUS_UNSPECIFIED: MemoryLine.Status
    STATUS_ACTIVE: MemoryLine.Status
    STATUS_CANDIDATE: MemoryLine.Status
    STATUS_CLOSED: MemoryLine.Status
    NAME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    QUOTE_FIELD_NUMBER: _ClassVar[int]
    SPEAKER_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    SAY_TIME_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    PREDICATE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    INSTRUCTION_FIELD_NUMBER: _ClassVar[int]
    CONFIRMED_FIELD_NUMBER: _ClassVar[int]
    LIMITED_FIELD_NUMBER: _ClassVar[int]
    HELD_FIELD_NUMBER: _ClassVar[int]
    KEPT_FIELD_NUMBER: _ClassVar[int]
    name: str
    kind: MemoryLine.Kind
    status: MemoryLine.Status
    text: str
    quote: str
    speaker: str
    project: str
    session: str
    say_time: _timestamp_pb2.Timestamp
    subject: str
    predicate: str
    value: str
    instruction: bool
    confirmed: bool
    limited: bool
    held: HeldStatement
    kept: KeptSentence
    def __init__(self, name: _Optional[str] = ..., kind: _Optional[_Union[MemoryLine.Kind, str]] = ..., status: _Optional[_Union[MemoryLine.Status, str]] = ..., text: _Optional[str] = ..., quote: _Optional[str] = ..., speaker: _Optional[str] = ..., project: _Optional[str] = ..., session: _Optional[str] = ..., say_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., subject: _Optional[str] = ..., predicate: _Optional[str] = ..., value: _Optional[str] = ..., instruction: _Optional[bool] = ..., confirmed: _Optional[bool] = ..., limited: _Optional[bool] = ..., held: _Optional[_Union[HeldStatement, _Mapping]] = ..., kept: _Optional[_Union[KeptSentence, _Mapping]] = ...) -> None: ...

class HeldStatement(_message.Message):
    __slots__ = ("triple", "confidence", "many", "belief", "origin")
    class Origin(_message.Message):
        __slots__ = ("reader", "kind", "topics", "subject", "value", "say_time", "digest")
        READER_FIELD_NUMBER: _ClassVar[int]
        KIND_FIELD_NUMBER: _ClassVar[int]
        TOPICS_FIELD_NUMBER: _ClassVar[int]
        SUBJECT_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        SAY_TIME_FIELD_NUMBER: _ClassVar[int]
        DIGEST_FIELD_NUMBER: _ClassVar[int]
        reader: str
        kind: str
        topics: _containers.RepeatedScalarFieldContainer[str]
        subject: str
        value: str
        say_time: _timestamp_pb2.Timestamp
        digest: bytes
        def __init__(self, reader: _Optional[str] = ..., kind: _Optional[str] = ..., topics: _Optional[_Iterable[str]] = ..., subject: _Optional[str] = ..., value: _Optional[str] = ..., say_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., digest: _Optional[bytes] = ...) -> None: ...
    TRIPLE_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    MANY_FIELD_NUMBER: _ClassVar[int]
    BELIEF_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    triple: _triple_pb2.Triple
    confidence: float
    many: bool
    belief: bool
    origin: HeldStatement.Origin
    def __init__(self, triple: _Optional[_Union[_triple_pb2.Triple, _Mapping]] = ..., confidence: _Optional[float] = ..., many: _Optional[bool] = ..., belief: _Optional[bool] = ..., origin: _Optional[_Union[HeldStatement.Origin, _Mapping]] = ...) -> None: ...

class KeptSentence(_message.Message):
    __slots__ = ("digest", "heading", "answers", "marks", "only", "without")
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    HEADING_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    MARKS_FIELD_NUMBER: _ClassVar[int]
    ONLY_FIELD_NUMBER: _ClassVar[int]
    WITHOUT_FIELD_NUMBER: _ClassVar[int]
    digest: bytes
    heading: str
    answers: str
    marks: int
    only: _containers.RepeatedScalarFieldContainer[str]
    without: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, digest: _Optional[bytes] = ..., heading: _Optional[str] = ..., answers: _Optional[str] = ..., marks: _Optional[int] = ..., only: _Optional[_Iterable[str]] = ..., without: _Optional[_Iterable[str]] = ...) -> None: ...

class ConsideredLine(_message.Message):
    __slots__ = ("line", "probability", "features", "rejected")
    class FeaturesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    LINE_FIELD_NUMBER: _ClassVar[int]
    PROBABILITY_FIELD_NUMBER: _ClassVar[int]
    FEATURES_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    line: MemoryLine
    probability: float
    features: _containers.ScalarMap[str, float]
    rejected: str
    def __init__(self, line: _Optional[_Union[MemoryLine, _Mapping]] = ..., probability: _Optional[float] = ..., features: _Optional[_Mapping[str, float]] = ..., rejected: _Optional[str] = ...) -> None: ...

class SearchLinesRequest(_message.Message):
    __slots__ = ("query", "project", "about", "speaker", "kind", "since_time", "page_size", "page_token", "session")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    ABOUT_FIELD_NUMBER: _ClassVar[int]
    SPEAKER_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SINCE_TIME_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    query: str
    project: str
    about: str
    speaker: str
    kind: MemoryLine.Kind
    since_time: _timestamp_pb2.Timestamp
    page_size: int
    page_token: str
    session: str
    def __init__(self, query: _Optional[str] = ..., project: _Optional[str] = ..., about: _Optional[str] = ..., speaker: _Optional[str] = ..., kind: _Optional[_Union[MemoryLine.Kind, str]] = ..., since_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., session: _Optional[str] = ...) -> None: ...

class SearchLinesResponse(_message.Message):
    __slots__ = ("lines", "next_page_token", "total_size")
    LINES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TOTAL_SIZE_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedCompositeFieldContainer[MemoryLine]
    next_page_token: str
    total_size: int
    def __init__(self, lines: _Optional[_Iterable[_Union[MemoryLine, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., total_size: _Optional[int] = ...) -> None: ...

class ExportLinesRequest(_message.Message):
    __slots__ = ("project", "as_of_time")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    AS_OF_TIME_FIELD_NUMBER: _ClassVar[int]
    project: str
    as_of_time: _timestamp_pb2.Timestamp
    def __init__(self, project: _Optional[str] = ..., as_of_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ExportLinesResponse(_message.Message):
    __slots__ = ("lines",)
    LINES_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedCompositeFieldContainer[MemoryLine]
    def __init__(self, lines: _Optional[_Iterable[_Union[MemoryLine, _Mapping]]] = ...) -> None: ...

class ImportItem(_message.Message):
    __slots__ = ("line", "typed", "note", "statement", "speaker", "project", "session", "say_time", "answers", "instruction")
    LINE_FIELD_NUMBER: _ClassVar[int]
    TYPED_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    STATEMENT_FIELD_NUMBER: _ClassVar[int]
    SPEAKER_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    SAY_TIME_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    INSTRUCTION_FIELD_NUMBER: _ClassVar[int]
    line: MemoryLine
    typed: str
    note: Note
    statement: WordedStatement
    speaker: str
    project: str
    session: str
    say_time: _timestamp_pb2.Timestamp
    answers: str
    instruction: bool
    def __init__(self, line: _Optional[_Union[MemoryLine, _Mapping]] = ..., typed: _Optional[str] = ..., note: _Optional[_Union[Note, _Mapping]] = ..., statement: _Optional[_Union[WordedStatement, _Mapping]] = ..., speaker: _Optional[str] = ..., project: _Optional[str] = ..., session: _Optional[str] = ..., say_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., answers: _Optional[str] = ..., instruction: _Optional[bool] = ...) -> None: ...

class WordedStatement(_message.Message):
    __slots__ = ("subject", "predicate", "value", "negated", "quote")
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    PREDICATE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    NEGATED_FIELD_NUMBER: _ClassVar[int]
    QUOTE_FIELD_NUMBER: _ClassVar[int]
    subject: str
    predicate: str
    value: str
    negated: bool
    quote: str
    def __init__(self, subject: _Optional[str] = ..., predicate: _Optional[str] = ..., value: _Optional[str] = ..., negated: _Optional[bool] = ..., quote: _Optional[str] = ...) -> None: ...

class ImportLinesRequest(_message.Message):
    __slots__ = ("items", "preview")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[ImportItem]
    preview: bool
    def __init__(self, items: _Optional[_Iterable[_Union[ImportItem, _Mapping]]] = ..., preview: _Optional[bool] = ...) -> None: ...

class ImportLinesResponse(_message.Message):
    __slots__ = ("kept_count", "known_count", "secret_count", "outcomes", "refusals", "version")
    class Refusal(_message.Message):
        __slots__ = ("item_index", "reason")
        ITEM_INDEX_FIELD_NUMBER: _ClassVar[int]
        REASON_FIELD_NUMBER: _ClassVar[int]
        item_index: int
        reason: str
        def __init__(self, item_index: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...
    KEPT_COUNT_FIELD_NUMBER: _ClassVar[int]
    KNOWN_COUNT_FIELD_NUMBER: _ClassVar[int]
    SECRET_COUNT_FIELD_NUMBER: _ClassVar[int]
    OUTCOMES_FIELD_NUMBER: _ClassVar[int]
    REFUSALS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    kept_count: int
    known_count: int
    secret_count: int
    outcomes: _containers.RepeatedCompositeFieldContainer[_outcome_pb2.Outcome]
    refusals: _containers.RepeatedCompositeFieldContainer[ImportLinesResponse.Refusal]
    version: int
    def __init__(self, kept_count: _Optional[int] = ..., known_count: _Optional[int] = ..., secret_count: _Optional[int] = ..., outcomes: _Optional[_Iterable[_Union[_outcome_pb2.Outcome, _Mapping]]] = ..., refusals: _Optional[_Iterable[_Union[ImportLinesResponse.Refusal, _Mapping]]] = ..., version: _Optional[int] = ...) -> None: ...

class ExplainRequest(_message.Message):
    __slots__ = ("prompt", "project", "asker", "embedding")
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    ASKER_FIELD_NUMBER: _ClassVar[int]
    EMBEDDING_FIELD_NUMBER: _ClassVar[int]
    prompt: str
    project: str
    asker: str
    embedding: _embedding_pb2.Embedding
    def __init__(self, prompt: _Optional[str] = ..., project: _Optional[str] = ..., asker: _Optional[str] = ..., embedding: _Optional[_Union[_embedding_pb2.Embedding, _Mapping]] = ...) -> None: ...

class ExplainResponse(_message.Message):
    __slots__ = ("block", "told", "rejected", "openness", "threshold")
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    TOLD_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    OPENNESS_FIELD_NUMBER: _ClassVar[int]
    THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    block: str
    told: _containers.RepeatedCompositeFieldContainer[ConsideredLine]
    rejected: _containers.RepeatedCompositeFieldContainer[ConsideredLine]
    openness: float
    threshold: float
    def __init__(self, block: _Optional[str] = ..., told: _Optional[_Iterable[_Union[ConsideredLine, _Mapping]]] = ..., rejected: _Optional[_Iterable[_Union[ConsideredLine, _Mapping]]] = ..., openness: _Optional[float] = ..., threshold: _Optional[float] = ...) -> None: ...

class SayRequest(_message.Message):
    __slots__ = ("text", "project", "corrects", "request_id")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    CORRECTS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    text: str
    project: str
    corrects: str
    request_id: str
    def __init__(self, text: _Optional[str] = ..., project: _Optional[str] = ..., corrects: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class SayResponse(_message.Message):
    __slots__ = ("outcomes", "lines", "left_out", "version")
    class LeftOut(_message.Message):
        __slots__ = ("text", "reason")
        TEXT_FIELD_NUMBER: _ClassVar[int]
        REASON_FIELD_NUMBER: _ClassVar[int]
        text: str
        reason: str
        def __init__(self, text: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...
    OUTCOMES_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    LEFT_OUT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    outcomes: _containers.RepeatedCompositeFieldContainer[_outcome_pb2.Outcome]
    lines: _containers.RepeatedCompositeFieldContainer[MemoryLine]
    left_out: _containers.RepeatedCompositeFieldContainer[SayResponse.LeftOut]
    version: int
    def __init__(self, outcomes: _Optional[_Iterable[_Union[_outcome_pb2.Outcome, _Mapping]]] = ..., lines: _Optional[_Iterable[_Union[MemoryLine, _Mapping]]] = ..., left_out: _Optional[_Iterable[_Union[SayResponse.LeftOut, _Mapping]]] = ..., version: _Optional[int] = ...) -> None: ...

class Note(_message.Message):
    __slots__ = ("text", "reading")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    READING_FIELD_NUMBER: _ClassVar[int]
    text: str
    reading: str
    def __init__(self, text: _Optional[str] = ..., reading: _Optional[str] = ...) -> None: ...

class KeepNotesRequest(_message.Message):
    __slots__ = ("notes", "session", "project", "request_id")
    NOTES_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    notes: _containers.RepeatedCompositeFieldContainer[Note]
    session: str
    project: str
    request_id: str
    def __init__(self, notes: _Optional[_Iterable[_Union[Note, _Mapping]]] = ..., session: _Optional[str] = ..., project: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class KeepNotesResponse(_message.Message):
    __slots__ = ("outcomes", "lines", "version")
    OUTCOMES_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    outcomes: _containers.RepeatedCompositeFieldContainer[_outcome_pb2.Outcome]
    lines: _containers.RepeatedCompositeFieldContainer[MemoryLine]
    version: int
    def __init__(self, outcomes: _Optional[_Iterable[_Union[_outcome_pb2.Outcome, _Mapping]]] = ..., lines: _Optional[_Iterable[_Union[MemoryLine, _Mapping]]] = ..., version: _Optional[int] = ...) -> None: ...

class ForgetLinesRequest(_message.Message):
    __slots__ = ("speaker", "project", "session", "phrase", "name", "preview", "names", "request_id")
    SPEAKER_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    PHRASE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    speaker: str
    project: str
    session: str
    phrase: str
    name: str
    preview: bool
    names: _containers.RepeatedScalarFieldContainer[str]
    request_id: str
    def __init__(self, speaker: _Optional[str] = ..., project: _Optional[str] = ..., session: _Optional[str] = ..., phrase: _Optional[str] = ..., name: _Optional[str] = ..., preview: _Optional[bool] = ..., names: _Optional[_Iterable[str]] = ..., request_id: _Optional[str] = ...) -> None: ...

class ForgetLinesResponse(_message.Message):
    __slots__ = ("lines", "total_size", "version", "statements", "statement_count")
    LINES_FIELD_NUMBER: _ClassVar[int]
    TOTAL_SIZE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    STATEMENTS_FIELD_NUMBER: _ClassVar[int]
    STATEMENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedCompositeFieldContainer[MemoryLine]
    total_size: int
    version: int
    statements: _containers.RepeatedCompositeFieldContainer[_triple_pb2.Triple]
    statement_count: int
    def __init__(self, lines: _Optional[_Iterable[_Union[MemoryLine, _Mapping]]] = ..., total_size: _Optional[int] = ..., version: _Optional[int] = ..., statements: _Optional[_Iterable[_Union[_triple_pb2.Triple, _Mapping]]] = ..., statement_count: _Optional[int] = ...) -> None: ...

class ConfirmLineRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class ConfirmLineResponse(_message.Message):
    __slots__ = ("line", "version")
    LINE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    line: MemoryLine
    version: int
    def __init__(self, line: _Optional[_Union[MemoryLine, _Mapping]] = ..., version: _Optional[int] = ...) -> None: ...

class RateLineRequest(_message.Message):
    __slots__ = ("name", "verdict", "prompt", "request_id")
    class Verdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        VERDICT_UNSPECIFIED: _ClassVar[RateLineRequest.Verdict]
        VERDICT_HELPED: _ClassVar[RateLineRequest.Verdict]
        VERDICT_WRONG: _ClassVar[RateLineRequest.Verdict]
    VERDICT_UNSPECIFIED: RateLineRequest.Verdict
    VERDICT_HELPED: RateLineRequest.Verdict
    VERDICT_WRONG: RateLineRequest.Verdict
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    verdict: RateLineRequest.Verdict
    prompt: str
    request_id: str
    def __init__(self, name: _Optional[str] = ..., verdict: _Optional[_Union[RateLineRequest.Verdict, str]] = ..., prompt: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class RateLineResponse(_message.Message):
    __slots__ = ("line", "version")
    LINE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    line: MemoryLine
    version: int
    def __init__(self, line: _Optional[_Union[MemoryLine, _Mapping]] = ..., version: _Optional[int] = ...) -> None: ...
