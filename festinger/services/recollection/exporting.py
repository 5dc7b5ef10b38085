"""Export all lines of a memory, in pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Final

from festinger.core.graph.candidates import Candidate, CandidateState
from festinger.core.lines.index import LineKind
from festinger.core.lines.listing import LineStatus, ListedLine, listed
from festinger.core.lines.turns import lines_of
from festinger.services.world.memory import TenantMemory

PAGE: Final = 500
"""Number of rows per query."""


async def export_lines(memory: TenantMemory) -> AsyncIterator[Sequence[ListedLine]]:
    """Yield every line, the oldest of each kind first, including closed statements.

    Each page is read in a transaction of its own, so that writing can go on.

    Raises:
        DatabaseUnavailable: The rest cannot be read now.
    """
    for pages in (_utterances, _statements, _closed, _candidates):
        async for page in pages(memory):
            yield page
    yield [
        ListedLine(
            name=f"{LineKind.MEMORY}-{each.id}",
            kind=LineKind.MEMORY,
            text=f"about {subject}: {each.content}",
            quote=each.content,
            speaker=subject,
            said=each.confirmed,
        )
        for (subject, _), each in memory.world.people.memories.items()
    ]


async def _utterances(memory: TenantMemory) -> AsyncIterator[Sequence[ListedLine]]:
    last = 0
    while True:
        async with memory.store.reading(memory.tenant) as reads:
            turns = await reads.turns_behind(last, PAGE)
        now = memory.now()
        yield [listed(line, now=now) for turn in turns for line in lines_of(turn)]
        if len(turns) < PAGE:
            return
        last = turns[-1].id


async def _statements(memory: TenantMemory) -> AsyncIterator[Sequence[ListedLine]]:
    edge = (0, 0, 0)
    while True:
        async with memory.store.reading(memory.tenant) as reads:
            lines, edge = await reads.statements_behind(*edge, PAGE)
        yield lines
        if not any(edge):
            return


async def _closed(memory: TenantMemory) -> AsyncIterator[Sequence[ListedLine]]:
    skipped = 0
    while True:
        async with memory.store.reading(memory.tenant) as reads:
            lines = await reads.closed_statements(skipped, PAGE)
        yield lines
        if len(lines) < PAGE:
            return
        skipped += PAGE


async def _candidates(memory: TenantMemory) -> AsyncIterator[Sequence[ListedLine]]:
    last = 0
    while True:
        async with memory.store.reading(memory.tenant) as reads:
            found = await reads.candidates(
                states=[CandidateState.PENDING], after=last, limit=PAGE
            )
        yield [_candidate(each) for each in found]
        if len(found) < PAGE:
            return
        last = found[-1].id


def _candidate(each: Candidate) -> ListedLine:
    triple = each.triple
    return ListedLine(
        name=f"candidate-{each.id}",
        kind=LineKind.STATEMENT,
        text=f"{triple.concept}: [{triple.dimension}] {triple.parent}",
        quote=each.evidence,
        speaker=each.author,
        said=each.created,
        status=LineStatus.CANDIDATE,
        subject=triple.concept,
        predicate=triple.dimension,
        value=triple.parent,
    )
