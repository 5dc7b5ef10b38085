"""Read current states: `billing runs on podman`, `redis is gone`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from festinger.core.language.attributes import (
    read_attribute,
    read_holder,
    read_plain_literal,
)
from festinger.core.language.clauses import (
    ClauseWord,
    small_text,
    small_words,
    typed_text,
)
from festinger.core.language.clausewords import (
    ACCOUNTS,
    ANY_ADVERBS,
    CHANGE_ADVERBS,
    LANGUAGES,
    PROGRAMMING_LANGUAGES,
)
from festinger.core.language.literals import TIMES, LiteralKind, is_place, literal_kind
from festinger.core.language.persons import is_person, leads, may_be_people
from festinger.core.language.phrases import (
    ClauseReading,
    SubjectPhrase,
    ValuePhrase,
    subject_phrase,
    value_phrase,
)
from festinger.core.language.replacing import split_replaced
from festinger.core.language.verbforms import (
    DIETS,
    ENDED,
    STATUSES,
    ValueShape,
    VerbForm,
)
from festinger.core.language.verbgroups import (
    GROUP_FIRST,
    VerbGroup,
    verb_group,
    with_group,
)
from festinger.core.system.wordsets import phrase_set, word_set

SUBJECT_MAX: Final = 9
"""Maximum number of words before a verb, including an article and `of`."""

_VERSION: Final = re.compile(r"v?\d+(?:\.\d+){1,2}|v\d+")  # "2.4.1", "v2"; not "16"
_PORT: Final = re.compile(
    r"(?!(?:19|20)\d\d$)[1-9]\d{3}|[1-5]\d{4}"
)  # "the api is on 8081"
_PAGE: Final = re.compile(r"^[/~#]|[^/:]/[^/]")  # "/srv", "#ops", "x.org/wiki"
# Predicates of "I": "I live in Lyon" lasts, "I run on coffee" is no fact about a system.
_OF_SPEAKERS: Final = phrase_set("""
    owned by, lives in, works at, reports to, married to, allergic to, speaks,
    prefers, plays
""")

_RELATIVE: Final = word_set(
    "max min maximum minimum value amount number total sum start end"
)
"""Attributes that say nothing without their owner."""
_ON: Final = ("on",)
_BACK: Final = frozenset([("back", "on"), ("back", "in")])
_CARING: Final = frozenset(["look", "looks", "looking", "take", "takes", "taking"])
"""First words of verbs of owning whose object may be people."""


def read_state(
    words: Sequence[ClauseWord], speaker: str, *, changed: bool = False
) -> list[ClauseReading]:
    """Return the state that a clause states; empty if it is unclear.

    Args:
        words: Words without introduction and tail.
        changed: Whether the removed words say that it was otherwise before.
    """
    small = small_words(words)
    # Nouns may look like verbs ("the train is at 9"), so each place is tried.
    for at in range(1, min(len(words), SUBJECT_MAX)):
        if small[at] not in GROUP_FIRST:
            continue
        group = verb_group(small, at, changed=changed)
        if group is None:
            continue
        behind = list(words[at + group.size :])
        if not behind:
            continue
        subjects, late = subjects_of(words[:at], speaker)
        group = group._replace(changed=group.changed or late or changed)
        found = [_predicated(it, group, behind, speaker) for it in subjects]
        # "The demo will be on 3 May" is as sure as plans are, "will be late" says nothing.
        if small[at] == "will" and not changed:
            found = [[it for it in each if it.kind in TIMES] for each in found]
        # If one of several subjects is unclear, nothing is read of the clause.
        if found and all(found):
            return [
                reading._replace(past=group.past) for each in found for reading in each
            ]
    return []


def subjects_of(
    words: Sequence[ClauseWord], speaker: str
) -> tuple[list[SubjectPhrase], bool]:
    """Return the subjects (none if one is unclear), and whether a change is said."""
    changed = False
    # In "billing now runs on podman" the adverb stands before the verb.
    while len(words) > 1 and words[-1].small in ANY_ADVERBS:
        changed = changed or words[-1].small in CHANGE_ADVERBS
        words = words[:-1]
    parts = _listed(words)
    found = [it for part in parts if (it := subject_phrase(part, speaker))]
    if len(found) < len(parts) or (len(parts) > 1 and not all(it.text for it in found)):
        return [], changed
    return found, changed


def _predicated(
    subject: SubjectPhrase, group: VerbGroup, behind: Sequence[ClauseWord], speaker: str
) -> list[ClauseReading]:
    """Return the readings of a verb group and the words behind it."""
    # "Prod is back on 1.14.1", unlike "Tom is back on monday".
    is_back = group.is_be and tuple(small_words(behind[:2])) in _BACK
    if is_back and literal_kind(typed_text(behind[2:])) not in TIMES:
        behind, group = behind[1:], group._replace(changed=True)
    # "Stock is 40, min is 25": no more is said of what.
    if subject.text.lower() in _RELATIVE:
        return []
    # An end ("is gone") before an attribute before a post before a bare literal ("is friday").
    if group.is_be:
        if found := _is_ended(subject, group, behind, speaker):
            return found
        if found := read_attribute(subject, group, behind) or read_holder(
            subject, group, behind, speaker
        ):
            return found
        if found := read_plain_literal(subject, group, behind):
            return found
        if small_text(behind) == "mine" and _may_be_owned(subject):
            owned = ClauseReading(subject, "owned by", speaker)
            return [with_group(owned, group, "")]
    small = [word.small for word in behind[:6]]  # up to 3 words and adverbs
    # Longer forms come first, so that "is in charge of" is not read as "is in".
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


def _may_be_owned(subject: SubjectPhrase) -> bool:
    """Return whether "mine" tells an owner, unlike that of a mistake."""
    head = subject.text.lower().split()[-1:]
    return bool(head) and subject.text != "we" and head[0] not in _FELT


_FELT: Final = word_set("""
    mistake fault pleasure turn choice bad i opinion view decision guess treat
