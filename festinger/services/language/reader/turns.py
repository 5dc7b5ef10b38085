"""Lease unread turns to readers that ask a model, and take their answers."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from festinger.core.graph.outcome import Verdict
from festinger.core.language.reader.answers import parse_answer
from festinger.core.language.reader.guards import check_answer
from festinger.core.language.reader.questions import (
    TOKENS_MIN,
    ReadingRequest,
    choose_parts,
    compose,
)
from festinger.errors import BadAnswer, LeaseLost
from festinger.services.language.reader.known import (
    known_about,
    nameable_subjects,
    said_earlier,
    unknown_in,
)
from festinger.services.language.reader.learning import LearntStatements, submit
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.language.turn_queue import UnreadCounts

if TYPE_CHECKING:
    from festinger.store.language.turn_queue import PostgresUnread

# A slow model on a CPU may take minutes for a batch.
LEASE_SECONDS = 300.0
"""Duration of a lease on a batch."""
# Tried again twice, then left to the rules.
ATTEMPTS_MAX = 3
"""Number of unusable answers after which a turn is no longer given to models."""
RETRY_SECONDS = 600.0
"""Seconds before a turn is read again after an unusable answer."""


@dataclass(frozen=True, slots=True)
class LeasedTurns:
    """A leased batch of turns, and the request to a model about it."""

    lease: uuid.UUID
    request: ReadingRequest


@dataclass(slots=True)
class ReadingStatistics:
    """Counts of reading in one memory since the server started.

    Attributes:
        batches: Number of usable answers.
        failures: Number of unusable answers, and of requests without an answer.
        given_up: Number of turns that are no longer given to models.
        tokens: Number of tokens of requests and answers.
        statements: Number of statements by verdict of the gate.
        refused: Number of statements that were not judged, by reason.
        problem: Why reading failed last; empty if it did not.
    """

    batches: int = 0
    failures: int = 0
    given_up: int = 0
    tokens: int = 0
    statements: Counter[Verdict] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    problem: str = ""

    @property
    def learned(self) -> int:
        """The number of statements that are held or confirmed a held fact."""
        return self.statements[Verdict.HELD] + self.statements[Verdict.CORROBORATED]


class TurnReading:
    """Service that leases turns and takes answers; it asks no model itself.

    Args:
        unread: Store of unread turns.
        complain: Called with a sentence for each unusable answer.
    """

    def __init__(
        self,
        unread: PostgresUnread,
        *,
        complain: Callable[[str], None] = lambda message: None,
    ) -> None:
        self.unread = unread
        self._complain = complain
        self._statistics: defaultdict[str, ReadingStatistics] = defaultdict(
            ReadingStatistics
        )

    def statistics(self, tenant: str) -> ReadingStatistics:
        """Return the counts of a memory."""
        return self._statistics[tenant]

    async def counts(self, memory: TenantMemory) -> UnreadCounts:
        """Return the counts of unread turns; zero where reading is switched off.

        Raises:
            DatabaseUnavailable: The turns cannot be counted now.
        """
        if not memory.is_read:
            return UnreadCounts(0)
        return await self.unread.counts(memory.tenant)

    async def lease(self, memory: TenantMemory, tokens_max: int) -> LeasedTurns | None:
        """Lease the next batch; None if there is none, or another batch is being read.

        Args:
            tokens_max: Maximum size of the prompt; below `TOKENS_MIN` nothing is
                leased.

        Raises:
            DatabaseUnavailable: Nothing is leased.
        """
        # A full memory learns nothing, so that nothing of it is leased.
        if not memory.is_read or memory.is_full or tokens_max < TOKENS_MIN:
            return None
        lease = uuid.uuid4()
        choose = partial(choose_parts, tokens_max=tokens_max)
        # The store calls `choose` on the oldest turns, and leases what it takes.
        parts = await self.unread.lease(memory.tenant, lease, LEASE_SECONDS, choose)
        if not parts:
            return None
        world, preferences = memory.world, memory.preferences
        # Names that people use often and say nothing of are asked about along the way (F2).
        unknown = unknown_in(
            world,
            parts,
            threshold=preferences.saliency_write_threshold,
            now=memory.now(),
        )
        known = known_about(world, parts)
        return LeasedTurns(lease, compose(parts, known, tokens_max, unknown))

    async def submit(
        self, memory: TenantMemory, lease: uuid.UUID, answer: str, tokens: int = 0
    ) -> LearntStatements:
        """Learn from an answer, and mark the turns as read.

        Args:
            answer: Text of the model's answer.
            tokens: Number of tokens of the request and the answer.

        Raises:
            LeaseLost: The lease expired: another reader has the turns, or has read
                them.
            BadAnswer: The answer cannot be used; the turns are read again later.
            DatabaseUnavailable: Nothing was learnt, or the outcome is unknown.
            Overloaded: Nothing was learnt.
        """
        statistics = self._statistics[memory.tenant]
        # Counted even if the answer turns out useless: the model has worked for it.
        statistics.tokens += tokens
        parts = await self.unread.leased(memory.tenant, lease)
        if not parts:
            raise _lost(lease)
        try:
            # In threads, since an answer may be long, and prompts wait for the event loop.
            answered = await asyncio.to_thread(parse_answer, answer)
        except BadAnswer as error:
            await self.fail(memory, lease, error.message)
            raise
        # Again what the request showed: numbers of statements that ended are refused.
        known = {it.assertion_id: it for it in known_about(memory.world, parts)}
        named = {it.replaces for it in answered} & known.keys()
        # Whose statements they are decides who may replace them (J7).
        async with memory.store.reading(memory.tenant) as reads:
            speakers = await reads.speakers(named) if named else {}
        checked = await asyncio.to_thread(
            check_answer,
            answered,
            parts,
            known,
            speakers,
            said_earlier(memory.world, parts),
            nameable_subjects(memory.world, answered, parts),
        )
        # Parts of a turn may state nothing although the turn does: only whole turns are marked.
        whole = {
            part.turn.digest
            for part in parts
            if part.start == 0 and part.end >= len(part.turn.text)
        }
        once = whole - {part.turn.digest for part in parts if part.turn.reread}
        learnt = await submit(memory, checked.statements, lease, whole, once)
        # Nothing was learnt: the lease was lost between the check and the lock.
        if not learnt.is_ours:
            raise _lost(lease)
        statistics.batches += 1
        statistics.problem = ""
        statistics.statements += learnt.verdicts
        statistics.refused += Counter(checked.refused)
        # Names that make no tokens were refused by the job, not by the guards.
        if learnt.unnamed:
            statistics.refused["no name"] += learnt.unnamed
        return learnt

    async def release(self, memory: TenantMemory, lease: uuid.UUID) -> None:
        """Release turns that were not read, without counting an attempt.

        Raises:
            DatabaseUnavailable: The turns are available again when the lease expires.
        """
        await self.unread.release(memory.tenant, lease)

    async def fail(self, memory: TenantMemory, lease: uuid.UUID, why: str) -> None:
        """Release turns after a failed attempt, for a later one if any is left.

        Args:
            why: Reason in a sentence, without any words of the turns.

        Raises:
            DatabaseUnavailable: The turns are available again when the lease expires.
        """
        statistics = self._statistics[memory.tenant]
        statistics.failures += 1
        statistics.problem = why
        # Without words of the turns, which the answer may quote.
        statistics.given_up += await self.unread.postpone(
            memory.tenant, lease, RETRY_SECONDS, ATTEMPTS_MAX
        )
        self._complain(f"tenant {memory.tenant}: nothing was read: {why}")


def _lost(lease: uuid.UUID) -> LeaseLost:
    return LeaseLost(
        "the turns were read by somebody else, or forgotten; lease others",
        lease=str(lease),
    )
