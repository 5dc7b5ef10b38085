import datetime

from festinger.api.v1 import candidate_pb2 as _candidate_pb2
from festinger.api.v1 import outcome_pb2 as _outcome_pb2
from festinger.api.v1 import validation_pb2 as _validation_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ProposeCandidateRequest(_message.Message):
    __slots__ = ("external_id", "subject_raw", "predicate", "object_raw", "negated", "confidence", "sentence", "author", "message_id", "chunk_id", "extractor_version", "prompt_hash", "model_version", "justification", "priority", "channel", "request_id")
    EXTERNAL_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_RAW_FIELD_NUMBER: _ClassVar[int]
    PREDICATE_FIELD_NUMBER: _ClassVar[int]
    OBJECT_RAW_FIELD_NUMBER: _ClassVar[int]
    NEGATED_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    SENTENCE_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    CHUNK_ID_FIELD_NUMBER: _ClassVar[int]
    EXTRACTOR_VERSION_FIELD_NUMBER: _ClassVar[int]
    PROMPT_HASH_FIELD_NUMBER: _ClassVar[int]
    MODEL_VERSION_FIELD_NUMBER: _ClassVar[int]
    JUSTIFICATION_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    external_id: str
    subject_raw: str
    predicate: str
    object_raw: str
    negated: bool
    confidence: float
    sentence: str
    author: str
    message_id: str
    chunk_id: str
    extractor_version: str
    prompt_hash: str
    model_version: str
    justification: str
    priority: _validation_pb2.Priority
    channel: str
    request_id: str
    def __init__(self, external_id: _Optional[str] = ..., subject_raw: _Optional[str] = ..., predicate: _Optional[str] = ..., object_raw: _Optional[str] = ..., negated: _Optional[bool] = ..., confidence: _Optional[float] = ..., sentence: _Optional[str] = ..., author: _Optional[str] = ..., message_id: _Optional[str] = ..., chunk_id: _Optional[str] = ..., extractor_version: _Optional[str] = ..., prompt_hash: _Optional[str] = ..., model_version: _Optional[str] = ..., justification: _Optional[str] = ..., priority: _Optional[_Union[_validation_pb2.Priority, str]] = ..., channel: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class ProposeCandidateResponse(_message.Message):
    __slots__ = ("candidate", "outcome", "version")
    CANDIDATE_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    candidate: _candidate_pb2.Candidate
    outcome: _outcome_pb2.Outcome
    version: int
    def __init__(self, candidate: _Optional[_Union[_candidate_pb2.Candidate, _Mapping]] = ..., outcome: _Optional[_Union[_outcome_pb2.Outcome, _Mapping]] = ..., version: _Optional[int] = ...) -> None: ...

class GetCandidateRequest(_message.Message):
    __slots__ = ("candidate_id", "candidate_cid", "external_id")
    CANDIDATE_ID_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_CID_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_ID_FIELD_NUMBER: _ClassVar[int]
    candidate_id: int
    candidate_cid: str
    external_id: str
    def __init__(self, candidate_id: _Optional[int] = ..., candidate_cid: _Optional[str] = ..., external_id: _Optional[str] = ...) -> None: ...

class GetCandidateResponse(_message.Message):
    __slots__ = ("candidate", "events", "questions")
    CANDIDATE_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    QUESTIONS_FIELD_NUMBER: _ClassVar[int]
    candidate: _candidate_pb2.Candidate
    events: _containers.RepeatedCompositeFieldContainer[_validation_pb2.ValidationEvent]
    questions: _containers.RepeatedCompositeFieldContainer[_validation_pb2.Question]
    def __init__(self, candidate: _Optional[_Union[_candidate_pb2.Candidate, _Mapping]] = ..., events: _Optional[_Iterable[_Union[_validation_pb2.ValidationEvent, _Mapping]]] = ..., questions: _Optional[_Iterable[_Union[_validation_pb2.Question, _Mapping]]] = ...) -> None: ...

class GetQuestionRequest(_message.Message):
    __slots__ = ("candidate_id", "candidate_cid", "external_id")
    CANDIDATE_ID_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_CID_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_ID_FIELD_NUMBER: _ClassVar[int]
    candidate_id: int
    candidate_cid: str
    external_id: str
    def __init__(self, candidate_id: _Optional[int] = ..., candidate_cid: _Optional[str] = ..., external_id: _Optional[str] = ...) -> None: ...

class GetQuestionResponse(_message.Message):
    __slots__ = ("question",)
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    question: _validation_pb2.Question
    def __init__(self, question: _Optional[_Union[_validation_pb2.Question, _Mapping]] = ...) -> None: ...

class AnswerRequest(_message.Message):
    __slots__ = ("candidate_id", "candidate_cid", "external_id", "question_id", "response", "note", "bot_id", "delivery", "dispute", "request_id", "instead")
    CANDIDATE_ID_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_CID_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_ID_FIELD_NUMBER: _ClassVar[int]
    QUESTION_ID_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    BOT_ID_FIELD_NUMBER: _ClassVar[int]
    DELIVERY_FIELD_NUMBER: _ClassVar[int]
    DISPUTE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    INSTEAD_FIELD_NUMBER: _ClassVar[int]
    candidate_id: int
    candidate_cid: str
    external_id: str
    question_id: int
    response: _validation_pb2.ValidationEvent.Response
    note: str
    bot_id: str
    delivery: str
    dispute: bool
    request_id: str
    instead: str
    def __init__(self, candidate_id: _Optional[int] = ..., candidate_cid: _Optional[str] = ..., external_id: _Optional[str] = ..., question_id: _Optional[int] = ..., response: _Optional[_Union[_validation_pb2.ValidationEvent.Response, str]] = ..., note: _Optional[str] = ..., bot_id: _Optional[str] = ..., delivery: _Optional[str] = ..., dispute: _Optional[bool] = ..., request_id: _Optional[str] = ..., instead: _Optional[str] = ...) -> None: ...

class AnswerResponse(_message.Message):
    __slots__ = ("candidate", "event", "outcome", "version", "message")
    CANDIDATE_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    candidate: _candidate_pb2.Candidate
    event: _validation_pb2.ValidationEvent
    outcome: _outcome_pb2.Outcome
    version: int
    message: str
    def __init__(self, candidate: _Optional[_Union[_candidate_pb2.Candidate, _Mapping]] = ..., event: _Optional[_Union[_validation_pb2.ValidationEvent, _Mapping]] = ..., outcome: _Optional[_Union[_outcome_pb2.Outcome, _Mapping]] = ..., version: _Optional[int] = ..., message: _Optional[str] = ...) -> None: ...

class LeaseQuestionsRequest(_message.Message):
    __slots__ = ("platform", "recipients", "channels", "page_size", "lessee")
    PLATFORM_FIELD_NUMBER: _ClassVar[int]
    RECIPIENTS_FIELD_NUMBER: _ClassVar[int]
    CHANNELS_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    LESSEE_FIELD_NUMBER: _ClassVar[int]
    platform: str
    recipients: _containers.RepeatedScalarFieldContainer[str]
    channels: _containers.RepeatedScalarFieldContainer[str]
    page_size: int
    lessee: str
    def __init__(self, platform: _Optional[str] = ..., recipients: _Optional[_Iterable[str]] = ..., channels: _Optional[_Iterable[str]] = ..., page_size: _Optional[int] = ..., lessee: _Optional[str] = ...) -> None: ...

class LeaseQuestionsResponse(_message.Message):
    __slots__ = ("post", "update")
    POST_FIELD_NUMBER: _ClassVar[int]
    UPDATE_FIELD_NUMBER: _ClassVar[int]
    post: _containers.RepeatedCompositeFieldContainer[_validation_pb2.Question]
    update: _containers.RepeatedCompositeFieldContainer[_validation_pb2.Question]
    def __init__(self, post: _Optional[_Iterable[_Union[_validation_pb2.Question, _Mapping]]] = ..., update: _Optional[_Iterable[_Union[_validation_pb2.Question, _Mapping]]] = ...) -> None: ...

class ReportQuestionRequest(_message.Message):
    __slots__ = ("question_id", "lessee", "result", "reference", "error")
    QUESTION_ID_FIELD_NUMBER: _ClassVar[int]
    LESSEE_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    question_id: int
    lessee: str
    result: str
    reference: str
    error: str
    def __init__(self, question_id: _Optional[int] = ..., lessee: _Optional[str] = ..., result: _Optional[str] = ..., reference: _Optional[str] = ..., error: _Optional[str] = ...) -> None: ...

class ReportQuestionResponse(_message.Message):
    __slots__ = ("question",)
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    question: _validation_pb2.Question
    def __init__(self, question: _Optional[_Union[_validation_pb2.Question, _Mapping]] = ...) -> None: ...

class FindQuestionRequest(_message.Message):
    __slots__ = ("platform", "reference")
    PLATFORM_FIELD_NUMBER: _ClassVar[int]
    REFERENCE_FIELD_NUMBER: _ClassVar[int]
    platform: str
    reference: str
    def __init__(self, platform: _Optional[str] = ..., reference: _Optional[str] = ...) -> None: ...

class FindQuestionResponse(_message.Message):
    __slots__ = ("questions",)
    QUESTIONS_FIELD_NUMBER: _ClassVar[int]
    questions: _containers.RepeatedCompositeFieldContainer[_validation_pb2.Question]
    def __init__(self, questions: _Optional[_Iterable[_Union[_validation_pb2.Question, _Mapping]]] = ...) -> None: ...

class ListQuestionsRequest(_message.Message):
    __slots__ = ("candidate_id", "states", "page_size", "page_token")
    CANDIDATE_ID_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    candidate_id: int
    states: _containers.RepeatedScalarFieldContainer[_validation_pb2.Question.State]
    page_size: int
    page_token: str
    def __init__(self, candidate_id: _Optional[int] = ..., states: _Optional[_Iterable[_Union[_validation_pb2.Question.State, str]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListQuestionsResponse(_message.Message):
    __slots__ = ("questions", "next_page_token")
    QUESTIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    questions: _containers.RepeatedCompositeFieldContainer[_validation_pb2.Question]
    next_page_token: str
    def __init__(self, questions: _Optional[_Iterable[_Union[_validation_pb2.Question, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class SetOptOutRequest(_message.Message):
    __slots__ = ("principal", "opted_out")
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    OPTED_OUT_FIELD_NUMBER: _ClassVar[int]
    principal: str
    opted_out: bool
    def __init__(self, principal: _Optional[str] = ..., opted_out: _Optional[bool] = ...) -> None: ...

class SetOptOutResponse(_message.Message):
    __slots__ = ("principal", "opted_out")
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    OPTED_OUT_FIELD_NUMBER: _ClassVar[int]
    principal: str
    opted_out: bool
    def __init__(self, principal: _Optional[str] = ..., opted_out: _Optional[bool] = ...) -> None: ...

class DirectCandidateRequest(_message.Message):
    __slots__ = ("candidate_id", "candidate_cid", "action", "request_id")
    class Action(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        ACTION_UNSPECIFIED: _ClassVar[DirectCandidateRequest.Action]
        ACTION_DREAM: _ClassVar[DirectCandidateRequest.Action]
        ACTION_REQUEST_EVIDENCE: _ClassVar[DirectCandidateRequest.Action]
        ACTION_RAISE: _ClassVar[DirectCandidateRequest.Action]
        ACTION_UNFLAG: _ClassVar[DirectCandidateRequest.Action]
        ACTION_FLAG: _ClassVar[DirectCandidateRequest.Action]
    ACTION_UNSPECIFIED: DirectCandidateRequest.Action
    ACTION_DREAM: DirectCandidateRequest.Action
    ACTION_REQUEST_EVIDENCE: DirectCandidateRequest.Action
    ACTION_RAISE: DirectCandidateRequest.Action
    ACTION_UNFLAG: DirectCandidateRequest.Action
    ACTION_FLAG: DirectCandidateRequest.Action
    CANDIDATE_ID_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_CID_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    candidate_id: int
    candidate_cid: str
    action: DirectCandidateRequest.Action
    request_id: str
    def __init__(self, candidate_id: _Optional[int] = ..., candidate_cid: _Optional[str] = ..., action: _Optional[_Union[DirectCandidateRequest.Action, str]] = ..., request_id: _Optional[str] = ...) -> None: ...

class DirectCandidateResponse(_message.Message):
    __slots__ = ("candidate",)
    CANDIDATE_FIELD_NUMBER: _ClassVar[int]
    candidate: _candidate_pb2.Candidate
    def __init__(self, candidate: _Optional[_Union[_candidate_pb2.Candidate, _Mapping]] = ...) -> None: ...

class LeaseBacklogRequest(_message.Message):
    __slots__ = ("page_size", "lease_seconds")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    LEASE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    lease_seconds: int
    def __init__(self, page_size: _Optional[int] = ..., lease_seconds: _Optional[int] = ...) -> None: ...

class LeaseBacklogResponse(_message.Message):
    __slots__ = ("items",)
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[_validation_pb2.BacklogItem]
    def __init__(self, items: _Optional[_Iterable[_Union[_validation_pb2.BacklogItem, _Mapping]]] = ...) -> None: ...

class ReportBacklogRequest(_message.Message):
    __slots__ = ("backlog_id", "lease", "result", "facts", "error", "lease_seconds")
    BACKLOG_ID_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    FACTS_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    LEASE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    backlog_id: int
    lease: str
    result: str
    facts: _containers.RepeatedScalarFieldContainer[str]
    error: str
    lease_seconds: int
    def __init__(self, backlog_id: _Optional[int] = ..., lease: _Optional[str] = ..., result: _Optional[str] = ..., facts: _Optional[_Iterable[str]] = ..., error: _Optional[str] = ..., lease_seconds: _Optional[int] = ...) -> None: ...

class ReportBacklogResponse(_message.Message):
    __slots__ = ("item",)
    ITEM_FIELD_NUMBER: _ClassVar[int]
    item: _validation_pb2.BacklogItem
    def __init__(self, item: _Optional[_Union[_validation_pb2.BacklogItem, _Mapping]] = ...) -> None: ...

class ListBacklogRequest(_message.Message):
    __slots__ = ("states", "page_size", "page_token")
    STATES_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    states: _containers.RepeatedScalarFieldContainer[_validation_pb2.BacklogItem.State]
    page_size: int
    page_token: str
    def __init__(self, states: _Optional[_Iterable[_Union[_validation_pb2.BacklogItem.State, str]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListBacklogResponse(_message.Message):
    __slots__ = ("items", "next_page_token", "dream_runs", "resting", "next_time")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    DREAM_RUNS_FIELD_NUMBER: _ClassVar[int]
    RESTING_FIELD_NUMBER: _ClassVar[int]
    NEXT_TIME_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[_validation_pb2.BacklogItem]
    next_page_token: str
    dream_runs: _containers.RepeatedCompositeFieldContainer[DreamRun]
    resting: str
    next_time: _timestamp_pb2.Timestamp
    def __init__(self, items: _Optional[_Iterable[_Union[_validation_pb2.BacklogItem, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., dream_runs: _Optional[_Iterable[_Union[DreamRun, _Mapping]]] = ..., resting: _Optional[str] = ..., next_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class DreamRun(_message.Message):
    __slots__ = ("id", "cause", "item_count", "held_count", "failed_count", "start_time", "end_time", "report", "total_count", "error")
    ID_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    ITEM_COUNT_FIELD_NUMBER: _ClassVar[int]
    HELD_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAILED_COUNT_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    REPORT_FIELD_NUMBER: _ClassVar[int]
    TOTAL_COUNT_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    id: int
    cause: str
    item_count: int
    held_count: int
    failed_count: int
    start_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    report: str
    total_count: int
    error: str
    def __init__(self, id: _Optional[int] = ..., cause: _Optional[str] = ..., item_count: _Optional[int] = ..., held_count: _Optional[int] = ..., failed_count: _Optional[int] = ..., start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., report: _Optional[str] = ..., total_count: _Optional[int] = ..., error: _Optional[str] = ...) -> None: ...

class DreamRequest(_message.Message):
    __slots__ = ("item_count_max",)
    ITEM_COUNT_MAX_FIELD_NUMBER: _ClassVar[int]
    item_count_max: int
    def __init__(self, item_count_max: _Optional[int] = ...) -> None: ...

class DreamResponse(_message.Message):
    __slots__ = ("item", "dream_run")
    ITEM_FIELD_NUMBER: _ClassVar[int]
    DREAM_RUN_FIELD_NUMBER: _ClassVar[int]
    item: _validation_pb2.BacklogItem
    dream_run: DreamRun
    def __init__(self, item: _Optional[_Union[_validation_pb2.BacklogItem, _Mapping]] = ..., dream_run: _Optional[_Union[DreamRun, _Mapping]] = ...) -> None: ...

class Predicate(_message.Message):
    __slots__ = ("uri", "dimension", "is_isa", "question", "built_in", "pilot", "cardinality", "synonyms", "words")
    class Cardinality(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        CARDINALITY_UNSPECIFIED: _ClassVar[Predicate.Cardinality]
        CARDINALITY_SINGLE: _ClassVar[Predicate.Cardinality]
        CARDINALITY_MULTI: _ClassVar[Predicate.Cardinality]
        CARDINALITY_SYMMETRIC: _ClassVar[Predicate.Cardinality]
        CARDINALITY_EVENT: _ClassVar[Predicate.Cardinality]
        CARDINALITY_RULE: _ClassVar[Predicate.Cardinality]
    CARDINALITY_UNSPECIFIED: Predicate.Cardinality
    CARDINALITY_SINGLE: Predicate.Cardinality
    CARDINALITY_MULTI: Predicate.Cardinality
    CARDINALITY_SYMMETRIC: Predicate.Cardinality
    CARDINALITY_EVENT: Predicate.Cardinality
    CARDINALITY_RULE: Predicate.Cardinality
    URI_FIELD_NUMBER: _ClassVar[int]
    DIMENSION_FIELD_NUMBER: _ClassVar[int]
    IS_ISA_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    BUILT_IN_FIELD_NUMBER: _ClassVar[int]
    PILOT_FIELD_NUMBER: _ClassVar[int]
    CARDINALITY_FIELD_NUMBER: _ClassVar[int]
    SYNONYMS_FIELD_NUMBER: _ClassVar[int]
    WORDS_FIELD_NUMBER: _ClassVar[int]
    uri: str
    dimension: str
    is_isa: bool
    question: str
    built_in: bool
    pilot: bool
    cardinality: Predicate.Cardinality
    synonyms: _containers.RepeatedScalarFieldContainer[str]
    words: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, uri: _Optional[str] = ..., dimension: _Optional[str] = ..., is_isa: _Optional[bool] = ..., question: _Optional[str] = ..., built_in: _Optional[bool] = ..., pilot: _Optional[bool] = ..., cardinality: _Optional[_Union[Predicate.Cardinality, str]] = ..., synonyms: _Optional[_Iterable[str]] = ..., words: _Optional[_Iterable[str]] = ...) -> None: ...

class PredicateSuggestion(_message.Message):
    __slots__ = ("uri", "count", "examples")
    URI_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    EXAMPLES_FIELD_NUMBER: _ClassVar[int]
    uri: str
    count: int
    examples: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, uri: _Optional[str] = ..., count: _Optional[int] = ..., examples: _Optional[_Iterable[str]] = ...) -> None: ...

class ListPredicatesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListPredicatesResponse(_message.Message):
    __slots__ = ("predicates", "suggestions")
    PREDICATES_FIELD_NUMBER: _ClassVar[int]
    SUGGESTIONS_FIELD_NUMBER: _ClassVar[int]
    predicates: _containers.RepeatedCompositeFieldContainer[Predicate]
    suggestions: _containers.RepeatedCompositeFieldContainer[PredicateSuggestion]
    def __init__(self, predicates: _Optional[_Iterable[_Union[Predicate, _Mapping]]] = ..., suggestions: _Optional[_Iterable[_Union[PredicateSuggestion, _Mapping]]] = ...) -> None: ...

class SetPredicateRequest(_message.Message):
    __slots__ = ("predicate", "dismiss", "remove_synonyms")
    PREDICATE_FIELD_NUMBER: _ClassVar[int]
    DISMISS_FIELD_NUMBER: _ClassVar[int]
    REMOVE_SYNONYMS_FIELD_NUMBER: _ClassVar[int]
    predicate: Predicate
    dismiss: bool
    remove_synonyms: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, predicate: _Optional[_Union[Predicate, _Mapping]] = ..., dismiss: _Optional[bool] = ..., remove_synonyms: _Optional[_Iterable[str]] = ...) -> None: ...

class SetPredicateResponse(_message.Message):
    __slots__ = ("predicate",)
    PREDICATE_FIELD_NUMBER: _ClassVar[int]
    predicate: Predicate
    def __init__(self, predicate: _Optional[_Union[Predicate, _Mapping]] = ...) -> None: ...

class ExportLabelsRequest(_message.Message):
    __slots__ = ("since_time", "named", "sensitive")
    SINCE_TIME_FIELD_NUMBER: _ClassVar[int]
    NAMED_FIELD_NUMBER: _ClassVar[int]
    SENSITIVE_FIELD_NUMBER: _ClassVar[int]
    since_time: _timestamp_pb2.Timestamp
    named: bool
    sensitive: bool
    def __init__(self, since_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., named: _Optional[bool] = ..., sensitive: _Optional[bool] = ...) -> None: ...

class ExportLabelsResponse(_message.Message):
    __slots__ = ("json",)
    JSON_FIELD_NUMBER: _ClassVar[int]
    json: str
    def __init__(self, json: _Optional[str] = ...) -> None: ...

class LearnRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class LearnResponse(_message.Message):
    __slots__ = ("vote_count", "rater_count", "calibrations", "drift")
    VOTE_COUNT_FIELD_NUMBER: _ClassVar[int]
    RATER_COUNT_FIELD_NUMBER: _ClassVar[int]
    CALIBRATIONS_FIELD_NUMBER: _ClassVar[int]
    DRIFT_FIELD_NUMBER: _ClassVar[int]
    vote_count: int
    rater_count: int
    calibrations: _containers.RepeatedCompositeFieldContainer[Calibration]
    drift: Drift
    def __init__(self, vote_count: _Optional[int] = ..., rater_count: _Optional[int] = ..., calibrations: _Optional[_Iterable[_Union[Calibration, _Mapping]]] = ..., drift: _Optional[_Union[Drift, _Mapping]] = ...) -> None: ...

class Calibration(_message.Message):
    __slots__ = ("extractor", "method", "label_count", "brier_before", "brier_after", "bins", "fit_time")
    class Bin(_message.Message):
        __slots__ = ("confidence", "confirmed", "count")
        CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
        CONFIRMED_FIELD_NUMBER: _ClassVar[int]
        COUNT_FIELD_NUMBER: _ClassVar[int]
        confidence: float
        confirmed: float
        count: int
        def __init__(self, confidence: _Optional[float] = ..., confirmed: _Optional[float] = ..., count: _Optional[int] = ...) -> None: ...
    EXTRACTOR_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    LABEL_COUNT_FIELD_NUMBER: _ClassVar[int]
    BRIER_BEFORE_FIELD_NUMBER: _ClassVar[int]
    BRIER_AFTER_FIELD_NUMBER: _ClassVar[int]
    BINS_FIELD_NUMBER: _ClassVar[int]
    FIT_TIME_FIELD_NUMBER: _ClassVar[int]
    extractor: str
    method: str
    label_count: int
    brier_before: float
    brier_after: float
    bins: _containers.RepeatedCompositeFieldContainer[Calibration.Bin]
    fit_time: _timestamp_pb2.Timestamp
    def __init__(self, extractor: _Optional[str] = ..., method: _Optional[str] = ..., label_count: _Optional[int] = ..., brier_before: _Optional[float] = ..., brier_after: _Optional[float] = ..., bins: _Optional[_Iterable[_Union[Calibration.Bin, _Mapping]]] = ..., fit_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Drift(_message.Message):
    __slots__ = ("compared_count", "agreed_count", "agreed_before", "rules", "drifting")
    COMPARED_COUNT_FIELD_NUMBER: _ClassVar[int]
    AGREED_COUNT_FIELD_NUMBER: _ClassVar[int]
    AGREED_BEFORE_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    DRIFTING_FIELD_NUMBER: _ClassVar[int]
    compared_count: int
    agreed_count: int
    agreed_before: float
    rules: _containers.RepeatedScalarFieldContainer[str]
    drifting: bool
    def __init__(self, compared_count: _Optional[int] = ..., agreed_count: _Optional[int] = ..., agreed_before: _Optional[float] = ..., rules: _Optional[_Iterable[str]] = ..., drifting: _Optional[bool] = ...) -> None: ...

class ListRatersRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Rater(_message.Message):
    __slots__ = ("principal", "yes_skill", "no_skill", "judged_count", "bloc", "karma", "opted_out")
    PRINCIPAL_FIELD_NUMBER: _ClassVar[int]
    YES_SKILL_FIELD_NUMBER: _ClassVar[int]
    NO_SKILL_FIELD_NUMBER: _ClassVar[int]
    JUDGED_COUNT_FIELD_NUMBER: _ClassVar[int]
    BLOC_FIELD_NUMBER: _ClassVar[int]
    KARMA_FIELD_NUMBER: _ClassVar[int]
    OPTED_OUT_FIELD_NUMBER: _ClassVar[int]
    principal: str
    yes_skill: float
    no_skill: float
    judged_count: int
    bloc: str
    karma: float
    opted_out: bool
    def __init__(self, principal: _Optional[str] = ..., yes_skill: _Optional[float] = ..., no_skill: _Optional[float] = ..., judged_count: _Optional[int] = ..., bloc: _Optional[str] = ..., karma: _Optional[float] = ..., opted_out: _Optional[bool] = ...) -> None: ...

class ListRatersResponse(_message.Message):
    __slots__ = ("raters", "fit_time")
    RATERS_FIELD_NUMBER: _ClassVar[int]
    FIT_TIME_FIELD_NUMBER: _ClassVar[int]
    raters: _containers.RepeatedCompositeFieldContainer[Rater]
    fit_time: _timestamp_pb2.Timestamp
    def __init__(self, raters: _Optional[_Iterable[_Union[Rater, _Mapping]]] = ..., fit_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GetValidationMetricsRequest(_message.Message):
    __slots__ = ("hours",)
    HOURS_FIELD_NUMBER: _ClassVar[int]
    hours: int
    def __init__(self, hours: _Optional[int] = ...) -> None: ...

class GetValidationMetricsResponse(_message.Message):
    __slots__ = ("posted_count", "answered_count", "priorities", "confirmed_count", "rejected_count", "expired_count", "belief_count", "labels_per_thousand", "questions_per_person_day", "opt_out_share", "alerts", "breaker_open", "breaker_reason", "waiting_question_count", "backlog_count", "calibrations", "drift", "hours")
    class OfPriority(_message.Message):
        __slots__ = ("priority", "proposed_count", "resolved_count", "resolution_seconds", "breach_count", "pending_count")
        PRIORITY_FIELD_NUMBER: _ClassVar[int]
        PROPOSED_COUNT_FIELD_NUMBER: _ClassVar[int]
        RESOLVED_COUNT_FIELD_NUMBER: _ClassVar[int]
        RESOLUTION_SECONDS_FIELD_NUMBER: _ClassVar[int]
        BREACH_COUNT_FIELD_NUMBER: _ClassVar[int]
        PENDING_COUNT_FIELD_NUMBER: _ClassVar[int]
        priority: _validation_pb2.Priority
        proposed_count: int
        resolved_count: int
        resolution_seconds: float
        breach_count: int
        pending_count: int
        def __init__(self, priority: _Optional[_Union[_validation_pb2.Priority, str]] = ..., proposed_count: _Optional[int] = ..., resolved_count: _Optional[int] = ..., resolution_seconds: _Optional[float] = ..., breach_count: _Optional[int] = ..., pending_count: _Optional[int] = ...) -> None: ...
    class Alert(_message.Message):
        __slots__ = ("name", "message", "critical")
        NAME_FIELD_NUMBER: _ClassVar[int]
        MESSAGE_FIELD_NUMBER: _ClassVar[int]
        CRITICAL_FIELD_NUMBER: _ClassVar[int]
        name: str
        message: str
        critical: bool
        def __init__(self, name: _Optional[str] = ..., message: _Optional[str] = ..., critical: _Optional[bool] = ...) -> None: ...
    class Hour(_message.Message):
        __slots__ = ("start_time", "posted_count", "answered_count")
        START_TIME_FIELD_NUMBER: _ClassVar[int]
        POSTED_COUNT_FIELD_NUMBER: _ClassVar[int]
        ANSWERED_COUNT_FIELD_NUMBER: _ClassVar[int]
        start_time: _timestamp_pb2.Timestamp
        posted_count: int
        answered_count: int
        def __init__(self, start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., posted_count: _Optional[int] = ..., answered_count: _Optional[int] = ...) -> None: ...
    POSTED_COUNT_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_COUNT_FIELD_NUMBER: _ClassVar[int]
    PRIORITIES_FIELD_NUMBER: _ClassVar[int]
    CONFIRMED_COUNT_FIELD_NUMBER: _ClassVar[int]
    REJECTED_COUNT_FIELD_NUMBER: _ClassVar[int]
    EXPIRED_COUNT_FIELD_NUMBER: _ClassVar[int]
    BELIEF_COUNT_FIELD_NUMBER: _ClassVar[int]
    LABELS_PER_THOUSAND_FIELD_NUMBER: _ClassVar[int]
    QUESTIONS_PER_PERSON_DAY_FIELD_NUMBER: _ClassVar[int]
    OPT_OUT_SHARE_FIELD_NUMBER: _ClassVar[int]
    ALERTS_FIELD_NUMBER: _ClassVar[int]
    BREAKER_OPEN_FIELD_NUMBER: _ClassVar[int]
    BREAKER_REASON_FIELD_NUMBER: _ClassVar[int]
    WAITING_QUESTION_COUNT_FIELD_NUMBER: _ClassVar[int]
    BACKLOG_COUNT_FIELD_NUMBER: _ClassVar[int]
    CALIBRATIONS_FIELD_NUMBER: _ClassVar[int]
    DRIFT_FIELD_NUMBER: _ClassVar[int]
    HOURS_FIELD_NUMBER: _ClassVar[int]
    posted_count: int
    answered_count: int
    priorities: _containers.RepeatedCompositeFieldContainer[GetValidationMetricsResponse.OfPriority]
    confirmed_count: int
    rejected_count: int
    expired_count: int
    belief_count: int
    labels_per_thousand: float
    questions_per_person_day: float
    opt_out_share: float
    alerts: _containers.RepeatedCompositeFieldContainer[GetValidationMetricsResponse.Alert]
    breaker_open: bool
    breaker_reason: str
    waiting_question_count: int
    backlog_count: int
    calibrations: _containers.RepeatedCompositeFieldContainer[Calibration]
    drift: Drift
    hours: _containers.RepeatedCompositeFieldContainer[GetValidationMetricsResponse.Hour]
    def __init__(self, posted_count: _Optional[int] = ..., answered_count: _Optional[int] = ..., priorities: _Optional[_Iterable[_Union[GetValidationMetricsResponse.OfPriority, _Mapping]]] = ..., confirmed_count: _Optional[int] = ..., rejected_count: _Optional[int] = ..., expired_count: _Optional[int] = ..., belief_count: _Optional[int] = ..., labels_per_thousand: _Optional[float] = ..., questions_per_person_day: _Optional[float] = ..., opt_out_share: _Optional[float] = ..., alerts: _Optional[_Iterable[_Union[GetValidationMetricsResponse.Alert, _Mapping]]] = ..., breaker_open: _Optional[bool] = ..., breaker_reason: _Optional[str] = ..., waiting_question_count: _Optional[int] = ..., backlog_count: _Optional[int] = ..., calibrations: _Optional[_Iterable[_Union[Calibration, _Mapping]]] = ..., drift: _Optional[_Union[Drift, _Mapping]] = ..., hours: _Optional[_Iterable[_Union[GetValidationMetricsResponse.Hour, _Mapping]]] = ...) -> None: ...
