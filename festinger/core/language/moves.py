"""Read moves to a new place: `we moved billing from podman to kubernetes`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from festinger.core.language.clauses import ClauseWord, small_text
from festinger.core.language.clausewords import SUPPLIED
from festinger.core.language.literals import (
    AMOUNTS,
    TIMES,
    LiteralKind,
    is_place,
    literal_kind,
)
from festinger.core.language.persons import is_kin, may_be_people
from festinger.core.language.phrases import (
    DECIMAL,
    ClauseReading,
    SubjectPhrase,
    ValuePhrase,
    attribute_place,
    subject_phrase,
)
from festinger.core.language.replacing import any_value, split_replaced
from festinger.core.language.verbforms import (
    ATTRIBUTES,
    INTRANSITIVE,
    LASTING,
    MOVES,
    MOVES_NOW,
    MOVING,
    PARTICLES,
    POSTS,
    ValueShape,
)
from festinger.core.language.verbgroups import (
    MOVE_ADVERBS,
    PASSIVE,
    agent_of,
    is_agent,
    subject_before,
)
from festinger.core.system.wordsets import word_set

_TO: Final = frozenset(["to", "onto", "into"])
# "The office moved to Quay 4" says where it is, "billing moved to podman" where it runs.
_PLACES: Final = word_set("""
    office shop store party meeting lab clinic school class lesson lessons lunch
    dinner breakfast practice rehearsal event match game course workshop seminar
    training concert wedding reunion studio club clubhouse gym library warehouse
    kitchen archive collection ceremony bakery café cafe restaurant pub hotel
    museum gallery church chapel hospital surgery pharmacy garage market salon
    headquarters hq
""")
"""Subjects that move to a location rather than to a platform."""
# "We moved the card to the backlog", "switched it to manual": so for a while.
_NO_TARGETS: Final = word_set("""
    team group squad department desk review backlog trash bin top bottom end list side
    mode manual automatic left right inbox folder spam tab row column
""")
"""Targets that are no lasting place."""
_SYSTEMS: Final = word_set("""
    ci database backend frontend repo repository website queue cache scheduler cluster
    broker
""")
"""Attributes that run on a platform when they move."""
VERSIONED: Final = frozenset(["upgraded", "downgraded", "updated"])
_RELEASED: Final = VERSIONED | word_set("""
    moved migrated switched went bumped ported reverted moves goes switches migrates
