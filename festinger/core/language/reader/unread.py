"""A turn that a model is to read: what a person typed, and what was said before it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from festinger.core.language.prose import prose_lines
from festinger.core.system.injection import addresses_assistants
from festinger.core.system.secrets import redact

CONTEXT_CHARACTERS_MAX: Final = 600
"""Characters of the turn before it, the last ones: it is there for understanding only."""
TEXT_CHARACTERS_MAX: Final = 64_000
"""Characters of a turn; what is longer was not typed."""

_BLANK_LINES: Final = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_BREAK: Final = re.compile(r"\n+|(?<=[.!?…;])\s+")


@dataclass(frozen=True, slots=True)
class UnreadTurn:
    """A turn that waits for a model.

    Attributes:
        text: What a person typed, without secrets, code and pasted text (`readable_text`).
        speaker: Who said it.
        principal: On whose behalf, as the server stamped it.
        project: Where it was said; empty for nowhere in particular.
        session: In which conversation; empty if that is unknown.
        said: When, in seconds since the epoch.
        digest: Names the whole turn (`digest_of`).
        before: The end of the turn before it; empty if nobody is known to have spoken.
        before_role: Who spoke then: `assistant` or `tool`.
        is_newest: Whether it was said just now; else it is part of an older history.
    """

    text: str
    speaker: str
    principal: str
    project: str
    session: str
    said: float
    digest: bytes
    before: str = ""
    before_role: str = ""
    is_newest: bool = True


@dataclass(frozen=True, slots=True)
class TurnPart:
    """The part of an unread turn that one batch reads.

    Attributes:
        number: Of the turn in the queue.
        turn: The whole turn.
        start: Where the part begins in its text, in characters.
        end: Where it ends.
        attempts: How often reading it has failed.
        place: Which of its request it is, from 1; 0 until it is chosen.
    """

    number: int
    turn: UnreadTurn
    start: int
    end: int
    attempts: int = 0
    place: int = 0

    @property
    def text(self) -> str:
        """The words of the part, as they were typed."""
        return self.turn.text[self.start : self.end]

    @property
    def is_last(self) -> bool:
        """Whether nothing of the turn is left to read after it."""
        return not self.turn.text[self.end :].strip()


def readable_text(text: str) -> str:
    """Return what a model may read of a turn; empty for nothing.

    The lines that stay are as they were typed, so that a quotation stands literally in
    them. Code, logs, tables, pasted text and lines that speak to machines are left out.

    Args:
        text: The turn, without secrets.
    """
    text = text[-TEXT_CHARACTERS_MAX:]
    lines = [line for line in prose_lines(text) if line is not None]
    # Looked for once: of a thousand messages one speaks to machines.
    if addresses_assistants(text):
        lines = [line for line in lines if not addresses_assistants(line)]
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip()


def context_of(text: str) -> str:
    """Return what a model is shown of the turn before, without secrets, on one line."""
    words = " ".join(redact(text[-4 * CONTEXT_CHARACTERS_MAX :]).split())
    return words[-CONTEXT_CHARACTERS_MAX:]


def end_of_part(text: str, start: int, most: int) -> int:
    """Return where the part of a text ends that begins at a place.

    It ends behind a line or a sentence if there is one, else between two words, and
    within a word only if that alone is longer.

    Args:
        most: Characters of a part, at most; at least 1.
    """
    if len(text) - start <= most:
        return len(text)
    window = text[start : start + most + 1]
    ends = [match.end() for match in _BREAK.finditer(window) if match.end() <= most]
    if ends:
        return start + ends[-1]
    space = max(window.rfind(" "), window.rfind("\t"))
    return start + (space + 1 if 0 < space < most else most)
