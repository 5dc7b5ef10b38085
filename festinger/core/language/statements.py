"""Read statements from typed text by rules, where there is nothing to guess (J2).

A sentence is split into clauses; a clause is read completely or not at all. Questions,
plans, suppositions, reports and uncertain sentences state nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from festinger.core.graph.origins import ReadStatement, StatementKind, StatementOrigin
from festinger.core.graph.values.dates import resolve_days
from festinger.core.language.afterthoughts import is_withdrawal
from festinger.core.language.future_times import as_begun, start_of
from festinger.core.language.literals import TIMES, LiteralKind
from festinger.core.language.phrases import ClauseReading, SubjectPhrase
from festinger.core.language.sentencereading import read_sentence
from festinger.core.language.utterances import KeptTurn
from festinger.core.language.vetoes import is_vetoed
from festinger.core.system.wordsets import word_set

QUOTE_CHARACTERS_MAX: Final = 400  # as long as a sentence may be (`sentences`)


STATEMENTS_MAX: Final = 40
"""Maximum number of statements of a turn; one with more is a pasted list."""


CONFIDENCE: Final = 0.9  # above 0.70, so that what rules read is held (E2)


# "The password is now hunter2": a second guard behind the filter of secrets.
_SECRETIVE: Final = word_set("""
    password passwords passphrase passcode pin pins secret secrets token tokens
    credentials
