"""Recent events of a memory, and their authors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import asyncpg

from festinger.core.lines.line import readable, subject_in_words
from festinger.store.graph.rows import to_seconds, to_time
from festinger.store.system.tenancy import TenantReads


@dataclass(frozen=True, slots=True)
class DayCount:
    """Number of one person's events of a kind.

    Attributes:
        what: `learnt`, `contradicted`, `settled`, `forgotten`, `helped` or `wrong`.
    """

    what: str
    principal: str
    count: int


class DayEvent(NamedTuple):
    """Something that happened.

    Attributes:
        what: As in `DayCount`.
        concept: What it is about; empty for a rated line.
        text: The statement in words, or the rated line.
        quote: The words that it comes from; may be empty.
        conflict_id: The conflict; 0 for none.
        time: Seconds since the epoch.
    """

    what: str
    concept: str
    text: str
    principal: str
    quote: str
    conflict_id: int
    time: float


class DayTrend(NamedTuple):
    """Events of a day, and totals at its end.

    Attributes:
        began: Its start, in seconds since the epoch.
        learnt: Statements that are held since.
        helped: Told lines that helped; `wrong` those that were called wrong.
        agreed: Answers that say what was decided; `differed` the others.
        facts: Facts that were held.
        sentences: Sentences that were kept as said.
    """

    began: float
    learnt: int
    contradicted: int
    forgotten: int
    helped: int
    wrong: int
    agreed: int
    differed: int
    facts: int
    sentences: int


class DayReads(TenantReads):
    """Reads of what happened to one tenant's memory."""

    # Both are set by `PostgresReads`, which combines the reads of all rooms.
    async def day_counts(self, since: float) -> list[DayCount]:
        """Return how much happened since a time, by what and whom."""
        rows = await self._rows("day_counts", to_time(since))
        return [DayCount(*row) for row in rows]

    async def trends(self, first: float, now: float) -> list[DayTrend]:
        """Return each day's trend, oldest first; the first one starts at `first`."""
        rows = await self._rows("trends", to_time(first), to_time(now))
        return [DayTrend(*row) for row in rows]

    async def day_events(self, since: float, limit: int) -> list[DayEvent]:
        """Return the newest events since a time, `limit` of each kind at most."""
        # The limit holds for each kind, so that many of one do not hide the others.
        rows = await self._rows("day_events", to_time(since), limit)
        return [
            DayEvent(
                row["what"],
                row["concept"],
                _in_words(row) if row["concept"] else row["parent"],  # a rated line
                row["principal"],
                row["quote"],
                row["conflict_id"],
                to_seconds(row["happened"]),
            )
            for row in rows
        ]


def _in_words(row: asyncpg.Record) -> str:
    """Return a statement as lines tell it: `billing service: [runs-on] not podman`."""
    quote = row["quote"]
    subject, _ = subject_in_words(row["concept"], quote)
    denied = "not " if row["negated"] else ""
    return f"{subject}: [{row['dimension']}] {denied}{readable(row['parent'], quote)}"
