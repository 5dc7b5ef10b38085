"""Answers to the jobs of a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from festinger.errors import FestingerError
from festinger.services.world.jobs import Job, fail
from festinger.store.world.batches import CallResult

if TYPE_CHECKING:
    from festinger.store.world.reads import PostgresReads


async def replay(job: Job[Any], reads: PostgresReads, answered: CallResult) -> None:
    """Answer a repeated request with its first answer."""
    # An error of the job itself concerns its caller only; a broken connection fails the batch.
    try:
        answer = await job.replay(reads, answered)
    except FestingerError as error:
        fail(job, error)
    else:
        # The caller may be gone: a cancelled future takes no result.
        if not job.done.done():
            job.done.set_result(answer)


def acknowledge(jobs: Sequence[Job[Any]], version: int) -> None:
    """Answer the jobs of a batch that is committed."""
    for job in jobs:
        if not job.done.done():
            job.done.set_result(job.answer(version))
