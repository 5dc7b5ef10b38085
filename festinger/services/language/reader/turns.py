"""Lend unread turns to whoever asks a model, and take its answers."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

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
from festinger.services.world.memory import TenantMemory
from festinger.store.language.records import UnreadCounts
from festinger.store.language.unread import PostgresUnread

LEASE_SECONDS = 300.0
"""How long a batch may be read before another reader may have it."""
ATTEMPTS_MAX = 3
"""After so many answers that cannot be used a turn is left to the rules."""
RETRY_SECONDS = 600.0
"""How long it waits after each."""


@dataclass(frozen=True, slots=True)
class LeasedTurns:
    """A batch to be read.

    Attributes:
        lease: Names it.
        request: What a model is to be asked.
    """

    lease: uuid.UUID
    request: ReadingRequest


@dataclass(slots=True)
class ReadingStatistics:
    """What reading came to in one memory since the server started.

    Attributes:
        batches: Answers that could be used.
        failures: Answers that could not, and requests without one.
        given_up: Turns that are left to the rules.
        tokens: That were read and written.
        statements: By the gate's verdict.
        refused: Statements that went to no gate, by reason.
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
        """Statements that are held, or that confirmed what is."""
        return self.statements[Verdict.HELD] + self.statements[Verdict.CORROBORATED]


class TurnReading:
    """Lends turns and takes answers; it asks no model itself.

    Args:
        unread: Where turns wait.
        complain: Gets a sentence for each answer that cannot be used.
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
        """Return what reading came to in a memory."""
        return self._statistics[tenant]

    async def counts(self, memory: TenantMemory) -> UnreadCounts:
        """Return how many turns wait; none where nothing is read.

        Raises:
            DatabaseUnavailable: Nobody can say.
        """
        if not memory.is_read:
            return UnreadCounts(0)
        return await self.unread.counts(memory.tenant)

    async def lease(self, memory: TenantMemory, tokens_max: int) -> LeasedTurns | None:
        """Lend the next batch; None if nothing waits, or another batch is being read.

        Args:
            tokens_max: Of the whole prompt; below `TOKENS_MIN` nothing is lent.

        Raises:
            DatabaseUnavailable: Nothing is lent.
        """
        if not memory.is_read or tokens_max < TOKENS_MIN:
            return None
        lease = uuid.uuid4()
        choose = partial(choose_parts, tokens_max=tokens_max)
        parts = await self.unread.lease(memory.tenant, lease, LEASE_SECONDS, choose)
        if not parts:
            return None
        world, preferences = memory.world, memory.preferences
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
        """Learn from an answer; the turns are read then.

        Args:
            answer: As the model wrote it.
            tokens: That were read and written for it.

        Raises:
            LeaseLost: It took too long: the turns are another's, or read.
            BadAnswer: It cannot be used; the turns are read again later.
            DatabaseUnavailable: Nothing was learnt, or nobody knows.
            Overloaded: Nothing was learnt.
        """
        statistics = self._statistics[memory.tenant]
        statistics.tokens += tokens
        parts = await self.unread.leased(memory.tenant, lease)
        if not parts:
            raise _lost(lease)
        try:
            answered = await asyncio.to_thread(parse_answer, answer)
        except BadAnswer as error:
            await self.fail(memory, lease, error.message)
            raise
        known = {it.assertion_id: it for it in known_about(memory.world, parts)}
        named = {it.replaces for it in answered} & known.keys()
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
        whole = {
            part.turn.digest
            for part in parts
            if part.start == 0 and part.end >= len(part.turn.text)
        }
        learnt = await submit(memory, checked.statements, lease, whole)
        if not learnt.is_ours:
            raise _lost(lease)
        statistics.batches += 1
        statistics.problem = ""
        statistics.statements += learnt.verdicts
        statistics.refused += Counter(checked.refused)
        if learnt.unnamed:
            statistics.refused["no name"] += learnt.unnamed
        return learnt

    async def release(self, memory: TenantMemory, lease: uuid.UUID) -> None:
        """Take turns back that were not read, as if they had never been lent.

        Raises:
            DatabaseUnavailable: They come back once the lease is over.
        """
        await self.unread.release(memory.tenant, lease)

    async def fail(self, memory: TenantMemory, lease: uuid.UUID, why: str) -> None:
        """Take turns back of which reading failed; they wait, or are left to the rules.

        Args:
            why: In a sentence, without any words of theirs.

        Raises:
            DatabaseUnavailable: They come back once the lease is over.
        """
        statistics = self._statistics[memory.tenant]
        statistics.failures += 1
        statistics.problem = why
        statistics.given_up += await self.unread.postpone(
            memory.tenant, lease, RETRY_SECONDS, ATTEMPTS_MAX
        )
        self._complain(f"tenant {memory.tenant}: nothing was read: {why}")


def _lost(lease: uuid.UUID) -> LeaseLost:
    return LeaseLost(
        "the turns were read by somebody else, or forgotten; lease others",
        lease=str(lease),
    )
