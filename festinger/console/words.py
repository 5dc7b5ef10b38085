"""Names of the API's enum values, for pages and JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

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


def _word(enum: Any, prefix: str) -> Callable[[int], str]:
    def word(value: int) -> str:
        """Return the lower-case name of an enum's value, without prefix."""
        # `STATE_PENDING` is the API's name, `pending` the specification's.
        return str(enum.Name(value)).removeprefix(prefix).lower()

    return word


def _values(word: Callable[[int], str], enum: Any) -> Mapping[str, Any]:
    """Return an enum's values by their words, without the zero value."""
    return {word(value): value for value in enum.values() if value}


state = _word(Conflict.State, "STATE_")
collision = _word(Conflict.Type, "TYPE_")
decision = _word(Conflict.Decision, "DECISION_")
source = _word(Source, "SOURCE_")
run_state = _word(Run.State, "STATE_")
provider = _word(Model.Provider, "PROVIDER_")
purpose = _word(Model.Purpose, "PURPOSE_")
verdict = _word(Outcome.Verdict, "VERDICT_")
event = _word(HistoryEvent.Kind, "KIND_")
candidate_state = _word(Candidate.State, "STATE_")
priority = _word(Priority, "PRIORITY_")
lane = _word(Lane, "LANE_")
cardinality = _word(Predicate.Cardinality, "CARDINALITY_")
bot = _word(Bot, "BOT_")
response = _word(ValidationEvent.Response, "RESPONSE_")
role = _word(ValidationEvent.Role, "ROLE_")
question_state = _word(Question.State, "STATE_")
backlog_state = _word(BacklogItem.State, "STATE_")
line_kind = _word(MemoryLine.Kind, "KIND_")
inbox_kind = _word(InboxItem.Kind, "KIND_")
inbox_action = _word(InboxDecision.Action, "ACTION_")
record_kind = _word(MemoryRecord.Kind, "KIND_")
record_type = _word(MemoryRecord.Type, "TYPE_")
record_status = _word(MemoryRecord.Status, "STATUS_")

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
    "provider": provider,
    "purpose": purpose,
    "verdict": verdict,
    "event": event,
    "candidate_state": candidate_state,
    "priority": priority,
    "lane": lane,
    "cardinality": cardinality,
    "bot": bot,
    "response": response,
    "role": role,
    "question_state": question_state,
    "backlog_state": backlog_state,
    "line_kind": line_kind,
    "inbox_kind": inbox_kind,
    "inbox_action": inbox_action,
    "record_kind": record_kind,
    "record_type": record_type,
    "record_status": record_status,
}
"""The template filters by name."""

# What forms and queries may say, with the values that calls take.
DECISIONS: Final = _values(decision, Conflict.Decision)
STATES: Final = _values(state, Conflict.State)
PROVIDERS: Final = _values(provider, Model.Provider)
RECORD_TYPES: Final = _values(record_type, MemoryRecord.Type)
RECORD_KINDS: Final = _values(record_kind, MemoryRecord.Kind)
INBOX_KINDS: Final = _values(inbox_kind, InboxItem.Kind)
INBOX_ACTIONS: Final = _values(inbox_action, InboxDecision.Action)
VERDICTS: Final = _values(
    _word(RateLineRequest.Verdict, "VERDICT_"), RateLineRequest.Verdict
)
