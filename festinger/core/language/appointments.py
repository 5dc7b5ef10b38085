"""Read who was given a post: `samir was elected secretary`, `we made lena treasurer`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from festinger.core.language.agents import is_agent, subject_before
from festinger.core.language.clausereading import ClauseReading, attribute_place
from festinger.core.language.clauses import ClauseWord
from festinger.core.language.phrases import SubjectPhrase, subject_phrase, value_phrase
from festinger.core.language.verbforms import ATTRIBUTES, POSTS, ValueShape

APPOINTING: Final = frozenset(
    ["elected", "appointed", "named", "made", "chosen", "voted"]
)
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
