"""Export all lines of a memory, in pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Final

from festinger.core.graph.candidates import Candidate, CandidateState
from festinger.core.graph.tokens import split_concept
from festinger.core.lines.line import LineKind
from festinger.core.lines.listing import LineStatus, ListedLine, listed
from festinger.core.lines.quotes import with_former
from festinger.core.lines.turns import lines_of
from festinger.core.system.principals import plain
from festinger.core.world.world import World
from festinger.services.world.tenant_memory import TenantMemory

PAGE: Final = 500
"""Number of rows per query."""


async def export_lines(
    memory: TenantMemory, *, project: str = "", when: float = 0.0
) -> AsyncIterator[Sequence[ListedLine]]:
    """Yield every line, the oldest of each kind first, including closed statements.

    Args:
        project: Only lines of this project, and statements of its scope; empty for any.
        when: Time at which what was known is returned, in seconds since the epoch; 0
            for now.

    Raises:
        DatabaseUnavailable: The rest cannot be read now.
    """
    # One kind after the other; each page is a transaction, so that writing can go on.
    for pages in (
        _utterances(memory),
        _statements(memory, when),
        _statements(memory, when, denied=True),
        _closed(memory, when),
        _candidates(memory),
        _people(memory),
    ):
        async for page in pages:
            yield [
                line
                for line in page
                if (not project or _belongs(line, project))
                # What is confirmed later was held before.
                and (not when or line.held or line.said <= when)
            ]


def _belongs(line: ListedLine, project: str) -> bool:
    """Return whether a line is of a project, or a statement of its scope."""
    # `catalog/indexer` is a common noun of project `catalog` (J5).
    scope, _ = split_concept(line.subject)
    return plain(project) in (plain(line.project), plain(scope))


async def _people(memory: TenantMemory) -> AsyncIterator[Sequence[ListedLine]]:
    # Memories of people are all in the world: no query and no pages.
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
    # By number, not by offset: turns that are added meanwhile do not move a page.
    last = 0
    while True:
        async with memory.store.reading(memory.tenant) as reads:
            turns = await reads.turns_behind(last, PAGE)
        now = memory.now()
        yield [listed(line, now=now) for turn in turns for line in lines_of(turn)]
        if len(turns) < PAGE:
            return
        last = turns[-1].id


async def _statements(
    memory: TenantMemory, when: float, *, denied: bool = False
) -> AsyncIterator[Sequence[ListedLine]]:
    # Concept, parent and dimension of the last row; zeros before the first and after the last.
    last = (0, 0, 0)
    while True:
        async with memory.store.reading(memory.tenant) as reads:
            lines, last = await reads.statements_behind(
                last, PAGE, when=when, denied=denied
            )
        # What was told at an earlier time is not known.
        yield lines if when else [_as_told(memory.world, line) for line in lines]
        if not any(last):
            return


def _as_told(world: World, line: ListedLine) -> ListedLine:
    """Return a held statement with its doubt, and what it replaced, in its text."""
    assert line.held is not None, "a row has a triple"
    triple, text = line.held.triple, line.text
    concept_id, dim_id = world.id(triple.concept), world.id(triple.dimension)
    if concept_id is None or dim_id is None:
        return line
    # `[port] 80` becomes `[port?] 80`, as a prompt is told of it (D2).
    if world.conflicts.contested(concept_id, dim_id):
        text = text.replace("] ", "?] ", 1)
    edge = world.edge(concept_id, dim_id)
    if edge is not None and edge.parent_id == world.id(triple.parent):
        wordings = world.read.lines_of(edge.assertion_id)
        text = with_former(text, wordings[0]) if wordings else text
    return replace(line, text=text)


async def _closed(
    memory: TenantMemory, when: float
) -> AsyncIterator[Sequence[ListedLine]]:
    # By offset: history only grows at its end (C4).
    skipped = 0
    while True:
        async with memory.store.reading(memory.tenant) as reads:
            lines = await reads.closed_statements(skipped, PAGE, when=when)
        yield lines
        if len(lines) < PAGE:
            return
        skipped += PAGE


async def _candidates(memory: TenantMemory) -> AsyncIterator[Sequence[ListedLine]]:
    last = 0
    while True:
        # Decided candidates are statements, or are not told any more.
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