""")
"""Nouns that are mine without being owned."""


def _matched(small: Sequence[str], form: Sequence[str]) -> int:
    """Return the number of words of a verb with adverbs in between; 0 for no match."""
    at = 0
    for part in form:
        while at < len(small) and at > 0 and small[at] != part:
            if small[at] not in ANY_ADVERBS:
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
    group: VerbGroup,
    speaker: str,
) -> list[ClauseReading]:
    """Return a reading for each value behind a verb; none if one does not fit."""
    rest, old = split_replaced(rest)
    if not _may_have(subject, form):
        return []
    if form.inverse:
        owned = _owned(subject, form, rest, speaker)
        return [with_group(owned, group, old)] if owned else []
    found = []
    # "Uses postgres and redis" has two values; of a single-valued verb they are one or none.
    for part in [rest] if form.single else _listed(rest):
        value = value_phrase(part, form.shape)
        # "Poll /healthz on 9115 now" is an order.
        if group.size and form.words == _ON and _PORT.fullmatch(small_text(part)):
            value = ValuePhrase(f"port {small_text(part)}", LiteralKind.NONE)
        if value is None and form.predicate == "scheduled":
            value = _before_place(subject, part, speaker)
        if value is None or (subject.pronoun and not form.single):
            return []
        if form.words == ("with",) and not _is_account(subject, value):
            return []
        reading = _reading_of(subject, form, value, speaker)
        if reading is None:
            return []
        found.append(with_group(reading, group, old))
    return found


def _owned(
    subject: SubjectPhrase, form: VerbForm, rest: Sequence[ClauseWord], speaker: str
) -> ClauseReading | None:
    """Return the owner that precedes a verb: "carol owns billing"."""
    owned = subject_phrase(rest, speaker)
    if owned is None or not owned.text or not subject.text:
        return None
    # "The team owns billing" names no person.
    if subject.has_article or not _is_person(subject.text):
        return None
    # Who is in charge of a team leads it, but Ajax may lead Breda, and Tom the race.
    is_led = form.words[0].startswith("lead")
    if is_led and not leads(subject.text, owned.text, speaker):
        return None
    # "I look after my dad": people are cared for, and belong to nobody.
    is_cared = form.words[0] in _CARING and may_be_people(owned.text, speaker)
    if is_cared or is_person(owned.text, speaker):
        return None
    owner = speaker if subject.text == "I" else subject.text
    return ClauseReading(owned, form.predicate, owner, single=form.single)


def _reading_of(
    subject: SubjectPhrase, form: VerbForm, value: ValuePhrase, speaker: str
) -> ClauseReading | None:
    """Return the reading of a verb and a value; None if they state nothing lasting."""
    predicate, single = form.predicate, form.single
    if predicate == "located" and (
        _is_passing(subject, form, value) or value.text.lower() in LANGUAGES
    ):
        return None
    if (
        form.words[-1] != "at"
        and form.shape == ValueShape.TIME
        and value.text.isdigit()
    ):
        return None  # "is on 16" is no time
    if predicate == "located" and value.text.lower() in PROGRAMMING_LANGUAGES:
        predicate = "written in"  # "the parser is in Rust"
    if form.words == _ON:
        if subject.text == "we":
            # "We are on xero", but "we're on 2.1" does not say of what.
            if literal_kind(value.text) is not LiteralKind.NONE:
                return None
            predicate, single = "uses", False
        elif predicate != "scheduled" and is_person(subject.text, speaker):
            return None  # "Theo is on insulin", "carol is on slack now"
        elif predicate == "located":
            # "Plex is on the nas", "the cups are on the shelf".
            predicate = predicate if subject.has_article else "runs on"
        if predicate == "runs on" and is_place(value.text):
            predicate = "located"  # "the gym is on Park Street"
    # "The board is at jira.example.org/boards/7" is no host.
    is_host = value.kind is LiteralKind.ADDRESS and not _PAGE.search(value.text)
    if predicate == "located" and is_host:
        predicate = "runs on"  # "staging is at stg.example.org"
    noun, _, number = value.text.partition(" ")
    if predicate == "runs on" and _VERSION.fullmatch(value.text):
        predicate = "version"  # "staging is on 2.4.1"
    elif noun.lower() in ("port", "version") and number[:1].isdigit():
        # "Grafana is on port 3001."
        return ClauseReading(subject, noun.lower(), number, LiteralKind.MEASURE)
    return ClauseReading(subject, predicate, value.text, value.kind, single)


def _may_have(subject: SubjectPhrase, form: VerbForm) -> bool:
    """Return whether a predicate is possible for a subject."""
    if subject.text == "I":
        return form.predicate in _OF_SPEAKERS
    if subject.text == "we":
        return form.predicate not in ("located", "scheduled")  # "we are in the kitchen"
    return True


def _before_place(
    subject: SubjectPhrase, words: Sequence[ClauseWord], speaker: str
) -> ValuePhrase | None:
    """Return the time before a place: "at 9:15 on Zoom", "on 3 May in the town hall"."""
    # "Anna is on Monday in Berlin" is no appointment.
    if is_person(subject.text, speaker):
        return None
    for at in range(len(words) - 1, 0, -1):
        if words[at].small not in ("in", "at", "on", "via"):
            continue
        value = value_phrase(words[:at], ValueShape.TIME)
        place = value_phrase(words[at + 1 :], ValueShape.PLACE | ValueShape.PROPER)
        # "In three weeks" says another day.
        is_place = place is not None and place.kind is LiteralKind.NONE
        if value and not value.text.isdigit() and is_place:
            return value
    return None


def _is_account(subject: SubjectPhrase, value: ValuePhrase) -> bool:
    """Return whether "is with" says who provides or has a thing: "the domain is with Gandi"."""
    # "The trouble is with Tom" says nothing of the kind.
    noun = subject.text.split()[-1].lower() if subject.text else ""
    return noun in ACCOUNTS and not value.has_article and not value.text.islower()


def _is_passing(subject: SubjectPhrase, form: VerbForm, value: ValuePhrase) -> bool:
    """Return whether it is a person's temporary place, which is not kept."""
    # "Carol is in Berlin" may be a trip; "the cups are in Berlin" says where to look for them.
    is_person = subject.text.istitle() and " " not in subject.text
    is_be = form.words in (("in",), ("at",), ("on",)) and not subject.has_article
    return is_be and is_person and value.kind is LiteralKind.NONE


