# mypy: ignore-errors
from gutask._api import conflict_pb2 as _conflict_pb2
from gutask._api import edge_pb2 as _edge_pb2
from gutask._api import embedding_pb2 as _embedding_pb2
from gutask._api import outcome_pb2 as _outcome_pb2
from gutask._api import triple_pb2 as _triple_pb2
from google.protobuf import any_pb2 as _any_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TokeniseRequest(_message.Message):
    __slots__ = ("text",)
    TEXT_FIELD_NUMBER: _ClassVar[int]
    text: str
    def __init__(self, text: _Optional[str] = ...) -> None: ...

class TokeniseResponse(_message.Message):
    __slots__ = ("tokens",)
    class Token(_message.Message):
        __slots__ = ("text", "start_offset", "end_offset", "conceptual", "concept_id", "saliency", "novelty")
        TEXT_FIELD_NUMBER: _ClassVar[int]
        START_OFFSET_FIELD_NUMBER: _ClassVar[int]
        END_OFFSET_FIELD_NUMBER: _ClassVar[int]
        CONCEPTUAL_FIELD_NUMBER: _ClassVar[int]
        CONCEPT_ID_FIELD_NUMBER: _ClassVar[int]
        SALIENCY_FIELD_NUMBER: _ClassVar[int]
        NOVELTY_FIELD_NUMBER: _ClassVar[int]
        text: str
        start_offset: int
        end_offset: int
        conceptual: bool
        concept_id: int
        saliency: float
        novelty: float
        def __init__(self, text: _Optional[str] = ..., start_offset: _Optional[int] = ..., end_offset: _Optional[int] = ..., conceptual: _Optional[bool] = ..., concept_id: _Optional[int] = ..., saliency: _Optional[float] = ..., novelty: _Optional[float] = ...) -> None: ...
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    tokens: _containers.RepeatedCompositeFieldContainer[TokeniseResponse.Token]
    def __init__(self, tokens: _Optional[_Iterable[_Union[TokeniseResponse.Token, _Mapping]]] = ...) -> None: ...

