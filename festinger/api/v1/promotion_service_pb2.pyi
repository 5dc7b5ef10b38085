import datetime

from festinger.api.v1 import memory_record_pb2 as _memory_record_pb2
from festinger.api.v1 import outcome_pb2 as _outcome_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListRecordsRequest(_message.Message):
    __slots__ = ("kind", "types", "statuses", "project", "subject", "extractor", "contains", "same_as", "deferred", "page_size", "page_token", "confidence_min")
    KIND_FIELD_NUMBER: _ClassVar[int]
    TYPES_FIELD_NUMBER: _ClassVar[int]
    STATUSES_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    EXTRACTOR_FIELD_NUMBER: _ClassVar[int]
    CONTAINS_FIELD_NUMBER: _ClassVar[int]
    SAME_AS_FIELD_NUMBER: _ClassVar[int]
    DEFERRED_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_MIN_FIELD_NUMBER: _ClassVar[int]
    kind: _memory_record_pb2.MemoryRecord.Kind
    types: _containers.RepeatedScalarFieldContainer[_memory_record_pb2.MemoryRecord.Type]
    statuses: _containers.RepeatedScalarFieldContainer[_memory_record_pb2.MemoryRecord.Status]
    project: str
    subject: str
    extractor: str
    contains: str
    same_as: str
    deferred: bool
    page_size: int
    page_token: str
    confidence_min: float
    def __init__(self, kind: _Optional[_Union[_memory_record_pb2.MemoryRecord.Kind, str]] = ..., types: _Optional[_Iterable[_Union[_memory_record_pb2.MemoryRecord.Type, str]]] = ..., statuses: _Optional[_Iterable[_Union[_memory_record_pb2.MemoryRecord.Status, str]]] = ..., project: _Optional[str] = ..., subject: _Optional[str] = ..., extractor: _Optional[str] = ..., contains: _Optional[str] = ..., same_as: _Optional[str] = ..., deferred: _Optional[bool] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., confidence_min: _Optional[float] = ...) -> None: ...

