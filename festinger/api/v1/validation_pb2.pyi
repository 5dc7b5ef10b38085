import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Priority(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PRIORITY_UNSPECIFIED: _ClassVar[Priority]
    PRIORITY_CRITICAL: _ClassVar[Priority]
    PRIORITY_HIGH: _ClassVar[Priority]
    PRIORITY_NORMAL: _ClassVar[Priority]
    PRIORITY_LOW: _ClassVar[Priority]

class Lane(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LANE_UNSPECIFIED: _ClassVar[Lane]
    LANE_AUTHOR: _ClassVar[Lane]
    LANE_COMMUNITY: _ClassVar[Lane]
    LANE_MODERATOR: _ClassVar[Lane]

class Bot(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BOT_UNSPECIFIED: _ClassVar[Bot]
    BOT_BARKEEP: _ClassVar[Bot]
    BOT_CRITIC: _ClassVar[Bot]
    BOT_HISTORIAN: _ClassVar[Bot]
PRIORITY_UNSPECIFIED: Priority
PRIORITY_CRITICAL: Priority
PRIORITY_HIGH: Priority
PRIORITY_NORMAL: Priority
PRIORITY_LOW: Priority
LANE_UNSPECIFIED: Lane
LANE_AUTHOR: Lane
LANE_COMMUNITY: Lane
LANE_MODERATOR: Lane
BOT_UNSPECIFIED: Bot
BOT_BARKEEP: Bot
BOT_CRITIC: Bot
BOT_HISTORIAN: Bot

class ValidationEvent(_message.Message):
    __slots__ = ("cid", "candidate_id", "candidate_cid", "responder", "role", "response", "before_visible", "note", "bot_id", "context_message_cid", "question_id", "prompt_hash", "model_version", "message_cid", "create_time")
    class Response(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        RESPONSE_UNSPECIFIED: _ClassVar[ValidationEvent.Response]
        RESPONSE_CONFIRMED: _ClassVar[ValidationEvent.Response]
        RESPONSE_REJECTED: _ClassVar[ValidationEvent.Response]
        RESPONSE_ABSTAIN: _ClassVar[ValidationEvent.Response]
        RESPONSE_WITHDRAWN: _ClassVar[ValidationEvent.Response]
    RESPONSE_UNSPECIFIED: ValidationEvent.Response
    RESPONSE_CONFIRMED: ValidationEvent.Response
    RESPONSE_REJECTED: ValidationEvent.Response
    RESPONSE_ABSTAIN: ValidationEvent.Response
    RESPONSE_WITHDRAWN: ValidationEvent.Response
    class Role(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        ROLE_UNSPECIFIED: _ClassVar[ValidationEvent.Role]
        ROLE_COMMUNITY: _ClassVar[ValidationEvent.Role]
        ROLE_AUTHOR: _ClassVar[ValidationEvent.Role]
        ROLE_MODERATOR: _ClassVar[ValidationEvent.Role]
    ROLE_UNSPECIFIED: ValidationEvent.Role
    ROLE_COMMUNITY: ValidationEvent.Role
    ROLE_AUTHOR: ValidationEvent.Role
    ROLE_MODERATOR: ValidationEvent.Role
    CID_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_ID_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_CID_FIELD_NUMBER: _ClassVar[int]
    RESPONDER_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_FIELD_NUMBER: _ClassVar[int]
    BEFORE_VISIBLE_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    BOT_ID_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_MESSAGE_CID_FIELD_NUMBER: _ClassVar[int]
    QUESTION_ID_FIELD_NUMBER: _ClassVar[int]
    PROMPT_HASH_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_CID_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    cid: str
    candidate_id: int
    candidate_cid: str
    responder: str
    role: ValidationEvent.Role
    response: ValidationEvent.Response
    before_visible: bool
    note: str
    bot_id: str
    context_message_cid: str
    question_id: int
    prompt_hash: str
    model_version: str
    message_cid: str
    create_time: _timestamp_pb2.Timestamp
    def __init__(self, cid: _Optional[str] = ..., candidate_id: _Optional[int] = ..., candidate_cid: _Optional[str] = ..., responder: _Optional[str] = ..., role: _Optional[_Union[ValidationEvent.Role, str]] = ..., response: _Optional[_Union[ValidationEvent.Response, str]] = ..., before_visible: _Optional[bool] = ..., note: _Optional[str] = ..., bot_id: _Optional[str] = ..., context_message_cid: _Optional[str] = ..., question_id: _Optional[int] = ..., prompt_hash: _Optional[str] = ..., model_version: _Optional[str] = ..., message_cid: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Tally(_message.Message):
    __slots__ = ("confirmed", "rejected", "abstained", "posterior", "counted_together")
    CONFIRMED_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    ABSTAINED_FIELD_NUMBER: _ClassVar[int]
    POSTERIOR_FIELD_NUMBER: _ClassVar[int]
    COUNTED_TOGETHER_FIELD_NUMBER: _ClassVar[int]
    confirmed: int
    rejected: int
    abstained: int
    posterior: float
    counted_together: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, confirmed: _Optional[int] = ..., rejected: _Optional[int] = ..., abstained: _Optional[int] = ..., posterior: _Optional[float] = ..., counted_together: _Optional[_Iterable[str]] = ...) -> None: ...

class Question(_message.Message):
    __slots__ = ("id", "candidate_id", "candidate_cid", "bot", "lane", "recipient", "channel", "text", "why", "options", "more_url", "prompt_hash", "state", "closed_because", "platform", "reference", "digest_id", "create_time", "post_time", "outcome", "item_id")
    class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STATE_UNSPECIFIED: _ClassVar[Question.State]
        STATE_WAITING: _ClassVar[Question.State]
        STATE_POSTING: _ClassVar[Question.State]
        STATE_POSTED: _ClassVar[Question.State]
        STATE_CLOSED: _ClassVar[Question.State]
        STATE_FAILED: _ClassVar[Question.State]
    STATE_UNSPECIFIED: Question.State
    STATE_WAITING: Question.State
    STATE_POSTING: Question.State
    STATE_POSTED: Question.State
    STATE_CLOSED: Question.State
    STATE_FAILED: Question.State
    ID_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_ID_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_CID_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    LANE_FIELD_NUMBER: _ClassVar[int]
    RECIPIENT_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    MORE_URL_FIELD_NUMBER: _ClassVar[int]
    PROMPT_HASH_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    CLOSED_BECAUSE_FIELD_NUMBER: _ClassVar[int]
    PLATFORM_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    DIGEST_ID_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    POST_TIME_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    id: int
    candidate_id: int
    candidate_cid: str
    bot: Bot
    lane: Lane
    recipient: str
    channel: str
    text: str
    why: str
    options: _containers.RepeatedScalarFieldContainer[str]
    more_url: str
    prompt_hash: str
    state: Question.State
    closed_because: str
    platform: str
    reference: str
    digest_id: int
    create_time: _timestamp_pb2.Timestamp
    post_time: _timestamp_pb2.Timestamp
    outcome: str
    item_id: str
    def __init__(self, id: _Optional[int] = ..., candidate_id: _Optional[int] = ..., candidate_cid: _Optional[str] = ..., bot: _Optional[_Union[Bot, str]] = ..., lane: _Optional[_Union[Lane, str]] = ..., recipient: _Optional[str] = ..., channel: _Optional[str] = ..., text: _Optional[str] = ..., why: _Optional[str] = ..., options: _Optional[_Iterable[str]] = ..., more_url: _Optional[str] = ..., prompt_hash: _Optional[str] = ..., state: _Optional[_Union[Question.State, str]] = ..., closed_because: _Optional[str] = ..., platform: _Optional[str] = ..., reference: _Optional[str] = ..., digest_id: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., post_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., outcome: _Optional[str] = ..., item_id: _Optional[str] = ...) -> None: ...

class BacklogItem(_message.Message):
    __slots__ = ("id", "candidate_id", "candidate_cid", "reason", "priority", "state", "attempts", "last_error", "lease", "lease_end_time", "findings", "events", "create_time", "done_time")
    class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STATE_UNSPECIFIED: _ClassVar[BacklogItem.State]
        STATE_WAITING: _ClassVar[BacklogItem.State]
        STATE_LEASED: _ClassVar[BacklogItem.State]
        STATE_DONE: _ClassVar[BacklogItem.State]
        STATE_FAILED: _ClassVar[BacklogItem.State]
    STATE_UNSPECIFIED: BacklogItem.State
    STATE_WAITING: BacklogItem.State
    STATE_LEASED: BacklogItem.State
    STATE_DONE: BacklogItem.State
    STATE_FAILED: BacklogItem.State
    class Finding(_message.Message):
        __slots__ = ("fact", "outcome", "reason")
        FACT_FIELD_NUMBER: _ClassVar[int]
        OUTCOME_FIELD_NUMBER: _ClassVar[int]
        REASON_FIELD_NUMBER: _ClassVar[int]
        fact: str
        outcome: str
        reason: str
        def __init__(self, fact: _Optional[str] = ..., outcome: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_ID_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_CID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    LAST_ERROR_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    LEASE_END_TIME_FIELD_NUMBER: _ClassVar[int]
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    DONE_TIME_FIELD_NUMBER: _ClassVar[int]
    id: int
    candidate_id: int
    candidate_cid: str
    reason: str
    priority: Priority
    state: BacklogItem.State
    attempts: int
    last_error: str
    lease: str
    lease_end_time: _timestamp_pb2.Timestamp
    findings: _containers.RepeatedCompositeFieldContainer[BacklogItem.Finding]
    events: _containers.RepeatedCompositeFieldContainer[ValidationEvent]
    create_time: _timestamp_pb2.Timestamp
    done_time: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[int] = ..., candidate_id: _Optional[int] = ..., candidate_cid: _Optional[str] = ..., reason: _Optional[str] = ..., priority: _Optional[_Union[Priority, str]] = ..., state: _Optional[_Union[BacklogItem.State, str]] = ..., attempts: _Optional[int] = ..., last_error: _Optional[str] = ..., lease: _Optional[str] = ..., lease_end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., findings: _Optional[_Iterable[_Union[BacklogItem.Finding, _Mapping]]] = ..., events: _Optional[_Iterable[_Union[ValidationEvent, _Mapping]]] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., done_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