def _is_person(text: str) -> bool:
    """Return whether a subject can be an owner: one or two words, or the speaker."""
    return text not in ("we",) and len(text.split()) <= 2


def _listed(words: Sequence[ClauseWord]) -> list[Sequence[ClauseWord]]:
    """Return the parts of a list such as "postgres and redis"."""
    at = next((at for at, it in enumerate(words) if it.small == "and"), 0)
    return [words[:at], words[at + 1 :]] if at else [words]


def _is_ended(
    subject: SubjectPhrase, group: VerbGroup, behind: Sequence[ClauseWord], speaker: str
) -> list[ClauseReading]:
    """Return the reading of a subject's end, status or diet, if it is stated."""
    said = small_text(behind)
    if subject.pronoun or subject.text == "we":
        return []
    # A diet is the only one of these that the speaker may have: "I'm vegan".
    if said in DIETS and (group.changed or not group.negated):
        old = said if group.negated else ""
        return [
            with_group(ClauseReading(subject, "diet", said, single=False), group, old)
        ]
    if subject.text == "I":
        return []
    if subject.text.startswith(f"{speaker}'s "):
        return []  # "my battery is dead"
    if status := ENDED.get(said):
        # "Redis isn't dead" ends what was said of its end.
        old = status if group.negated else ""
        return [
            ClauseReading(
                subject,
                "status",
                status,
                negated=group.negated,
                changes=True,
                old_value=old,
            )
        ]
    if said in STATUSES and not group.negated:
        return [ClauseReading(subject, "status", said, changes=group.changed)]
    return []
