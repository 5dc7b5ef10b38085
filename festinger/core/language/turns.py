"""Messages of a conversation and their roles."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Role(StrEnum):
    """Role of the speaker of a turn."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Turn(NamedTuple):
    """A message of a conversation.

    Attributes:
        seen: Whether the session contained it before: then it is looked up only (B6).
        digest: Identifier of the turn within its session; empty for none.
    """

    role: Role
    text: str
    seen: bool = False
    digest: bytes = b""
