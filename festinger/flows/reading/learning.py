"""What a model read goes through the gate, and its turns are read: one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from festinger.core.draft import Draft
from festinger.core.outcome import Verdict
from festinger.core.statements.read import ReadStatement
from festinger.flows.batches import Batch
from festinger.flows.memory import Memory
from festinger.flows.ports import Reads
from festinger.flows.stating import StateAll, settle_changes


@dataclass(frozen=True, slots=True)
class LearntStatements:
    """What became of the statements of a batch.

    Attributes:
        verdicts: How many came to which end, by the gate's verdict.
        unnamed: How many have names that nothing can be called.
        is_ours: Whether the lease still held; else nothing was changed.
    """

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    unnamed: int = 0
    is_ours: bool = True


class LearnStatements(StateAll):
    """Put the statements of a batch through the gate, and have its turns count as read.

    Whoever has lost the lease changes nothing: another one reads, or has read. A turn
    that was forgotten meanwhile teaches nothing.

    Args:
        lease: Of the batch.
    """

    def __init__(
        self, memory: Memory, statements: Sequence[ReadStatement], lease: UUID
    ) -> None:
        super().__init__(memory, statements)
        self._lease = lease
        self._left: Collection[bytes] = ()

    async def load(self, reads: Reads) -> None:
        """Look which of the turns are still ours to read."""
        self._left = await reads.reads_under(self._lease)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Put the statements of turns that are still there through the gate."""
        if not self._left:
            return
        batch.read.append(self._lease)
        self.state(
            draft,
            [it for it in self.statements if it.origin.turn_digest in self._left],
        )

    @property
    def is_ours(self) -> bool:
        """Whether the lease still held when it was decided."""
        return bool(self._left)


async def submit(
    memory: Memory, statements: Sequence[ReadStatement], lease: UUID
) -> LearntStatements:
    """Have what a model read learnt, and its turns count as read, or neither.

    Args:
        lease: Of the batch that it was read in.

    Raises:
        DatabaseUnavailable: Nothing was written, or nobody knows: then the turns are
            read already, or will be read again.
        Overloaded: Try again.
    """
    job = LearnStatements(memory, statements, lease)
    stated = await memory.writer.submit(job)
    await settle_changes(memory, stated)
    verdicts = Counter(it.outcome.verdict for it in stated if it.outcome is not None)
    unnamed = sum(it.outcome is None for it in stated)
    return LearntStatements(verdicts, unnamed, job.is_ours)
