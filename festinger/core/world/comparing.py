"""Comparison of the world in use with one freshly loaded from the database.

They must be equal after any sequence of writes, by this server and by others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from festinger import _fast
from festinger.core.graph.conflicts import Clash
from festinger.core.world.world import World

PAUSE_EVERY = 5_000
"""Number of rows between two places to pause."""


def rows(world: World) -> int:
    """Return the number of database rows that a world represents."""
    return (
        len(world.vocabulary)
        - len(world.unsaved)
        + len(world.graph)
        + len(world.denials)
        + len(world.tombstones)
        + len(world.redirects)
        + len(_queued(world))
        + len(world.people)
        + len(world.lines.sources)
    )


def differences(ours: World, theirs: World) -> Iterator[str]:
    """Yield a sentence for each difference, and empty strings as places to pause.

    Args:
        ours: The world in use. Words that it has not written yet are no difference.
            During a pause it may meet new words, but must not change otherwise.
        theirs: The world loaded from the database.
    """
    if ours.version != theirs.version:
        yield f"version {ours.version} here, {theirs.version} in the database"
    # Names without counters, which are written apart and later.
    yield from _words(ours, theirs)
    for what, one, other in (
        ("edge", _PlacesView(ours.graph), _PlacesView(theirs.graph)),
        ("denial", ours.denials, theirs.denials),
        ("tombstone", ours.tombstones, theirs.tombstones),
        ("redirect", ours.redirects, theirs.redirects),
        ("conflict", _queued(ours), _queued(theirs)),
        ("memory", ours.people.memories, theirs.people.memories),
        ("sentence", ours.lines.sources.texts, theirs.lines.sources.texts),
    ):
        yield from _entries(what, one, other)


def _words(ours: World, theirs: World) -> Iterator[str]:
    # A copy, since our vocabulary may grow during a pause; theirs does not.
    for count, number in enumerate(list(ours.vocabulary)):
        # The caller returns to its event loop at each empty string.
        if count % PAUSE_EVERY == 0:
            yield ""
        if number in ours.unsaved:
            continue
        row = ours.vocabulary.row(number)
        there = theirs.vocabulary.id(row.token)
        if there != number:
            where = "is missing" if there is None else f"is {there}"
            yield f"concept {row.token!r} is {number} here and {where} in the database"
        elif theirs.vocabulary.row(number).novelty != row.novelty:
            yield f"concept {row.token!r} has another novelty in the database"
    for count, number in enumerate(theirs.vocabulary):
        if count % PAUSE_EVERY == 0:
            yield ""
        token = theirs.vocabulary.token(number)
        if ours.vocabulary.id(token) is None:
            yield f"concept {token!r} is in the database only"


def _entries(
    what: str, ours: Mapping[Any, object], theirs: Mapping[Any, object]
) -> Iterator[str]:
    for count, (key, value) in enumerate(ours.items()):
        if count % PAUSE_EVERY == 0:
            yield ""
        there = theirs.get(key)
        if there is None:
            yield f"{what} {tuple(key)}: here only, {value}"
        elif there != value:
            yield f"{what} {tuple(key)}: {value} here, {there} in the database"
    for count, (key, value) in enumerate(theirs.items()):
        if count % PAUSE_EVERY == 0:
            yield ""
        if ours.get(key) is None:
            yield f"{what} {tuple(key)}: in the database only, {value}"


def _queued(world: World) -> dict[Clash, int]:
    """Return the ids of the pending items that have a row in the database."""
    numbers = {clash: world.queued(clash) for clash in world.conflicts}
    # A conflict is marked before its row is committed (D9): it has no number until then.
    return {clash: number for clash, number in numbers.items() if number}


class _PlacesView(Mapping[tuple[int, int, int], _fast.Edge]):
    """Mapping of (concept, dimension, slot) to each edge, including roots."""

    def __init__(self, graph: _fast.Graph) -> None:
        self._graph = graph

    def __getitem__(self, place: tuple[int, int, int]) -> _fast.Edge:
        edge = self._graph.get(*place)
        if edge is None:
            raise KeyError(place)
        return edge

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        return (edge.place for edge in self._graph)

    def __len__(self) -> int:
        return len(self._graph)
