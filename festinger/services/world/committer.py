"""One batch: take the pen, judge, reserve, commit, publish.

The pen is the tenant's row of versions, locked for one transaction. Whoever has it first
takes over what other servers wrote, so that every batch is judged against exactly the
version that it is committed on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Any
from uuid import UUID

from festinger.core.graph.gate import redirected
from festinger.core.graph.proposal import Proposal
from festinger.core.validation.enlisting import CandidatePolicy, standard_guide
from festinger.core.world.comparing import differences
from festinger.core.world.draft import Draft, Witness
from festinger.core.world.publishing import News, renumber, take_over
from festinger.core.world.world import World
from festinger.errors import (
    DatabaseUnavailable,
    FestingerError,
    Overloaded,
    RequestIdReused,
)
from festinger.services.validation.enlisting import enlist_all
from festinger.services.world.counters import Counters
from festinger.services.world.jobs import Job, PromptJob, fail, finish
from festinger.services.world.statistics import MemoryStatistics
from festinger.services.world.waiting import WAITING_MAX
from festinger.store.postgres import PostgresStore, PostgresWriting
from festinger.store.world.batches import (
    Answered,
    Batch,
    Committed,
    RaceLost,
    TooFarBehind,
)
from festinger.store.world.reads import PostgresReads

RACES_MAX = 20
"""How often a batch is judged again because another server was first."""
CONCEPTS_RESERVED = 2_000
LEDGER_RESERVED = 1_000
"""Numbers taken at a time. A restart leaves the rest of a block unused."""
DIFFERENCES_MAX = 100
"""What is told of how a world differs from the database, at most."""


@dataclass(frozen=True, slots=True)
class _Doubt:
    """A batch whose COMMIT was never answered, and the jobs that nobody waits for.

    Attributes:
        since: The version that it was judged on: it is in the log after that, or nowhere.
    """

    batch: UUID
    jobs: Sequence[Job[Any]]
    since: int


class BatchCommitter:
    """Brings batches of jobs to the database, and the database's news to the world.

    One task uses it at a time, for anything but `load`.

    Args:
        guide: Gives what candidates are listed by at the moment.

    Attributes:
        world: The memory; another world may take its place.
    """

    def __init__(
        self,
        tenant: str,
        world: World,
        store: PostgresStore,
        now: Callable[[], float],
        statistics: MemoryStatistics | None = None,
        guide: Callable[[], CandidatePolicy] = standard_guide,
    ) -> None:
        self.world = world
        self._guide = guide
        self._tenant = tenant
        self._store = store
        self._now = now
        self._statistics = statistics or MemoryStatistics()
        self._counters = Counters(tenant, store)
        self._doubt: _Doubt | None = None

    async def write(self, jobs: list[Job[Any]]) -> list[Job[Any]]:
        """Does jobs in one transaction, and gives their answers after the commit.

        Returns:
            Jobs that repeat the call of another one of them: they come next.

        Raises:
            DatabaseUnavailable: Nothing was written, or nobody knows.
            Overloaded: Other servers were first again and again.
            FestingerError: What a job itself raises.
        """
        # A stated fact that is repeated is refused by its request's key: only then it is
        # looked up. What decides must know before, since it would find itself decided.
        look_up = any(job.alone for job in jobs)
        for _ in range(RACES_MAX):
            try:
                await self.reserve(jobs)
                return await self._attempt(jobs, look_up=look_up)
            except RaceLost as race:
                look_up = True
                await self._give_way(race)
            except TooFarBehind:
                # Whether the batch in doubt was committed, no log tells any more.
                self._doubt = None
                await self.reload()
        raise Overloaded("other servers write the same concepts; try again in a moment")

    async def _attempt(self, jobs: list[Job[Any]], *, look_up: bool) -> list[Job[Any]]:
        began = perf_counter()
        batch: Batch | None = None
        fresh: list[Job[Any]] = []
        try:
            async with self._store.writing(self._tenant) as writing:
                jobs = await self._catch_up(writing, jobs)
                fresh, later = await self._answer_repeated(
                    writing, jobs, look_up=look_up
                )
                if not fresh:
                    return later
                draft = await self._draft(writing, fresh)
                batch = Batch(draft.changes, now=draft.now)
                for job in fresh:
                    job.decide(draft, batch)
                await enlist_all(writing, draft, batch, self._guide())
                committed = await writing.write(batch)
                for job in fresh:
                    await job.read_back(writing)
        except DatabaseUnavailable:
            if batch:
                # It may have been committed before the connection broke.
                self._doubt = _Doubt(
                    batch.id,
                    [job for job in fresh if not job.waited_for],
                    writing.version,
                )
            raise
        self.world.forget_unsaved(batch.unnamed)
        draft.publish(
            committed.conflicts,
            committed.version,
            committed.memories,
            committed.spoken,
            committed.gone,
            committed.dropped,
            batch.notes,
            committed.unquoted,
        )
        self._statistics.commits.add(perf_counter() - began)
        self._statistics.count(batch.changes.entries)
        _acknowledge(fresh, committed)
        return later

    async def _catch_up(
        self, writing: PostgresWriting, jobs: list[Job[Any]]
    ) -> list[Job[Any]]:
        """Takes over what was committed; leaves out the jobs that turn out done."""
        done: Sequence[Job[Any]] = ()
        # A world that was loaded anew has what was committed, and cannot tell whose.
        since = self._doubt.since if self._doubt else self.world.version
        if writing.version != since:
            done = self._take_over(await writing.news(since))
        # Nobody else writes now: a batch that is not there will never be.
        self._doubt = None
        return [job for job in jobs if job not in done]

    def _take_over(self, news: News) -> Sequence[Job[Any]]:
        """Brings the world up to date; returns the jobs that turn out done."""
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
        keys = {
            key for job in jobs if isinstance(job, PromptJob) for key in job.segments
        }
        if keys:
            judged = await writing.judged(keys)
            for job in jobs:
                if isinstance(job, PromptJob):
                    job.skip(judged)
        found = await writing.witnesses(self._corroborations(proposals))
        # Who stated it before it was moved is no new witness where it is now.
        moved = {(redirected(triple, self.world), who) for triple, who in found}
        witnesses = found | moved
        # Postgres keeps microseconds, and the world must be what it keeps.
        now = round(self._now(), 6)
        return Draft(self.world, witnesses=witnesses, now=now)

    async def _answer_repeated(
        self, writing: PostgresWriting, jobs: list[Job[Any]], *, look_up: bool
    ) -> tuple[list[Job[Any]], list[Job[Any]]]:
        """Answers what was answered before; returns the others, and their repeats."""
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
                    fail(job, _reused(job))
                    continue
                await _replay(job, writing, answered)
            elif name in first:
                # The same call twice in one batch: the second waits for the next.
                later.append(job)
            else:
                first.add(name)
                fresh.append(job)
        return fresh, later

    def _corroborations(self, proposals: list[Proposal]) -> set[Witness]:
        """The statements that may confirm a fact: of these the ledger must be asked."""
        return {
            (triple, each.principal)
            for each in proposals
            if self.world.is_known(each.triple.concept)
            for triple in (each.triple, redirected(each.triple, self.world))
        }

    async def reserve(self, jobs: Sequence[Job[Any]] = ()) -> None:
        """Gets numbers enough, before the pen is taken: they are given out apart."""
        statements = sum(job.ledger_rows for job in jobs)
        if any(job.alone for job in jobs):
            statements += WAITING_MAX
        await reserve(self._store, self._tenant, self.world, statements)

    async def _give_way(self, race: RaceLost) -> None:
        renumber(self.world, race.concepts)
        if race.places:
            # Whoever is too far behind finds that out again, with the pen in hand.
            with suppress(TooFarBehind):
                news = await self._store.news(
                    self._tenant, self.world.version, race.places
                )
                self._take_over(news)

    async def flush(self, *, everything: bool = False) -> None:
        """Write the counters.

        Args:
            everything: Whether encounters of everyday words are written, too.

        Raises:
            DatabaseUnavailable: They stay in memory and are written later.
        """
        for _ in range(RACES_MAX):
            try:
                return await self._counters.flush(self.world, everything=everything)
            except RaceLost as race:
                renumber(self.world, race.concepts)
                await self.follow()
        raise DatabaseUnavailable("other servers write the same concepts; later")

    async def follow(self) -> Sequence[Job[Any]]:
        """Takes over what other servers wrote.

        Returns:
            Jobs in doubt that turn out done.

        Raises:
            DatabaseUnavailable: It cannot be read now.
        """
        try:
            news = await self._store.news(self._tenant, self.world.version)
        except TooFarBehind:
            await self.reload()
            return ()
        return self._take_over(news)

    async def reload(self) -> None:
        """Loads the memory anew, and puts it in the place of the one in use.

        Raises:
            DatabaseUnavailable: It cannot be read now; the old one stays.
            CorruptMemory: A row cannot be part of it; the old one stays.
        """
        with suppress(RaceLost):
            await self._counters.flush(self.world)
        self._put_in_place(await self.load())

    async def load(self) -> World:
        """Loads the memory anew, beside the one in use, which others may write.

        Raises:
            DatabaseUnavailable: It cannot be read now.
            CorruptMemory: A row cannot be part of it.
        """
        fresh = await self._store.load(self._tenant)
        await reserve(self._store, self._tenant, fresh)
        return fresh

    async def replace(self, fresh: World) -> None:
        """Puts a world in the place of the one in use, with all written since its load.

        Raises:
            DatabaseUnavailable: That cannot be read now; the old one stays.
        """
        try:
            news = await self._store.news(self._tenant, fresh.version)
        except TooFarBehind:
            await self.reload()
        else:
            take_over(fresh, news)
            self._put_in_place(fresh)

    async def compare(self, fresh: World) -> list[str]:
        """How the world in use differs from one that was loaded beside it just now.

        Both are brought to the same version first.

        Raises:
            DatabaseUnavailable: That cannot be read now.
            Overloaded: Other servers write faster than they can be followed.
            TooFarBehind: The log does not reach back to when it was loaded.
        """
        for _ in range(RACES_MAX):
            await self.follow()
            take_over(fresh, await self._store.news(self._tenant, fresh.version))
            if fresh.version == self.world.version:
                return await self._differences(fresh)
        raise Overloaded("other servers write all the time; try again in a moment")

    async def _differences(self, fresh: World) -> list[str]:
        found: list[str] = []
        for difference in differences(self.world, fresh):
            if difference:
                found.append(difference)
            else:
                await asyncio.sleep(0)  # prompts are answered meanwhile
            if len(found) == DIFFERENCES_MAX:
                break
        return found

    def _put_in_place(self, fresh: World) -> None:
        fresh.adopt(self.world)
        self.world = fresh


async def reserve(
    store: PostgresStore, tenant: str, world: World, statements: int = 0
) -> None:
    """Gets a world numbers enough for prompts, and for these statements.

    Raises:
        DatabaseUnavailable: It cannot be asked.
    """
    if len(world.concept_ids) < 3 * statements + CONCEPTS_RESERVED // 2:
        count = 3 * statements + CONCEPTS_RESERVED
        world.concept_ids.add(await store.reserve(tenant, "concept", count))
    if len(world.ledger_ids) < statements:
        count = statements + LEDGER_RESERVED
        world.ledger_ids.add(await store.reserve(tenant, "assertion", count))


def _reused(job: Job[Any]) -> RequestIdReused:
    assert job.request is not None
    return RequestIdReused(
        f"the request_id {job.request.id!r} came with another request before; use a "
        "new one for each call",
        request_id=job.request.id,
    )


async def _replay(job: Job[Any], reads: PostgresReads, answered: Answered) -> None:
    """Gives a repeated call its answer; a connection that breaks is all the batch's."""
    try:
        answer = await job.replay(reads, answered)
    except FestingerError as error:
        fail(job, error)
    else:
        if not job.done.done():
            job.done.set_result(answer)


def _acknowledge(jobs: Sequence[Job[Any]], committed: Committed) -> None:
    for job in jobs:
        if not job.done.done():
            job.done.set_result(job.answer(committed))
