"""Read what a clause says is so: `billing runs on podman`, `its port is 9000`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from festinger.core.language.clauses import ClauseWord, small_text, without_tails
from festinger.core.language.clausewords import ADVERBS, CHANGE_ADVERBS
from festinger.core.language.literals import TIMES, LiteralKind
from festinger.core.language.phrases import (
    SubjectPhrase,
    ValuePhrase,
    subject_phrase,
    value_phrase,
)
from festinger.core.language.verbforms import (
    ATTRIBUTE_PREDICATES,
    ATTRIBUTES,
    BE,
    DIETS,
    DO,
    ENDED,
    FORMS,
    HAVE,
    STATUSES,
    STAY,
    ValueShape,
    VerbForm,
)

_MONTHS: Final = frozenset(
    [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
    ]
)
_DECIMAL: Final = re.compile(r"\d+\.\d+")
SUBJECT_MAX: Final = 9
"""Words before a verb, with an article and `of`."""
_INSTEAD: Final = (
    ("instead", "of"),
    ("rather", "than"),
    ("and", "not"),
    ("not",),
    ("no", "longer"),
)
"""What stands between a value and the one that it replaces."""
_ANY_LITERAL: Final = ValueShape.TIME | ValueShape.AMOUNT | ValueShape.VERSION


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
    """

    subject: SubjectPhrase
    predicate: str
    value: str
    kind: LiteralKind = LiteralKind.NONE
    single: bool = True
    negated: bool = False
    changes: bool = False
    old_value: str = ""


class _VerbGroup(NamedTuple):
    """Auxiliaries and adverbs before what is said.

    Attributes:
        tables: Where the verb behind them is looked up.
        size: Words of the group.
        is_be: Whether it is a form of `be`, and a value may follow it.
        negated: Whether it denies.
        changed: Whether it says that it was otherwise before.
    """

    table: dict[str, list[VerbForm]]
    size: int
    is_be: bool = False
    negated: bool = False
    changed: bool = False


def read_state(
    words: Sequence[ClauseWord], speaker: str, *, changed: bool = False
) -> list[ClauseReading]:
    """Return what a clause says is so now; nothing if that is not plain.

    Args:
        words: Without what introduces and follows it.
        speaker: Whose words they are.
        changed: Whether what was left out says that it was otherwise before.
    """
    small = [word.small for word in words]
    for at in range(1, min(len(words), SUBJECT_MAX)):
        group = _verb_group(small, at)
        if group is None:
            continue
        behind = list(words[at + group.size :])
        if not behind:
            continue
        subjects, late = subjects_of(words[:at], speaker)
        group = group._replace(changed=group.changed or late or changed)
        found = [_predicated(it, group, behind, speaker) for it in subjects]
        if found and all(found):
            return [reading for each in found for reading in each]
    return []


def subjects_of(
    words: Sequence[ClauseWord], speaker: str
) -> tuple[list[SubjectPhrase], bool]:
    """Return the subjects, and whether an adverb behind them says "changed".

    Nothing is returned if one of them is not plain.
    """
    changed = False
    while len(words) > 1 and words[-1].small in ADVERBS | CHANGE_ADVERBS:
        changed = changed or words[-1].small in CHANGE_ADVERBS
        words = words[:-1]
    parts = _listed(words)
    found = [it for part in parts if (it := subject_phrase(part, speaker))]
    if len(found) < len(parts) or (len(parts) > 1 and not all(it.text for it in found)):
        return [], changed
    return found, changed


def _verb_group(small: Sequence[str], at: int) -> _VerbGroup | None:
    """Return the verb group that begins at a word; None if none does."""
    word = small[at]
    if word in BE | STAY:
        return _after(small, at, FORMS.behind_be, is_be=True)
    if word in HAVE:
        return _perfect(small, at)
    if word in DO and small[at + 1 : at + 2] == ["not"]:
        return _after(small, at, FORMS.base)
    if word == "no" and small[at + 1 : at + 2] == ["longer"]:
        table = FORMS.finite
        return _VerbGroup(table, 2, negated=True, changed=True)
    if word == "used" and small[at + 1 : at + 2] == ["to"]:
        # "used to run on podman" says that it does not any more.
        is_be = small[at + 2 : at + 3] == ["be"]
        table = FORMS.behind_be if is_be else FORMS.base
        return _VerbGroup(table, 3 if is_be else 2, is_be, negated=True, changed=True)
    if word in FORMS.finite and (word.endswith("s") or _is_plural(small[:at])):
        return _VerbGroup(FORMS.finite, 0)
    return None