class Turn(_message.Message):
    __slots__ = ("role", "text", "seen", "digest")
    class Role(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        ROLE_UNSPECIFIED: _ClassVar[Turn.Role]
        ROLE_SYSTEM: _ClassVar[Turn.Role]
        ROLE_USER: _ClassVar[Turn.Role]
        ROLE_ASSISTANT: _ClassVar[Turn.Role]
        ROLE_TOOL: _ClassVar[Turn.Role]
    ROLE_UNSPECIFIED: Turn.Role
    ROLE_SYSTEM: Turn.Role
    ROLE_USER: Turn.Role
    ROLE_ASSISTANT: Turn.Role
    ROLE_TOOL: Turn.Role
    ROLE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SEEN_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    role: Turn.Role
    text: str
    seen: bool
    digest: bytes
    def __init__(self, role: _Optional[_Union[Turn.Role, str]] = ..., text: _Optional[str] = ..., seen: _Optional[bool] = ..., digest: _Optional[bytes] = ...) -> None: ...

class RecollectRequest(_message.Message):
    __slots__ = ("turns", "told", "earlier", "present", "session", "without_hints", "embedding")
    class Told(_message.Message):
        __slots__ = ("concept", "digest", "hint", "text", "kept")
        CONCEPT_FIELD_NUMBER: _ClassVar[int]
        DIGEST_FIELD_NUMBER: _ClassVar[int]
        HINT_FIELD_NUMBER: _ClassVar[int]
        TEXT_FIELD_NUMBER: _ClassVar[int]
        KEPT_FIELD_NUMBER: _ClassVar[int]
        concept: str
        digest: bytes
        hint: bool
        text: str
        kept: bool
        def __init__(self, concept: _Optional[str] = ..., digest: _Optional[bytes] = ..., hint: _Optional[bool] = ..., text: _Optional[str] = ..., kept: _Optional[bool] = ...) -> None: ...
    TURNS_FIELD_NUMBER: _ClassVar[int]
    TOLD_FIELD_NUMBER: _ClassVar[int]
    EARLIER_FIELD_NUMBER: _ClassVar[int]
    PRESENT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    WITHOUT_HINTS_FIELD_NUMBER: _ClassVar[int]
    EMBEDDING_FIELD_NUMBER: _ClassVar[int]
    turns: _containers.RepeatedCompositeFieldContainer[Turn]
    told: _containers.RepeatedCompositeFieldContainer[RecollectRequest.Told]
    earlier: _containers.RepeatedScalarFieldContainer[str]
    present: _containers.RepeatedScalarFieldContainer[bytes]
    session: str
    without_hints: bool
    embedding: _embedding_pb2.Embedding
    def __init__(self, turns: _Optional[_Iterable[_Union[Turn, _Mapping]]] = ..., told: _Optional[_Iterable[_Union[RecollectRequest.Told, _Mapping]]] = ..., earlier: _Optional[_Iterable[str]] = ..., present: _Optional[_Iterable[bytes]] = ..., session: _Optional[str] = ..., without_hints: _Optional[bool] = ..., embedding: _Optional[_Union[_embedding_pb2.Embedding, _Mapping]] = ...) -> None: ...

class RecollectResponse(_message.Message):
    __slots__ = ("lines", "block", "position", "outcomes", "version", "stale", "changes")
    class Position(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        POSITION_UNSPECIFIED: _ClassVar[RecollectResponse.Position]
        POSITION_SYSTEM: _ClassVar[RecollectResponse.Position]
        POSITION_STICKY: _ClassVar[RecollectResponse.Position]
        POSITION_RECENT: _ClassVar[RecollectResponse.Position]
        POSITION_OFF: _ClassVar[RecollectResponse.Position]
    POSITION_UNSPECIFIED: RecollectResponse.Position
    POSITION_SYSTEM: RecollectResponse.Position
    POSITION_STICKY: RecollectResponse.Position
    POSITION_RECENT: RecollectResponse.Position
    POSITION_OFF: RecollectResponse.Position
    class Line(_message.Message):
        __slots__ = ("concept", "text", "digest", "kind", "why")
        class Kind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
            __slots__ = ()
            KIND_UNSPECIFIED: _ClassVar[RecollectResponse.Line.Kind]
            KIND_RECOLLECTION: _ClassVar[RecollectResponse.Line.Kind]
            KIND_HINT: _ClassVar[RecollectResponse.Line.Kind]
            KIND_MEMORY: _ClassVar[RecollectResponse.Line.Kind]
            KIND_QUOTE: _ClassVar[RecollectResponse.Line.Kind]
        KIND_UNSPECIFIED: RecollectResponse.Line.Kind
        KIND_RECOLLECTION: RecollectResponse.Line.Kind
        KIND_HINT: RecollectResponse.Line.Kind
        KIND_MEMORY: RecollectResponse.Line.Kind
        KIND_QUOTE: RecollectResponse.Line.Kind
        CONCEPT_FIELD_NUMBER: _ClassVar[int]
        TEXT_FIELD_NUMBER: _ClassVar[int]
        DIGEST_FIELD_NUMBER: _ClassVar[int]
        KIND_FIELD_NUMBER: _ClassVar[int]
        WHY_FIELD_NUMBER: _ClassVar[int]
        concept: str
        text: str
        digest: bytes
        kind: RecollectResponse.Line.Kind
        why: str
        def __init__(self, concept: _Optional[str] = ..., text: _Optional[str] = ..., digest: _Optional[bytes] = ..., kind: _Optional[_Union[RecollectResponse.Line.Kind, str]] = ..., why: _Optional[str] = ...) -> None: ...
    class Change(_message.Message):
        __slots__ = ("told_index", "line")
        TOLD_INDEX_FIELD_NUMBER: _ClassVar[int]
        LINE_FIELD_NUMBER: _ClassVar[int]
        told_index: int
        line: RecollectResponse.Line
        def __init__(self, told_index: _Optional[int] = ..., line: _Optional[_Union[RecollectResponse.Line, _Mapping]] = ...) -> None: ...
    LINES_FIELD_NUMBER: _ClassVar[int]
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    OUTCOMES_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    STALE_FIELD_NUMBER: _ClassVar[int]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedCompositeFieldContainer[RecollectResponse.Line]
    block: str
    position: RecollectResponse.Position
    outcomes: _containers.RepeatedCompositeFieldContainer[_outcome_pb2.Outcome]
    version: int
    stale: bool
    changes: _containers.RepeatedCompositeFieldContainer[RecollectResponse.Change]
    def __init__(self, lines: _Optional[_Iterable[_Union[RecollectResponse.Line, _Mapping]]] = ..., block: _Optional[str] = ..., position: _Optional[_Union[RecollectResponse.Position, str]] = ..., outcomes: _Optional[_Iterable[_Union[_outcome_pb2.Outcome, _Mapping]]] = ..., version: _Optional[int] = ..., stale: _Optional[bool] = ..., changes: _Optional[_Iterable[_Union[RecollectResponse.Change, _Mapping]]] = ...) -> None: ...

class RecollectStreamRequest(_message.Message):
    __slots__ = ("id", "request", "principal", "subject", "tenant", "min_version", "project")
    ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    MIN_VERSION_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    id: int
    request: RecollectRequest
    principal: str
    subject: str
    tenant: str
    min_version: int
    project: str
    def __init__(self, id: _Optional[int] = ..., request: _Optional[_Union[RecollectRequest, _Mapping]] = ..., principal: _Optional[str] = ..., subject: _Optional[str] = ..., tenant: _Optional[str] = ..., min_version: _Optional[int] = ..., project: _Optional[str] = ...) -> None: ...

class RecollectStreamResponse(_message.Message):
    __slots__ = ("id", "response", "error")
    class Status(_message.Message):
        __slots__ = ("code", "message", "details")
        CODE_FIELD_NUMBER: _ClassVar[int]
        MESSAGE_FIELD_NUMBER: _ClassVar[int]
        DETAILS_FIELD_NUMBER: _ClassVar[int]
        code: int
        message: str
        details: _containers.RepeatedCompositeFieldContainer[_any_pb2.Any]
        def __init__(self, code: _Optional[int] = ..., message: _Optional[str] = ..., details: _Optional[_Iterable[_Union[_any_pb2.Any, _Mapping]]] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    id: int
    response: RecollectResponse
    error: RecollectStreamResponse.Status
    def __init__(self, id: _Optional[int] = ..., response: _Optional[_Union[RecollectResponse, _Mapping]] = ..., error: _Optional[_Union[RecollectStreamResponse.Status, _Mapping]] = ...) -> None: ...

class AssertRequest(_message.Message):
    __slots__ = ("fact", "triple", "request_id")
    FACT_FIELD_NUMBER: _ClassVar[int]
    TRIPLE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    fact: str
    triple: _triple_pb2.Triple
    request_id: str
    def __init__(self, fact: _Optional[str] = ..., triple: _Optional[_Union[_triple_pb2.Triple, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class AssertResponse(_message.Message):
    __slots__ = ("outcome", "version")
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    outcome: _outcome_pb2.Outcome
    version: int
    def __init__(self, outcome: _Optional[_Union[_outcome_pb2.Outcome, _Mapping]] = ..., version: _Optional[int] = ...) -> None: ...

class RetractRequest(_message.Message):
    __slots__ = ("fact", "triple", "reasoning", "request_id")
    FACT_FIELD_NUMBER: _ClassVar[int]
    TRIPLE_FIELD_NUMBER: _ClassVar[int]
    REASONING_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    fact: str
    triple: _triple_pb2.Triple
    reasoning: str
    request_id: str
    def __init__(self, fact: _Optional[str] = ..., triple: _Optional[_Union[_triple_pb2.Triple, _Mapping]] = ..., reasoning: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class RetractResponse(_message.Message):
    __slots__ = ("triple", "edge", "settled_conflict_ids", "assertion_id", "version")
    TRIPLE_FIELD_NUMBER: _ClassVar[int]
    EDGE_FIELD_NUMBER: _ClassVar[int]
    SETTLED_CONFLICT_IDS_FIELD_NUMBER: _ClassVar[int]
    ASSERTION_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    triple: _triple_pb2.Triple
    edge: _edge_pb2.Edge
    settled_conflict_ids: _containers.RepeatedScalarFieldContainer[int]
    assertion_id: int
    version: int
    def __init__(self, triple: _Optional[_Union[_triple_pb2.Triple, _Mapping]] = ..., edge: _Optional[_Union[_edge_pb2.Edge, _Mapping]] = ..., settled_conflict_ids: _Optional[_Iterable[int]] = ..., assertion_id: _Optional[int] = ..., version: _Optional[int] = ...) -> None: ...

class ResolveRequest(_message.Message):
    __slots__ = ("conflict_id", "decision", "reasoning", "etag", "request_id", "incoming_dimension", "existing_dimension")
    CONFLICT_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    REASONING_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    INCOMING_DIMENSION_FIELD_NUMBER: _ClassVar[int]
    EXISTING_DIMENSION_FIELD_NUMBER: _ClassVar[int]
    conflict_id: int
    decision: _conflict_pb2.Conflict.Decision
    reasoning: str
    etag: str
    request_id: str
    incoming_dimension: str
    existing_dimension: str
    def __init__(self, conflict_id: _Optional[int] = ..., decision: _Optional[_Union[_conflict_pb2.Conflict.Decision, str]] = ..., reasoning: _Optional[str] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ..., incoming_dimension: _Optional[str] = ..., existing_dimension: _Optional[str] = ...) -> None: ...

class ResolveResponse(_message.Message):
    __slots__ = ("conflict", "version")
    CONFLICT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    conflict: _conflict_pb2.Conflict
    version: int
    def __init__(self, conflict: _Optional[_Union[_conflict_pb2.Conflict, _Mapping]] = ..., version: _Optional[int] = ...) -> None: ...
