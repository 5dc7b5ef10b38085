from festinger.api.v1 import inbox_pb2 as _inbox_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class InboxFilter(_message.Message):
    __slots__ = ("kinds", "project", "answerer", "rule", "source", "deferred", "type", "mark", "days_min", "said")
    KINDS_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    ANSWERER_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    DEFERRED_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    MARK_FIELD_NUMBER: _ClassVar[int]
    DAYS_MIN_FIELD_NUMBER: _ClassVar[int]
    SAID_FIELD_NUMBER: _ClassVar[int]
    kinds: _containers.RepeatedScalarFieldContainer[_inbox_pb2.InboxItem.Kind]
    project: str
    answerer: str
    rule: str
    source: str
    deferred: bool
    type: str
    mark: str
    days_min: int
    said: str
    def __init__(self, kinds: _Optional[_Iterable[_Union[_inbox_pb2.InboxItem.Kind, str]]] = ..., project: _Optional[str] = ..., answerer: _Optional[str] = ..., rule: _Optional[str] = ..., source: _Optional[str] = ..., deferred: _Optional[bool] = ..., type: _Optional[str] = ..., mark: _Optional[str] = ..., days_min: _Optional[int] = ..., said: _Optional[str] = ...) -> None: ...

class ListInboxRequest(_message.Message):
    __slots__ = ("filter", "page_size", "page_token")
    FILTER_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    filter: InboxFilter
    page_size: int
    page_token: str
    def __init__(self, filter: _Optional[_Union[InboxFilter, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListInboxResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[_inbox_pb2.InboxItem]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[_inbox_pb2.InboxItem, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class CountInboxRequest(_message.Message):
    __slots__ = ("waiting_count_max",)
    WAITING_COUNT_MAX_FIELD_NUMBER: _ClassVar[int]
    waiting_count_max: int
    def __init__(self, waiting_count_max: _Optional[int] = ...) -> None: ...

class CountInboxResponse(_message.Message):
    __slots__ = ("waiting_count", "deferred_count", "counts")
    class Count(_message.Message):
        __slots__ = ("name", "value", "count")
        NAME_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        COUNT_FIELD_NUMBER: _ClassVar[int]
        name: str
        value: str
        count: int
        def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...
    WAITING_COUNT_FIELD_NUMBER: _ClassVar[int]
    DEFERRED_COUNT_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    waiting_count: int
    deferred_count: int
    counts: _containers.RepeatedCompositeFieldContainer[CountInboxResponse.Count]
    def __init__(self, waiting_count: _Optional[int] = ..., deferred_count: _Optional[int] = ..., counts: _Optional[_Iterable[_Union[CountInboxResponse.Count, _Mapping]]] = ...) -> None: ...

class GetInboxItemRequest(_message.Message):
    __slots__ = ("item_id",)
    ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    item_id: str
    def __init__(self, item_id: _Optional[str] = ...) -> None: ...

class GetInboxItemResponse(_message.Message):
    __slots__ = ("item",)
    ITEM_FIELD_NUMBER: _ClassVar[int]
    item: _inbox_pb2.InboxItem
    def __init__(self, item: _Optional[_Union[_inbox_pb2.InboxItem, _Mapping]] = ...) -> None: ...

class DecideInboxRequest(_message.Message):
    __slots__ = ("item_ids", "filter", "action", "alone", "reasoning", "incoming_dimension", "existing_dimension", "etag", "request_id", "supersedes", "bot_id")
    ITEM_IDS_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    ALONE_FIELD_NUMBER: _ClassVar[int]
    REASONING_FIELD_NUMBER: _ClassVar[int]
    INCOMING_DIMENSION_FIELD_NUMBER: _ClassVar[int]
    EXISTING_DIMENSION_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDES_FIELD_NUMBER: _ClassVar[int]
    BOT_ID_FIELD_NUMBER: _ClassVar[int]
    item_ids: _containers.RepeatedScalarFieldContainer[str]
    filter: InboxFilter
    action: _inbox_pb2.InboxDecision.Action
    alone: bool
    reasoning: str
    incoming_dimension: str
    existing_dimension: str
    etag: str
    request_id: str
    supersedes: int
    bot_id: str
    def __init__(self, item_ids: _Optional[_Iterable[str]] = ..., filter: _Optional[_Union[InboxFilter, _Mapping]] = ..., action: _Optional[_Union[_inbox_pb2.InboxDecision.Action, str]] = ..., alone: _Optional[bool] = ..., reasoning: _Optional[str] = ..., incoming_dimension: _Optional[str] = ..., existing_dimension: _Optional[str] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ..., supersedes: _Optional[int] = ..., bot_id: _Optional[str] = ...) -> None: ...

class DecideInboxResponse(_message.Message):
    __slots__ = ("decision", "failures")
    class Failure(_message.Message):
        __slots__ = ("item_id", "message")
        ITEM_ID_FIELD_NUMBER: _ClassVar[int]
        MESSAGE_FIELD_NUMBER: _ClassVar[int]
        item_id: str
        message: str
        def __init__(self, item_id: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...
    DECISION_FIELD_NUMBER: _ClassVar[int]
    FAILURES_FIELD_NUMBER: _ClassVar[int]
    decision: _inbox_pb2.InboxDecision
    failures: _containers.RepeatedCompositeFieldContainer[DecideInboxResponse.Failure]
    def __init__(self, decision: _Optional[_Union[_inbox_pb2.InboxDecision, _Mapping]] = ..., failures: _Optional[_Iterable[_Union[DecideInboxResponse.Failure, _Mapping]]] = ...) -> None: ...

class UndoInboxRequest(_message.Message):
    __slots__ = ("decision_id", "request_id", "reasoning")
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    REASONING_FIELD_NUMBER: _ClassVar[int]
    decision_id: str
    request_id: str
    reasoning: str
    def __init__(self, decision_id: _Optional[str] = ..., request_id: _Optional[str] = ..., reasoning: _Optional[str] = ...) -> None: ...

class UndoInboxResponse(_message.Message):
    __slots__ = ("decision", "failures")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    FAILURES_FIELD_NUMBER: _ClassVar[int]
    decision: _inbox_pb2.InboxDecision
    failures: _containers.RepeatedCompositeFieldContainer[DecideInboxResponse.Failure]
    def __init__(self, decision: _Optional[_Union[_inbox_pb2.InboxDecision, _Mapping]] = ..., failures: _Optional[_Iterable[_Union[DecideInboxResponse.Failure, _Mapping]]] = ...) -> None: ...

class ListInboxDecisionsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListInboxDecisionsResponse(_message.Message):
    __slots__ = ("decisions", "next_page_token")
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    decisions: _containers.RepeatedCompositeFieldContainer[_inbox_pb2.InboxDecision]
    next_page_token: str
    def __init__(self, decisions: _Optional[_Iterable[_Union[_inbox_pb2.InboxDecision, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
