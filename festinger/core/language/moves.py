"""Read what a clause says has changed: `we moved billing from podman to kubernetes`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from festinger.core.language.clauses import ClauseWord, small_text
from festinger.core.language.clausewords import ADVERBS, CHANGE_ADVERBS
from festinger.core.language.literals import AMOUNTS, TIMES, LiteralKind
from festinger.core.language.phrases import (
    SubjectPhrase,
    ValuePhrase,
    subject_phrase,
    value_phrase,
)
from festinger.core.language.states import (
    ClauseReading,
    any_value,
    attribute_place,
    split_replaced,
)
from festinger.core.language.verbforms import (
    ATTRIBUTES,
    BE,
    ENDED,
    HAVE,
    MOVES,
    MOVES_NOW,
    MOVING,
    PARTICLES,
    WAS,
    ValueShape,
)

_AGENTS: Final = frozenset(["i", "we", "they", "he", "she", "you", "somebody", "someone"])
_MOVE_ADVERBS: Final = ADVERBS | CHANGE_ADVERBS | frozenset(["all", "both"])
_TO: Final = frozenset(["to", "onto", "into"])
_ENDING: Final = frozenset(
    ["cancelled", "canceled", "retired", "scrapped", "decommissioned", "discontinued", "deprecated", "abandoned"]
)
_PLACES: Final = frozenset(
    ["office", "shop", "store", "party", "meeting", "lab", "clinic", "school", "class", "lesson", "lessons", "lunch", "dinner", "breakfast", "practice", "rehearsal", "event", "match", "game", "course", "workshop", "seminar", "training", "concert", "wedding", "reunion", "studio", "club", "clubhouse", "gym", "library", "warehouse", "kitchen", "archive", "collection", "event", "ceremony"]
)
"""What moves to where people go."""
_PERSON_VERBS: Final = frozenset(["relocated", "moved"])


def read_change(
    words: Sequence[ClauseWord], speaker: str, *, dated: bool
) -> list[ClauseReading]:
    """Return what a clause says has changed; nothing if that is not plain.

    Args:
        words: Without what introduces and follows it.
        speaker: Whose words they are.
        dated: Whether it is said that it is so from today: then `is moving` is no plan.
    """
    small = [word.small for word in words]
    for read in (_took_over, _renamed, _replaced, _ended, _stopped, _moved):
        if found := read(words, small, speaker, dated):
            return [found._replace(changes=True)]
    return []


def _took_over(
    words: Sequence[ClauseWord], small: list[str], speaker: str, dated: bool
) -> ClauseReading | None:
    """Read "carol took over billing from sasha", "billing was taken over by carol"."""
    if "over" not in small:
        return None
    over = small.index("over")
    verb = small[over - 1] if over else ""
    if verb == "taken" and small[over + 1 : over + 2] == ["by"]:
        subject = _subject_before(words[: over - 1], speaker, passive=True)
        return _owned(subject, words[over + 2 :], "")
    takes = verb in ("took", "taken") or (dated and verb in ("takes", "taking"))
    if verb in ("handed", "passed"):
        return _handed(words, small, over, speaker)
    if not takes:
        return None
    agent = _subject_before(words[: over - 1], speaker)
    rest, old = _from(words[over + 1 :])
    if agent is None or not agent.text or agent.text == "we" or agent.has_article:
        return None
    subject = subject_phrase(rest, speaker)
    return _owned(
        subject, [ClauseWord(agent.text, agent.text.lower())], old, known=True
    )


def _handed(
    words: Sequence[ClauseWord], small: list[str], over: int, speaker: str
) -> ClauseReading | None:
    """Read "sasha handed over billing to carol", "billing was handed over to carol"."""
    before = words[: over - 1]
    rest = words[over + 1 :]
    to = next((at for at, it in enumerate(rest) if it.small == "to"), -1)
    if to < 0:
        return None
    if to == 0:
        subject = _subject_before(before, speaker, passive=True)
        return _owned(subject, rest[1:], "")
    agent = _subject_before(before, speaker)
    old = agent.text if agent and agent.text not in ("we", "they") else ""
    return _owned(subject_phrase(rest[:to], speaker), rest[to + 1 :], old)


def _owned(
    subject: SubjectPhrase | None,
    owner: Sequence[ClauseWord],
    old: str,
    *,
    known: bool = False,
) -> ClauseReading | None:
    """Return that something is somebody's."""
    if subject is None or not subject.text or subject.text in ("I", "we"):
        return None
    if known:
        value = owner[0].text
    elif found := value_phrase(owner, ValueShape.PERSON):
        value = found.text
    else:
        return None
    return ClauseReading(subject, "owned by", value, old_value=old)


def _from(words: Sequence[ClauseWord]) -> tuple[Sequence[ClauseWord], str]:
    """Return words without "from sasha" at their end, and whom that names."""
    at = next((at for at, it in enumerate(words) if it.small == "from"), 0)
    if not at:
        return words, ""
    old = any_value(words[at + 1 :])
    return (words[:at], old.text) if old else (words, "")


