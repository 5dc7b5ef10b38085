"""Read where a group runs or keeps something: `we run billing on kubernetes`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from festinger.core.language.clausereading import ClauseReading
from festinger.core.language.clauses import ClauseWord
from festinger.core.language.clausewords import ANY_ADVERBS, CHANGE_ADVERBS
from festinger.core.language.phrases import subject_phrase, value_phrase
from festinger.core.language.replacing import split_replaced
from festinger.core.language.verbforms import ValueShape

_PLACED: Final = ValueShape.NAME | ValueShape.ADDRESS
_KEPT: Final = {
    ("run", "on"): "runs on",
    ("host", "on"): "runs on",
    ("host", "at"): "runs on",
    ("host", "with"): "runs on",
    ("deploy", "to"): "runs on",
    ("deploy", "on"): "runs on",
    ("keep", "in"): "stored in",
    ("keep", "on"): "stored in",
    ("store", "in"): "stored in",
    ("store", "on"): "stored in",
}
"""Predicates by verb, and preposition behind its object."""


def read_kept(words: Sequence[ClauseWord], speaker: str) -> list[ClauseReading]:
    """Return where a group runs, hosts, deploys, keeps or stores something."""
    small = [word.small for word in words]
    if small[:1] != ["we"]:
        return []
    at = 1
    negated = changed = False
    # "We don't run billing on podman anymore", "we're now hosting billing on kubernetes".
    while at < len(small) and small[at] in _BETWEEN:
        negated = negated or small[at] in ("not", "longer")
        changed = changed or small[at] in CHANGE_ADVERBS or small[at] == "longer"
        at += 1
    verb = small[at] if at < len(small) else ""
    verb = _GERUNDS.get(verb, verb)
    # The object has one word at least and ends at the first preposition of its verb.
    for end in range(at + 2, len(small)):
        predicate = _KEPT.get((verb, small[end]))
        if predicate is None:
            continue
        rest, old = split_replaced(words[end + 1 :])
        subject = subject_phrase(words[at + 1 : end], speaker)
        value = value_phrase(rest, _PLACED)
        if subject is None or not subject.text or value is None:
            return []
        return [
            ClauseReading(
                subject,
                predicate,
                value.text,
                value.kind,
                negated=negated,
                changes=changed or bool(old),
                # A denied value with words of change is itself what ended.
                old_value=old or (value.text if negated and changed else ""),
            )
        ]
    return []


_BETWEEN: Final = ANY_ADVERBS | {"do", "are", "not", "no", "longer"}
_GERUNDS: Final = {
    "running": "run",
    "hosting": "host",
    "deploying": "deploy",
    "keeping": "keep",
    "storing": "store",
}
