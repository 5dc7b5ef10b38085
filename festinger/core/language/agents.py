"""Read agents and subjects of verbs: `we moved billing`, `billing was moved`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from festinger.core.language.clauses import ClauseWord, small_text
from festinger.core.language.clausewords import ANY_ADVERBS, FUNCTION_WORDS, TITLES
from festinger.core.language.phrases import SubjectPhrase, subject_phrase
from festinger.core.language.verbforms import BE, HAVE, WAS
from festinger.core.system.wordsets import word_set

_AGENTS: Final = frozenset(["i", "we", "they", "he", "she", "you"])
# Orders and numbers: "fix moved links", "three cancelled nights".
_ORDERS: Final = word_set("""
    fix check see note list find show add remove delete read write test review clean
    update ask mention mark document describe explain try keep leave get three two
    several
""")
"""Words before a participle that are no agent: "fix moved links"."""
MOVE_ADVERBS: Final = ANY_ADVERBS | frozenset(["all", "both"])
"""Adverbs between an auxiliary and a verb of change."""
PERFECT: Final = MOVE_ADVERBS | HAVE
"""Auxiliaries and adverbs between an agent and a verb of change."""
AUXILIARY: Final = PERFECT | BE
"""Those, and the forms of `be`."""
PASSIVE: Final = BE | WAS | frozenset(["been"])
"""Auxiliaries of which a passive has one."""
_NO_AGENTS: Final = FUNCTION_WORDS | _ORDERS


def subject_before(
    words: Sequence[ClauseWord], speaker: str, *, passive: bool = False
) -> SubjectPhrase | None:
    """Return the subject of a verb, without its auxiliaries; None if it is unclear."""
    is_be = False
    while words:
        last = words[-1].small
        if last in PASSIVE:
            is_be = True
        # "Billing has finally been moved": what is left is "billing".
        elif last not in PERFECT:
            break
        words = words[:-1]
    # A passive has a form of "be": "the standup cancelled" says nothing of the kind.
    if not words or (passive and not is_be):
        return None
    return subject_phrase(words, speaker)


def is_agent(words: Sequence[ClauseWord]) -> bool:
    """Return whether words name an agent, or are empty but for auxiliaries."""
    small = [it.small for it in words if it.small not in AUXILIARY]
    if len(small) == 2 and small[0] in TITLES:
        return True  # "Dr Moss moved the appointment"
    # Chats leave out the agent: "just moved billing to kubernetes".
    return not small or (
        len(small) == 1
        and (small[0] in _AGENTS or small[0] not in _NO_AGENTS)
        and small[0].isalpha()
    )


def agent_of(words: Sequence[ClauseWord], speaker: str) -> SubjectPhrase | None:
    """Return the agent that words name; `we` if none is named."""
    bare = [it for it in words if it.small not in PERFECT]
    # Whoever names nobody speaks for the group: "moved off sage to xero".
    if not bare or small_text(bare) == "we":
        return SubjectPhrase("we")
    return subject_phrase(bare, speaker)
