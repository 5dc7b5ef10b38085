"""What a clause states, before it is a statement."""

from __future__ import annotations

from typing import NamedTuple

from festinger.core.language.literals import LiteralKind
from festinger.core.language.phrases import SubjectPhrase
from festinger.core.language.verbforms import ATTRIBUTE_PREDICATES, SPELLINGS


class ClauseReading(NamedTuple):
    """What a clause states.

    Attributes:
        subject: Whom or what it is about.
        predicate: Example: `runs on`.
        value: As it was typed.
        kind: The value's form.
        single: Whether the subject has only one such value at a time.
        negated: Whether it says that this is not so.
        changes: Whether the words say that it was otherwise before.
        old_value: What it replaces, where the words name it.
        past: Whether it says how it was: it states nothing by itself.
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
    """Return what an attribute is of, and the predicate that it is.

    An attribute that nobody is named for is a subject by itself: "the deadline is friday".
    """
    predicate = ATTRIBUTE_PREDICATES.get(subject.attribute, "")
    if not subject.owner and subject.attribute in SPELLINGS:
        subject = subject._replace(text=SPELLINGS[subject.attribute])
    if not subject.owner:
        return subject, predicate or "is"
    return subject._replace(text=subject.owner), predicate or subject.attribute
