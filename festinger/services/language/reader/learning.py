"""What a model read goes through the gate, and its turns are read: one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from festinger.core.graph.origins import ReadStatement
from festinger.core.graph.outcome import Verdict
from festinger.core.lines.turns import SpokenTurn
from festinger.core.world.draft import Draft
from festinger.services.language.stating import StateAll, settle_changes
from festinger.services.world.memory import TenantMemory
from festinger.store.world.batches import Batch
from festinger.store.world.reads import PostgresReads


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
        whole: Digests of the turns that were read from beginning to end.
    """

    def __init__(
        self,
        memory: TenantMemory,
        statements: Sequence[ReadStatement],
        lease: UUID,
        whole: Collection[bytes] = (),
    ) -> None:
        super().__init__(memory, statements)
        self._lease = lease
        self._whole = whole
        self._left: Collection[bytes] = ()
        self._turns: Sequence[SpokenTurn] = ()

    async def load(self, reads: PostgresReads) -> None:
        """Look which of the turns are still ours to read, and how they are kept."""
        self._left = await reads.reads_under(self._lease)
        lines = self._memory.world.lines
        numbers = {lines.turn_number(digest) for digest in self._whole} - {0}
        self._turns = await reads.turns(numbers) if numbers else ()

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Put the statements of turns that are still there through the gate."""
        if not self._left:
            return
        batch.read.append(self._lease)
        self.state(
            draft,
            [it for it in self.statements if it.origin.turn_digest in self._left],
        )
        for turn in self._turns:
            if turn.digest in self._left:
                batch.marked.append(turn.marked_unstated(self._quotes(turn.digest)))

    def _quotes(self, digest: bytes) -> list[str]:
        """Return the words of a turn that something was read from, now or before."""
        said = [it.origin for it in self.statements]
        said += self._memory.world.read.origins_of(digest)
        return [it.quote for it in said if it.turn_digest == digest]

    @property
    def is_ours(self) -> bool:
        """Whether the lease still held when it was decided."""
        return bool(self._left)


async def submit(
    memory: TenantMemory,
    statements: Sequence[ReadStatement],
    lease: UUID,
    whole: Collection[bytes] = (),
) -> LearntStatements:
    """Have what a model read learnt, and its turns count as read, or neither.

    Args:
        lease: Of the batch that it was read in.
        whole: Digests of the turns that were read from beginning to end.

    Raises:
        DatabaseUnavailable: Nothing was written, or nobody knows: then the turns are
            read already, or will be read again.
        Overloaded: Try again.
    """
    job = LearnStatements(memory, statements, lease, whole)
    stated = await memory.writer.submit(job)
    await settle_changes(memory, stated)
    verdicts = Counter(it.outcome.verdict for it in stated if it.outcome is not None)
    unnamed = sum(it.outcome is None for it in stated)
    return LearntStatements(verdicts, unnamed, job.is_ours)
