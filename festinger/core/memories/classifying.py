"""Decide the type of a memory from the person's own words, by the decision tree.

The specification asks, in this order: does the person state it of themselves, is it an
inferred pattern of behaviour, is it shared context? A model's answer is often wrong, so
that it stands only where the words leave it open.
"""

# ruff: noqa: RUF001 - typographic marks, as people write them
from __future__ import annotations

import re

from festinger._fast.words import CLOSED_CLASS
from festinger.core.language.grounding import StemmedSentence
from festinger.core.language.terms import stem
from festinger.core.memories.support import Support, akin, persons
from festinger.core.memories.types import MemoryType
from festinger.core.memories.violations import ATTITUDES, QUESTION, words

_SELF = words(
    r"i|i['’](?:m|ve|d|ll)|im|my|me|mine|myself|ich|mein\w*|mich|mir|je|j|mon|mes|moi|yo|mi|ik|mijn"
)
_TOGETHER = words(r"we|we['’](?:ve|re|d|ll)|us|our|wir|uns\w*|nous|nosotros")
_OTHER_SIDE = words(r"you|you['’](?:ve|re|d|ll)|your")
_CONTINUED = re.compile(
    r"(?:(?:have|has|had) )?been \w+ing\b|remember\b|.*\b(?:we|us|our|you|your|together)\b",
    re.IGNORECASE,
)
"""Claims of shared history: what goes on, is remembered, or names both sides."""
_RECALLED = words(r"remember|recall|we|our|us")
_BARE = re.compile(rf"\W*(?:\w+ly |also |still )?{ATTITUDES}\b", re.IGNORECASE)
"""People leave out "I" in front of what they like."""
_HABIT = re.compile(
    r"(?:\w+ly |often |always |tends? to |likes? to )*"
    r"(?:prefers?|asks?|uses?|requests?|wants?|likes?|expects?|values|needs|seeks|starts"
    r"|begins|writes|speaks|communicates|replies|gives|checks|reads|plans|works|thinks"
    r"|repeats|appreciates|explains|shares|switches|follows|learns|tests|tries)\b",
    re.IGNORECASE,
)
_MANNER = re.compile(
    r"\b(?:explanations?|answers?|responses?|replies|questions?|instructions?|examples?|details?"
    r"|steps?|summar(?:y|ies)|language|tone|messages|code)\b",
    re.IGNORECASE,
)
"""What a conversation consists of: claims of it are patterns, whatever a model says."""
_WORD = re.compile(r"[^\W_]+")


def type_of(claim: str, type: MemoryType, lived: Support | None) -> MemoryType | None:
    """Return the type of a claim; None if it is of none."""
    # A summary tells of everything in the third person: the model's type stands.
    if lived is None:
        return type
    # "Been using FL Studio since 2020", "remember our conversation about music"
    if _CONTINUED.match(claim):
        return MemoryType.SHARED_NARRATIVE
    # A question states nothing of oneself.
    said = [each for each in lived.sources if not QUESTION.search(each.text)]
    before = [found for each in said if (found := _before(claim, each)) is not None]
    # "I live in Oslo" for the claim "lives in Oslo": stated of themselves.
    if any(map(_SELF.search, before)) or any(_BARE.match(each.text) for each in said):
        return MemoryType.USER_FACT
    # What "we" do may be a fact or shared: the model's type stands.
    if type is not MemoryType.USER_PATTERN and any(map(_TOGETHER.search, before)):
        return type
    # "Prefers short answers"
    if _HABIT.match(claim) and (
        type is MemoryType.USER_PATTERN or _MANNER.search(claim)
    ):
        return MemoryType.USER_PATTERN
    shared = any(_TOGETHER.search(it) or _OTHER_SIDE.search(it) for it in before)
    recalled = type is MemoryType.SHARED_NARRATIVE and any(
        _RECALLED.search(each.text) for each in lived.sources
    )
    return MemoryType.SHARED_NARRATIVE if shared or recalled else None


def _before(claim: str, source: StemmedSentence) -> str | None:
    """Return what precedes the first word of a claim in a sentence; None without it."""
    firsts = {stem(_first(each)) for each in persons(StemmedSentence(claim))}
    for word in _WORD.finditer(source.text):
        # By families of stems: "lives" in the claim is "live" in the turn.
        if any(akin(stem(word[0].lower()), each) for each in firsts):
            return source.text[: word.start()]
    return None


def _first(said: StemmedSentence) -> str:
    small = [word.lower() for word in said.words]
    return next((word for word in small if word not in CLOSED_CLASS), small[0])