class ListRecordsResponse(_message.Message):
    __slots__ = ("records", "next_page_token")
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    records: _containers.RepeatedCompositeFieldContainer[_memory_record_pb2.MemoryRecord]
    next_page_token: str
    def __init__(self, records: _Optional[_Iterable[_Union[_memory_record_pb2.MemoryRecord, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetRecordRequest(_message.Message):
    __slots__ = ("record_id",)
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    record_id: int
    def __init__(self, record_id: _Optional[int] = ...) -> None: ...

class GetRecordResponse(_message.Message):
    __slots__ = ("record", "chain", "edits")
    class Step(_message.Message):
        __slots__ = ("kind", "id", "name", "text", "start_offset", "end_offset")
        KIND_FIELD_NUMBER: _ClassVar[int]
        ID_FIELD_NUMBER: _ClassVar[int]
        NAME_FIELD_NUMBER: _ClassVar[int]
        TEXT_FIELD_NUMBER: _ClassVar[int]
        START_OFFSET_FIELD_NUMBER: _ClassVar[int]
        END_OFFSET_FIELD_NUMBER: _ClassVar[int]
        kind: str
        id: str
        name: str
        text: str
        start_offset: int
        end_offset: int
        def __init__(self, kind: _Optional[str] = ..., id: _Optional[str] = ..., name: _Optional[str] = ..., text: _Optional[str] = ..., start_offset: _Optional[int] = ..., end_offset: _Optional[int] = ...) -> None: ...
    RECORD_FIELD_NUMBER: _ClassVar[int]
    CHAIN_FIELD_NUMBER: _ClassVar[int]
    EDITS_FIELD_NUMBER: _ClassVar[int]
    record: _memory_record_pb2.MemoryRecord
    chain: _containers.RepeatedCompositeFieldContainer[GetRecordResponse.Step]
    edits: _containers.RepeatedCompositeFieldContainer[_memory_record_pb2.Edit]
    def __init__(self, record: _Optional[_Union[_memory_record_pb2.MemoryRecord, _Mapping]] = ..., chain: _Optional[_Iterable[_Union[GetRecordResponse.Step, _Mapping]]] = ..., edits: _Optional[_Iterable[_Union[_memory_record_pb2.Edit, _Mapping]]] = ...) -> None: ...

class GetQueueRequest(_message.Message):
    __slots__ = ("project",)
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    project: str
    def __init__(self, project: _Optional[str] = ...) -> None: ...

class GetQueueResponse(_message.Message):
    __slots__ = ("cycle", "cycle_size", "written_count", "decided_count", "deferred_count", "pending_count", "stale_count", "overflow_count", "oldest_pending_time", "facets")
    class Facet(_message.Message):
        __slots__ = ("name", "value", "count")
        NAME_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        COUNT_FIELD_NUMBER: _ClassVar[int]
        name: str
        value: str
        count: int
        def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...
    CYCLE_FIELD_NUMBER: _ClassVar[int]
    CYCLE_SIZE_FIELD_NUMBER: _ClassVar[int]
    WRITTEN_COUNT_FIELD_NUMBER: _ClassVar[int]
    DECIDED_COUNT_FIELD_NUMBER: _ClassVar[int]
    DEFERRED_COUNT_FIELD_NUMBER: _ClassVar[int]
    PENDING_COUNT_FIELD_NUMBER: _ClassVar[int]
    STALE_COUNT_FIELD_NUMBER: _ClassVar[int]
    OVERFLOW_COUNT_FIELD_NUMBER: _ClassVar[int]
    OLDEST_PENDING_TIME_FIELD_NUMBER: _ClassVar[int]
    FACETS_FIELD_NUMBER: _ClassVar[int]
    cycle: int
    cycle_size: int
    written_count: int
    decided_count: int
    deferred_count: int
    pending_count: int
    stale_count: int
    overflow_count: int
    oldest_pending_time: _timestamp_pb2.Timestamp
    facets: _containers.RepeatedCompositeFieldContainer[GetQueueResponse.Facet]
    def __init__(self, cycle: _Optional[int] = ..., cycle_size: _Optional[int] = ..., written_count: _Optional[int] = ..., decided_count: _Optional[int] = ..., deferred_count: _Optional[int] = ..., pending_count: _Optional[int] = ..., stale_count: _Optional[int] = ..., overflow_count: _Optional[int] = ..., oldest_pending_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., facets: _Optional[_Iterable[_Union[GetQueueResponse.Facet, _Mapping]]] = ...) -> None: ...

class ProposeRecordRequest(_message.Message):
    __slots__ = ("kind", "type", "content", "project", "subject", "fact", "request_id")
    KIND_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    FACT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    kind: _memory_record_pb2.MemoryRecord.Kind
    type: _memory_record_pb2.MemoryRecord.Type
    content: str
    project: str
    subject: str
    fact: str
    request_id: str
    def __init__(self, kind: _Optional[_Union[_memory_record_pb2.MemoryRecord.Kind, str]] = ..., type: _Optional[_Union[_memory_record_pb2.MemoryRecord.Type, str]] = ..., content: _Optional[str] = ..., project: _Optional[str] = ..., subject: _Optional[str] = ..., fact: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class ProposeRecordResponse(_message.Message):
    __slots__ = ("record",)
    RECORD_FIELD_NUMBER: _ClassVar[int]
    record: _memory_record_pb2.MemoryRecord
    def __init__(self, record: _Optional[_Union[_memory_record_pb2.MemoryRecord, _Mapping]] = ...) -> None: ...

class PromoteRecordRequest(_message.Message):
    __slots__ = ("record_id", "supersedes", "etag", "request_id")
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDES_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    record_id: int
    supersedes: int
    etag: str
    request_id: str
    def __init__(self, record_id: _Optional[int] = ..., supersedes: _Optional[int] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class PromoteRecordResponse(_message.Message):
    __slots__ = ("record", "outcome", "edit_id")
    RECORD_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    EDIT_ID_FIELD_NUMBER: _ClassVar[int]
    record: _memory_record_pb2.MemoryRecord
    outcome: _outcome_pb2.Outcome
    edit_id: int
    def __init__(self, record: _Optional[_Union[_memory_record_pb2.MemoryRecord, _Mapping]] = ..., outcome: _Optional[_Union[_outcome_pb2.Outcome, _Mapping]] = ..., edit_id: _Optional[int] = ...) -> None: ...

class RejectRecordRequest(_message.Message):
    __slots__ = ("record_id", "etag", "request_id")
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    record_id: int
    etag: str
    request_id: str
    def __init__(self, record_id: _Optional[int] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class RejectRecordResponse(_message.Message):
    __slots__ = ("record", "edit_id")
    RECORD_FIELD_NUMBER: _ClassVar[int]
    EDIT_ID_FIELD_NUMBER: _ClassVar[int]
    record: _memory_record_pb2.MemoryRecord
    edit_id: int
    def __init__(self, record: _Optional[_Union[_memory_record_pb2.MemoryRecord, _Mapping]] = ..., edit_id: _Optional[int] = ...) -> None: ...

class RevertRecordRequest(_message.Message):
    __slots__ = ("record_id", "etag", "request_id")
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    record_id: int
    etag: str
    request_id: str
    def __init__(self, record_id: _Optional[int] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class RevertRecordResponse(_message.Message):
    __slots__ = ("record", "edit_id")
    RECORD_FIELD_NUMBER: _ClassVar[int]
    EDIT_ID_FIELD_NUMBER: _ClassVar[int]
    record: _memory_record_pb2.MemoryRecord
    edit_id: int
    def __init__(self, record: _Optional[_Union[_memory_record_pb2.MemoryRecord, _Mapping]] = ..., edit_id: _Optional[int] = ...) -> None: ...

class EditRecordRequest(_message.Message):
    __slots__ = ("record_id", "content", "type", "fact", "etag", "request_id")
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    FACT_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    record_id: int
    content: str
    type: _memory_record_pb2.MemoryRecord.Type
    fact: str
    etag: str
    request_id: str
    def __init__(self, record_id: _Optional[int] = ..., content: _Optional[str] = ..., type: _Optional[_Union[_memory_record_pb2.MemoryRecord.Type, str]] = ..., fact: _Optional[str] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class EditRecordResponse(_message.Message):
    __slots__ = ("record", "edit_id")
    RECORD_FIELD_NUMBER: _ClassVar[int]
    EDIT_ID_FIELD_NUMBER: _ClassVar[int]
    record: _memory_record_pb2.MemoryRecord
    edit_id: int
    def __init__(self, record: _Optional[_Union[_memory_record_pb2.MemoryRecord, _Mapping]] = ..., edit_id: _Optional[int] = ...) -> None: ...

class DeferRecordRequest(_message.Message):
    __slots__ = ("record_id", "resume", "request_id")
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    RESUME_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    record_id: int
    resume: bool
    request_id: str
    def __init__(self, record_id: _Optional[int] = ..., resume: _Optional[bool] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeferRecordResponse(_message.Message):
    __slots__ = ("record", "edit_id")
    RECORD_FIELD_NUMBER: _ClassVar[int]
    EDIT_ID_FIELD_NUMBER: _ClassVar[int]
    record: _memory_record_pb2.MemoryRecord
    edit_id: int
    def __init__(self, record: _Optional[_Union[_memory_record_pb2.MemoryRecord, _Mapping]] = ..., edit_id: _Optional[int] = ...) -> None: ...

class DeleteRecordRequest(_message.Message):
    __slots__ = ("record_id", "etag", "request_id")
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    record_id: int
    etag: str
    request_id: str
    def __init__(self, record_id: _Optional[int] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteRecordResponse(_message.Message):
    __slots__ = ("memory", "edit_id")
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    EDIT_ID_FIELD_NUMBER: _ClassVar[int]
    memory: _memory_record_pb2.MemoryRecord
    edit_id: int
    def __init__(self, memory: _Optional[_Union[_memory_record_pb2.MemoryRecord, _Mapping]] = ..., edit_id: _Optional[int] = ...) -> None: ...

class GraduateRecordRequest(_message.Message):
    __slots__ = ("record_id", "type", "fact", "etag", "request_id")
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    FACT_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    record_id: int
    type: _memory_record_pb2.MemoryRecord.Type
    fact: str
    etag: str
    request_id: str
    def __init__(self, record_id: _Optional[int] = ..., type: _Optional[_Union[_memory_record_pb2.MemoryRecord.Type, str]] = ..., fact: _Optional[str] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class GraduateRecordResponse(_message.Message):
    __slots__ = ("entity", "memory", "edit_id")
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    EDIT_ID_FIELD_NUMBER: _ClassVar[int]
    entity: _memory_record_pb2.MemoryRecord
    memory: _memory_record_pb2.MemoryRecord
    edit_id: int
    def __init__(self, entity: _Optional[_Union[_memory_record_pb2.MemoryRecord, _Mapping]] = ..., memory: _Optional[_Union[_memory_record_pb2.MemoryRecord, _Mapping]] = ..., edit_id: _Optional[int] = ...) -> None: ...

class ConfirmRecordRequest(_message.Message):
    __slots__ = ("record_id", "request_id")
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    record_id: int
    request_id: str
    def __init__(self, record_id: _Optional[int] = ..., request_id: _Optional[str] = ...) -> None: ...

class ConfirmRecordResponse(_message.Message):
    __slots__ = ("record", "edit_id")
    RECORD_FIELD_NUMBER: _ClassVar[int]
    EDIT_ID_FIELD_NUMBER: _ClassVar[int]
    record: _memory_record_pb2.MemoryRecord
    edit_id: int
    def __init__(self, record: _Optional[_Union[_memory_record_pb2.MemoryRecord, _Mapping]] = ..., edit_id: _Optional[int] = ...) -> None: ...

class ReExtractRecordRequest(_message.Message):
    __slots__ = ("record_id", "request_id")
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    record_id: int
    request_id: str
    def __init__(self, record_id: _Optional[int] = ..., request_id: _Optional[str] = ...) -> None: ...

class ReExtractRecordResponse(_message.Message):
    __slots__ = ("records", "found_again_count")
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    FOUND_AGAIN_COUNT_FIELD_NUMBER: _ClassVar[int]
    records: _containers.RepeatedCompositeFieldContainer[_memory_record_pb2.MemoryRecord]
    found_again_count: int
    def __init__(self, records: _Optional[_Iterable[_Union[_memory_record_pb2.MemoryRecord, _Mapping]]] = ..., found_again_count: _Optional[int] = ...) -> None: ...

class UndoEditRequest(_message.Message):
    __slots__ = ("edit_id", "request_id")
    EDIT_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    edit_id: int
    request_id: str
    def __init__(self, edit_id: _Optional[int] = ..., request_id: _Optional[str] = ...) -> None: ...

class UndoEditResponse(_message.Message):
    __slots__ = ("record", "edit_id")
    RECORD_FIELD_NUMBER: _ClassVar[int]
    EDIT_ID_FIELD_NUMBER: _ClassVar[int]
    record: _memory_record_pb2.MemoryRecord
    edit_id: int
    def __init__(self, record: _Optional[_Union[_memory_record_pb2.MemoryRecord, _Mapping]] = ..., edit_id: _Optional[int] = ...) -> None: ...

class ListEditsRequest(_message.Message):
    __slots__ = ("record_id", "page_size", "page_token")
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    record_id: int
    page_size: int
    page_token: str
    def __init__(self, record_id: _Optional[int] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListEditsResponse(_message.Message):
    __slots__ = ("edits", "next_page_token")
    EDITS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    edits: _containers.RepeatedCompositeFieldContainer[_memory_record_pb2.Edit]
    next_page_token: str
    def __init__(self, edits: _Optional[_Iterable[_Union[_memory_record_pb2.Edit, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class StateItem(_message.Message):
    __slots__ = ("project", "key", "value", "principal", "update_time", "previous_values", "etag")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_VALUES_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    project: str
    key: str
    value: str
    principal: str
    update_time: _timestamp_pb2.Timestamp
    previous_values: _containers.RepeatedScalarFieldContainer[str]
    etag: str
    def __init__(self, project: _Optional[str] = ..., key: _Optional[str] = ..., value: _Optional[str] = ..., principal: _Optional[str] = ..., update_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., previous_values: _Optional[_Iterable[str]] = ..., etag: _Optional[str] = ...) -> None: ...

class SetStateRequest(_message.Message):
    __slots__ = ("project", "key", "value", "etag", "request_id")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    project: str
    key: str
    value: str
    etag: str
    request_id: str
    def __init__(self, project: _Optional[str] = ..., key: _Optional[str] = ..., value: _Optional[str] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class SetStateResponse(_message.Message):
    __slots__ = ("item",)
    ITEM_FIELD_NUMBER: _ClassVar[int]
    item: StateItem
    def __init__(self, item: _Optional[_Union[StateItem, _Mapping]] = ...) -> None: ...

class ListStateRequest(_message.Message):
    __slots__ = ("project", "page_size", "page_token", "show_removed")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SHOW_REMOVED_FIELD_NUMBER: _ClassVar[int]
    project: str
    page_size: int
    page_token: str
    show_removed: bool
    def __init__(self, project: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., show_removed: _Optional[bool] = ...) -> None: ...

class ListStateResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[StateItem]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[StateItem, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
