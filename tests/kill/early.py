"""The `festinger` command with a defect: it acknowledges before it commits.

The tests see to it that their audit notices. The product has no hook for this: the
methods of its writer and store are replaced before it starts.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

from festinger import cli
from festinger.services.language.said import Say
from festinger.services.world import committer, writer
from festinger.services.world.jobs import Assertion, Job
from festinger.store.postgres import PostgresStore

HESITATION_SECONDS = 1.5
"""
So long that whoever kills half a second after an answer comes before the commit, on a
busy machine too.
"""


class Early(committer.BatchCommitter):
    """A committer that lets jobs answer while their transaction is open."""

    def __init__(self, tenant: str, world: Any, store: PostgresStore, *rest: Any):
        super().__init__(tenant, world, cast(Any, _Hesitant(store)), *rest)


class _Hesitant:
    """A store that pauses before each COMMIT, after the answers are out."""

    def __init__(self, store: PostgresStore):
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @asynccontextmanager
    async def writing(self, tenant: str) -> AsyncIterator[Any]:
        async with self._store.writing(tenant) as writing:
            write = writing.write

            async def note(batch: Any) -> Any:
                writing.committed = await write(batch)  # type: ignore[attr-defined]
                return writing.committed  # type: ignore[attr-defined]

            writing.write = note  # type: ignore[method-assign]
            yield writing
            await asyncio.sleep(HESITATION_SECONDS)


async def answer_early(job: Job[Any], writing: Any) -> None:
    """Answer inside the transaction once everything is written."""
    if not job.done.done():
        job.done.set_result(job.answer(writing.committed))


def main() -> None:
    """Run the command with the defect."""
    for kind in (Assertion, Say):
        kind.read_back = answer_early  # type: ignore[method-assign, assignment]
    # The writer took the name with it when it was imported.
    writer.BatchCommitter = Early  # type: ignore[attr-defined, assignment]
    cli.main()
