"""Read replacements of persons and things: `carol took over billing from sasha`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from festinger.core.language.clauses import ClauseWord
from festinger.core.language.clausewords import LANGUAGES
from festinger.core.language.moves import placed_at
from festinger.core.language.persons import is_person
from festinger.core.language.phrases import (
    ClauseReading,
    SubjectPhrase,
    attribute_place,
    subject_phrase,
    value_phrase,
)
from festinger.core.language.replacing import any_value, split_replaced
from festinger.core.language.verbforms import ATTRIBUTES, BE, POSTS, ValueShape
from festinger.core.language.verbgroups import (
    PERFECT,
    agent_of,
    is_agent,
    subject_before,
)
from festinger.core.system.wordsets import word_set

# "Ditched", "left" and "dropped" count with the new value only: "we ditched sage for xero".
_REPLACED: Final = ("replaced", "swapped", "replaces", "ditched", "left", "dropped")
_EXTENTS: Final = frozenset(["in", "on", "across", "for", "at", "since"])
TAKEOVERS: Final = frozenset(["over", "handed", "passed", "renamed", *_REPLACED])
"""Words of which each clause that is read here has one."""


def read_taken_over(
    words: Sequence[ClauseWord], small: list[str], speaker: str, dated: bool
) -> ClauseReading | None:
    """Read "carol took over billing from sasha", "billing was taken over by carol"."""
    # "Carol handed the ledger to dave", "Carol has passed the ledger on to dave".
    if "over" not in small and "to" in small and (found := _handed_at(words)):
        return _handed_to(words[:1], words[found:], speaker)
    if "over" not in small:
        return None
    over = small.index("over")
    verb = small[over - 1] if over else ""
    if verb == "taken" and small[over + 1 : over + 2] == ["by"]:
        subject = subject_before(words[: over - 1], speaker, passive=True)
        return _owned(subject, words[over + 2 :], "")
    # "Carol takes over" is a plan unless it holds from today.
    takes = verb in ("took", "taken") or (dated and verb in ("takes", "taking"))
    if not takes and ("handed" in small[:over] or "passed" in small[:over]):
        return _handed(words, small, over, speaker)
    if not takes:
        return None
    agent = subject_before(words[: over - 1], speaker)
    # "Anna took over from tom as treasurer."
    if small[over + 1 : over + 2] == ["from"] and agent and agent.text:
        return _post_from(agent, words[over + 2 :], speaker)
    rest, old = _from(words[over + 1 :])
    # "We took over billing" and "the new team took over" name no owner.
    if agent is None or not agent.text or agent.text == "we" or agent.has_article:
        return None
    subject = subject_phrase(rest, speaker)
    owner = speaker if agent.text == "I" else agent.text
    return _owned(subject, [ClauseWord(owner, owner.lower())], old, known=True)


def _post_from(
    agent: SubjectPhrase, rest: Sequence[ClauseWord], speaker: str
) -> ClauseReading | None:
    """Read "anna took over from tom as treasurer"."""
    place = next((at for at, it in enumerate(rest) if it.small == "as"), 0)
    old, post = any_value(rest[:place]), subject_phrase(rest[place + 1 :], speaker)
    # Without a post nobody knows of what: "anna took over from tom".
    if not place or old is None or post is None or not post.attribute:
        return None
    owner, predicate = attribute_place(post)
    holder = speaker if agent.text == "I" else agent.text
    return ClauseReading(owner, predicate, holder, old_value=old.text)


def _handed(
    words: Sequence[ClauseWord], small: list[str], over: int, speaker: str
) -> ClauseReading | None:
    """Read "sasha handed over billing to carol", "billing was handed over to carol"."""
    verb = next(at for at, it in enumerate(small) if it in ("handed", "passed"))
    rest = [*words[verb + 1 : over], *words[over + 1 :]]
    to = next((at for at, it in enumerate(rest) if it.small == "to"), -1)
    if to < 0:
        return None
    # Without an object it is a passive: "billing was handed over to carol".
    if to == 0:
        subject = subject_before(words[:verb], speaker, passive=True)
        return _owned(subject, rest[1:], "")
    agent = agent_of(words[:verb], speaker)
    # Whoever hands over was the owner until now.
    old = agent.text if agent and agent.text not in ("we", "they") else ""
    old = speaker if old == "I" else old
    return _owned(subject_phrase(rest[:to], speaker), rest[to + 1 :], old)


def _handed_at(words: Sequence[ClauseWord]) -> int:
    """Return the number of words up to "handed", or "passed" if "on to" follows; or 0."""
    at = 1
    while at < len(words) - 1 and words[at].small in PERFECT:
        at += 1
    small = [it.small for it in words]
    # "Anna passed the salt to Tom" is about no responsibility.
    passed = small[at : at + 1] == ["passed"] and " on to " in " ".join(small)
    return at + 1 if small[at : at + 1] == ["handed"] or passed else 0


def _handed_to(
    agent_words: Sequence[ClauseWord], rest: Sequence[ClauseWord], speaker: str
) -> ClauseReading | None:
    """Read "carol handed the ledger to dave"; small things are given, not entrusted."""
    to = next((at for at, it in enumerate(rest) if it.small == "to"), 0)
    is_passed = to > 0 and rest[to - 1].small == "on"
    named = rest[: to - 1] if is_passed else rest[:to]
    # "The treasurer job" is that of the treasurer.
    is_job = len(named) > 2 and named[-1].small in _JOBS
    thing = subject_phrase(named[:-1] if is_job else named, speaker) if named else None
    agent = agent_of(agent_words, speaker)
    if thing is None or agent is None or not thing.has_article:
        return None
    if thing.text.split()[-1].lower() in _GIVEN:
        return None
    is_post = bool(ATTRIBUTES.get(thing.attribute, ValueShape(0)) & POSTS)
    # "We passed the message on to Tom" makes him responsible for nothing.
    if is_passed and not (is_job or is_post):
        return None
    old = speaker if agent.text == "I" else agent.text
    owned = _owned(thing, rest[to + 1 :], "" if old in ("we", "") else old)
    if owned is None or not is_post:
        return owned
    owner, predicate = attribute_place(thing)
    return owned._replace(subject=owner, predicate=predicate)


_JOBS: Final = frozenset(["job", "role", "post", "position", "duties", "hat"])
_GIVEN: Final = word_set("""
    key keys parcel letter form forms essay homework phone book bag ticket tickets
    invoice money receipt card note bill baby mic
