"""Read clauses of rare forms.

Where a group runs or keeps something (`we run billing on kubernetes`), changes written
as arrows (`retries 3 -> 5`), and names behind what they name (`a separate box, rack-c`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from festinger.core.language.clauses import Clause, ClauseWord, small_words
from festinger.core.language.clausewords import ANY_ADVERBS, CHANGE_ADVERBS
from festinger.core.language.literals import LiteralKind, is_like
from festinger.core.language.moves import placed_at
from festinger.core.language.persons import may_be_people
from festinger.core.language.phrases import ClauseReading, subject_phrase, value_phrase
from festinger.core.language.replacing import any_value, split_replaced
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
_INDEFINITE: Final = frozenset(["a", "an"])


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


def read_arrow(
    label: Sequence[ClauseWord],
    before: Sequence[ClauseWord],
    behind: Sequence[ClauseWord],
    speaker: str,
) -> list[ClauseReading]:
    """Return the changes that an arrow states.

    Args:
        label: Words before a preceding colon; may be empty.
        before: Clause before the arrow: the old value, behind its subject if there is
            no label.
    """
    new = any_value(behind)
    if new is None:
        return []
    if label:
        named, old = label, any_value(before)
    else:
        named, old = (), None
        # Without a label the old value ends the words: "pool 10 users -> 20 users". A name
        # may belong to the subject: "orders service -> kafka" is a flow of something.
        for size in (2, 1) if new.kind is not LiteralKind.NONE else ():
            value = any_value(before[-size:])
            if len(before) > size and value and is_like(value.kind, new.kind):
                named, old = before[:-size], value
                break
    # "Retries 3 -> friday" is a flow of something, and changes no value.
    if old is None or not is_like(old.kind, new.kind):
        return []
    subject = subject_phrase(named, speaker)
    if subject is None or not subject.text or subject.text in ("I", "we"):
        return []
    reading = placed_at(subject, new, "moved", speaker)
    return [reading._replace(changes=True, old_value=old.text)] if reading else []


def with_name(
    read: Sequence[ClauseReading],
    words: Sequence[ClauseWord],
    following: Sequence[Clause],
    speaker: str,
) -> list[ClauseReading]:
    """Return readings with the name of their value, if it stands in the next clause.

    Args:
        following: The clause behind it; empty for the last one.
    """
    if len(read) != 1 or not following or following[0].joint != ",":
        return list(read)
    value = read[0].value.lower().split()
    before = small_words(words)[: -len(value)]
    # "The separate box, Tom" may speak to somebody: only "a box" has yet to be named.
    is_unnamed = before[-1:] and before[-1] in _INDEFINITE
    if not is_unnamed or small_words(words)[-len(value) :] != value:
        return list(read)
    name = following[0].words[0].text if len(following[0].words) == 1 else ""
    if not _is_written_like_a_name(name) or may_be_people(name, speaker):
        return list(read)
    return [read[0]._replace(value=name, kind=LiteralKind.NONE)]


def _is_written_like_a_name(word: str) -> bool:
    """Return whether a word has a capital, or is a code such as `rack-c`."""
    is_code = "-" in word or "." in word or any(map(str.isdigit, word))
    return any(map(str.isalpha, word)) and (is_code or word[:1].isupper())