def _is_plural(small: Sequence[str]) -> bool:
    """Return whether a verb without -s can follow: "force push to main" has no verb."""
    last = small[-1]
    if last in ADVERBS | CHANGE_ADVERBS and len(small) > 1:
        return _is_plural(small[:-1])
    plural = last.endswith("s") and not last.endswith(("ss", "us", "'s"))
    return plural or "and" in small or last in _PLURALS


_PLURALS: Final = frozenset(
    [
        "i",
        "we",
        "they",
        "you",
        "people",
        "children",
        "kids",
        "staff",
        "data",
        "team",
        "police",
        "media",
    ]
)


def _perfect(small: Sequence[str], at: int) -> _VerbGroup | None:
    """Return "has been" or "has stopped"; None for any other perfect."""
    after = _after(small, at, FORMS.behind_be)
    follower = small[at + after.size : at + after.size + 1]
    if follower == ["been"]:
        return after._replace(size=after.size + 1, is_be=True)
    if follower and follower[0] in ("stopped", "quit"):
        return _VerbGroup(FORMS.gerund, after.size + 1, negated=True, changed=True)
    return None


def _after(
    small: Sequence[str],
    at: int,
    table: dict[str, list[VerbForm]],
    *,
    is_be: bool = False,
) -> _VerbGroup:
    """Return an auxiliary with the adverbs and the negation behind it."""
    negated = changed = False
    end = at + 1
    while end < len(small):
        if small[end] == "not":
            negated = True
        elif small[end : end + 2] == ["no", "longer"]:
            negated = changed = True
            end += 1
        elif small[end] in CHANGE_ADVERBS:
            changed = True
        elif small[end] not in ADVERBS:
            break
        end += 1
    return _VerbGroup(table, end - at, is_be, negated, changed)


def _predicated(
    subject: SubjectPhrase,
    group: _VerbGroup,
    behind: Sequence[ClauseWord],
    speaker: str,
) -> list[ClauseReading]:
    """Return what a verb group and the words behind it say of a subject."""
    if group.is_be:
        if found := _is_ended(subject, group, behind):
            return found
        if found := _attribute(subject, group, behind) or _holder(
            subject, group, behind, speaker
        ):
            return found
        if found := _plain_literal(subject, group, behind):
            return found
    small = [word.small for word in behind[:6]]
    for form in group.table.get(small[0], ()):
        size = _matched(small, form.words)
        if not size:
            continue
        skipped = small[1:size]
        changed = group.changed or any(it in CHANGE_ADVERBS for it in skipped)
        found = _with_value(
            subject, form, behind[size:], group._replace(changed=changed), speaker
        )
        if found:
            return found
    return []


def _matched(small: Sequence[str], form: Sequence[str]) -> int:
    """Return how many words a verb takes, with adverbs in between; 0 if it is another."""
    at = 0
    for part in form:
        while at < len(small) and at > 0 and small[at] != part:
            if small[at] not in ADVERBS | CHANGE_ADVERBS:
                return 0
            at += 1
        if at >= len(small) or small[at] != part:
            return 0
        at += 1
    return at


def _with_value(
    subject: SubjectPhrase,
    form: VerbForm,
    rest: Sequence[ClauseWord],
    group: _VerbGroup,
    speaker: str,
) -> list[ClauseReading]:
    """Return a reading for each value behind a verb; none if one does not fit."""
    rest, old = split_replaced(rest)
    if not _may_have(subject, form):
        return []
    if form.inverse:
        owned = subject_phrase(rest, speaker)
        if owned is None or not owned.text or not subject.text:
            return []
        if subject.has_article or not _is_person(subject.text):
            return []
        owner = speaker if subject.text == "I" else subject.text
        turned = ClauseReading(owned, form.predicate, owner, single=form.single)
        return [_as_said(turned, group, old)]
    found = []
    for part in [rest] if form.single else _listed(rest):
        value = value_phrase(part, form.shape)
        if value is None or (subject.pronoun and not form.single):
            return []
        if form.predicate == "located" and _is_passing(subject, form, value):
            return []
        if (
            form.words[-1] != "at"
            and form.shape == ValueShape.TIME
            and value.text.isdigit()
        ):
            return []  # "is on 16" is no time
        reading = ClauseReading(
            subject, form.predicate, value.text, value.kind, form.single
        )
        noun, _, number = value.text.partition(" ")
        if noun.lower() in ("port", "version") and number[:1].isdigit():
            # "grafana is on port 3001"
            reading = ClauseReading(subject, noun.lower(), number, LiteralKind.MEASURE)
        found.append(_as_said(reading, group, old))
    return found


