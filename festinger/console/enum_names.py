"""Names of the API's enum values, for pages and JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from festinger.api.v1.candidate_pb2 import Candidate
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.conflict_service_pb2 import Run
from festinger.api.v1.history_pb2 import HistoryEvent
from festinger.api.v1.inbox_pb2 import InboxDecision, InboxItem
from festinger.api.v1.line_service_pb2 import MemoryLine, RateLineRequest
from festinger.api.v1.memory_record_pb2 import MemoryRecord
from festinger.api.v1.model_pb2 import Model
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.api.v1.source_pb2 import Source
from festinger.api.v1.validation_pb2 import (
    BacklogItem,
    Bot,
    Lane,
    Priority,
    Question,
    ValidationEvent,
)
from festinger.api.v1.validation_service_pb2 import Predicate
from festinger.core.graph.reasons import reason_in_words
from festinger.mapping import choices_of, word_of

state = partial(word_of, Conflict.State)
collision = partial(word_of, Conflict.Type)
decision = partial(word_of, Conflict.Decision)
source = partial(word_of, Source)
run_state = partial(word_of, Run.State)
candidate_state = partial(word_of, Candidate.State)
cardinality = partial(word_of, Predicate.Cardinality)
record_kind = partial(word_of, MemoryRecord.Kind)
record_type = partial(word_of, MemoryRecord.Type)

# Two kinds: `-isa repo`, `-isa library`; two values: `runs-on docker`, `runs-on podman`.
_COLLISIONS: Final = {
    "isa_isa": "two kinds",
    "ispart_ispart": "two values",
    "misclassification": "a kind against a value",
    "cycle": "would close a circle",
    "negation": "stated and denied",
}

# The words before "by NAME".
_SOURCES: Final = {
    "gutask": "stated",
    "inferred": "found in a prompt",
    "cloud_llm": "stated through a model",
    "festinger": "decided",
    "extracted": "extracted",
    "promoted": "promoted",
    "validated": "confirmed",
    "dreaming": "curated",
    "unspecified": "unknown",
}

_DECIDED: Final = {
    "update": "the statement replaced the fact",
    "dismiss": "the fact stands",
    "decompose": "both hold, apart",
    "reclassify": "the statement moved",
}

# Where words meet: `worksAt`, `works-at`, `works_at`.
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[-_]")


def phrase(uri: str) -> str:
    """Convert a predicate's URI to words: `t:worksAt` to `works at`."""
    return _HUMP.sub(" ", uri.rpartition(":")[2]).lower()


def reason(word: str) -> str:
    """Return why a statement is not held, in words."""
    # A reason is a type of collision, or else one of the gate's reasons.
    return _COLLISIONS.get(word) or reason_in_words(word)


WORDS: Final[Mapping[str, Callable[[int], str]]] = {
    # Pages show words for people where the API's own would not be understood.
    "state": state,
    "collision": lambda value: _COLLISIONS.get(collision(value), collision(value)),
    "decision": decision,
    "decided": lambda value: _DECIDED.get(decision(value), decision(value)),
    "source": lambda value: _SOURCES.get(source(value), source(value)),
    "run_state": run_state,
    "provider": partial(word_of, Model.Provider),
    "purpose": partial(word_of, Model.Purpose),
    "verdict": partial(word_of, Outcome.Verdict),
    "event": partial(word_of, HistoryEvent.Kind),
    "candidate_state": candidate_state,
    "priority": partial(word_of, Priority),
    "lane": partial(word_of, Lane),
    "cardinality": cardinality,
    "bot": partial(word_of, Bot),
    "response": partial(word_of, ValidationEvent.Response),
    "role": partial(word_of, ValidationEvent.Role),
    "question_state": partial(word_of, Question.State),
    "backlog_state": partial(word_of, BacklogItem.State),
    "line_kind": partial(word_of, MemoryLine.Kind),
    "inbox_kind": partial(word_of, InboxItem.Kind),
    "inbox_action": partial(word_of, InboxDecision.Action),
    "record_kind": record_kind,
    "record_type": record_type,
    "record_status": partial(word_of, MemoryRecord.Status),
}
"""The template filters by name."""

# What forms and queries may say, with the values that calls take.
DECISIONS: Final = choices_of(Conflict.Decision)
STATES: Final = choices_of(Conflict.State)
PROVIDERS: Final = choices_of(Model.Provider)
RECORD_TYPES: Final = choices_of(MemoryRecord.Type)
RECORD_KINDS: Final = choices_of(MemoryRecord.Kind)
INBOX_KINDS: Final = choices_of(InboxItem.Kind)
INBOX_ACTIONS: Final = choices_of(InboxDecision.Action)
VERDICTS: Final = choices_of(RateLineRequest.Verdict)
