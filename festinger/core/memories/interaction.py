"""What is said between somebody and an agent, and kept for a model to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from typing import Any, NamedTuple
from uuid import UUID

from festinger.core.graph.tokens import blank_own_blocks
from festinger.core.language.turns import Role, Turn
from festinger.core.memories.types import MemoryType

IDLE_SECONDS = 600.0
"""An interaction to which nobody added anything for so long is extracted (G3a)."""
CHARACTERS_MAX = 200_000
"""An interaction that is as long takes no further turn: it is closed, and another
begun. Whatever is added rewrites the whole. A turn is cut there: it is a document."""


class InteractionState(StrEnum):
    """Where an interaction stands."""

    OPEN = "open"
    """Turns are added to it."""
    CLOSED = "closed"
    """None is added any more; it is to be summarised."""
    SUMMARISED = "summarised"
    """It is to be extracted."""
    EXTRACTED = "extracted"
    FAILED = "failed"
    """Extracting it failed for good, unless somebody wants it again."""
    FORGOTTEN = "forgotten"
    """What was said was deleted on request."""


class KeptTurnText(NamedTuple):
    """A turn that is kept.

    Attributes:
        digest: Names it within its session.
    """

    role: Role
    text: str
    digest: bytes


@dataclass(frozen=True, slots=True)
class InteractionFinding:
    """Something that was read in an interaction, and what became of it.

    Attributes:
        outcome: In a word: `active`, `candidate`, `proposal`, `rejected` or `known`.
        reason: Why it is not stored, in a word; empty if it is.
        detail: Why exactly, or why it is a candidate; may be empty.
        claim_id: The memory that it became or was; 0 if it became none.
    """

    text: str
    type: MemoryType
    confidence: float
    outcome: str
    reason: str = ""
    detail: str = ""
    claim_id: int = 0


@dataclass(frozen=True, slots=True)
class RejectedExtraction:
    """Something that was extracted and not stored.

    Attributes:
        reason: Why, in a word; `detail` says what exactly.
        proposal: Whether it is logged as a proposal: a pattern too weak to be stored.
        details: How it was held against the text.
    """

    subject: str
    interaction_id: int
    reason: str
    detail: str
    text: str
    type: MemoryType
    confidence: float
    threshold: float
    proposal: bool
    details: Mapping[str, Any]
    created: float = 0.0
    id: int = 0


@dataclass(frozen=True, slots=True)
class Interaction:
    """What was said between somebody and an agent. Times are seconds since the epoch.

    Attributes:
        subject: Whom it is with, and whom its memories are about.
        session: Empty if it has no name.
        principal: On whose behalf it was captured.
        turns: Oldest first; empty where only the rest was asked for.
        turn_count: How many there are.
        extract: Whether memories are to be extracted from it.
        attempts: How often that has failed.
        last_error: Why it failed last; empty if it has not.
        due: When it is extracted, if it is to be; else None.
        found: How many memories were read in it.
        stored: How many of them were stored, or confirmed.
        lease: Names the right to extract it; None if nobody does.
    """

    id: int
    subject: str
    project: str
    session: str
    principal: str
    state: InteractionState
    extract: bool
    created: float
    updated: float
    turn_count: int = 0
    turns: Sequence[Turn] = ()
    summary: str = ""
    attempts: int = 0
    last_error: str = ""
    due: float | None = None
    found: int = 0
    stored: int = 0
    findings: Sequence[InteractionFinding] = field(default=())
    log: Sequence[str] = ()
    lease: UUID | None = None

    @property
    def spoken(self) -> list[str]:
        """What the subject said, oldest first: nothing else grounds a memory (G3a)."""
        return [turn.text for turn in self.turns if turn.role is Role.USER]

    def place_of(self, quote: str) -> tuple[int, int]:
        """Where the subject first said something; nowhere is (0, 0).

        Half-open, in characters of the transcript: `role: text`, turns apart by a blank
        line.
        """
        before = 0
        for turn in self.turns:
            lead = len(f"{turn.role}: ")
            at = turn.text.find(quote) if turn.role is Role.USER and quote else -1
            if at >= 0:
                start = before + lead + at
                return start, start + len(quote)
            before += lead + len(turn.text) + 2
        return 0, 0

    @property
    def name(self) -> str:
        """What people call it."""
        session = f" ({self.session})" if self.session else ""
        return f"interaction {self.id} with {self.subject}{session}"


def utterances(turns: Iterable[Turn]) -> list[KeptTurnText]:
    """What is kept of turns: no framework's text, no block of ours (B7), nothing empty.

    A turn without a name is called by its role, its words, and how many turns before it
    say the same: a history that is sent again has the same names.
    """
    kept: list[KeptTurnText] = []
    alike: Counter[tuple[Role, str]] = Counter()
    for turn in turns:
        text = blank_own_blocks(turn.text).replace("\0", "").strip()
        if turn.role is Role.SYSTEM or not text:
            continue
        words = " ".join(text.split())
        digest = turn.digest or _digest(turn.role, words, alike[turn.role, words])
        alike[turn.role, words] += 1
        kept.append(KeptTurnText(turn.role, text[:CHARACTERS_MAX], digest))
    return kept


def portions(
    spoken: Sequence[KeptTurnText], characters: int
) -> list[tuple[KeptTurnText, ...]]:
    """Turns as they fall into interactions.

    Args:
        characters: How long the open interaction is already.

    Returns:
        What goes into that one, and what into each further one; the first may be empty.
    """
    parts: list[list[KeptTurnText]] = [[]]
    for each in spoken:
        if characters >= CHARACTERS_MAX:
            parts.append([])
            characters = 0
        parts[-1].append(each)
        characters += len(each.text)
    return [tuple(part) for part in parts]


def _digest(role: Role, words: str, before: int) -> bytes:
    said = f"{role}\0{before}\0{words}"
    # Half of a character pair is no UTF-8, and a name all the same.
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).digest()
