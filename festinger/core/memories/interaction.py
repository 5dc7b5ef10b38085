"""Conversations between a subject and an agent, stored for a model to extract from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from typing import Any, NamedTuple
from uuid import UUID

from festinger.core.graph.tokens import blank_own_blocks
from festinger.core.language.prose import own_prose
from festinger.core.language.turns import Role, Turn
from festinger.core.memories.types import MemoryType

IDLE_SECONDS = 600.0
"""An interaction without a new turn for this long is extracted (G3a)."""
CHARACTERS_MAX = 200_000
"""An interaction of this length takes no further turn: it is closed and another one is
opened, since each added turn rewrites the whole. A longer turn is cut."""


class InteractionState(StrEnum):
    """State of an interaction."""

    OPEN = "open"
    """Turns can be added to it."""
    CLOSED = "closed"
    """No turn can be added any more; it waits to be summarised."""
    SUMMARISED = "summarised"
    """It waits to be extracted."""
    EXTRACTED = "extracted"
    FAILED = "failed"
    """Its extraction failed for good, unless it is requested again."""
    FORGOTTEN = "forgotten"
    """Its turns were deleted on request."""


class KeptTurnText(NamedTuple):
    """Turn that is stored."""

    role: Role
    text: str
    digest: bytes


@dataclass(frozen=True, slots=True)
class InteractionFinding:
    """Extraction from an interaction, with its outcome.

    Attributes:
        outcome: One of `active`, `candidate`, `proposal`, `rejected` and `known`.
        reason: Code of the reason why it is not stored; empty if it is.
        detail: Code of the exact reason, or of the doubt about a candidate; may be
            empty.
        record_id: The memory that was written or that was known already; 0 for none.
    """

    text: str
    type: MemoryType
    confidence: float
    outcome: str
    reason: str = ""
    detail: str = ""
    record_id: int = 0


@dataclass(frozen=True, slots=True)
class RejectedExtraction:
    """Extraction that was not stored.

    Attributes:
        reason: Code of the reason; `detail` is that of the exact reason.
        proposal: Whether it is logged as a proposal: a pattern too weak to be stored.
        details: Results of the comparison with the text.
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
    """Conversation between a subject and an agent. Times are seconds since the epoch.

    Attributes:
        subject: The person who speaks with the agent, and whom the memories are about.
        session: Name of the session; empty if it has none.
        principal: The principal on whose behalf it was captured.
        turns: Oldest first; empty if only the other fields were requested.
        extract: Whether memories are to be extracted from it.
        attempts: Number of failed attempts at extraction.
        last_error: Error of the last failed attempt; empty if none failed.
        due: When it is to be extracted; None if it is not.
        found: Number of memories that were found in it.
        stored: Number of those that were stored or confirmed.
        lease: Lease under which it is being extracted; None if it is not.
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
        """Return the subject's typed texts, oldest first: only they ground memories (G3a)."""
        # Pasted mail, documents and code are others' words (J10).
        own = (own_prose(turn.text) for turn in self.turns if turn.role is Role.USER)
        return [each for each in own if each.strip()]

    def place_of(self, quote: str) -> tuple[int, int]:
        """Return the span of a quote in the subject's turns; (0, 0) if it is in none.

        The span of the first occurrence is half-open, in characters of the transcript:
        `role: text` for each turn, with a blank line between turns.
        """
        before = 0
        for turn in self.turns:
            lead = len(f"{turn.role}: ")
            at = turn.text.find(quote) if turn.role is Role.USER and quote else -1
            if at >= 0:
                start = before + lead + at
                return start, start + len(quote)
            # Two characters for the blank line between turns.
            before += lead + len(turn.text) + 2
        return 0, 0

    @property
    def name(self) -> str:
        """The display name."""
        session = f" ({self.session})" if self.session else ""
        return f"interaction {self.id} with {self.subject}{session}"


def utterances(turns: Iterable[Turn]) -> list[KeptTurnText]:
    """Return the turns to store, without system turns, own blocks (B7) and empty turns."""
    kept: list[KeptTurnText] = []
    alike: Counter[tuple[Role, str]] = Counter()
    for turn in turns:
        # Postgres stores no NUL in a text.
        text = blank_own_blocks(turn.text).replace("\0", "").strip()
        if turn.role is Role.SYSTEM or not text:
            continue
        words = " ".join(text.split())
        # Of role, words, and number of equal turns before: a history that is sent again gets the
        # same digests, and a second "yes" another one than the first.
        digest = turn.digest or _digest(turn.role, words, alike[turn.role, words])
        alike[turn.role, words] += 1
        kept.append(KeptTurnText(turn.role, text[:CHARACTERS_MAX], digest))
    return kept


def portions(
    spoken: Sequence[KeptTurnText], characters: int
) -> list[tuple[KeptTurnText, ...]]:
    """Divide turns among interactions.

    Args:
        characters: Length of the open interaction so far.

    Returns:
        The turns of the open interaction, which may be empty, and of each further one.
    """
    parts: list[list[KeptTurnText]] = [[]]
    for each in spoken:
        # Checked before the turn is added: no turn is divided.
        if characters >= CHARACTERS_MAX:
            parts.append([])
            characters = 0
        parts[-1].append(each)
        characters += len(each.text)
    return [tuple(part) for part in parts]


def _digest(role: Role, words: str, before: int) -> bytes:
    said = f"{role}\0{before}\0{words}"
    # A lone surrogate is not valid UTF-8, but must be accepted here.
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).digest()
