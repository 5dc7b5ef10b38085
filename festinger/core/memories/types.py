"""Types, kinds and statuses of memories, and the normal form of their content."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum


class MemoryType(StrEnum):
    """Type of a memory."""

    USER_FACT = "user_fact"
    """A statement of a person about themselves."""
    USER_PATTERN = "user_pattern"
    """An observed tendency of a person."""
    SHARED_NARRATIVE = "shared_narrative"
    """Shared history of a person and an agent."""
    IDENTITY = "identity"
    PREFERENCE = "preference"
    DECISION = "decision"
    REQUIREMENT = "requirement"
    CONSTRAINT = "constraint"
    MEASUREMENT = "measurement"
    COMPONENT = "component"
    """A part of a system; an entity only."""
    VALIDATION_CLAIM = "validation_claim"
    """A record that something was validated; an entity only."""


CONVERSATION_TYPES = (
    MemoryType.USER_FACT,
    MemoryType.USER_PATTERN,
    MemoryType.SHARED_NARRATIVE,
)
"""Types extracted from a person's own conversations, in the order of telling."""
ENGINEERING_TYPES = (
    MemoryType.IDENTITY,
    MemoryType.PREFERENCE,
    MemoryType.DECISION,
    MemoryType.REQUIREMENT,
    MemoryType.CONSTRAINT,
    MemoryType.MEASUREMENT,
)
"""Types that are extracted from engineers' texts; people always decide."""
ENTITY_TYPES = (
    MemoryType.DECISION,
    MemoryType.REQUIREMENT,
    MemoryType.CONSTRAINT,
    MemoryType.MEASUREMENT,
    MemoryType.COMPONENT,
    MemoryType.VALIDATION_CLAIM,
)
"""Types of an entity."""


class MemoryKind(StrEnum):
    """Kind of a record: a memory, or an entity of its own."""

    MEMORY = "memory"
    ENTITY = "entity"


class Status(StrEnum):
    """Status of a memory."""

    CANDIDATE = "candidate"
    """People have to decide; it is not told."""
    ACTIVE = "active"
    """It is told."""
    INVALID = "invalid"
    """It was rejected."""
    SUPERSEDED = "superseded"
    """A newer one replaced it."""
    GRADUATED = "graduated"
    """It was moved to another layer, as an entity."""
    OVERFLOW = "overflow"
    """There was no room for it in its review cycle."""


# White space, and characters of no width that a copied text contains.
_BLANKS = re.compile(r"[\s\u200b-\u200d\u2060\ufeff]+")


def normalised(content: str) -> str:
    """Return the normal form of a content, equal for memories that say the same.

    NFC and lower case, one blank between words, no punctuation after the last.
    """
    # Some capitals are several characters in lower case, and those may compose.
    lower = unicodedata.normalize("NFC", content).lower()
    text = _BLANKS.sub(" ", unicodedata.normalize("NFC", lower)).strip()
    end = len(text)
    while end and (text[end - 1] == " " or _is_mark(text[end - 1])):
        end -= 1
    # A content of nothing but punctuation is kept.
    return text[:end] or text


_DETERMINERS = re.compile(r"\b(?:the|an?|this|that|these|those|his|her|their)\s+(?=\S)")


def alike(content: str) -> str:
    """Return what statements about a person share that differ in determiners only."""
    # "Plays the guitar" says what "plays guitar" says.
    plain = normalised(content)
    return _DETERMINERS.sub("", plain) or plain


def _is_mark(character: str) -> bool:
    """Return True for sentence punctuation, but not for the signs of c++ and c#."""
    return unicodedata.category(character).startswith("P") and character not in "#%&@*"