""")
"""Verbs behind which a decimal is the version of what is moved."""
_QUARTER: Final = re.compile(r"(?:[7-9]|1\d|2[0-3])\.(?:00|15|30|45)")  # "12.30"
# A post moves to a new holder ("oncall moved to carol"), its holder to a place.
_DUTIES: Final = frozenset(
    ["on-call", "oncall", "on call", "contact", "contact person", "point of contact"]
)
"""Posts that have no other name for their holder."""
# "Moved house to Lyon", "moved home": the object says that it is a new home.
_HOMES: Final = frozenset(["house", "home", "flat", "apartment"])
_ORDERED: Final = frozenset(["set", "put", "cut", "turned"])
"""Past forms that are orders if nobody is named."""
_LEVELLED: Final = {
    "came": frozenset(["down"]),
    "put": frozenset(["up", "down", "back", "forward"]),
    "turned": frozenset(["up", "down"]),
}
"""Verbs that express a change only with one of these particles."""
_SWITCHES: Final = frozenset(["switched", "switches", "switching"])
MOVE_VERBS: Final = MOVES | MOVES_NOW | MOVING
"""Words of which each clause that is read here has one."""
_BETWEEN: Final = PARTICLES | MOVE_ADVERBS
"""Words between a verb of moving and its target."""


def read_moved(
    words: Sequence[ClauseWord], small: list[str], speaker: str, dated: bool
) -> ClauseReading | None:
    """Read "billing moved to kubernetes", "we moved it from 9 to 10"."""
    at = next((at for at, it in enumerate(small) if it in MOVE_VERBS), -1)
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
    while end < len(small) and small[end] in _BETWEEN:
        end += 1
    thing, new, old = _ways(words[end:])
    if thing and not old and {"off", "away"} & set(small[at + 1 : end]):
        # "We moved off mailchimp to buttondown."
        left = any_value(thing)
        thing, old = (), left.text if left else ""
    if new is None or (thing and verb in INTRANSITIVE):
        return None
    # The particle may also stand behind the object: "switched billing over to kubernetes".
    behind = [it.small for it in thing[-1:] if it.small in PARTICLES]
    if not _is_move(verb, new, old, [*small[at + 1 : end], *behind]):
        return None
    if verb in _ORDERED and not words[:at]:
        return None  # "set the timeout to 30 seconds" is an order
    if verb in MOVING and not dated:
        return None  # "we are moving billing to kubernetes" is a plan
    if verb == "moved" and len(thing) == 1 and thing[0].small in _HOMES:
        # "Carol moved house to Lyon": the object is no subject either.
        named = small[0] != verb and agent_of(words[:at], speaker)
        return _new_home(named, new) if named else None
    subject = _moved_subject(words[:at], verb, thing, old, speaker)
    if subject is None or not (subject.text or subject.pronoun):
        return None
    # "Femi moved up to the seniors" is no platform.
    is_step = new.kind is LiteralKind.NONE and {"up", "down"} & set(small[at + 1 : end])
    if is_step and subject.text.istitle() and not subject.has_article:
        return None
    # "We moved to Lyon", "we moved to Slack": only "from A to B" is more often a product.
    is_open = verb in ("moved", "went") and new.text.istitle() and not old
    if is_open and subject.text == "we" and not thing:
        return None
    kind = _kind_of(new, verb, subject, small[at + 1 : end])
    if kind is LiteralKind.NONE is not new.kind:
        return None  # "standup moved to 10.15" may be a time or a version
    new = new._replace(kind=kind)
    by_one = bool(thing) and small[0] not in ("we", "they")
    reading = placed_at(subject, new, verb, speaker, by_one=by_one, itself=not thing)
    if reading is None or (
        verb in MOVES_NOW and not dated and reading.kind not in TIMES
    ):
        return None  # a plan
    # "Upgraded postgres to 16": a bare number is a version behind these verbs.
    if verb in VERSIONED and reading.predicate == "is":
        if not new.text.isdigit():
            return None  # "upgraded the server to 128 GB" does not say of what
        reading = reading._replace(predicate="version")
    # "From 9:30 to 10": the old value tells that "10" is a time, unlike "from 0.10 to 0.05".
    is_hour = literal_kind(old) is LiteralKind.TIME and not DECIMAL.fullmatch(new.text)
    if reading.predicate == "is" and is_hour:
        reading = reading._replace(predicate="scheduled", kind=LiteralKind.TIME)
    return reading._replace(old_value=old)


def _kind_of(
    new: ValuePhrase, verb: str, subject: SubjectPhrase, particles: Sequence[str]
) -> LiteralKind:
    """Return the kind of a new value; NONE for a decimal that may be anything."""
    if new.kind is not LiteralKind.VERSION or not DECIMAL.fullmatch(new.text):
        return new.kind
    # "Prod went to 1.14", but "the fee went to 1.20" and "waffles went up to 2.20".
    shape = ATTRIBUTES.get(subject.attribute, ValueShape.VERSION)
    levelled = not {"up", "down"}.isdisjoint(particles)
    if verb not in _RELEASED or levelled or ValueShape.VERSION not in shape:
        return LiteralKind.MEASURE
    if verb != "moved" or subject.attribute or not _QUARTER.fullmatch(new.text):
        return new.kind
    is_event = not _PLACES.isdisjoint(subject.text.lower().split()[-1:])
    return LiteralKind.TIME if is_event else LiteralKind.NONE


def _moved_subject(
    before: Sequence[ClauseWord],
    verb: str,
    thing: Sequence[ClauseWord],
    old: str,
    speaker: str,
) -> SubjectPhrase | None:
    """Return what moved: the object of the verb, otherwise the words before it."""
    if not thing:
        passive = any(it.small in PASSIVE for it in before)
        if passive:
            return subject_before(before, speaker, passive=True)
        return None if verb in MOVING else agent_of(before, speaker)
    # "We moved billing to …": the agent is not the subject.
    # "Fix moved links to docs" is an order, "carol moves billing to podman" a plan.
    if not is_agent(before) or verb in MOVES_NOW:
        return None
    thing = _without_particles(thing)
    singular = small_text(thing).removesuffix("s")
    if singular in ATTRIBUTES and old and len(thing) == 1:
        # "We switched engines from unity to godot", "… vets from anna to tom".
        # The vet is a post with a new holder, the engine a thing that the group uses.
        is_post = ATTRIBUTES[singular] & POSTS
        thing = [ClauseWord(singular, singular)] if is_post else ()
    return subject_phrase(thing, speaker) if thing else SubjectPhrase("we")


def _is_move(verb: str, new: ValuePhrase, old: str, particles: Sequence[str]) -> bool:
    """Return whether a verb with a name behind it states a lasting move."""
    # "The bill came to 60 euros" is no change, "came down to 60 euros" is one.
    if verb in _LEVELLED and not old and _LEVELLED[verb].isdisjoint(particles):
        return False
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
    while words and words[-1].small in _BETWEEN:
        words = words[:-1]
    return words


def _placed(
    subject: SubjectPhrase, new: ValuePhrase, predicate: str, *, single: bool = True
) -> ClauseReading:
    """Return a reading with a subject and its new value."""
    return ClauseReading(subject, predicate, new.text, new.kind, single)


def placed_at(
    subject: SubjectPhrase,
    new: ValuePhrase,
    verb: str,
    speaker: str,
    *,
    by_one: bool = False,
    itself: bool = False,
) -> ClauseReading | None:
    """Return the new place of a subject, with the predicate that fits the value.

    Args:
        by_one: Whether a single person moved it.
        itself: Whether it moved, unlike "we moved the vet to Dr Moss".
    """

    # The order matters: a path tells where something is, whatever has moved.
    if new.text.startswith(("/", "~/")):
        return _placed(subject, new, "located")
    # "Grafana moved to port 3001."
    noun, _, number = new.text.lower().partition(" ")
    if noun == "port" and number.isdigit():
        return ClauseReading(subject, noun, number, LiteralKind.MEASURE)
    is_system = not subject.owner and subject.attribute in _SYSTEMS
    if is_system and new.kind is LiteralKind.NONE and verb in ("moved", "migrated"):
        return _placed(subject, new, "runs on")
    shape = ATTRIBUTES.get(subject.attribute, ValueShape(0))
    # "Our landlord moved to Porto" does not name a new landlord.
    is_holder = itself and bool(shape & POSTS) and subject.attribute not in _DUTIES
    if subject.attribute and (not is_holder or verb.startswith("chang")):
        owner, predicate = attribute_place(subject)
        if _is_fitting(new, shape):
            return ClauseReading(owner, predicate, new.text, new.kind)
    # "Choir moved to thursdays", "the build went up to 24 minutes".
    if new.kind is not LiteralKind.NONE and new.kind is not LiteralKind.ADDRESS:
        predicate = _LITERALS.get(new.kind, "is")
        if verb == "extended" and predicate == "scheduled":
            predicate = "ends"  # a contract, a sale
        is_thing = subject.text not in ("I", "we", "")
        return _placed(subject, new, predicate) if is_thing else None
    if subject.text in ("I", "we"):
        return _moved_group(subject, new, verb)
    # "They" may be the people or the systems of the clause before.
    if subject.pronoun in ("he", "she", "they"):
        return None
    if is_holder or may_be_people(subject.text, speaker):
        # "Carol moved to Payments" is a team, "Carol moved to Lyon" a town: one word
        # decides only if it is said of family, or that she relocated.
        tells = verb == "relocated" or (verb == "moved" and is_kin(subject.text))
        return _new_home(subject, new) if itself and tells else None
    return _placed_by_name(subject, new, verb, speaker, by_one=by_one)


def _placed_by_name(
    subject: SubjectPhrase, new: ValuePhrase, verb: str, speaker: str, *, by_one: bool
) -> ClauseReading | None:
    """Return the new place of a thing, where the value is a name (`placed_at`)."""
    head = subject.text.split()[-1].lower() if subject.text else ""
    if head in _PLACES and verb in _SWITCHES and not is_place(new.text):
        # "The shop switched to adyen."
        return _placed(subject, new, "uses", single=False)
    if head in _PLACES:
        return _placed(subject, new, "located")
    if verb in ("changed", "changes", "changing"):
        # "The dress code changed to casual", "the title to Salt Road".
        return _placed(subject, new, "is")
    if is_place(new.text):
        return _placed(subject, new, "located")
    # "We switched Biscuit to the senior food": a name may be that of an animal.
    is_name = subject.text.istitle() and not subject.has_article
    if is_name and verb in _SWITCHES and new.has_article and new.text.islower():
        return None
    if subject.has_article and new.has_article:
        # The place where one person put a thing is not worth keeping.
        return None if by_one else _placed(subject, new, "located")
    # Anything else has moved to a platform, unlike "billing moved to carol".
    if may_be_people(new.text, speaker):
        return None
    if head in SUPPLIED:
        return _placed(subject, new, "with")
    return _placed(subject, new, "runs on")


_LITERALS: Final = {
    **dict.fromkeys(TIMES, "scheduled"),
    LiteralKind.MONEY: "costs",
    LiteralKind.VERSION: "version",
}


def _new_home(subject: SubjectPhrase, new: ValuePhrase) -> ClauseReading | None:
    """Return where somebody lives now; "Grandma moved to the garden" tells none."""
    is_town = new.text[:1].isupper() and new.kind is LiteralKind.NONE
    if not is_town or new.has_article or not subject.text:
        return None
    return ClauseReading(subject, "lives in", new.text)


def _moved_group(
    subject: SubjectPhrase, new: ValuePhrase, verb: str
) -> ClauseReading | None:
    """Return where the speaker lives, or what the group uses, or where it is."""
    if subject.text == "I":
        return _new_home(subject, new) if verb in ("moved", "relocated") else None
    if verb == "relocated":
        return ClauseReading(subject, "located", new.text)
    if verb == "moved" and new.has_article:
        return None  # "we moved to the kitchen"
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