def _may_have(subject: SubjectPhrase, form: VerbForm) -> bool:
    """Return whether a subject can have a predicate at all."""
    if subject.text == "I":
        return form.predicate in _OF_SPEAKERS
    if subject.text == "we":
        return form.predicate not in ("located", "scheduled")
    return True


def _is_passing(subject: SubjectPhrase, form: VerbForm, value: ValuePhrase) -> bool:
    """Return whether it says where somebody is just now, which is no knowledge."""
    is_person = subject.text.istitle() and " " not in subject.text
    is_be = form.words in (("in",), ("at",), ("on",))
    return (
        is_be
        and is_person
        and not subject.has_article
        and value.kind is LiteralKind.NONE
    )


_OF_SPEAKERS: Final = frozenset(
    [
        "owned by",
        "lives in",
        "works at",
        "reports to",
        "married to",
        "allergic to",
        "speaks",
        "prefers",
        "plays",
    ]
)


def _is_person(text: str) -> bool:
    """Return whether a subject can own: one or two words, or the speaker."""
    return text not in ("we",) and len(text.split()) <= 2


def _as_said(reading: ClauseReading, group: _VerbGroup, old: str) -> ClauseReading:
    """Return a reading with what the verb group and the words behind the value add."""
    return reading._replace(
        negated=group.negated,
        changes=group.changed or bool(old),
        old_value=old or (reading.value if group.negated and group.changed else ""),
    )


def split_replaced(
    words: Sequence[ClauseWord],
) -> tuple[Sequence[ClauseWord], str]:
    """Return the words of a value, and the value that they say it replaces."""
    small = [word.small for word in words]
    for at in range(1, len(small)):
        for joint in _INSTEAD:
            if tuple(small[at : at + len(joint)]) == joint:
                old, _ = without_tails(words[at + len(joint) :])
                found = any_value(without_preposition(old))
                kept, _ = without_tails(words[:at])
                return (kept, found.text) if found else (words, "")
    return words, ""


def replaced_by(words: Sequence[ClauseWord]) -> str:
    """Return the value that a clause such as "instead of sage" names; empty for others."""
    small = tuple(word.small for word in words)
    for joint in _INSTEAD:
        if small[: len(joint)] == joint and len(words) > len(joint):
            old, _ = without_tails(words[len(joint) :])
            found = any_value(without_preposition(old))
            return found.text if found else ""
    return ""


def any_value(words: Sequence[ClauseWord]) -> ValuePhrase | None:
    """Return words as a literal or a name; None if they are neither."""
    every = _ANY_LITERAL | ValueShape.NAME | ValueShape.ADDRESS
    return value_phrase(words, every)


def without_preposition(words: Sequence[ClauseWord]) -> Sequence[ClauseWord]:
    """Return words without a preposition before a value: "but on kubernetes"."""
    return words[1:] if words and words[0].small in ("on", "at", "in", "by") else words


def _listed(words: Sequence[ClauseWord]) -> list[Sequence[ClauseWord]]:
    """Return the parts of "postgres and redis"."""
    at = next((at for at, it in enumerate(words) if it.small == "and"), 0)
    return [words[:at], words[at + 1 :]] if at else [words]


def _is_ended(
    subject: SubjectPhrase, group: _VerbGroup, behind: Sequence[ClauseWord]
) -> list[ClauseReading]:
    """Return that something is gone."""
    said = small_text(behind)
    if subject.pronoun or subject.text in ("I", "we") or group.negated:
        return []
    if said in DIETS:
        return [
            ClauseReading(subject, "diet", said, single=False, changes=group.changed)
        ]
    if status := ENDED.get(said):
        return [ClauseReading(subject, "status", status, changes=True)]
    if said in STATUSES:
        return [ClauseReading(subject, "status", said, changes=group.changed)]
    return []


