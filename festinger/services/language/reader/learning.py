"""Learn from what a model read, and mark its turns as read, in one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import UUID

from festinger.core.graph.origins import ReadStatement
from festinger.core.graph.outcome import Verdict
from festinger.core.lines.turns import SpokenTurn
from festinger.core.world.draft import Draft
from festinger.services.language.reader.missed import missed_changes
from festinger.services.language.stating import StateAll, settle_changes
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.language.turn_queue import UnreadWrites
from festinger.store.language.turns import TurnWrites

if TYPE_CHECKING:
    from festinger.store.world.batches import Batch
    from festinger.store.world.reads import PostgresReads


@dataclass(frozen=True, slots=True)
class LearntStatements:
    """Result of learning from a batch.

    Attributes:
        verdicts: Number of statements by verdict of the gate.
        unnamed: Number of statements whose names are not possible as tokens.
        is_ours: Whether the lease was still held; otherwise nothing was changed.
    """

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    unnamed: int = 0
    is_ours: bool = True


class LearnStatements(StateAll):
    """Job that judges the statements of a batch, and marks its turns as read.

    Args:
        lease: Lease of the batch.
        whole: Digests of the turns that were read from beginning to end.
        once: Digests of those that are read once more if a change was missed.
    """

    def __init__(
        self,
        memory: TenantMemory,
        statements: Sequence[ReadStatement],
        lease: UUID,
        whole: Collection[bytes] = (),
        once: Collection[bytes] = (),
    ) -> None:
        super().__init__(memory, statements)
        self._lease = lease
        self._whole = whole
        self._once = once
        self._left: Collection[bytes] = ()
        self._turns: Sequence[SpokenTurn] = ()

    async def load(self, reads: PostgresReads) -> None:
        """Read which turns are still leased, and how they are stored."""
        # Under the lock: the lease may have expired while the model was reading.
        self._left = await reads.reads_under(self._lease)
        sources = self._memory.world.lines.sources
        # 0 for a turn of which no sentence is stored.
        numbers = {sources.turn_number(digest) for digest in self._whole} - {0}
        self._turns = await reads.turns(numbers) if numbers else ()

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Judge the statements of turns that are still leased."""
        # Another reader has the turns, or has read them: nothing is changed.
        if not self._left:
            return
        # In the transaction that learns: nothing is read twice after a crash.
        batch.of(UnreadWrites).leases.append(self._lease)
        sources = self._memory.world.lines.sources
        self.state(
            draft,
            # Turns that were forgotten or taken back in the meantime state nothing.
            [
                it
                for it in self.statements
                if it.origin.turn_digest in self._left
                and not sources.is_turn_withdrawn(it.origin.turn_digest)
            ],
        )
        # Sentences that nothing was read from are told as such, if the whole turn was read.
        for turn in self._turns:
            if turn.digest in self._left:
                marked = turn.marked_unstated(self._quotes(turn.digest))
                batch.of(TurnWrites).marked.append(marked)
                if turn.digest in self._once and (
                    missed := missed_changes(self._memory.world, marked)
                ):
                    batch.of(UnreadWrites).rereads.append(
                        (self._lease, turn.digest, "\n".join(missed))
                    )

    def _quotes(self, digest: bytes) -> list[str]:
        """Return the words of a turn from which statements were read, now or before."""
        said = [it.origin for it in self.statements]
        said += self._memory.world.read.origins_of(digest)
        return [it.quote for it in said if it.turn_digest == digest]

    @property
    def is_ours(self) -> bool:
        """True if the lease was still held at the decision."""
        return bool(self._left)


async def submit(
    memory: TenantMemory,
    statements: Sequence[ReadStatement],
    lease: UUID,
    whole: Collection[bytes] = (),
    once: Collection[bytes] = (),
) -> LearntStatements:
    """Judge the statements of a batch and mark its turns as read, atomically.

    Raises:
        DatabaseUnavailable: Nothing was written, or the outcome is unknown: the turns
            are read already, or will be read again.
        Overloaded: Try again.
    """
    job = LearnStatements(memory, statements, lease, whole, once)
    stated = await memory.writer.submit(job)
    # Each as a decision of its speaker (J7), after the commit.
    await settle_changes(memory, stated)
    verdicts = Counter(it.outcome.verdict for it in stated if it.outcome is not None)
    unnamed = sum(it.outcome is None for it in stated)
    return LearntStatements(verdicts, unnamed, job.is_ours)
