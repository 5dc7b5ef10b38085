"""Read the values of attributes, posts, days and amounts: `the port is 9000`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from festinger.core.graph.values.dates import MONTH_FORM
from festinger.core.language.clauses import ClauseWord, small_text
from festinger.core.language.literals import (
    AMOUNTS,
    TIMES,
    LiteralKind,
    is_place,
    literal_kind,
)
from festinger.core.language.persons import KIN
from festinger.core.language.phrases import (
    DECIMAL,
    ClauseReading,
    SubjectPhrase,
    ValuePhrase,
    attribute_place,
    subject_phrase,
    value_phrase,
)
from festinger.core.language.replacing import split_replaced
from festinger.core.language.verbforms import (
    ATTRIBUTE_PREDICATES,
    ATTRIBUTES,
    POSTS,
    ValueShape,
)
from festinger.core.language.verbgroups import VerbGroup, with_group
from festinger.core.system.wordsets import word_set

_MONTH: Final = re.compile(MONTH_FORM)
_LEADING: Final = word_set("back at on set to up down by in")
_POSSESSIVES: Final = frozenset(["my", "our", "his", "her", "their"])
_OF_THE_TEAM: Final = frozenset(["on-call", "oncall", "on call"])  # "on-call is sasha"
"""Posts that are read without an owner."""


# "The pool is back at 200", "retries are down to 3": a change without other words of one.
_LEVELS: Final = frozenset(
    (way, to) for way in ("back", "up", "down") for to in ("at", "to")
)


def read_attribute(
    subject: SubjectPhrase, group: VerbGroup, behind: Sequence[ClauseWord]
) -> list[ClauseReading]:
    """Return the value of an attribute, or of a subject that is an amount."""
    if not subject.attribute:
        return []
    behind, old = split_replaced(behind)
    group = _with_level(group, behind)
    bare = _without_at(_without_kin(behind), changed=group.changed)
    if bare[0].small in ("called", "named"):
        return []
    shape = ATTRIBUTES[subject.attribute]
    # A post is held by a person, so that a number behind it is none of its values.
    value = value_phrase(bare, shape if shape & POSTS else shape | ValueShape.AMOUNT)
    if value is None:
        return []
    is_name = subject.owner and ValueShape.STRICT in ATTRIBUTES[subject.attribute]
    if is_name and value.kind in AMOUNTS and not value.text.isdigit():
        return []  # "the living room is set to 21 degrees" names no room
    if behind[0].small == "on" and is_place(value.text):
        return []  # "the school is on Park Road"
    is_located = value.kind is LiteralKind.NONE or value.text.startswith("/")
    is_ahead = ValueShape.TIME in shape and value.kind in AMOUNTS
    if behind[0].small == "in" and (is_located or is_ahead):
        return []  # "the dataset is in /data" is its location, "due in two weeks" no date
    if value.kind is LiteralKind.NONE and (
        (group.negated and not group.changed)
        or not (
            subject.owner
            or subject.has_article
            or subject.is_new
            or group.changed
            or is_plainly(subject, value)
        )
    ):
        return []  # "baseline is not affected", "contact is Ilse": no owner is known
    owner, predicate = attribute_place(subject)
    reading = ClauseReading(owner, predicate, value.text, value.kind)
    changed = group.changed or subject.is_new
    return [with_group(reading, group._replace(changed=changed), old)]


def _without_kin(words: Sequence[ClauseWord]) -> Sequence[ClauseWord]:
    """Return a name without its relation: "the landlord is my uncle Ben"."""
    is_kin = len(words) > 2 and words[1].small in KIN
    return words[2:] if is_kin and words[0].small in _POSSESSIVES else words


def is_plainly(subject: SubjectPhrase, value: ValuePhrase) -> bool:
    """Return whether an attribute without an owner may be read: "backbone is AST"."""
    if subject.attribute in _OF_THE_TEAM:
        return True
    shape = ATTRIBUTES[subject.attribute]
    if not shape & POSTS:
        return not value.text.islower()
    # Of people an owner is needed ("contact is Ilse" does not say whose contact), unless a
    # full name tells that it is an office: "secretary is Yvonne Baker".
    names = value.text.split()
    is_office = ValueShape.NAMED in shape and subject.attribute not in KIN
    return is_office and len(names) > 1 and all(it[0].isupper() for it in names)


def _may_hold(name: str, shape: ValueShape) -> bool:
    """Return whether a name can be that of a post's holder."""
    words = [ClauseWord(word, word.lower()) for word in name.split()]
    # "DJ is Marco's cousin" says who has a job; the name of the cousin is not known.
    if ValueShape.NAMED in shape and name.isupper() and len(name) <= 3:
        return False
    return bool(shape & POSTS) and value_phrase(words, shape) is not None


