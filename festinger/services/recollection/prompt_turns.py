"""Read the new turns of a prompt for what is stored, and queue it for the writer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, NamedTuple

from festinger.config import PromptStorage
from festinger.core.graph.conflicts import Clash, PendingConflicts
from festinger.core.graph.origins import ReadStatement
from festinger.core.graph.proposal import Proposal
from festinger.core.language.reader.unread import UnreadTurn
from festinger.core.language.turns import Role, Turn
from festinger.core.lines.turns import SpokenTurn
from festinger.core.recollection.reading import PromptReading, Reader
from festinger.services.language.keeping import spoken_turns, unread_turns
from festinger.services.language.stating import settle_later, statements_of_turns
from festinger.services.world.jobs import PromptJob
from festinger.services.world.tenant_memory import TenantMemory

# A prompt can bring 500 new concepts (B5a), and must not wait for a query.
IDS_LOW: Final = 1_000
"""Number of free concept numbers below which more are reserved."""
READ_INLINE_CHARACTERS_MAX: Final = 1_000
"""Maximum length of new messages that are read in the event loop; 1,000 characters of
dense talk take some 5 ms."""
# One thread keeps the order of a conversation.
_LONG_READER: Final = ThreadPoolExecutor(1, thread_name_prefix="long-reader")
"""Thread that reads longer ones, in their order."""


class PromptTurns(NamedTuple):
    """Turns of a prompt, which are read after the answer.

    Attributes:
        turns: All turns, the oldest first.
        reader: Speaker of the prompt, and the trust in each role.
        now: Time of the prompt, in seconds since the epoch.
    """

    turns: Sequence[Turn]
    reader: Reader
    project: str
    session: str
    now: float

    @property
    def characters(self) -> int:
        """Number of characters of the new messages."""
        return sum(
            len(turn.text)
            for turn in self.turns
            if turn.role is Role.USER and not turn.seen
        )

    def stored(self) -> list[SpokenTurn]:
        """Return the turns whose sentences are stored."""
        return spoken_turns(
            self.turns,
            self.reader,
            project=self.project,
            session=self.session,
            now=self.now,
        )

    def unread(self) -> list[UnreadTurn]:
        """Return the turns that a model is to read."""
        return unread_turns(
            self.turns,
            self.reader,
            project=self.project,
            session=self.session,
            now=self.now,
        )


class _ReadTurns(NamedTuple):
    """Sentences and statements of a prompt's turns, and what a model is to read."""

    stored: Sequence[SpokenTurn]
    statements: Sequence[ReadStatement]
    unread: Sequence[UnreadTurn]


def queue_turns(
    memory: TenantMemory,
    spoken: PromptTurns,
    reading: PromptReading,
    conflicts: PendingConflicts,
    shown: list[Clash],
    new: list[bytes],
) -> None:
    """Queue what a prompt states, count its names, and queue sentences for guessing.

    Args:
        spoken: Turns of the prompt.
        reading: What the answer was made of.
        conflicts: Pending conflicts of the world in which the prompt was judged.
        shown: Those of them that the prompt raised.
        new: Digests of turns that were marked as read for the prompt.
    """
    queue = partial(_queue, memory, reading.proposals, conflicts, shown, new)
    # What follows a long message is queued behind it.
    if spoken.characters <= READ_INLINE_CHARACTERS_MAX and not memory.long_reads:
        queue(_read(memory, spoken))
    else:
        # Counted at once: the next prompt must queue behind this one even before it is read.
        memory.long_reads += 1
        memory.run_later(_queue_long(memory, spoken, queue, new))
    world = memory.world
    # Names that nothing was stated of: to meet them took a tenth of the answer's time.
    world.meet_late(reading.unknown_tokens, now=spoken.now)
    # Sentences are only queued if there is a model for guessing.
    if memory.preferences.guess_model_id:
        memory.guesses.queue(reading.counted_turns)
    if len(world.concept_ids) < IDS_LOW:
        memory.writer.refill()


def _read(memory: TenantMemory, spoken: PromptTurns) -> _ReadTurns:
    """Read the turns of a prompt; safe to call in a thread."""
    stored = spoken.stored() if memory.keeps is not PromptStorage.NOTHING else []
    unread = spoken.unread() if memory.is_read else []
    statements = statements_of_turns(memory.stated, stored)
    # With `statements`, sentences are read but not kept.
    if memory.keeps is not PromptStorage.UTTERANCES:
        stored = []
    return _ReadTurns(stored, statements, unread)


async def _queue_long(
    memory: TenantMemory,
    spoken: PromptTurns,
    queue: Callable[[_ReadTurns], None],
    new: list[bytes],
) -> None:
    """Read long turns without blocking the event loop, and queue what was read."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.run_in_executor(_LONG_READER, _read, memory, spoken)
    # Cancellation, too: what is lost is marked as unread, so that a repeated prompt brings it.
    except BaseException:
        memory.recent_turns.forget(new)
        raise
    finally:
        memory.long_reads -= 1
    queue(found)


def _queue(
    memory: TenantMemory,
    proposals: Sequence[Proposal],
    conflicts: PendingConflicts,
    shown: list[Clash],
    new: list[bytes],
    found: _ReadTurns,
) -> None:
    """Queue what was read in a prompt for the writer."""
    if not (proposals or any(found)):
        return
    job = PromptJob(
        proposals, conflicts, shown, found.stored, found.statements, found.unread
    )
    # With a full queue, the prompt's conflicts are taken back, and it may teach again.
    if memory.writer.offer(job):
        settle_later(memory, job)
    else:
        job.withdraw()
        memory.recent_turns.forget(new)