def _renamed(
    words: Sequence[ClauseWord], small: list[str], speaker: str, dated: bool
) -> ClauseReading | None:
    """Read "we renamed billing to invoicing", "billing was renamed invoicing"."""
    if "renamed" not in small:
        return None
    at = small.index("renamed")
    rest = words[at + 1 :]
    to = next(
        (it for it, word in enumerate(rest) if word.small in ("to", "as", "into")), -1
    )
    if to > 0:
        if not _is_agent(words[:at]):
            return None
        subject = subject_phrase(rest[:to], speaker)
    else:
        subject = _subject_before(words[:at], speaker, passive=True)
    value = any_value(rest[to + 1 :])
    if subject is None or not subject.text or value is None:
        return None
    return ClauseReading(subject, "name", value.text)


def _replaced(
    words: Sequence[ClauseWord], small: list[str], speaker: str, dated: bool
) -> ClauseReading | None:
    """Read "we replaced redis with valkey", "redis was replaced by valkey"."""
    verb = next((it for it in ("replaced", "swapped", "replaces") if it in small), "")
    if not verb:
        return None
    at = small.index(verb)
    rest = words[at + 1 :]
    by = next(
        (it for it, word in enumerate(rest) if word.small in ("with", "by", "for")), -1
    )
    if by == 0 and verb == "replaced":
        subject = _subject_before(words[:at], speaker, passive=True)
        value = any_value(rest[1:])
        if subject is None or not subject.text or value is None:
            return None
        return ClauseReading(subject, "replaced by", value.text)
    if by > 0 and verb != "replaces":
        old, value = any_value(rest[:by]), any_value(rest[by + 1 :])
        whole = _agent(words[:at], speaker)
        if old is None or value is None or whole is None:
            return None
        return ClauseReading(
            whole, "uses", value.text, value.kind, single=False, old_value=old.text
        )
    new = _subject_before(words[:at], speaker)
    if new is None or not new.text or new.text in ("I", "we"):
        return None
    place = next((it for it, word in enumerate(rest) if word.small == "as"), len(rest))
    old, role = any_value(rest[:place]), subject_phrase(rest[place + 1 :], speaker)
    if old is None:
        return None
    if role and role.text:
        return ClauseReading(role, "is", new.text, old_value=old.text)
    return ClauseReading(SubjectPhrase(old.text), "replaced by", new.text)


def _ended(
    words: Sequence[ClauseWord], small: list[str], speaker: str, dated: bool
) -> ClauseReading | None:
    """Read "we cancelled the standup", "the standup has been cancelled"."""
    for size in (2, 1):
        for at in range(len(small) - size + 1):
            verb = " ".join(small[at : at + size])
            if verb not in ENDED:
                continue
            behind = words[at + size :]
            subject = None
            if not behind:
                subject = _subject_before(words[:at], speaker, passive=True)
            elif (verb in _ENDING or size == 2) and _is_agent(words[:at]):
                subject = subject_phrase(behind, speaker)
            if subject and subject.text and subject.text not in ("I", "we"):
                return ClauseReading(subject, "status", ENDED[verb])
    if small[-3:] == ["no", "longer", "exists"] or small[-4:] == [
        "does",
        "not",
        "exist",
        "any",
    ]:
        subject = subject_phrase(words[:-3], speaker)
        if subject and subject.text:
            return ClauseReading(subject, "status", "gone")
    return None


def _stopped(
    words: Sequence[ClauseWord], small: list[str], speaker: str, dated: bool
) -> ClauseReading | None:
    """Read "we stopped using redis", "we are done with redis", "we dropped redis"."""
    for phrase in (
        ["stopped", "using"],
        ["done", "with"],
        ["got", "rid", "of"],
        ["dropped"],
        ["off"],
    ):
        for at in range(len(small) - len(phrase)):
            if small[at : at + len(phrase)] != phrase:
                continue
            before = [it for it in small[:at] if it not in _MOVE_ADVERBS | BE | HAVE]
            if before != ["we"]:
                return None
            value = value_phrase(words[at + len(phrase) :], ValueShape.PROPER)
            if value is None or value.kind in TIMES or len(value.text.split()) > 2:
                return None
            return ClauseReading(
                SubjectPhrase("we"), "uses", value.text, single=False, negated=True,
                old_value=value.text,
            )  # fmt: skip
    return None


def _moved(
    words: Sequence[ClauseWord], small: list[str], speaker: str, dated: bool
) -> ClauseReading | None:
    """Read "billing moved to kubernetes", "we moved it from 9 to 10"."""
    at = next(
        (at for at, it in enumerate(small) if it in MOVES | MOVES_NOW | MOVING), -1
    )
    if at < 0:
        return None
    verb = small[at]
    end = at + 1
    while end < len(small) and small[end] in PARTICLES | _MOVE_ADVERBS:
        end += 1
    thing, new, old = _ways(words[end:])
    if new is None:
        return None
    if verb in MOVING and not dated:
        return None
    if thing:
        # "We moved billing to …": whoever did it is not what moved.
        if not _is_agent(words[:at]) or verb in MOVES_NOW:
            return None
        subject = subject_phrase(_without_particles(thing), speaker)
    elif at == 0 or (small[at - 1] in _AGENTS and at == 1) or _is_agent(words[:at]):
        subject = _agent(words[:at], speaker)
    else:
        passive = any(it in WAS | BE or it == "been" for it in small[:at])
        subject = _subject_before(words[:at], speaker, passive=passive)
        if verb in MOVING and not passive:
            return None
    if subject is None or not (subject.text or subject.pronoun):
        return None
    reading = _placed(subject, new, verb)
    if reading is None or (
        verb in MOVES_NOW and not dated and reading.kind not in TIMES
    ):
        return None  # a plan
    return reading._replace(old_value=old)


