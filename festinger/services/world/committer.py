"""Commit batches of jobs: lock, judge, write, commit, publish."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any
from uuid import UUID

from festinger.core.graph.gate import redirected
from festinger.core.graph.proposal import Proposal
from festinger.core.validation.routing import (
    CandidatePolicy,
    default_candidate_policy,
)
from festinger.core.world.comparing import differences
from festinger.core.world.draft import Draft, Witness
from festinger.core.world.placing import to_proposals
from festinger.core.world.publishing import ConceptSnapshot, renumber, take_over
from festinger.core.world.world import World
from festinger.errors import DatabaseUnavailable, Overloaded
from festinger.services.validation.candidate_creation import create_candidates
from festinger.services.world.counters import Counters
from festinger.services.world.jobs import (
    Job,
    PromptJob,
    acknowledge,
    fail,
    finish,
    replay,
)
from festinger.services.world.reserving import CONCEPTS_RESERVED, reserve
from festinger.services.world.statistics import MemoryStatistics
from festinger.services.world.waiting import WAITING_MAX
from festinger.store.graph.writes import GraphWrites
from festinger.store.postgres import PostgresStore, PostgresWriting
from festinger.store.world.batches import (
    Batch,
    RaceLost,
    RacesLost,
    TooFarBehind,
    request_reused,
)

RACES_MAX = 20
"""How often a batch is retried because another server was first."""
DIFFERENCES_MAX = 100
"""Maximum number of reported differences between a world and the database."""


@dataclass(frozen=True, slots=True)
class _UncertainBatch:
    """Batch whose COMMIT was never acknowledged, and its jobs without a caller.

    Attributes:
        jobs: The jobs of the batch that no caller waits for.
        since: Version that it was judged on; if committed, the log has it behind that.
    """

    batch: UUID
    jobs: Sequence[Job[Any]]
    since: int


@dataclass(eq=False)
class BatchCommitter:
    """Committer of batches, which also applies changes of other servers to the world.

    One task uses it at a time, except for `load`.

    Args:
        candidate_policy: Returns the current policy by which candidates are listed.

    Attributes:
        world: The graph in memory; a reload replaces it.
    """

    tenant: str
    world: World
    store: PostgresStore
    now: Callable[[], float]
    statistics: MemoryStatistics = field(default_factory=MemoryStatistics)
    candidate_policy: Callable[[], CandidatePolicy] = default_candidate_policy
    _counters: Counters = field(init=False)
    _doubt: _UncertainBatch | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._counters = Counters(self.tenant, self.store)

    async def write(
        self,
        jobs: list[Job[Any]],
        more: Callable[[int], list[Job[Any]]] = lambda rows: [],
    ) -> list[Job[Any]]:
        """Do jobs in one transaction and answer them after the commit.

        Args:
            jobs: The jobs, to which those are added that came while other servers held
                the lock.
            more: Takes these from the queue; it gets how many ledger rows they may
                write.

        Returns:
            Jobs that repeat the request of another job of the batch; they are due next.

        Raises:
            DatabaseUnavailable: Nothing was written, or the outcome of the commit is
                unknown.
            RacesLost: Other servers were first on every attempt.
            FestingerError: Raised by one of the jobs.
        """
        # The unique key of a request refuses a repeated statement, and only then the
        # request is looked up. A decision must be looked up first, since a repeated one
        # would find its object decided already.
        look_up = any(job.alone for job in jobs)
        for _ in range(RACES_MAX):
            try:
                await self.reserve(jobs)
                return await self._attempt(jobs, more, look_up=look_up)
            except RaceLost as race:
                look_up = True
                await self._give_way(race)
            except TooFarBehind:
                # The log no longer tells whether the batch in doubt was committed.
                self._doubt = None
                await self.reload()
        raise RacesLost("other servers write the same concepts; try again in a moment")

    async def _attempt(
        self,
        jobs: list[Job[Any]],
        more: Callable[[int], list[Job[Any]]],
        *,
        look_up: bool,
    ) -> list[Job[Any]]:
        began = perf_counter()
        batch: Batch | None = None
        fresh: list[Job[Any]] = []
        try:
            # Locks the tenant's row of `heads` until the commit: the holder writes next.
            async with self.store.writing(self.tenant) as writing:
                # Whoever waits for the lock lets more jobs arrive.
                jobs += more(self._ledger_rows_left(jobs))
                # Judge against exactly the version that is committed on.
                jobs = await self._catch_up(writing, jobs)
                fresh, later = await self._answer_repeated(
                    writing, jobs, look_up=look_up
                )
                if not fresh:
                    return later
                draft = await self._draft(writing, fresh)
                batch = Batch(GraphWrites(draft), now=draft.now)
                # In the order of arrival: a later job sees the reservations of earlier ones.
                for job in fresh:
                    job.decide(draft, batch)
                    if job.also:
                        job.also(batch)
                await create_candidates(writing, draft, batch, self.candidate_policy())
                version = await writing.write(batch)
                for job in fresh:
                    await job.read_back(writing)
        except DatabaseUnavailable:
            if batch:
                # It may have been committed before the connection broke.
                self._doubt = _UncertainBatch(
                    batch.id,
                    # Whoever waits repeats the request; the others are retried here.
                    [job for job in fresh if not job.waited_for],
                    self.world.version,
                )
            raise
        # Only after the commit: memory is never ahead of Postgres.
        batch.publish(self.world, version)
        self.statistics.commits.add(perf_counter() - began)
        self.statistics.count(draft.changes.entries)
        acknowledge(fresh, version)
        return later

    async def _catch_up(
        self, writing: PostgresWriting, jobs: list[Job[Any]]
    ) -> list[Job[Any]]:
        """Apply what was committed; return the jobs that are still to be done."""
        done: Sequence[Job[Any]] = ()
        # A reloaded world has what was committed but not the batch that wrote it.
        since = self._doubt.since if self._doubt else self.world.version
        news = await writing.news(since)
        if news.version != since:
            done = self._take_over(news)
        # The lock is held: a batch that is not in the log yet will never be.
        self._doubt = None
        return [job for job in jobs if job not in done]

    def _take_over(self, news: ConceptSnapshot) -> Sequence[Job[Any]]:
        """Apply changes to the world; return the jobs that turn out done."""
        take_over(self.world, news)
        doubt = self._doubt
        if doubt is None or doubt.batch not in news.batches:
            return ()
        self._doubt = None
        for job in doubt.jobs:
            finish(job)
        return doubt.jobs

    async def _draft(self, writing: PostgresWriting, jobs: list[Job[Any]]) -> Draft:
        for job in jobs:
            await job.load(writing)
        proposals = [proposal for job in jobs for proposal in job.proposals]
        read = [statement for job in jobs for statement in job.read_statements]
        # With the names that they would have now.
        proposals += to_proposals(Draft(self.world, now=self.now()), read)
        keys = {
            key for job in jobs if isinstance(job, PromptJob) for key in job.segments
        }
        if keys:
            judged = await writing.judged(keys)
            for job in jobs:
                if isinstance(job, PromptJob):
                    job.skip(judged)
        # A principal corroborates a fact once (C3): look up who stated these before.
        found = await writing.witnesses(self._corroborations(proposals))
        # Whoever stated a fact before it was moved is not a new witness afterwards.
        moved = {(redirected(triple, self.world), who) for triple, who in found}
        witnesses = found | moved
        # Postgres stores microseconds, and the world must equal what it stores.
        now = round(self.now(), 6)
        return Draft(self.world, witnesses=witnesses, now=now)

    async def _answer_repeated(
        self, writing: PostgresWriting, jobs: list[Job[Any]], *, look_up: bool
    ) -> tuple[list[Job[Any]], list[Job[Any]]]:
        """Answer repeated requests from their first answers.

        Returns:
            The jobs that are new, and the jobs that repeat one of these.
        """
        keys = [job.request for job in jobs if job.request and look_up]
        known = await writing.answered(keys) if keys else {}
        fresh: list[Job[Any]] = []
        later: list[Job[Any]] = []
        first: set[tuple[str, str]] = set()
        for job in jobs:
            if job.done.done():
                continue
            if job.request is None:
                fresh.append(job)
                continue
            name = (job.request.principal, job.request.id)
            if name in known:
                request, answered = known[name]
                if request != job.request:
                    fail(job, request_reused(job.request))
                    continue
                await replay(job, writing, answered)
            elif name in first:
                # The same call twice in one batch: the second waits for the next.
                later.append(job)
            else:
                first.add(name)
                fresh.append(job)
        return fresh, later

    def _corroborations(self, proposals: list[Proposal]) -> set[Witness]:
        """Return statements that may confirm a fact, to look up in the ledger."""
        return {
            (triple, each.principal)
            for each in proposals
            # A concept that was never met has no facts to confirm: most proposals need no look-up.
            if self.world.is_known(each.triple.concept)
            for triple in (each.triple, redirected(each.triple, self.world))
        }

    def _ledger_rows_left(self, jobs: Sequence[Job[Any]]) -> int:
        """Return how many ledger rows further jobs may write; -1 for no further jobs."""
        if any(job.alone for job in jobs):
            return -1
        # A statement may need three concepts and a ledger row; prompts keep half a reserve.
        left = min(
            len(self.world.ledger_ids),
            (len(self.world.concept_ids) - CONCEPTS_RESERVED // 2) // 3,
        )
        return max(0, left - sum(job.ledger_rows for job in jobs))

    async def reserve(self, jobs: Sequence[Job[Any]] = ()) -> None:
        """Reserve enough numbers, in a transaction of its own before the lock."""
        statements = sum(job.ledger_rows for job in jobs)
        # What a decision frees is known only once it is loaded: reserve for the most.
        if any(job.alone for job in jobs):
            statements += WAITING_MAX
        await reserve(self.store, self.tenant, self.world, statements)

    async def _give_way(self, race: RaceLost) -> None:
        # A concept that another server inserted first has its number: ours takes that.
        renumber(self.world, race.concepts)
        if race.places:
            # A world that is too far behind is reloaded on the next attempt.
            with suppress(TooFarBehind):
                news = await self.store.news(
                    self.tenant, self.world.version, race.places
                )
                self._take_over(news)

    async def flush(self, *, everything: bool = False) -> None:
        """Write the counters.

        Args:
            everything: Whether encounters of everyday words are written, too.
        """
        for _ in range(RACES_MAX):
            try:
                return await self._counters.flush(self.world, everything=everything)
            except RaceLost as race:
                renumber(self.world, race.concepts)
                await self.follow()
        raise DatabaseUnavailable("other servers write the same concepts; later")

    async def follow(self) -> Sequence[Job[Any]]:
        """Apply what other servers wrote.

        Returns:
            Jobs of a batch in doubt that turn out done.
        """
        try:
            news = await self.store.news(self.tenant, self.world.version)
        except TooFarBehind:
            await self.reload()
            return ()
        return self._take_over(news)

    async def reload(self) -> None:
        """Load the memory again and replace the one in use, which stays on an error."""
        with suppress(RaceLost):
            await self._counters.flush(self.world)
        self._put_in_place(await self.load())

    async def load(self) -> World:
        """Load another copy of the memory, while the one in use may be written."""
        fresh = await self.store.load(self.tenant)
        # A world that was just loaded has no free numbers.
        await reserve(self.store, self.tenant, fresh)
        return fresh

    async def replace(self, fresh: World) -> None:
        """Replace the world in use by another one, with the changes since its load.

        Raises:
            DatabaseUnavailable: The changes cannot be read now; the old one stays.
        """
        try:
            news = await self.store.news(self.tenant, fresh.version)
        except TooFarBehind:
            await self.reload()
        else:
            take_over(fresh, news)
            self._put_in_place(fresh)

    async def compare(self, fresh: World) -> list[str]:
        """Return the differences between the world in use and a freshly loaded one.

        Raises:
            Overloaded: Other servers write faster than the worlds can follow.
            TooFarBehind: The log does not reach back to the load of the fresh world.
        """
        # Another server may commit between the two reads: then both follow again.
        for _ in range(RACES_MAX):
            await self.follow()
            take_over(fresh, await self.store.news(self.tenant, fresh.version))
            if fresh.version == self.world.version:
                return await self._differences(fresh)
        raise Overloaded("other servers write all the time; try again in a moment")

    async def _differences(self, fresh: World) -> list[str]:
        found: list[str] = []
        for difference in differences(self.world, fresh):
            if difference:
                found.append(difference)
            else:
                await asyncio.sleep(0)  # lets prompts be answered in between
            if len(found) == DIFFERENCES_MAX:
                break
        return found

    def _put_in_place(self, fresh: World) -> None:
        # Takes over what is not stored: words without a row, and counts.
        fresh.adopt(self.world)
        self.world = fresh
