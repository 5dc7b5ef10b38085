"""Read statements out of what a person typed, where nothing is left to guess (J2).

A sentence is cut into clauses; a clause is read from its first word to its last, or not at
all. Whatever is asked, planned, supposed, reported or unsure states nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from festinger.core.language.audience import audience_of
from festinger.core.language.changes import read_change
from festinger.core.language.clauses import (
    Clause,
    clauses_of,
    small_text,
)
from festinger.core.language.corrections import read_correction
from festinger.core.language.dates import resolve_days
from festinger.core.language.literals import LiteralKind
from festinger.core.language.measures import OUTPUT_LABELS, read_count, read_label
from festinger.core.language.sentences import split
from festinger.core.language.states import (
    ClauseReading,
    any_value,
    read_state,
    replaced_by,
    without_preposition,
)
from festinger.core.language.verbforms import VERBS
from festinger.core.language.vetoes import is_vetoed, states_nothing
from festinger.core.statements.read import (
    ReadStatement,
    StatementKind,
    StatementOrigin,
    StatementReader,
)

QUOTE_CHARACTERS_MAX: Final = 400
STATEMENTS_MAX: Final = 40
"""Of one turn; a turn with more is a list that was pasted."""
_DENIED: Final = frozenset(
    ["runs on", "uses", "owned by", "due", "scheduled", "located"]
)
"""Predicates of which a denial is worth holding although nothing is said to change."""
_SECRETIVE: Final = frozenset(
    [
        "password",
        "passwords",
        "passphrase",
        "passcode",
        "pin",
        "pins",
        "secret",
        "secrets",
        "token",
        "tokens",
        "credentials",
    ]
)
"""Whatever is said of these belongs in no memory."""
_LABEL_WORDS_MAX: Final = 4
CONFIDENCE: Final = 0.9

_ASKING: Final = frozenset(
    [
        "can",
        "could",
        "would",
        "will",
        "do",
        "does",
        "did",
        "is",
        "are",
        "was",
        "were",
        "should",
        "shall",
        "may",
        "what",
        "whats",
        "which",
        "who",
        "whose",
        "where",
        "when",
        "why",
        "how",
        "please",
        "pls",
        "plz",
        "have",
        "has",
        "am",
        "any",
    ]
)
_PRONOUNS_ASKED: Final = frozenset(
    [
        "it",
        "they",
        "he",
        "she",
        "that",
        "this",
        "we",
        "you",
        "i",
        "right",
        "correct",
        "not",
        "so",
        "true",
    ]
)
_SUBJECTS: Final = frozenset(["we", "i", "the", "our"])
_CONDITIONS: Final = frozenset(
    ["if", "unless", "whether", "until", "once", "suppose", "when", "whenever", "till"]
)
_DEFERRED: Final = frozenset(["postponed", "delayed", "extended", "pushed", "moved"])
"""Behind these `until` says to when, and is no condition."""
_PLANNED: Final = re.compile(
    r"\b(?:next (?:week|month|year|sprint|quarter|release)|soon|later|eventually|someday|one day"
    r"|in (?:a|an|two|three|\d+) (?:days?|weeks?|months?|hours?)|tomorrow|will|going to|gonna|plan(?:s|ned|ning)? to)\b"
)
_DECIDED: Final = re.compile(r"\b(?:agreed|decided|decision|settled on)\b")
_RESOLVED: Final = re.compile(r"\[([^\]]*)\]")


def read_statements(
    text: str, origin: StatementOrigin, previous: Sequence[ReadStatement] = ()
) -> list[ReadStatement]:
    """Return what a turn states.

    Args:
        text: What a person typed, without secrets.
        origin: Who, where and when; the words are filled in here.
        previous: What the same session's last turn stated: "no, 24 minutes" corrects it
            if it is a single statement.
    """
    if audience_of(text).is_limited:
        # What somebody is not to know must not become everybody's knowledge.
        return []
    found: list[ReadStatement] = []
    for sentence in split(text):
        if len(sentence.text) > QUOTE_CHARACTERS_MAX or _is_example(sentence.heading):
            continue
        for reading in _readings(sentence.text, origin.speaker, found or previous):
            if statement := _statement(reading, sentence.text, origin):
                found.append(statement)
    return found if len(found) <= STATEMENTS_MAX else []


def _is_example(heading: str) -> bool:
    """Return whether a list is introduced as something else than what is so."""
    return bool(heading) and is_vetoed([heading.lower()], 0, "")


def _readings(
    text: str, speaker: str, before: Sequence[ReadStatement]
) -> list[ClauseReading]:
    """Return what a sentence states, clause by clause."""
    if states_nothing(text):
        return []
    clauses = clauses_of(text, VERBS)
    stated = _stated(text, clauses)
    small = [small_text(clause.words) for clause in clauses]
    found: list[ClauseReading] = []
    replaced = ""
    for at, clause in enumerate(stated):
        if is_vetoed(small, at, clause.joint):
            continue
        if old := replaced_by(clause.words):
            replaced = _note_replaced(found, old)
            continue
        bare, first = _without_replaced(clause)
        replaced = first or replaced
        read = _read(bare, stated[at - 1] if at else None, speaker)
        for reading in read or _completed(found, bare):
            if replaced and not reading.old_value:
                # "Instead of sage we use xero."
                reading = reading._replace(changes=True, old_value=replaced)
            _add(found, reading, clause)
            replaced = ""
    if (
        not found
        and stated
        and not any(is_vetoed(small, at, "") for at in range(len(clauses)))
    ):
        # Nothing in the sentence says what it is about.
        return read_correction(text, before)
    return found


def _completed(found: Sequence[ClauseReading], clause: Clause) -> list[ClauseReading]:
    """Return what is so instead of what was just denied: "not friday but monday"."""
    if not found or not found[-1].negated or clause.joint not in ("but", ","):
        return []
    value = any_value(without_preposition(clause.words))
    if value is None or value.kind is not found[-1].kind:
        return []
    return [found[-1]._replace(value=value.text, negated=False)]


def _note_replaced(found: list[ClauseReading], old: str) -> str:
    """Give the last reading the value that it replaces: "…, not thursday".

    Returns:
        The value, if it belongs to what follows.
    """
    if not found:
        return old
    if not found[-1].old_value:
        found[-1] = found[-1]._replace(changes=True, old_value=old)
    return ""


def _without_replaced(clause: Clause) -> tuple[Clause, str]:
    """Return a clause without "instead of sage" before it, and what that names."""
    for size in range(3, min(6, len(clause.words))):
        if old := replaced_by(clause.words[:size]):
            rest = clause._replace(words=clause.words[size:])
            if rest.words[0].small in _SUBJECTS or rest.words[0].text.istitle():
                return rest, old
    return clause, ""


def _stated(text: str, clauses: list[Clause]) -> list[Clause]:
    """Return the clauses that are neither asked nor under a condition."""
    if "?" in text:
        asked = [
            at for at, clause in enumerate(clauses) if clause.words[0].small in _ASKING
        ]
        if not asked:
            return []
        question = clauses[asked[0]].words
        if len(question) <= 4 and question[-1].small in _PRONOUNS_ASKED:
            return []  # "…, isn't it?" is not sure
        clauses = clauses[: asked[0]]
    for at, clause in enumerate(clauses):
        small = {word.small for word in clause.words}
        if _CONDITIONS & small and not _DEFERRED & small:
            keep = at - 1 if at and clause.joint not in {",", ";", ".", "-"} else at
            return clauses[:keep]
    return clauses


def _read(clause: Clause, label: Clause | None, speaker: str) -> list[ClauseReading]:
    """Return what a clause states by itself.

    Args:
        label: The clause before it, which may be what it is about.
    """
    words = clause.words
    if words[0].small in _ASKING | {"let", "or"}:
        return []
    if label and clause.joint == ":":
        if label.words[-1].small in OUTPUT_LABELS:
            return []  # "Error: the operation was cancelled"
        if found := read_label(label.words, words, speaker):
            return [it._replace(changes=clause.changed) for it in found]
        if words[0].small in VERBS and len(label.words) <= _LABEL_WORDS_MAX:
            words = (*label.words, *words)
    planned = _PLANNED.search(small_text(words))
    dated = clause.changed and not planned
    if found := read_change(words, speaker, dated=dated):
        return [] if planned and found[0].kind is LiteralKind.NONE else found
    found = read_state(words, speaker, changed=clause.changed) or read_count(
        words, speaker
    )
    return [
        each._replace(
            changes=each.changes or clause.changed,
            old_value=each.old_value
            or (each.value if each.negated and clause.changed else ""),
        )
        for each in found
        # What something is not says little, unless it was or it is said what it is.
        if not each.negated
        or each.changes
        or clause.changed
        or each.predicate in _DENIED
    ]


def _add(found: list[ClauseReading], reading: ClauseReading, clause: Clause) -> None:
    """Add a reading; one that says what is so instead completes the one before it."""
    last = found[-1] if found else None
    if reading.subject.pronoun:
        if (
            last is None
            or clause.joint == "."
            or reading.subject.pronoun not in ("it", "they")
        ):
            return
        reading = reading._replace(subject=last.subject._replace(has_article=True))
        if last.negated and last.kind is reading.kind:
            # "The deadline isn't friday, it's monday": is due, as before.
            reading = reading._replace(predicate=last.predicate)
    if (
        last
        and last.negated
        and last.predicate == reading.predicate
        and last.subject.text == reading.subject.text
        and not reading.negated
    ):
        found[-1] = reading._replace(changes=True, old_value=last.value)
        return
    if reading not in found:
        found.append(reading)


def _statement(
    reading: ClauseReading, quote: str, origin: StatementOrigin
) -> ReadStatement | None:
    """Return a reading as a statement; None for a day that nobody can name."""
    value = reading.value
    if _SECRETIVE & set(reading.subject.text.lower().split()):
        return None
    if reading.kind is LiteralKind.RELATIVE_DAY:
        day = _RESOLVED.search(resolve_days(value, origin.said))
        if day is None:
            return None
        value = day[1]
    kind = StatementKind.FACT
    if reading.predicate == "prefers":
        kind = StatementKind.PREFERENCE
    elif _DECIDED.search(quote.lower()):
        kind = StatementKind.DECISION
    return ReadStatement(
        subject=reading.subject.text,
        predicate=reading.predicate,
        value=value,
        origin=replace(origin, quote=quote, reader=StatementReader.RULES, kind=kind),
        single=reading.single,
        negated=reading.negated,
        changes=reading.changes,
        old_value=reading.old_value,
        confidence=CONFIDENCE,
    )