def _ways(
    words: Sequence[ClauseWord],
) -> tuple[Sequence[ClauseWord], ValuePhrase | None, str]:
    """Return what stands before "from A to B", B, and A in its words."""
    words, replaced = split_replaced(words)
    small = [word.small for word in words]
    to = next(
        (at for at, it in enumerate(small) if it in _TO or it in ("until", "till")), -1
    )
    source = small.index("from") if "from" in small else -1
    if to < 0:
        return words, None, ""
    if source < 0:
        return words[:to], any_value(words[to + 1 :]), replaced
    if source < to:
        old, new = any_value(words[source + 1 : to]), any_value(words[to + 1 :])
        thing = words[:source]
    else:
        old, new = any_value(words[source + 1 :]), any_value(words[to + 1 : source])
        thing = words[:to]
    return (thing, new, old.text) if old else (words, None, "")


def _without_particles(words: Sequence[ClauseWord]) -> Sequence[ClauseWord]:
    """Return words without "over" at their end: "switched billing over to"."""
    while words and words[-1].small in PARTICLES | _MOVE_ADVERBS:
        words = words[:-1]
    return words


def _subject_before(
    words: Sequence[ClauseWord], speaker: str, *, passive: bool = False
) -> SubjectPhrase | None:
    """Return the subject of a verb, without its auxiliaries; None if it is not plain.

    Args:
        passive: Whether a form of `be` may, and must, stand among them.
    """
    bes = 0
    while words:
        last = words[-1].small
        if last in BE | WAS or last == "been":
            bes += 1
        elif last not in _MOVE_ADVERBS | HAVE:
            break
        words = words[:-1]
    if not words or (bool(bes) != passive and not (bes and words)):
        return None
    return subject_phrase(words, speaker)


def _is_agent(words: Sequence[ClauseWord]) -> bool:
    """Return whether words are whoever did something, or nobody in particular."""
    small = [it.small for it in words if it.small not in _MOVE_ADVERBS | HAVE | BE]
    return not small or (
        len(small) == 1 and (small[0] in _AGENTS or small[0].isalpha())
    )


def _agent(words: Sequence[ClauseWord], speaker: str) -> SubjectPhrase | None:
    """Return whoever did something; `we` if nobody is named."""
    bare = [it for it in words if it.small not in _MOVE_ADVERBS | HAVE]
    if not bare or small_text(bare) == "we":
        return SubjectPhrase("we")
    return subject_phrase(bare, speaker)


def _placed(
    subject: SubjectPhrase, new: ValuePhrase, verb: str
) -> ClauseReading | None:
    """Return where something is now, under the predicate that its new value fits."""

    def placed(predicate: str, *, single: bool = True) -> ClauseReading:
        return ClauseReading(subject, predicate, new.text, new.kind, single)

    if subject.attribute:
        owner, predicate = attribute_place(subject)
        shape = ATTRIBUTES[subject.attribute]
        if _is_fitting(new, shape):
            return ClauseReading(owner, predicate, new.text, new.kind)
    if new.kind in TIMES:
        return None if subject.text in ("I", "we") else placed("scheduled")
    if new.kind is LiteralKind.MONEY and subject.text not in ("I", "we"):
        return placed("costs")
    if new.kind is LiteralKind.VERSION and subject.text not in ("I", "we"):
        return placed("version")
    if new.kind in AMOUNTS:
        return placed("is") if subject.text not in ("I", "we", "") else None
    if subject.text == "we":
        return placed("uses", single=False)
    if subject.text == "I":
        return (
            placed("lives in")
            if verb in _PERSON_VERBS and new.text[:1].isupper()
            else None
        )
    head = subject.text.split()[-1].lower() if subject.text else ""
    if head in _PLACES:
        return placed("located")
    is_person = subject.text[:1].isupper() and new.text[:1].isupper()
    if (
        is_person
        and verb in _PERSON_VERBS
        and " " not in subject.text
        and not subject.has_article
    ):
        return placed("lives in")
    return placed("runs on")


def _is_fitting(value: ValuePhrase, shape: ValueShape) -> bool:
    """Return whether a value may be one of an attribute of that shape."""
    if value.kind in TIMES:
        return ValueShape.TIME in shape
    if value.kind in AMOUNTS:
        return not shape & ValueShape.TIME
    names = ValueShape.PERSON | ValueShape.PROPER | ValueShape.ADDRESS
    if value.kind is LiteralKind.VERSION:
        return ValueShape.VERSION in shape
    return bool(shape & names)
