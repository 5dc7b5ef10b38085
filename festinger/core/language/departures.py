"""Read successions told in two clauses.

`Lena stepped down, our treasurer is Omar`; `Rosa resigned as captain, Jade takes over`;
`Emma has a new teacher, Mr Bloom`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from festinger.core.language.clauses import ClauseWord, small_words
from festinger.core.language.literals import LiteralKind
from festinger.core.language.persons import is_kin
from festinger.core.language.phrases import (
    ClauseReading,
    SubjectPhrase,
    attribute_place,
    subject_phrase,
    value_phrase,
)
from festinger.core.language.verbforms import ATTRIBUTES, HAVE, POSTS, ValueShape
from festinger.core.system.wordsets import phrase_list, word_set

_LEFT: Final = frozenset(
    tuple(it.split())
    for it in phrase_list("""
    is out, is gone, is dead, is history, is leaving, has left, left, left us, quit,
    resigned, retired, stepped down, has stepped down, moved on
""")
)
"""Ends of a clause that says that somebody or something is there no longer."""
_RESIGNED: Final = frozenset(
    phrase for phrase in _LEFT if phrase[-1] in ("down", "resigned", "retired", "quit")
)
"""Those of them behind which the post may be named: "resigned as captain"."""
_SUCCEEDING: Final = frozenset(
    tuple(phrase.split())
    for verb in ("takes", "took", "is taking", "has taken")
    for phrase in (
        f"{verb} over",
        *(f"{verb} {whose} place" for whose in ("her", "his", "their", "the")),
    )
) | frozenset(
    tuple(f"{verb} {what}".split())
    for verb, what in (
        ("steps", "in"),
        ("stepped", "in"),
        ("replaces", "her"),
        ("replaces", "him"),
        ("replaced", "her"),
        ("replaced", "him"),
        ("does", "it"),
        ("is", "it"),
    )
)
"""Ends of a clause that says who comes after somebody."""
# Of these people have several, so that a new one replaces nobody.
_SEVERAL: Final = word_set("""
    neighbour neighbor partner dog cat lawyer flatmate roommate head chair backup deputy
    reviewer approver contact speaker trainer designer tutor
