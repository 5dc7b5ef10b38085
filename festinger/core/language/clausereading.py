"""Readings of clauses, from which statements are made."""

from __future__ import annotations

from typing import NamedTuple

from festinger.core.language.literals import LiteralKind
from festinger.core.language.phrases import SubjectPhrase
from festinger.core.language.verbforms import ATTRIBUTE_PREDICATES, SPELLINGS


class ClauseReading(NamedTuple):
    """A statement as read from a clause.

    Attributes:
        predicate: Example: `runs on`.
        value: Value as it was typed.
        kind: Form of the value.
        single: Whether the subject has only one such value at a time.
        negated: Whether it is a denial.
        changes: Whether the words say that it was otherwise before.
        old_value: Replaced value, where the words name it.
        past: Whether it describes the past, so that it states nothing by itself.
    """

    subject: SubjectPhrase
    predicate: str
    value: str
    kind: LiteralKind = LiteralKind.NONE
    single: bool = True
    negated: bool = False
    changes: bool = False
    old_value: str = ""
    past: bool = False


def attribute_place(subject: SubjectPhrase) -> tuple[SubjectPhrase, str]:
    """Return the owner of an attribute, and the predicate for it."""
    predicate = ATTRIBUTE_PREDICATES.get(subject.attribute, "")
    # "Oncall", "on call" and "on-call" are one subject.
    if not subject.owner and subject.attribute in SPELLINGS:
        subject = subject._replace(text=SPELLINGS[subject.attribute])
    # "The deadline is friday": without an owner the attribute is the subject.
    if not subject.owner:
        return subject, predicate or "is"
    return subject._replace(text=subject.owner), predicate or subject.attribute
