"""The messages of a conversation, and who speaks in them."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Role(StrEnum):
    """Who speaks in a turn."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Turn(NamedTuple):
    """A message of a conversation.

    Attributes:
        seen: True if the session brought it before: it is looked up only (B6).
        digest: Names the turn within its session; empty if it has no name.
    """

    role: Role
    text: str
    seen: bool = False
    digest: bytes = b""
