"""Run the extractors over the documents of waves, in the background."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import KW_ONLY, dataclass, field
from functools import partial

from festinger.core.review.waves import Wave, WaveState
from festinger.core.system.retries import failure_text
from festinger.errors import DatabaseUnavailable, Overloaded
from festinger.lifetimes import cancel_all
from festinger.services.review.reader import DocumentReader
from festinger.services.review.wavepass import WavePass
from festinger.services.system.leases import work_alone
from festinger.services.world.memory import Memories
from festinger.store.review.documents import PostgresDocuments
from festinger.store.review.reports import ReportFolders
from festinger.store.review.sweeps import PostgresSweeps

LEASE_SECONDS = 6.0
"""Seconds until the lease of a silent process expires."""
WATCH_SECONDS = 0.25
"""Seconds between two reports of progress."""


@dataclass(frozen=True, slots=True)
class ExtractionProgress:
    """Progress of an extraction.

    Attributes:
        chunks: Number of chunks to extract from; 0 if another process does it.
        done: Number of chunks that are done.
    """

    wave: Wave
    chunks: int = 0
    done: int = 0


@dataclass(eq=False)
class WaveExtraction:
    """Extraction from waves, one at a time per tenant.

    Args:
        complain: Called with a sentence for each extraction that could not go on.
    """

    memories: Memories
    documents: PostgresDocuments
    sweeps: PostgresSweeps
    reader: DocumentReader
    reports: ReportFolders
    _: KW_ONLY
    now: Callable[[], float]
    complain: Callable[[str], None] = lambda message: None
    _underway: dict[str, asyncio.Task[None]] = field(default_factory=dict, init=False)
    _progress: dict[tuple[str, int], tuple[int, int]] = field(
        default_factory=dict, init=False
    )
    _stopping: bool = field(default=False, init=False)

    async def again(self, tenant: str, wave_id: int) -> None:
        """Have a whole wave extracted again, unless its extraction is in progress.

        Raises:
            WaveNotFound: There is no such wave.
            WaveClosed: Its documents are still being read.
        """
        wave = await self.documents.wave(tenant, wave_id)
        # Parts of a finished pass would be taken for parts of the new one.
        if wave.state is not WaveState.EXTRACTING:
            await self.reports.clear(tenant, wave_id, parts=True)
        await self.sweeps.extract_again(tenant, wave_id, self.now())

    async def watch(
        self, tenant: str, wave_id: int
    ) -> AsyncIterator[ExtractionProgress]:
        """Yield the progress of a wave's extraction periodically, and at its end.

        Raises:
            WaveNotFound: There is no such wave.
        """
        idle = False
        while True:
            wave = await self.documents.wave(tenant, wave_id)
            done, chunks = self._progress.get((tenant, wave_id), (0, 0))
            yield ExtractionProgress(wave, chunks, done)
            if wave.state is not WaveState.EXTRACTING:
                return
            if idle:  # another process does it, or it pauses
                await asyncio.sleep(WATCH_SECONDS)
            # The task that is waited for is not cancelled by the time-out: `wait` leaves it alone.
            ended, _ = await asyncio.wait([self._begin(tenant)], timeout=WATCH_SECONDS)
            idle = bool(ended)

    async def look(self) -> None:
        """Start extractions that are due, including interrupted ones."""
        for tenant in {tenant for tenant, _ in await self.sweeps.extracting()}:
            if not self._stopping:
                self._begin(tenant)

    async def finished(self) -> None:
        """Wait for the extractions of this process."""
        await asyncio.gather(*self._underway.values(), return_exceptions=True)

    async def stop(self) -> None:
        """Cancel the extractions; another process continues them."""
        self._stopping = True
        await cancel_all(self._underway.values())

    def _begin(self, tenant: str) -> asyncio.Task[None]:
        if self._stopping:
            raise Overloaded("the server is stopping; try again in a moment")
        if tenant not in self._underway:
            extract = partial(self._extract_all, tenant)
            work = work_alone(self.sweeps, tenant, LEASE_SECONDS, extract)
            task = asyncio.create_task(work, name=f"extract for {tenant}")
            self._underway[tenant] = task
            task.add_done_callback(partial(self._done, tenant))
        return self._underway[tenant]

    def _done(self, tenant: str, task: asyncio.Task[None]) -> None:
        del self._underway[tenant]
        # The wave stays as it is, so that `look` begins again.
        if not task.cancelled() and (error := task.exception()):
            self.complain(f"tenant {tenant}: extracting pauses: {error}")

    async def _extract_all(self, tenant: str) -> None:
        while waiting := [
            wave_id
            for owner, wave_id in await self.sweeps.extracting()
            if owner == tenant
        ]:
            await self._extract(tenant, waiting[0])

    async def _extract(self, tenant: str, wave_id: int) -> None:
        """Extract from one wave, and write the result or the error."""
        wave = await self.documents.wave(tenant, wave_id)
        key = (tenant, wave_id)

        def tell(done: int, chunks: int) -> None:
            """Store the progress, in chunks."""
            self._progress[key] = (done, chunks)

        report, error = None, ""
        try:
            report = await WavePass(
                tenant,
                wave,
                memories=self.memories,
                sweeps=self.sweeps,
                reader=self.reader,
                reports=self.reports,
                now=self.now,
                tell=tell,
                complain=self.complain,
            ).run()
        except (DatabaseUnavailable, Overloaded):
            raise  # the next call of `look` continues it
        except Exception as failure:
            error = failure_text(failure)
            self.complain(f"tenant {tenant}: wave {wave_id} failed: {error}")
        finally:
            self._progress.pop(key, None)
        await self.sweeps.end(
            tenant, wave_id, report=report, error=error, now=self.now()
        )
        # Not before the end is written: a pass that is resumed needs them.
        await self.reports.clear(tenant, wave_id, parts=True)
