"""Read values without a verb of their own: `presents: under 25 a head`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from festinger.core.language.attributes import is_plainly
from festinger.core.language.clauses import ClauseWord, small_text, typed_text
from festinger.core.language.clausewords import ANY_ADVERBS, CHANGE_ADVERBS, VAGUE_NOUNS
from festinger.core.language.literals import AMOUNTS, TIMES, LiteralKind, literal_kind
from festinger.core.language.phrases import (
    DECIMAL,
    ClauseReading,
    attribute_place,
    is_name,
    subject_phrase,
    value_phrase,
)
from festinger.core.language.states import subjects_of
from festinger.core.language.verbforms import ATTRIBUTES, HAVE
from festinger.core.system.wordsets import word_set

_NO_LABELS: Final = word_set("""
    date time total note ps update step subject re from to cc sum example option answer
    question page line error warning info chapter section item version figure table
    result results today tomorrow here
""")
"""Words before a colon that do not name a subject."""
OUTPUT_LABELS: Final = word_set("error warning fatal debug info exception traceback")
"""Words before a colon in the output of a program."""
# "The team has 3 meetings" is so today, "the flat has two owners" lasts.
_PASSING: Final = word_set("""
    meetings questions problems issues minutes hours days weeks months years times ideas
    things errors bugs beers drinks calls mails emails messages options choices more
    reasons
""")
"""Nouns whose counts are only temporary."""
_UNCOUNTED: Final = VAGUE_NOUNS | _PASSING
_HAS: Final = HAVE - {"had"}  # which tells of the past
_COUNTED_MAX: Final = 3  # words of what is counted: "active paid users"
_HELD_BY_NAME: Final = frozenset(ATTRIBUTES) | {"name"}
"""Nouns whose value is a name or an amount of its own, not how many there are."""


def read_label(
    label: Sequence[ClauseWord], words: Sequence[ClauseWord], speaker: str
) -> list[ClauseReading]:
    """Return the value behind a colon: `deadline: 4 March`, `owner of billing: carol`.

    Args:
        label: Words before the colon.
    """
    subject = subject_phrase(label, speaker)
    if subject is None or not subject.text or subject.text in ("I", "we"):
        return []
    if label[0].small in _NO_LABELS or label[-1].small in _NO_LABELS:
        return []
    if subject.attribute:
        owner, predicate = attribute_place(subject)
        value = value_phrase(words, ATTRIBUTES[subject.attribute])
        # A name needs an owner, since "contact: Ilse" does not say whose contact she is.
        if value and (
            subject.owner
            or subject.is_new
            or value.kind is not LiteralKind.NONE
            or is_plainly(subject, value)
        ):
            reading = ClauseReading(owner, predicate, value.text, value.kind)
            return [reading._replace(changes=subject.is_new)]
        return []
    kind = literal_kind(typed_text(words))
    if DECIMAL.fullmatch(typed_text(words)):
        return []  # "prod: 3.1" may be a day, a version or an amount
    if kind in TIMES and kind is not LiteralKind.RELATIVE_DAY:
        return [ClauseReading(subject, "scheduled", typed_text(words), kind)]
    # A bare number may be anything: "rating: 5".
    if kind in AMOUNTS and not typed_text(words).isdigit():
        return [ClauseReading(subject, "is", typed_text(words), kind)]
    return []


def read_count(words: Sequence[ClauseWord], speaker: str) -> list[ClauseReading]:
    """Return a count that a subject has: "catalog has 180k active products"."""
    at = next((at for at, it in enumerate(words) if it.small in _HAS), 0)
    if not at:
        return []
    subjects, changed = subjects_of(words[:at], speaker)
    if len(subjects) != 1 or not subjects[0].text or subjects[0].text == "I":
        return []
    subject = subjects[0]
    rest = words[at + 1 :]
    while rest and rest[0].small in ANY_ADVERBS:
        changed = changed or rest[0].small in CHANGE_ADVERBS
        rest = rest[1:]
    small = [it.small for it in rest]
    # "Has a connection limit of 20" names an attribute; other counts are a number and a plural.
    if small[:1] in (["a"], ["an"]) and "of" in small:
        of = small.index("of")
        noun = small_text(rest[1:of])
        # "A role limit" is a limit.
        head = noun if noun in ATTRIBUTES else noun.split()[-1] if noun else ""
        if head not in ATTRIBUTES or not is_name(rest[1:of], _COUNTED_MAX):
            return []
        value = value_phrase(rest[of + 1 :], ATTRIBUTES[head])
        return (
            [ClauseReading(subject, noun, value.text, value.kind, changes=changed)]
            if value
            else []
        )
    return [
        reading._replace(changes=changed)
        for size in (3, 2, 1)  # the longest number wins: "up to 20"
        for reading in _counted(subject.text, rest, size, speaker)
    ][:1]


def _counted(
    subject: str, rest: Sequence[ClauseWord], size: int, speaker: str
) -> list[ClauseReading]:
    """Return the count that a subject has, if the first words are a number."""
    number, noun = rest[:size], rest[size:]
    whole = subject_phrase([ClauseWord(subject, subject.lower())], speaker)
    if not number or not is_name(noun, _COUNTED_MAX) or whole is None:
        return []
    if literal_kind(typed_text(number)) is not LiteralKind.MEASURE:
        return []
    # "2 things" and "1 left" count nothing that lasts.
    if noun[-1].small in _UNCOUNTED or not noun[-1].small.endswith("s"):
        return []
    named = typed_text(noun)
    if {noun[-1].small.removesuffix(it) for it in ("s", "es")} & _HELD_BY_NAME:
        named = f"number of {named}"  # "two owners" names none of them
    return [
        ClauseReading(
            whole._replace(text=subject), named, typed_text(number), LiteralKind.MEASURE
        )
    ]
