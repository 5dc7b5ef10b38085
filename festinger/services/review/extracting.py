"""Has the extractors read what waves brought, beside everything else.

A wave that is read waits as `extracting` until a process has the lease and does it;
whoever is killed over it is followed by the next one, which goes on where it was.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from festinger.core.review.waves import Wave, WaveState
from festinger.errors import DatabaseUnavailable, FestingerError, Overloaded
from festinger.services.review.reader import DocumentReader
from festinger.services.review.wavepass import WavePass
from festinger.services.world.memory import Memories
from festinger.store.review.documents import PostgresDocuments
from festinger.store.review.reports import ReportFolders
from festinger.store.review.sweeps import PostgresSweeps

LEASE_SECONDS = 6.0
"""How long a process may be silent before another goes on in its place."""
WATCH_SECONDS = 0.25
"""How often those who watch are told."""


@dataclass(frozen=True, slots=True)
class ExtractionProgress:
    """How far an extraction is.

    Attributes:
        chunks: To be read; 0 if another process does it.
        done: Of these so many are.
    """

    wave: Wave
    chunks: int = 0
    done: int = 0


class WaveExtraction:
    """Extracts from waves, one after the other in each memory.

    Args:
        now: The time, in seconds since the epoch.
        complain: Gets a sentence for each extraction that could not go on.
    """

    def __init__(
        self,
        memories: Memories,
        documents: PostgresDocuments,
        sweeps: PostgresSweeps,
        reader: DocumentReader,
        reports: ReportFolders,
        *,
        now: Callable[[], float],
        complain: Callable[[str], None] = lambda message: None,
    ) -> None:
        self._memories = memories
        self._documents = documents
        self._sweeps = sweeps
        self._reader = reader
        self._reports = reports
        self._now = now
        self._complain = complain
        self._underway: dict[str, asyncio.Task[None]] = {}
        self._progress: dict[tuple[str, int], tuple[int, int]] = {}
        self._stopping = False

    async def again(self, tenant: str, wave_id: int) -> None:
        """Has all that a wave brought extracted from again, unless it is underway.

        Raises:
            WaveNotFound: There is no such wave.
            WaveClosed: Its documents are still read.
            DatabaseUnavailable: It cannot be reached.
        """
        wave = await self._documents.wave(tenant, wave_id)
        if wave.state is not WaveState.EXTRACTING:
            await self._reports.clear(tenant, wave_id, parts=True)
        await self._sweeps.extract_again(tenant, wave_id, self._now())

    async def watch(
        self, tenant: str, wave_id: int
    ) -> AsyncIterator[ExtractionProgress]:
        """How far a wave's extraction is, now and then, and at its end.

        It goes on if nobody watches any more.

        Raises:
            WaveNotFound: There is no such wave.
            Overloaded: The server stops.
            DatabaseUnavailable: Nobody can say.
        """
        idle = False
        while True:
            wave = await self._documents.wave(tenant, wave_id)
            done, chunks = self._progress.get((tenant, wave_id), (0, 0))
            yield ExtractionProgress(wave, chunks, done)
            if wave.state is not WaveState.EXTRACTING:
                return
            if idle:  # another process does it, or it pauses
                await asyncio.sleep(WATCH_SECONDS)
            ended, _ = await asyncio.wait([self._begin(tenant)], timeout=WATCH_SECONDS)
            idle = bool(ended)

    async def look(self) -> None:
        """Begins with what waits, and goes on with what was left.

        Raises:
            DatabaseUnavailable: Nobody can say.
        """
        for tenant in {tenant for tenant, _ in await self._sweeps.extracting()}:
            if not self._stopping:
                self._begin(tenant)

    async def finished(self) -> None:
        """Waits for the extractions that this process does."""
        await asyncio.gather(*self._underway.values(), return_exceptions=True)

    async def stop(self) -> None:
        """Leaves what is under way: whoever looks next goes on with it."""
        self._stopping = True
        tasks = list(self._underway.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, tenant: str) -> asyncio.Task[None]:
        if self._stopping:
            raise Overloaded("the server is stopping; try again in a moment")
        if tenant not in self._underway:
            task = asyncio.create_task(self._do(tenant), name=f"extract for {tenant}")
            self._underway[tenant] = task
            task.add_done_callback(partial(self._done, tenant))
        return self._underway[tenant]

    def _done(self, tenant: str, task: asyncio.Task[None]) -> None:
        del self._underway[tenant]
        if not task.cancelled() and (error := task.exception()):
            self._complain(f"tenant {tenant}: extracting pauses: {error}")

    async def _do(self, tenant: str) -> None:
        """Extracts, as long as the lease is ours."""
        if not await self._sweeps.take_lease(tenant, LEASE_SECONDS):
            return
        work = asyncio.create_task(self._extract_all(tenant))
        try:
            while not work.done():
                await asyncio.wait([work], timeout=LEASE_SECONDS / 3)
                if not (work.done() or await self._has_lease(tenant)):
                    return
            work.result()
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            with suppress(FestingerError):
                await self._sweeps.drop_lease(tenant)

    async def _has_lease(self, tenant: str) -> bool:
        """Whether we may go on; while the database is away, nobody else can begin."""
        try:
            return await self._sweeps.take_lease(tenant, LEASE_SECONDS)
        except FestingerError:
            return True

    async def _extract_all(self, tenant: str) -> None:
        while waiting := [
            wave_id
            for owner, wave_id in await self._sweeps.extracting()
            if owner == tenant
        ]:
            await self._extract(tenant, waiting[0])

    async def _extract(self, tenant: str, wave_id: int) -> None:
        """Extracts from one wave, and writes how that ended."""
        wave = await self._documents.wave(tenant, wave_id)
        key = (tenant, wave_id)

        def tell(done: int, chunks: int) -> None:
            self._progress[key] = (done, chunks)

        report, error = None, ""
        try:
            report = await WavePass(
                tenant,
                wave,
                memories=self._memories,
                sweeps=self._sweeps,
                reader=self._reader,
                reports=self._reports,
                now=self._now,
                tell=tell,
                complain=self._complain,
            ).run()
        except (DatabaseUnavailable, Overloaded):
            raise  # whoever looks next goes on with it
        except Exception as failure:
            # What is no error of ours is a defect: a person must see it.
            ours = isinstance(failure, FestingerError)
            error = str(failure) if ours else f"a defect of the server: {failure!r}"
            self._complain(f"tenant {tenant}: wave {wave_id} failed: {error}")
        finally:
            self._progress.pop(key, None)
        await self._sweeps.end(
            tenant, wave_id, report=report, error=error, now=self._now()
        )
        await self._reports.clear(tenant, wave_id, parts=True)
