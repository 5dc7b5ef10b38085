"""Turn statements about a later time into facts once that time has come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Final

from festinger.core.graph.origins import ReadStatement
from festinger.core.graph.values.dates import DAY
from festinger.core.language.future_times import may_call_off, start_of
from festinger.core.language.statements import read_begun
from festinger.core.language.terms import terms
from festinger.core.language.utterances import KeptTurn
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import IndexedLine, LineKind
from festinger.core.recollection.succession import EarlierLine
from festinger.core.world.draft import Draft
from festinger.core.world.placing import held_edges, to_proposal
from festinger.errors import FestingerError
from festinger.services.language.stating import rules_origin, settle_changes
from festinger.services.world.jobs import PromptJob
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory

LATE_DAYS_MAX: Final = 92
"""Maximum number of days by which a fact may begin late, as the server was down."""
LINES_AT_ONCE: Final = 500
"""Number of lines that are looked at before other tasks run."""
# Apart from those that were read when the turn was said, of which each has its ordinal.
BEGUN_FROM: Final = 2_000
"""Ordinal of the first statement of a turn that begins later."""


class Beginner:
    """Statement of what begins to hold, in all loaded memories, once a day.

    Args:
        now: Returns the time in seconds since the epoch.
    """

    def __init__(self, memories: Memories, *, now: Callable[[], float]) -> None:
        self._memories = memories
        self._now = now
        # The last day on which each memory was looked through.
        self._looked: dict[str, int] = {}

    async def look(self) -> None:
        """State what has begun to hold since the last look.

        Raises:
            DatabaseUnavailable: Some of it is stated by a later look.
            Overloaded: Some of it is stated by a later look.
        """
        today = int(self._now() // DAY)
        for memory in self._memories.loaded:
            # Whatever begins, begins with a day.
            if self._looked.get(memory.tenant) != today:
                await state_begun(memory)
                self._looked[memory.tenant] = today


async def state_begun(memory: TenantMemory) -> None:
    """State what has begun to hold in a memory; what was stated before is left out.

    Raises:
        DatabaseUnavailable: Nothing was stated.
        Overloaded: Try again.
    """
    due = await _due(memory)
    if not due:
        return
    statements = [it for it in await _read(memory, due) if _is_newest(memory, it)]
    if not statements:
        return
    # As a turn that is sent again: the ledger knows what was stated before.
    job = PromptJob(
        [], memory.world.conflicts, [], statements=statements, read_from=BEGUN_FROM
    )
    stated = await memory.writer.submit(job)
    await settle_changes(memory, [it for it in stated if it.replaces])


async def _due(memory: TenantMemory) -> Sequence[tuple[float, IndexedLine]]:
    """Return the sentences that began to hold of late, each with the time of that."""
    index, now = memory.world.lines, memory.now()
    found: list[tuple[float, IndexedLine]] = []
    for at, line in enumerate(list(index.sources.recent())):
        if at % LINES_AT_ONCE == LINES_AT_ONCE - 1:
            await asyncio.sleep(0)
        if line.kind is not LineKind.UTTERANCE or line.audience.is_limited:
            continue
        if index.sources.is_withdrawn(line):
            continue
        start = start_of(line.text, line.said)
        if start is not None and now - LATE_DAYS_MAX * DAY < start <= now:
            found.append((start, line))
    # In the order in which they begin, and of the same day, were said.
    return sorted(found, key=lambda it: (it[0], it[1].said, it[1].number))


async def _read(
    memory: TenantMemory, due: Iterable[tuple[float, IndexedLine]]
) -> list[ReadStatement]:
    """Return the statements of sentences that are kept and that nobody called off."""
    index, lines = memory.world.lines, [line for _, line in due]
    async with memory.store.reading(memory.tenant) as reads:
        turns = await reads.turns({int(str(it.key)) for it in lines})
    by_id = {turn.id: turn for turn in turns}
    found: list[ReadStatement] = []
    for line in lines:
        turn = by_id.get(int(str(line.key)))
        if turn is None or line.ordinal >= len(turn.utterances):
            continue
        kept = KeptTurn((turn.utterances[line.ordinal],))
        read = read_begun(kept, rules_origin(turn))
        found += [it for it in read if not _is_called_off(index, line, it)]
    return found


def _is_called_off(
    index: LineIndex, line: IndexedLine, statement: ReadStatement
) -> bool:
    """Return whether a later sentence may say that a statement will not come true."""
    about = set(terms(f"{statement.subject} {statement.value}"))
    return any(
        may_call_off(later.text) and not each.asks and not about.isdisjoint(later.words)
        for each, later in EarlierLine(index, line).later()
    )


def _is_newest(memory: TenantMemory, statement: ReadStatement) -> bool:
    """Return whether nothing is held in a statement's place that was said after it."""
    draft, origins = Draft(memory.world, now=memory.now()), memory.world.origins
    # What has no name is refused with the reason when it is stated.
    with suppress(FestingerError):
        triple = to_proposal(draft, statement).triple
        for edge in held_edges(draft, triple.concept, triple.dimension):
            held = origins.get(edge.assertion_id)
            if held is not None and held.said > statement.origin.said:
                return False
    return True
