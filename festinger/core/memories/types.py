"""What a memory may be, where it stands, and when two of them say the same."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum


class MemoryType(StrEnum):
    """What a memory is about."""

    USER_FACT = "user_fact"
    """What a person said of themselves."""
    USER_PATTERN = "user_pattern"
    """What a person tends to do, as it was observed."""
    SHARED_NARRATIVE = "shared_narrative"
    """What a person and an agent have been through together."""
    IDENTITY = "identity"
    PREFERENCE = "preference"
    DECISION = "decision"
    REQUIREMENT = "requirement"
    CONSTRAINT = "constraint"
    MEASUREMENT = "measurement"
    COMPONENT = "component"
    """A part of a system; an entity only."""
    VALIDATION_CLAIM = "validation_claim"
    """What is said to have been validated; an entity only."""


CONVERSATION_TYPES = (
    MemoryType.USER_FACT,
    MemoryType.USER_PATTERN,
    MemoryType.SHARED_NARRATIVE,
)
"""What is read from a person's own conversations, in the order in which it is told."""
ENGINEERING_TYPES = (
    MemoryType.IDENTITY,
    MemoryType.PREFERENCE,
    MemoryType.DECISION,
    MemoryType.REQUIREMENT,
    MemoryType.CONSTRAINT,
    MemoryType.MEASUREMENT,
)
"""What is read from what engineers write; always for people to decide."""
ENTITY_TYPES = (
    MemoryType.DECISION,
    MemoryType.REQUIREMENT,
    MemoryType.CONSTRAINT,
    MemoryType.MEASUREMENT,
    MemoryType.COMPONENT,
    MemoryType.VALIDATION_CLAIM,
)
"""What an entity may be."""


class MemoryKind(StrEnum):
    """Whether something is remembered of a subject, or stands for itself."""

    MEMORY = "memory"
    ENTITY = "entity"


class Status(StrEnum):
    """Where a memory stands."""

    CANDIDATE = "candidate"
    """People decide; nobody is told."""
    ACTIVE = "active"
    """It is told."""
    INVALID = "invalid"
    """It was decided against."""
    SUPERSEDED = "superseded"
    """A newer one took its place."""
    GRADUATED = "graduated"
    """It went on to another layer."""
    OVERFLOW = "overflow"
    """There was no room for it in its cycle."""


_BLANKS = re.compile(r"[\s\u200b-\u200d\u2060\ufeff]+")


def normalised(content: str) -> str:
    """What two memories have in common that say the same, word for word.

    NFC and lower case, one blank between words, no punctuation behind the last.
    """
    # Some capitals are several characters in lower case, and those may compose.
    lower = unicodedata.normalize("NFC", content).lower()
    text = _BLANKS.sub(" ", unicodedata.normalize("NFC", lower)).strip()
    end = len(text)
    while end and (text[end - 1] == " " or _is_mark(text[end - 1])):
        end -= 1
    # Nothing but punctuation is what it is.
    return text[:end] or text


def _is_mark(character: str) -> bool:
    """Punctuation that ends a sentence; the signs of c++ and c# are none."""
    return unicodedata.category(character).startswith("P") and character not in "#%&@*"
