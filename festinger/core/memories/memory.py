"""Extractions by a model, and the memories of a subject, whose confidence decays."""

# ruff: noqa: RUF001 - typographic marks, as people write them

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from festinger.core.graph.values.dates import DAY
from festinger.core.memories.types import MemoryType, Status, alike

# "The user loves tea", "She loves tea", "User's favourite is tea"
_SUBJECT = re.compile(
    r"(?:the\s+)?(?:user|person|speaker|human)(?:['’]s)?\s+"
    r"|(?:they|he|she|i|their|his|her|my)\s+",
    re.IGNORECASE,
)
_USER = re.compile(r"(?:the\s+)?(?:user|person|speaker|human)(?:['’]s)?\s+", re.I)
TOLD_MIN = 0.3
"""A memory with less confidence left is not told until it is confirmed again."""


@dataclass(frozen=True, slots=True)
class MemoryExtraction:
    """Memorable statement that a model extracted.

    Attributes:
        confidence: The model's confidence; one that is not finite counts as 0.
    """

    text: str
    type: MemoryType
    confidence: float
    reasoning: str = ""


@dataclass(frozen=True)
class Memory:
    """Memory of a subject.

    Attributes:
        confidence: In [0.0, 1.0], as of the last confirmation.
        confirmed: Time of the last confirmation, in seconds since the epoch.
    """

    id: int
    subject: str
    type: MemoryType
    content: str
    confidence: float
    confirmed: float
    status: Status = Status.ACTIVE

    @cached_property
    def key(self) -> tuple[MemoryType, str]:
        """The identity of a memory, equal for memories that say the same."""
        return self.type, alike(self.content)


def without_subject(text: str, type: MemoryType, subject: str = "") -> str:
    """Return a statement without its subject: "The user loves tea" is "loves tea".

    Pronouns at the beginning are removed as well, except in a narrative.
    """
    text = text.strip()
    # In "they built it together" the pronoun is a part of the story.
    leads = [_USER if type is MemoryType.SHARED_NARRATIVE else _SUBJECT]
    if subject:
        leads.append(re.compile(rf"{re.escape(subject)}(?:['’]s)?\s+", re.I))
    for lead in leads:
        if found := lead.match(text):
            # A text that is only the subject stays.
            return text[found.end() :] or text
    return text


def effective(
    confidence: float, confirmed_at: float, now: float, window: float | None
) -> float:
    """Return the confidence that is left after decay.

    Args:
        confidence: The confidence when the memory was last confirmed.
        confirmed_at: When that was, in seconds since the epoch.
        window: Half-life in days; None for no decay.
    """
    if window is None:
        return confidence
    # A clock that was set back must not raise the confidence.
    age: float = max(0.0, now - confirmed_at) / DAY
    faded: float = confidence * 0.5 ** (age / window)
    return faded