""")
"""Subjects about which nothing is kept."""


# "We agreed that releases are on thursdays" is told as a decision.
_DECIDED: Final = re.compile(r"\b(?:agreed|decided|decision|settled on)\b")


_ONCE: Final = re.compile(
    r"\b(?:this (?:week|month|time|once)|(?:just|only) (?:today|tonight|tomorrow|once)|for once|exceptionally)\b",
    re.IGNORECASE,
)
_TODAY: Final = re.compile(
    r"(?:\b(?:is|are)|\w['’]s) [\w -]+ (?:today|tonight|tomorrow|this \w+)\b",
    re.IGNORECASE,
)
_WISHED: Final = re.compile(
    r"\b(?:plans?|todos?|to do|ideas?|options?|next steps?|questions?|agenda|wish(?:list|es)?|proposals?|drafts?"
    r"|goals?|maybe|later|examples?|tests?|quotes?|errors?|logs?)\b"
)
"""Introductions of lists whose items are no facts, or not yet."""
_RESOLVED: Final = re.compile(r"\[([^\]]*)\]")  # the date behind "tomorrow [15 Nov]"


class StatedBefore(NamedTuple):
    """Statements of a conversation before a turn.

    Attributes:
        all: Those of its last turns, at most `STATEMENTS_MAX`.
    """

    last: Sequence[ReadStatement] = ()
    all: Sequence[ReadStatement] = ()

    def then(self, read: Sequence[ReadStatement]) -> StatedBefore:
        """Return the statements before the next turn, given those of this one."""
        return StatedBefore(read, [*self.all, *read][-STATEMENTS_MAX:])


def read_statements(
    turn: KeptTurn,
    origin: StatementOrigin,
    previous: Sequence[ReadStatement] = (),
    earlier: Sequence[ReadStatement] = (),
) -> list[ReadStatement]:
    """Return the statements in the kept sentences of a turn.

    Args:
        origin: Origin of the statements; its quote and its kind are replaced.
        previous: Statements of the session's last turn: "no, 24 minutes" corrects a
            single one.
        earlier: Statements of the session: "the new mayor" is that of Harrowgate, if its
            mayor was named.
    """
    if turn.audience.is_limited:
        # "Dinner is at 7, don't tell Nan" must not become shared knowledge (J11).
        return []
    found: list[ReadStatement] = []
    if turn.utterances and is_withdrawal(first := turn.utterances[0].text):
        found += _withdrawn(previous, replace(origin, quote=first))
    for utterance in turn.utterances:
        text = utterance.text
        if len(text) > QUOTE_CHARACTERS_MAX or _is_no_fact(utterance.heading):
            continue
        # A correction is about this turn if that has stated something, else about the last one.
        for reading in read_sentence(text, origin.speaker, found or previous):
            # "The meeting moved to Thursday this week" is so once.
            if reading.kind in TIMES and _ONCE.search(text):
                continue
            # "The standup is cancelled today" is no end of it.
            if reading.predicate == "status" and _TODAY.search(text):
                continue
            # The rent of today does not end with "from January the rent is 1240 euros".
            if reading.changes and start_of(text, origin.said) is not None:
                continue
            reading = _about_stated(reading, found or previous, earlier)
            if statement := _statement(reading, text, origin):
                found.append(statement)
    return found if len(found) <= STATEMENTS_MAX else []


def _about_stated(
    reading: ClauseReading,
    before: Sequence[ReadStatement],
    earlier: Sequence[ReadStatement],
) -> ClauseReading:
    """Return a change with the subject and predicate under which it was stated before.

    "The baseline accuracy is 81.2" is corrected by "the baseline is 80.2, not 81.2", and
    "the rent of the flat is 900" by "the rent is 950 now".
    """
    name, old = reading.subject.text.lower(), reading.old_value.lower()
    words = set(name.split())
    for each in before if reading.changes and words else ():
        if old and each.value.lower() != old:
            continue
        stated = set(each.subject.lower().split())
        is_part = bool(old) and (words < stated or stated < words)
        is_attribute = reading.predicate == "is" and each.predicate == name
        if is_attribute or (is_part and each.predicate == reading.predicate):
            subject = SubjectPhrase(each.subject)
            return reading._replace(subject=subject, predicate=each.predicate)
    # Of several owners nobody knows whose it is.
    owners = {each.subject for each in earlier if each.predicate == name}
    if reading.changes and reading.predicate == "is" and len(owners) == 1:
        return reading._replace(subject=SubjectPhrase(owners.pop()), predicate=name)
    return reading


def read_begun(turn: KeptTurn, origin: StatementOrigin) -> list[ReadStatement]:
    """Return what the sentences of a turn say of a later time, as if that had come."""
    return [
        statement
        for utterance in turn.utterances
        if len(utterance.text) <= QUOTE_CHARACTERS_MAX
        and not _is_no_fact(utterance.heading)
        for reading in read_sentence(as_begun(utterance.text), origin.speaker, ())
        # "The rent is 1180 euros, from January 1240": the first is stated already.
        if reading.changes
        and (statement := _statement(reading, utterance.text, origin))
    ]


def _withdrawn(
    previous: Sequence[ReadStatement], origin: StatementOrigin
) -> list[ReadStatement]:
    """Return the ends of statements that are taken back: "scratch that"."""
    return [
        replace(it, origin=origin, negated=True, changes=True, old_value=it.value)
        for it in previous
        if not it.negated
    ]


def _is_no_fact(heading: str) -> bool:
    """Return whether a heading introduces a list of something other than facts."""
    small = heading.lower()
    return bool(small) and (
        _WISHED.search(small) is not None or is_vetoed([small], 0, "")
    )


def _statement(
    reading: ClauseReading, quote: str, origin: StatementOrigin
) -> ReadStatement | None:
    """Return a reading as a statement; None for an unresolvable day or a secret."""
    value = reading.value
    if _SECRETIVE & set(reading.subject.text.lower().split()):
        return None
    # "Tomorrow" means another day when it is told, so that its date is stored.
    if reading.kind is LiteralKind.RELATIVE_DAY:
        day = _RESOLVED.search(resolve_days(value, origin.said))
        if day is None:
            return None
        value = day[1]
    kind = StatementKind.FACT
    if reading.predicate in ("prefers", "likes", "dislikes"):
        kind = StatementKind.PREFERENCE
    elif _DECIDED.search(quote.lower()):
        kind = StatementKind.DECISION
    return ReadStatement(
        subject=reading.subject.text,
        predicate=reading.predicate,
        value=value,
        origin=replace(origin, quote=quote, kind=kind),
        single=reading.single,
        negated=reading.negated,
        changes=reading.changes,
        old_value=reading.old_value,
        confidence=CONFIDENCE,
    )
