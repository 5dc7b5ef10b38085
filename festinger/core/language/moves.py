"""Read moves to a new place: `we moved billing from podman to kubernetes`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from festinger.core.language.agents import (
    MOVE_ADVERBS,
    agent_of,
    is_agent,
    subject_before,
)
from festinger.core.language.clausereading import ClauseReading, attribute_place
from festinger.core.language.clauses import ClauseWord, small_text
from festinger.core.language.literals import (
    AMOUNTS,
    TIMES,
    LiteralKind,
    literal_kind,
)
from festinger.core.language.phrases import (
    SubjectPhrase,
    ValuePhrase,
    subject_phrase,
)
from festinger.core.language.replacing import any_value, split_replaced
from festinger.core.language.verbforms import (
    ATTRIBUTES,
    BE,
    INTRANSITIVE,
    LASTING,
    MOVES,
    MOVES_NOW,
    MOVING,
    PARTICLES,
    POSTS,
    WAS,
    ValueShape,
)

_TO: Final = frozenset(["to", "onto", "into"])
# "The office moved to Quay 4" says where it is, "billing moved to podman" where it runs.
_PLACES: Final = frozenset(
    [
        "office",
        "shop",
        "store",
        "party",
        "meeting",
        "lab",
        "clinic",
        "school",
        "class",
        "lesson",
        "lessons",
        "lunch",
        "dinner",
        "breakfast",
        "practice",
        "rehearsal",
        "event",
        "match",
        "game",
        "course",
        "workshop",
        "seminar",
        "training",
        "concert",
        "wedding",
        "reunion",
        "studio",
        "club",
        "clubhouse",
        "gym",
        "library",
        "warehouse",
        "kitchen",
        "archive",
        "collection",
        "event",
        "ceremony",
    ]
)
"""Subjects that move to a location rather than to a platform."""
# "We moved the card to the backlog", "switched it to manual": so for a while.
_NO_TARGETS: Final = frozenset(
    [
        "team",
        "group",
        "squad",
        "department",
        "desk",
        "review",
        "backlog",
        "trash",
        "bin",
        "top",
        "bottom",
        "end",
        "list",
        "side",
        "mode",
        "manual",
        "automatic",
        "left",
        "right",
        "inbox",
        "folder",
        "spam",
        "tab",
        "row",
        "column",
    ]
)
"""Targets that are no lasting place."""
# "My sister moved to Lyon" says where she lives.
_KIN: Final = frozenset(
    [
        "mum",
        "mom",
        "dad",
        "nan",
        "nana",
        "gran",
        "grandma",
        "grandpa",
        "granny",
        "grandad",
        "mother",
        "father",
        "sister",
        "brother",
        "aunt",
        "auntie",
        "uncle",
        "cousin",
        "son",
        "daughter",
        "wife",
        "husband",
    ]
)
_ROOMS: Final = frozenset(
    [
        "room",
        "building",
        "hall",
        "floor",
        "house",
        "flat",
        "shelf",
        "drawer",
        "locker",
        "cupboard",
        "box",
        "office",
        "lab",
    ]
)
"""First words of the names of places: `room 210`."""
_SYSTEMS: Final = frozenset(
    [
        "ci",
        "database",
        "backend",
        "frontend",
        "repo",
        "repository",
        "website",
        "queue",
        "cache",
        "scheduler",
        "cluster",
        "broker",
    ]
)
"""Attributes that run on a platform when they move."""
VERSIONED: Final = frozenset(["upgraded", "downgraded", "updated"])
_PERSON_VERBS: Final = frozenset(["relocated", "moved"])
_SWITCHES: Final = frozenset(["switched", "switches", "switching"])


def read_moved(
    words: Sequence[ClauseWord], small: list[str], speaker: str, dated: bool
) -> ClauseReading | None:
    """Read "billing moved to kubernetes", "we moved it from 9 to 10"."""
    at = next(
        (at for at, it in enumerate(small) if it in MOVES | MOVES_NOW | MOVING), -1
    )
    if at < 0:
        return None
    verb = small[at]
    # "We moved on from Flake8 to Ruff" is "moved from Flake8 to Ruff".
    if small[at + 1 : at + 3] == ["on", "from"]:
        words, small = (
            [*words[: at + 1], *words[at + 2 :]],
            [*small[: at + 1], *small[at + 2 :]],
        )
    end = at + 1  # "moved over to", "moved back to"
    while end < len(small) and small[end] in PARTICLES | MOVE_ADVERBS:
        end += 1
    thing, new, old = _ways(words[end:])
    if thing and not old and {"off", "away"} & set(small[at + 1 : end]):
        # "We moved off mailchimp to buttondown."
        left = any_value(thing)
        thing, old = (), left.text if left else ""
    if new is None or (thing and verb in INTRANSITIVE):
        return None
    # The particle may also stand behind the object: "switched billing over to kubernetes".
    over = [it.small for it in thing[-1:] if it.small == "over"]
    if not _is_move(verb, new, old, [*small[at + 1 : end], *over]):
        return None
    if verb in MOVING and not dated:
        return None  # "we are moving billing to kubernetes" is a plan
    if thing:
        # "We moved billing to …": the agent is not the subject.
        # "Fix moved links to docs" is an order, "carol moves billing to podman" a plan.
        if not is_agent(words[:at]) or verb in MOVES_NOW:
            return None
        thing = _without_particles(thing)
        singular = small_text(thing).removesuffix("s")
        if singular in ATTRIBUTES and old and len(thing) == 1:
            # "We switched engines from unity to godot", "… vets from anna to tom".
            # The vet is a post with a new holder, the engine a thing that the group uses.
            is_post = ATTRIBUTES[singular] & POSTS
            thing = [ClauseWord(singular, singular)] if is_post else ()
        subject = subject_phrase(thing, speaker) if thing else SubjectPhrase("we")
    else:
        passive = any(it in WAS | BE or it == "been" for it in small[:at])
        if verb in MOVING and not passive:
            return None
        subject = (
            subject_before(words[:at], speaker, passive=True)
            if passive
            else agent_of(words[:at], speaker)
        )
    if subject is None or not (subject.text or subject.pronoun):
        return None
    reading = placed_at(
        subject, new, verb, by_one=bool(thing) and small[0] not in ("we", "they")
    )
    if reading is None or (
        verb in MOVES_NOW and not dated and reading.kind not in TIMES
    ):
        return None  # a plan
    # "Upgraded postgres to 16": a bare number is a version behind these verbs.
    if verb in VERSIONED and reading.predicate == "is":
        reading = reading._replace(predicate="version")
    # "From 9:30 to 10": the old value tells that "10" is a time.
    if reading.predicate == "is" and literal_kind(old) is LiteralKind.TIME:
        reading = reading._replace(predicate="scheduled", kind=LiteralKind.TIME)
    return reading._replace(old_value=old)


def _is_move(verb: str, new: ValuePhrase, old: str, particles: Sequence[str]) -> bool:
    """Return whether a verb with a name behind it states a lasting move."""
    # "Went up to 950", "went from podman to kubernetes": nothing else can be meant.
    if new.kind is not LiteralKind.NONE or old:
        return True
    # "The mail went to carol" is no move, "the disk went over to podman" is one.
    if verb in INTRANSITIVE or "over" in particles:
        return bool(set(particles) & {"over", "back"})
    # "I pushed the fix to main" changes nothing that lasts.
    return verb in LASTING and new.text.split()[-1].lower() not in _NO_TARGETS


def _ways(
    words: Sequence[ClauseWord],
) -> tuple[Sequence[ClauseWord], ValuePhrase | None, str]:
    """Return the words before "from A to B", the value B, and the text of A."""
    words, replaced = split_replaced(_without_agent(words))
    small = [word.small for word in words]
    to = next(
        (at for at, it in enumerate(small) if it in _TO or it in ("until", "till")), -1
    )
    source = small.index("from") if "from" in small else -1
    if to < 0 and small[:1] == ["for"]:
        # "The fair has been rescheduled for 10 May."
        new = any_value(words[1:])
        return ((), new, replaced) if new and new.kind in TIMES else (words, None, "")
    if to < 0:
        return words, None, ""
    # "Billing moved to B", "moved from A to B", "moved to B from A".
    if source < 0:
        return words[:to], any_value(words[to + 1 :]), replaced
    if source < to:
        old, new = any_value(words[source + 1 : to]), any_value(words[to + 1 :])
        thing = words[:source]
    else:
        old, new = any_value(words[source + 1 :]), any_value(words[to + 1 : source])
        thing = words[:to]
    return (thing, new, old.text) if old else (words, None, "")


def _without_agent(words: Sequence[ClauseWord]) -> Sequence[ClauseWord]:
    """Return words without a trailing "by carol"."""
    at = next((at for at, it in enumerate(words) if it.small == "by"), 0)
    is_name = at and at + 2 >= len(words) and words[-1].small.isalpha()
    return words[:at] if is_name else words


def _without_particles(words: Sequence[ClauseWord]) -> Sequence[ClauseWord]:
    """Return words without a trailing "over": "switched billing over to"."""
    while words and words[-1].small in PARTICLES | MOVE_ADVERBS:
        words = words[:-1]
    return words


def placed_at(
    subject: SubjectPhrase, new: ValuePhrase, verb: str, *, by_one: bool
) -> ClauseReading | None:
    """Return the new place of a subject, with the predicate that fits the value.

    Args:
        by_one: Whether a single person moved it.
    """

    def placed(predicate: str, *, single: bool = True) -> ClauseReading:
        """Return a reading with the subject and the new value."""
        return ClauseReading(subject, predicate, new.text, new.kind, single)

    # The order matters: a path tells where something is, whatever has moved.
    if new.text.startswith(("/", "~/")):
        return placed("located")
    is_system = not subject.owner and subject.attribute in _SYSTEMS
    if is_system and new.kind is LiteralKind.NONE and verb in ("moved", "migrated"):
        return placed("runs on")
    is_named = ATTRIBUTES.get(subject.attribute, 0) & ValueShape.NAMED
    # "Our landlord moved to Porto" does not name a new landlord.
    is_person = verb in _PERSON_VERBS and bool(is_named)
    if subject.attribute and not is_person:
        owner, predicate = attribute_place(subject)
        shape = ATTRIBUTES[subject.attribute]
        if _is_fitting(new, shape):
            return ClauseReading(owner, predicate, new.text, new.kind)
    # "Choir moved to thursdays", "the build went up to 24 minutes".
    if new.kind is not LiteralKind.NONE and new.kind is not LiteralKind.ADDRESS:
        predicate = _LITERALS.get(new.kind, "is")
        return None if subject.text in ("I", "we", "") else placed(predicate)
    if subject.text in ("I", "we"):
        return _moved_group(subject, new, verb)
    head = subject.text.split()[-1].lower() if subject.text else ""
    if head in _PLACES and verb in _SWITCHES:
        return placed("uses", single=False)  # "the shop switched to adyen"
    if head in _PLACES or new.text.split()[0].lower() in _ROOMS:
        return placed("located")
    if subject.has_article and new.has_article:
        # The place where one person put a thing is not worth keeping.
        return None if by_one else placed("located")
    if verb in ("changed", "changes", "changing"):
        return placed("is")  # "the dress code changed to casual"
    if is_person or (head in _KIN and verb in _PERSON_VERBS):
        # "Grandma moved to the garden" is no new home.
        return placed("lives in") if new.text[:1].isupper() else None
    # Anything else has moved to a platform: "billing moved to kubernetes".
    return placed("runs on")


_LITERALS: Final = {
    **dict.fromkeys(TIMES, "scheduled"),
    LiteralKind.MONEY: "costs",
    LiteralKind.VERSION: "version",
}


def _moved_group(
    subject: SubjectPhrase, new: ValuePhrase, verb: str
) -> ClauseReading | None:
    """Return where the speaker lives, or what the group uses, or where it is."""
    if subject.text == "I":
        is_home = verb in _PERSON_VERBS and new.text[:1].isupper()
        return ClauseReading(subject, "lives in", new.text) if is_home else None
    if verb == "moved" and new.has_article:
        return None  # "we moved to the kitchen"
    # "We moved to Quay 4" is an address, "we moved to godot" a product.
    if verb == "moved" and " " in new.text and not new.text.islower():
        return ClauseReading(subject, "located", new.text)
    return ClauseReading(subject, "uses", new.text, new.kind, single=False)


def _is_fitting(value: ValuePhrase, shape: ValueShape) -> bool:
    """Return whether a value fits an attribute of a shape."""
    if value.kind in TIMES:
        return ValueShape.TIME in shape
    if value.kind in AMOUNTS:
        return not shape & ValueShape.TIME
    names = POSTS | ValueShape.PROPER | ValueShape.STRICT | ValueShape.ADDRESS
    if value.kind is LiteralKind.VERSION:
        return ValueShape.VERSION in shape
    return bool(shape & names)
