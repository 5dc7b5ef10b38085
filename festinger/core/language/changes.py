"""Read changes that a clause states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from festinger.core.language.clauses import ClauseWord, small_words, without_past
from festinger.core.language.endings import ENDINGS, read_ended, read_stopped
from festinger.core.language.moves import MOVE_VERBS, read_moved
from festinger.core.language.phrases import (
    ClauseReading,
    SubjectPhrase,
    attribute_place,
    subject_phrase,
    value_phrase,
)
from festinger.core.language.takeovers import (
    CHOOSING,
    REWRITTEN,
    TAKEOVERS,
    read_chosen,
    read_renamed,
    read_replaced,
    read_rewritten,
    read_taken_over,
)
from festinger.core.language.verbforms import ATTRIBUTES, BE, HAVE, POSTS, ValueShape
from festinger.core.language.verbgroups import is_agent, subject_before
from festinger.core.system.wordsets import word_set

APPOINTING: Final = word_set("elected appointed named made chosen voted")
"""Words of which each clause that is read here has one."""


def read_appointed(
    words: Sequence[ClauseWord], small: list[str], speaker: str, dated: bool
) -> ClauseReading | None:
    """Read "samir was elected secretary" and "we elected samir as secretary"."""
    at = next((at for at, it in enumerate(small) if it in APPOINTING), 0)
    if not at:
        return None
    behind = list(words[at + 1 :])
    as_ = next((it for it, word in enumerate(behind) if word.small == "as"), 0)
    if as_ and is_agent(words[:at]):
        # The elected one stands between the verb and the post.
        found = value_phrase(behind[:as_], ValueShape.PERSON)
        return found and _holds(found.text, behind[as_ + 1 :], speaker)
    subject = subject_before(words[:at], speaker, passive=True)
    if subject is None or not subject.text or subject.text == "we":
        return None
    if behind and behind[0].small == "as":
        behind = behind[1:]
    holder = speaker if subject.text == "I" else subject.text
    return None if subject.has_article else _holds(holder, behind, speaker)


def _holds(
    holder: str, post: Sequence[ClauseWord], speaker: str
) -> ClauseReading | None:
    """Return the holder of a post; None if the words name none."""
    named: SubjectPhrase | None = subject_phrase(post, speaker) if post else None
    # "The report was made public" and "billing was named invoicing" give nobody a post.
    if named is None or not ATTRIBUTES.get(named.attribute, ValueShape(0)) & POSTS:
        return None
    owner, predicate = attribute_place(named)
    return ClauseReading(owner, predicate, holder)


# "We're done moving billing to kubernetes" is read as "we moved …".
_DONE: Final = {
    "moving": "moved",
    "migrating": "migrated",
    "switching": "switched",
    "porting": "ported",
    "upgrading": "upgraded",
    "renaming": "renamed",
    "replacing": "replaced",
}
_PARTED: Final = (
    (frozenset(["called"]), "off"),
    (frozenset(["took", "taken", "takes", "taking"]), "over"),
)
"""Verbs, and the particle that may stand behind their object."""
# "Tom took the train over from Leeds."
_VEHICLES: Final = word_set("train bus ferry plane car taxi tram boat flight bike kids")
_AUXILIARIES: Final = BE | HAVE
_FINISHED: Final = frozenset(["finished", "done", "completed"])
# Special readings first: "we moved off podman" is an end before it could be a move.
_READERS: Final = (
    (TAKEOVERS, read_taken_over),
    (TAKEOVERS, read_renamed),
    (TAKEOVERS, read_replaced),
    (CHOOSING, read_chosen),
    (APPOINTING, read_appointed),
    (REWRITTEN, read_rewritten),
    (ENDINGS, read_ended),
    (ENDINGS, read_stopped),
    (MOVE_VERBS, read_moved),
)
"""Functions that read a change, and the words of which a clause needs one for each."""
_CHANGING: Final = frozenset(_DONE).union(*(needed for needed, _ in _READERS))
"""Words of which each clause that states a change has one."""


def may_change(words: Sequence[ClauseWord]) -> bool:
    """Return whether a clause has a word of change, without which it states none."""
    return not _CHANGING.isdisjoint(small_words(words))


def read_change(
    words: Sequence[ClauseWord], speaker: str, *, dated: bool
) -> list[ClauseReading]:
    """Return the change that a clause states; empty if it is unclear.

    Args:
        words: Words without introduction and tail.
        dated: Whether it holds from today, by its words: then `is moving` is no plan.
    """
    # "Moved billing to kubernetes last week": when it happened is no part of the value.
    words = _with_particle(_as_done(without_past(words)))
    small = small_words(words)
    for needed, read in _READERS:
        # Asked first, since most clauses have a word of one or two of them.
        if needed.isdisjoint(small):
            continue
        if found := read(words, small, speaker, dated):
            return [found._replace(changes=True)]
    return []


def _with_particle(words: Sequence[ClauseWord]) -> Sequence[ClauseWord]:
    """Return "they called the fair off" as "they called off the fair"."""
    small = small_words(words)
    for verbs, particle in _PARTED:
        if particle not in small:
            continue
        at = next((at for at, it in enumerate(small[:-2]) if it in verbs), -1)
        end = small.index(particle)
        # "Carol took billing over from sasha": only "from" may stand behind it.
        if 0 <= at < end - 1 and small[end + 1 : end + 2] in ([], ["from"]):
            if small[end - 1] in _VEHICLES:
                break
            moved = [words[end], *words[at + 1 : end]]
            return [*words[: at + 1], *moved, *words[end + 1 :]]
    return words


def _as_done(words: Sequence[ClauseWord]) -> Sequence[ClauseWord]:
    """Return "we are done moving it to …" as "we moved it to …"."""
    for at in range(len(words) - 1):
        past = _DONE.get(words[at + 1].small)
        if words[at].small in _FINISHED and past:
            agent = [it for it in words[:at] if it.small not in _AUXILIARIES]
            return [*agent, ClauseWord(past, past), *words[at + 2 :]]
    return words
