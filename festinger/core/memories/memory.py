"""What a model read in a conversation, and what is remembered of it."""

# ruff: noqa: RUF001 - typographic marks, as people write them
from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from festinger.core.memories.types import MemoryType, Status, normalised

_SUBJECT = re.compile(
    r"(?:the\s+)?(?:user|person|speaker|human)(?:['’]s)?\s+"
    r"|(?:they|he|she|i|their|his|her|my)\s+",
    re.IGNORECASE,
)
_USER = re.compile(r"(?:the\s+)?(?:user|person|speaker|human)(?:['’]s)?\s+", re.I)


@dataclass(frozen=True, slots=True)
class MemoryExtraction:
    """Something memorable, as a model read it.

    Attributes:
        text: As it wrote it.
        confidence: How sure it is; a number that is none counts as 0.
        explicit: Whether the person said it in so many words; None if the summary is to
            tell.
    """

    text: str
    type: MemoryType
    confidence: float
    reasoning: str = ""
    explicit: bool | None = None


@dataclass(frozen=True)
class Memory:
    """What is remembered of a subject.

    Attributes:
        confidence: In [0.0, 1.0], as it was when last confirmed.
        confirmed: When that was, in seconds since the epoch.
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
        """What is the same for two memories that say the same."""
        return self.type, normalised(self.content)


def without_subject(text: str, type: MemoryType, subject: str = "") -> str:
    """A statement without the person that it is about: "The user loves tea" is "loves tea".

    Only those of a person are made shorter; a narrative keeps its "we" and "you".
    """
    text = text.strip()
    leads = [_USER if type is MemoryType.SHARED_NARRATIVE else _SUBJECT]
    if subject:
        leads.append(re.compile(rf"{re.escape(subject)}(?:['’]s)?\s+", re.I))
    for lead in leads:
        if found := lead.match(text):
            return text[found.end() :] or text
    return text