""")
"""Things that are handed to somebody without becoming their responsibility."""


def _owned(
    subject: SubjectPhrase | None,
    owner: Sequence[ClauseWord],
    old: str,
    *,
    known: bool = False,
) -> ClauseReading | None:
    """Return the reading that a subject is owned by someone."""
    if subject is None or not subject.text or subject.text in ("I", "we"):
        return None
    if known:  # an agent was read as a subject already
        value = owner[0].text
    elif found := value_phrase(owner, ValueShape.PERSON):
        value = found.text
    else:
        return None
    return ClauseReading(subject, "owned by", value, old_value=old)


def _from(words: Sequence[ClauseWord]) -> tuple[Sequence[ClauseWord], str]:
    """Return words without a trailing "from sasha", and the name in that."""
    at = next((at for at, it in enumerate(words) if it.small == "from"), 0)
    if not at:
        return words, ""
    old = any_value(words[at + 1 :])
    return (words[:at], old.text) if old else (words, "")


def read_renamed(
    words: Sequence[ClauseWord], small: list[str], speaker: str, dated: bool
) -> ClauseReading | None:
    """Read "we renamed billing to invoicing", "billing was renamed invoicing"."""
    if "renamed" not in small:
        return None
    at, old = small.index("renamed"), ""
    rest = words[at + 1 :]
    to = next(
        (it for it, word in enumerate(rest) if word.small in ("to", "as", "into")), -1
    )
    # The object stands before "to", or is the subject: "billing was renamed (to) invoicing".
    if to > 0:
        if not is_agent(words[:at]):
            return None
        # "We renamed the app from Foo to Bar."
        thing, old = _from(rest[:to])
        subject = subject_phrase(thing, speaker)
    else:
        subject = subject_before(words[:at], speaker, passive=True)
    value = any_value(_without_extent(rest[to + 1 :]))
    if subject is None or not subject.text or value is None:
        return None
    return ClauseReading(subject, "name", value.text, old_value=old)


def _without_extent(words: Sequence[ClauseWord]) -> Sequence[ClauseWord]:
    """Return a new name without where and when it holds: "main in all repos on monday"."""
    for at in range(1, len(words) - 1):
        # "Alice in Chains" is a name.
        if words[at].small in _EXTENTS and words[at + 1].text.islower():
            return words[:at]
    return words


def read_replaced(
    words: Sequence[ClauseWord], small: list[str], speaker: str, dated: bool
) -> ClauseReading | None:
    """Read "we replaced redis with valkey", "redis was replaced by valkey"."""
    verb = next((it for it in _REPLACED if it in small), "")
    if not verb:
        return None
    at = small.index(verb)
    rest = words[at + 1 :]
    by = next(
        (it for it, word in enumerate(rest) if word.small in ("with", "by", "for")), -1
    )
    # "Redis was replaced by valkey."
    if by == 0 and verb == "replaced":
        subject = subject_before(words[:at], speaker, passive=True)
        value = any_value(rest[1:])
        if subject is None or not subject.text or value is None:
            return None
        return ClauseReading(subject, "replaced by", value.text)
    # "Kubernetes replaced podman for billing."
    if by > 0 and rest[by].small == "for" and verb in ("replaced", "replaces"):
        return _replaced_for(words[:at], rest[:by], rest[by + 1 :], speaker)
    # "We replaced redis with valkey."
    if by > 0 and verb != "replaces":
        old, value = any_value(rest[:by]), any_value(rest[by + 1 :])
        whole = agent_of(words[:at], speaker)
        if old is None or value is None or whole is None:
            return None
        # "Dr Reyes replaced amlodipine with losartan": not for herself.
        if verb in ("replaced", "swapped") and is_person(whole.text, speaker):
            whole = SubjectPhrase("we")
        if verb == "left" and whole.text != "we":
            # "Billing left podman for kubernetes."
            left = placed_at(whole, value, "moved", speaker)
            return left and left._replace(old_value=old.text)
        return ClauseReading(
            whole, "uses", value.text, value.kind, single=False, old_value=old.text
        )
    if verb not in ("replaced", "replaces"):
        return None
    # "Anna replaces tom as treasurer", "valkey replaced redis".
    new = subject_before(words[:at], speaker)
    if new is None or not new.text or new.text in ("I", "we"):
        return None
    place = next((it for it, word in enumerate(rest) if word.small == "as"), len(rest))
    old, role = any_value(rest[:place]), subject_phrase(rest[place + 1 :], speaker)
    if old is None:
        return None
    if role and role.text:
        owner, predicate = attribute_place(role)
        return ClauseReading(owner, predicate, new.text, old_value=old.text)
    return ClauseReading(SubjectPhrase(old.text), "replaced by", new.text)


REWRITTEN: Final = frozenset(["rewrote", "rewritten", "reimplemented"])
"""Verbs of which each clause has one that says in what something is written anew."""


def read_rewritten(
    words: Sequence[ClauseWord], small: list[str], speaker: str, dated: bool
) -> ClauseReading | None:
    """Read "we rewrote the app in Flutter", "the app was rewritten in Flutter"."""
    at = next((at for at, it in enumerate(small) if it in REWRITTEN), -1)
    rest, old = split_replaced(words[at + 1 :])
    place = next((at for at, it in enumerate(rest) if it.small == "in"), -1)
    if at < 0 or place < 0:
        return None
    if place == 0:
        subject = subject_before(words[:at], speaker, passive=True)
    else:
        is_ours = is_agent(words[:at])
        subject = subject_phrase(rest[:place], speaker) if is_ours else None
    # "Rewritten in a hurry" names no language.
    value = value_phrase(rest[place + 1 :], ValueShape.STRICT)
    if subject is None or not subject.text or value is None:
        return None
    # "I rewrote the intro in French" is a translation.
    if value.text.lower() in LANGUAGES:
        return None
    return ClauseReading(subject, "written in", value.text, value.kind, old_value=old)


_CHOSEN: Final = frozenset(
    [
        ("went", "with"),
        ("going", "with"),
        ("gone", "with"),
        ("go", "with"),
        ("up", "with"),
        ("settled", "on"),
        ("settled", "for"),
    ]
)
"""Last words of "we went with", "we ended up with" and the like."""
CHOOSING: Final = frozenset(first for first, _ in _CHOSEN)
"""Words of which each clause that states a choice has one."""


def read_chosen(
    words: Sequence[ClauseWord], small: list[str], speaker: str, dated: bool
) -> ClauseReading | None:
    """Read "we went with valkey instead of redis"; without the old value it is open."""
    pairs = [*pairwise(small)]
    at = next((at for at, it in enumerate(pairs) if it in _CHOSEN), -1)
    before = [it for it in words[: max(at, 0)] if it.small not in {*BE, "ended"}]
    if at < 0 or not is_agent(before):
        return None
    rest, old = split_replaced(words[at + 2 :])
    value = value_phrase(rest, ValueShape.PROPER)
    # "We went with the blue one" names nothing, nor what it replaces.
    if not old or value is None or value.has_article:
        return None
    return ClauseReading(
        SubjectPhrase("we"), "uses", value.text, value.kind, single=False, old_value=old
    )


def _replaced_for(
    new: Sequence[ClauseWord],
    old: Sequence[ClauseWord],
    whole: Sequence[ClauseWord],
    speaker: str,
) -> ClauseReading | None:
    """Read "kubernetes replaced podman for billing"."""
    subject = subject_phrase(whole, speaker)
    value, replaced = any_value(new), any_value(old)
    if subject is None or not subject.text or value is None or replaced is None:
        return None
    reading = placed_at(subject, value, "moved", speaker)
    return reading and reading._replace(old_value=replaced.text)
