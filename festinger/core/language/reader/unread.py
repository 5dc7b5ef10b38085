"""Turns that a model is to read: typed text, with the preceding turn as context."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from festinger.core.language.prose import prose_lines
from festinger.core.system.injection import addresses_assistants
from festinger.core.system.secrets import redact

CONTEXT_CHARACTERS_MAX: Final = 600
"""Maximum number of characters at the end of the preceding turn, for context only."""
TEXT_CHARACTERS_MAX: Final = 64_000
"""Maximum number of characters of a turn; a longer text was not typed."""

# Removed lines would leave gaps.
_BLANK_LINES: Final = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_BREAK: Final = re.compile(r"\n+|(?<=[.!?…;])\s+")


@dataclass(frozen=True, slots=True)
class UnreadTurn:
    """A turn that waits for a model.

    Attributes:
        text: Typed text, without secrets, code and pasted text (`readable_text`).
        principal: Principal on whose behalf it was said, as set by the server.
        project: Project in which it was said; empty for none.
        session: Session in which it was said; empty if unknown.
        digest: Digest of the whole turn (`digest_of`).
        before: End of the preceding turn; empty if there is none.
        before_role: Role of the preceding turn: `assistant` or `tool`.
        is_newest: Whether it was said just now; otherwise it is part of an older
            history.
        reread: Whether a model has read the turn already: these are sentences from
            which it read nothing.
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
    reread: bool = False


@dataclass(frozen=True, slots=True)
class TurnPart:
    """The part of an unread turn that one batch reads.

    Attributes:
        start: Begin of the part in the turn's text, in characters.
        place: Position in its request, from 1; 0 until it is chosen.
    """

    number: int
    turn: UnreadTurn
    start: int
    end: int
    attempts: int = 0
    place: int = 0

    @property
    def text(self) -> str:
        """The text of the part, as it was typed."""
        return self.turn.text[self.start : self.end]

    @property
    def sentences(self) -> list[str]:
        """The sentences of the part."""
        return [it for it in _BREAK.split(self.text) if it.strip()]

    @property
    def is_last(self) -> bool:
        """True if no text of the turn follows it."""
        return not self.turn.text[self.end :].strip()


def readable_text(text: str) -> str:
    """Return the text of a turn, given without secrets, that a model may read."""
    # Code, logs and lines for machines go; the others stay as they are, so that quotes are found.
    text = text[-TEXT_CHARACTERS_MAX:]
    lines = [line for line in prose_lines(text) if line is not None]
    # Checked once for all lines: about one in a thousand messages addresses machines.
    if addresses_assistants(text):
        lines = [line for line in lines if not addresses_assistants(line)]
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip()


def context_of(text: str) -> str:
    """Return the end of the preceding turn, without secrets, on one line."""
    # Cut only behind the search for secrets, since half of one is not recognised.
    words = " ".join(redact(text[-4 * CONTEXT_CHARACTERS_MAX :]).split())
    return words[-CONTEXT_CHARACTERS_MAX:]


def end_of_part(text: str, start: int, most: int) -> int:
    """Return the end of the part of a text that begins at an offset.

    Args:
        most: Maximum number of characters of a part; at least 1.
    """
    if len(text) - start <= most:
        return len(text)
    # One more character, since a blank may follow the last word that fits.
    window = text[start : start + most + 1]
    # Behind a line or a sentence, else between two words, else within a long one.
    ends = [match.end() for match in _BREAK.finditer(window) if match.end() <= most]
    if ends:
        return start + ends[-1]
    space = max(window.rfind(" "), window.rfind("\t"))
    return start + (space + 1 if 0 < space < most else most)