def _attribute(
    subject: SubjectPhrase, group: _VerbGroup, behind: Sequence[ClauseWord]
) -> list[ClauseReading]:
    """Return the value of an attribute, or of a subject that is an amount."""
    behind, old = split_replaced(behind)
    bare = _without_at(behind)
    if not subject.attribute:
        return []
    value = value_phrase(bare, ATTRIBUTES[subject.attribute] | ValueShape.AMOUNT)
    if value is None:
        return []
    if value.kind is LiteralKind.NONE and (
        (group.negated and not group.changed)
        or not (
            subject.owner
            or subject.has_article
            or group.changed
            or _is_plainly(subject, value)
        )
    ):
        return []  # "baseline is not affected", "contact is Ilse": of what?
    owner, predicate = attribute_place(subject)
    reading = ClauseReading(owner, predicate, value.text, value.kind)
    changed = group.changed or subject.is_new
    return [_as_said(reading, group._replace(changed=changed), old)]


def _is_plainly(subject: SubjectPhrase, value: ValuePhrase) -> bool:
    """Return whether an attribute of nobody may be one: "backbone is AST".

    People are somebody's: "contact is Ilse".
    """
    return (
        ValueShape.PERSON not in ATTRIBUTES[subject.attribute]
        and not value.text.islower()
    )


def _holder(
    subject: SubjectPhrase,
    group: _VerbGroup,
    behind: Sequence[ClauseWord],
    speaker: str,
) -> list[ClauseReading]:
    """Return whose a post is: "anna is the new treasurer of the club"."""
    bare = group.changed and small_text(behind) in ATTRIBUTES
    if behind[0].small not in ("the", "our") and not bare:
        return []
    post = subject_phrase(behind, speaker)
    if post is None or subject.has_article or subject.pronoun or subject.text == "we":
        return []
    if ValueShape.PERSON not in ATTRIBUTES.get(post.attribute, ValueShape(0)):
        return []
    owner, predicate = attribute_place(post)
    holder = speaker if subject.text == "I" else subject.text
    reading = ClauseReading(owner, predicate, holder, single=True)
    return [_as_said(reading, group._replace(changed=group.changed or post.is_new), "")]


def _plain_literal(
    subject: SubjectPhrase, group: _VerbGroup, behind: Sequence[ClauseWord]
) -> list[ClauseReading]:
    """Return a day, a time or an amount that something is: "release is thursday"."""
    behind, old = split_replaced(behind)
    if subject.text in ("I", "we"):
        return []
    is_number = len(behind) == 1 and _DECIMAL.fullmatch(behind[0].small)
    if small_text(behind) in _MONTHS:
        return []
    if not is_number and (value := value_phrase(behind, ValueShape.TIME)):
        if value.kind is LiteralKind.TIME and value.text.isdigit():
            value = value._replace(kind=LiteralKind.MEASURE)
        predicate = "scheduled" if value.kind in TIMES else "is"
    elif value := value_phrase(_without_back(behind), ValueShape.AMOUNT):
        if value.text.isdigit() and behind[0].small == "at":
            return []  # "is at 10" is a time
        predicate = "is"
    else:
        return []
    predicate = ATTRIBUTE_PREDICATES.get(subject.attribute, predicate)
    reading = ClauseReading(subject, predicate, value.text, value.kind)
    return [_as_said(reading, group, old)]


def _without_back(words: Sequence[ClauseWord]) -> Sequence[ClauseWord]:
    """Return words without "back at", "down to" and the like."""
    small = tuple(word.small for word in words[:2])
    if small[:1] == ("at",):
        return words[1:]
    if small in _LEVELS:
        return words[2:]
    return words


_LEVELS: Final = frozenset(
    (way, to) for way in ("back", "up", "down") for to in ("at", "to")
)


def _without_at(words: Sequence[ClauseWord]) -> Sequence[ClauseWord]:
    """Return words without `back`, `at` and the like: "is back at 200"."""
    while len(words) > 1 and words[0].small in (
        "back",
        "at",
        "on",
        "set",
        "to",
        "up",
        "down",
        "by",
        "in",
    ):
        words = words[1:]
    return words


def attribute_place(subject: SubjectPhrase) -> tuple[SubjectPhrase, str]:
    """Return what an attribute is of, and the predicate that it is.

    An attribute that nobody is named for is a subject by itself: "the deadline is friday".
    """
    predicate = ATTRIBUTE_PREDICATES.get(subject.attribute, "")
    if not subject.owner:
        return subject, predicate or "is"
    return subject._replace(text=subject.owner), predicate or subject.attribute