def read_holder(
    subject: SubjectPhrase, group: VerbGroup, behind: Sequence[ClauseWord], speaker: str
) -> list[ClauseReading]:
    """Return the post of a person: "anna is the new treasurer of the club"."""
    # "Carol is now owner of billing": behind a change the article may be missing.
    bare = group.changed and behind[0].small in ATTRIBUTES
    is_owned = behind[0].small.endswith("'s")
    if behind[0].small not in ("the", "our", "my") and not bare and not is_owned:
        return []
    post = subject_phrase(behind, speaker)
    if post is None or subject.has_article or subject.pronoun or subject.text == "we":
        return []
    shape = ATTRIBUTES.get(post.attribute, ValueShape(0))
    holder = speaker if subject.text == "I" else subject.text
    # Account names are in lower case, while a post needs a name with a capital.
    if not _may_hold(holder.title() if holder == speaker else holder, shape):
        return []
    owner, predicate = attribute_place(post)
    reading = ClauseReading(owner, predicate, holder, single=True)
    return [
        with_group(reading, group._replace(changed=group.changed or post.is_new), "")
    ]


def read_plain_literal(
    subject: SubjectPhrase, group: VerbGroup, behind: Sequence[ClauseWord]
) -> list[ClauseReading]:
    """Return the day, time or amount of a subject: "release is thursday"."""
    behind, old = split_replaced(behind)
    if subject.text in ("I", "we"):
        return []
    group = _with_level(group, behind)
    is_number = len(behind) == 1 and DECIMAL.fullmatch(behind[0].small)
    # A month alone is no day, and "may" and "march" are words of other kinds as well.
    if _MONTH.fullmatch(small_text(behind)):
        return []
    # "Calls are back to Tuesdays."
    is_level = tuple(it.small for it in behind[:2]) in _LEVELS
    days = behind[2:] if is_level else behind
    if not is_number and (value := value_phrase(days, ValueShape.TIME)):
        if value.kind is LiteralKind.TIME and value.text.isdigit():
            value = value._replace(kind=LiteralKind.MEASURE)
        predicate = "scheduled" if value.kind in TIMES else "is"
    elif value := value_phrase(
        _without_back(behind, changed=group.changed), ValueShape.AMOUNT
    ):
        if value.text.isdigit() and behind[0].small == "at":
            return []  # "is at 10" is a time
        if "%" in value.text and behind[0].small == "at":
            return []  # "the deploy is at 50 %" is so for a minute
        predicate = "is"
    else:
        return []
    if literal_kind(old) is LiteralKind.TIME and predicate == "is":
        predicate = "scheduled"  # "is 10 instead of 9:30"
    predicate = ATTRIBUTE_PREDICATES.get(subject.attribute, predicate)
    reading = ClauseReading(subject, predicate, value.text, value.kind)
    return [with_group(reading, group, old)]


def _with_level(group: VerbGroup, behind: Sequence[ClauseWord]) -> VerbGroup:
    """Return a verb group as a change if "back at" or "down to" follows it."""
    is_level = _is_level(behind, changed=group.changed)
    return group._replace(changed=True) if is_level else group


def _is_level(words: Sequence[ClauseWord], *, changed: bool) -> bool:
    """Return whether "back at", "down to" and the like precede a value."""
    small = tuple(word.small for word in words[:2])
    # "Prices are up to 20 euros" is a limit, "… up to 20 euros now" a change.
    return small in _LEVELS and (changed or small != ("up", "to"))


def _without_back(
    words: Sequence[ClauseWord], *, changed: bool
) -> Sequence[ClauseWord]:
    """Return words without a leading "back at", "down to" and the like."""
    if words[0].small == "at":
        return words[1:]
    return words[2:] if _is_level(words, changed=changed) else words


def _without_at(words: Sequence[ClauseWord], *, changed: bool) -> Sequence[ClauseWord]:
    """Return words without a leading `back`, `at` and the like: "is back at 200"."""
    if words[0].small == "up" and not _is_level(words, changed=changed):
        return words
    while len(words) > 1 and words[0].small in _LEADING:
        words = words[1:]
    return words