""")
_HAVING: Final = frozenset(["has", "have", "got", "is"])
_ONE_OF_KIN: Final = frozenset(["landlord", "babysitter", "nanny"])
_LAST: Final = frozenset(phrase[-1] for phrase in _LEFT)
_SUCCESSION: Final = frozenset(["as", "new", "out"])
"""Words of which the first clause of each succession has one."""


def gone_before(words: Sequence[ClauseWord]) -> str:
    """Return who or what a clause says is there no longer; empty for other clauses."""
    # Tested first, since it rules out nearly every clause.
    if words[-1].small not in _LAST and words[0].small != "no":
        return ""
    # "Since Ahmed left, checkout is mine."
    if words[0].small in ("since", "after", "as"):
        words = words[1:]
    small = tuple(word.small for word in words)
    # "No more redis, we use valkey."
    if small[:2] == ("no", "more"):
        name = words[2:]
    else:
        size = next((it for it in (3, 2, 1) if small[-it:] in _LEFT), 0)
        name = words[: len(words) - size] if size else ()
    # "Dr Hale retired", but not "the old trouble is gone": a name is needed to be replaced.
    value = value_phrase(name, ValueShape.PROPER) if name else None
    return value.text if value and value.kind is LiteralKind.NONE else ""


def follows(reading: ClauseReading) -> bool:
    """Return whether a statement may name the successor of what is gone."""
    # Only posts, owners and what a group uses have successors: "standup is gone, lunch is
    # at 12" replaces nothing.
    post = ATTRIBUTES.get(reading.subject.attribute, ValueShape(0)) & POSTS
    is_used = reading.predicate == "uses" and reading.subject.text == "we"
    is_held = bool(post) or reading.predicate == "owned by"
    return (is_used or is_held) and not reading.negated and not reading.old_value


def read_succession(
    words: Sequence[ClauseWord], following: Sequence[ClauseWord], speaker: str
) -> ClauseReading | None:
    """Return who follows in a post that two clauses name; None for other clauses."""
    # Asked first, since it rules out nearly every clause.
    if _SUCCESSION.isdisjoint(small_words(words)):
        return None
    # "Tom resigned as treasurer and Eve took over" has no mark between them.
    if not following and (at := _place_of(words, "and")):
        words, following = words[:at], words[at + 1 :]
    return (
        _resigned(words, following, speaker)
        or _introduced(words, following, speaker)
        or _in_and_out(words, following)
    )


def _in_and_out(
    words: Sequence[ClauseWord], following: Sequence[ClauseWord]
) -> ClauseReading | None:
    """Read "RabbitMQ is out" and "NATS is in"."""
    if small_words(words)[-2:] != ["is", "out"] or len(following) < 3:
        return None
    if small_words(following)[-2:] != ["is", "in"]:
        return None
    old = value_phrase(words[:-2], ValueShape.STRICT)
    new = value_phrase(following[:-2], ValueShape.STRICT)
    # "Anna is out, Ben is in" says who is at home.
    if old is None or new is None or old.text.istitle() or new.text.istitle():
        return None
    return ClauseReading(
        SubjectPhrase("we"),
        "uses",
        new.text,
        single=False,
        changes=True,
        old_value=old.text,
    )


def _resigned(
    words: Sequence[ClauseWord], following: Sequence[ClauseWord], speaker: str
) -> ClauseReading | None:
    """Read "Rosa stepped down as captain" and "Jade takes her place"."""
    small, at = tuple(small_words(words)), _place_of(words, "as")
    size = next((it for it in (3, 2, 1) if small[at - it : at] in _RESIGNED), 0)
    behind = small_words(following)
    end = next((it for it in (4, 3, 2) if tuple(behind[-it:]) in _SUCCEEDING), 0)
    if not at or not size or not end:
        return None
    post = subject_phrase(words[at + 1 :], speaker)
    old = value_phrase(words[: at - size], ValueShape.PERSON)
    new = value_phrase(following[: len(following) - end], ValueShape.PERSON)
    if post is None or old is None or new is None or not _is_post(post):
        return None
    owner, predicate = attribute_place(post)
    return ClauseReading(owner, predicate, new.text, changes=True, old_value=old.text)


def _introduced(
    words: Sequence[ClauseWord], following: Sequence[ClauseWord], speaker: str
) -> ClauseReading | None:
    """Read "Emma has a new teacher" and "Mr Bloom"."""
    small, at = small_words(words), _place_of(words, "new")
    if at < 2 or small[at - 1] != "a" or small[at - 2] not in _HAVING:
        return None
    post = subject_phrase(words[at + 1 :], speaker)
    holder = value_phrase(following, ValueShape.NAMED)
    if post is None or holder is None or not _is_post(post) or post.owner:
        return None
    # "Tom has a new boss, Berlin office."
    if not holder.text.istitle():
        return None
    if post.attribute in _SEVERAL or (
        is_kin(post.text) and post.attribute not in _ONE_OF_KIN
    ):
        return None
    owners = [it for it in words[: at - 2] if it.small not in HAVE]
    owner = subject_phrase(owners, speaker) if owners else None
    # "We have a new vet, Dr Moss", "there is a new vet": no owner is named.
    if owner is not None and owner.text not in ("we", "there"):
        if not owner.text or owner.text == "I":
            return None
        post = SubjectPhrase(post.text, owner.text, post.attribute)
    elif owner is None and small[0] != "there":
        return None
    subject, predicate = attribute_place(post)
    return ClauseReading(subject, predicate, holder.text, changes=True)


def _place_of(words: Sequence[ClauseWord], wanted: str) -> int:
    """Return the place of a word behind the first; 0 if it does not occur."""
    return next((at for at, it in enumerate(words) if it.small == wanted), 0)


def _is_post(subject: SubjectPhrase) -> bool:
    return bool(ATTRIBUTES.get(subject.attribute, ValueShape(0)) & POSTS)
