"""Memories and prompts of any size, the same on every run.

The prompts have the shape that real technical prose was found to have: 32 KB are about
5,400 tokens, of which 1,050 concepts are distinct and 200 are names, and they hold some
90 cue words and a dozen plain statements.
"""

from __future__ import annotations

import random
import struct
from collections.abc import AsyncIterator, Collection, Iterable, Iterator
from contextlib import asynccontextmanager
from functools import cache
from itertools import accumulate
from typing import Any

import wordfreq

from festinger.config import Trust
from festinger.core.conflicts import Clash
from festinger.core.draft import Witness
from festinger.core.preferences import Preferences
from festinger.core.proposal import Source
from festinger.core.publishing import News
from festinger.core.reading import Role
from festinger.core.world import World
from festinger.flows.ports import (
    Answered,
    Batch,
    Committed,
    Deltas,
    RequestKey,
    SegmentKey,
)

NOW = 1_800_000_000.0
"""When everything here happens."""
TRUST = {
    Role.USER: Trust.ASSERTS,
    Role.TOOL: Trust.PROPOSES,
    Role.ASSISTANT: Trust.PROPOSES,
    Role.SYSTEM: Trust.NOTHING,
}
PLACED_EVERY = 10
"""One name in so many is placed by facts."""
CONTESTED_EVERY = 500
"""One name in so many is contested as well."""

DIMENSIONS = ("type", "membership", "runs-on", "owned-by", "geography", "glitch_lab")
# fmt: off
PARENTS = (
    "repo", "container", "pipeline", "gateway", "registry", "daemon", "cluster",
    "broker", "scheduler", "bucket", "webhook", "dashboard", "playbook",
    "firewall", "namespace", "runbook", "hypervisor", "proxy", "sidecar", "queue",
)
# fmt: on
_EVERYDAY = 4000
_GRAMMAR = 150
_TOPIC = 950
_CHARACTERS_PER_NAME = 160
_SYLLABLES = tuple(c + v for c in "bdfgklmnrstvwz" for v in "aeiou")
_CHUNK = 1_000_000
_EDGES_MAX = 3
_COPY_HEADER = b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0)
_COPY_TRAILER = struct.pack(">h", -1)


@cache
def everyday() -> tuple[str, ...]:
    """Everyday English, the most frequent first: the dictionary."""
    words = wordfreq.top_n_list("en", _EVERYDAY)
    ours = {*DIMENSIONS, *PARENTS}
    # No name has another length than eight.
    return tuple(w for w in words if w.isalpha() and len(w) != 8 and w not in ours)


def name(index: int) -> str:
    """The name of a number below 24 millions: `tuvabemo`, and no two alike."""
    # A prime factor permutes the numbers, so that neighbours share no beginning.
    rest = index * 2_654_435_761 % len(_SYLLABLES) ** 4
    parts = []
    for _ in range(4):
        rest, part = divmod(rest, len(_SYLLABLES))
        parts.append(_SYLLABLES[part])
    return "".join(parts)


def names_in(concepts: int) -> int:
    """How many of a world's concepts are names."""
    return concepts - len(DIMENSIONS) - len(PARENTS) - len(everyday())


def world_of(concepts: int) -> World:
    """A world with so many concepts; one name in ten has one to three facts."""
    return loaded(copies(concepts))


def loaded(streams: Iterable[tuple[bytes, bytes]]) -> World:
    """The world that a database would send as these streams."""
    world = World(frozenset(everyday()))
    for concepts_copy, edges_copy in streams:
        world.vocabulary.load_copy(concepts_copy)
        world.graph.load_copy(edges_copy)
    for edge in world.graph:
        if edge.concept_id % CONTESTED_EVERY == 0 and edge.dim_id == 1:
            world.conflicts.add(Clash(edge.concept_id, 1, len(DIMENSIONS) + 1, False))
    world.concept_ids.add(range(10**9, 2 * 10**9))
    world.ledger_ids.add(range(1, 10**9))
    return world


def copies(concepts: int) -> Iterator[tuple[bytes, bytes]]:
    """Streams of concepts and of edges, as Postgres sends them.

    Yields:
        Those of a million concepts each, so that ten million need not be there twice.
    """
    tokens = [*DIMENSIONS, *PARENTS, *everyday()]
    first_name = len(tokens) + 1
    rows = [_concept_row(i + 1, token, 40, True) for i, token in enumerate(tokens)]
    edges = [_edge_row(i + 1, i + 1, i + 1) for i in range(len(DIMENSIONS))]
    for concept_id in range(first_name, concepts + 1):
        placed = concept_id % PLACED_EVERY == 0
        # Half of all names were met less often than it takes to be recalled.
        encounters = (1, 2, 3, 5, 9, 30)[concept_id % 6]
        rows.append(
            _concept_row(concept_id, name(concept_id), encounters, False, placed)
        )
        if placed:
            edges += _edges_of(concept_id)
        if len(rows) == _CHUNK:
            yield _stream(rows), _stream(edges)
            rows, edges = [], []
    yield _stream(rows), _stream(edges)


def _stream(rows: Iterable[bytes]) -> bytes:
    return b"".join((_COPY_HEADER, *rows, _COPY_TRAILER))


def _edges_of(concept_id: int) -> Iterator[bytes]:
    for number in range(1 + concept_id // PLACED_EVERY % _EDGES_MAX):
        dim_id = 1 + (number + concept_id // 30) % len(DIMENSIONS)
        parent = len(DIMENSIONS) + 1 + concept_id // 7 % len(PARENTS)
        yield _edge_row(concept_id, parent, dim_id)


def _concept_row(
    concept_id: int, token: str, encounters: int, dictionary: bool, placed: bool = False
) -> bytes:
    data = token.encode()
    return b"".join(
        (
            struct.pack(">hiqi", 6, 8, concept_id, len(data)),
            data,
            struct.pack(
                ">iqididi?",
                8,
                encounters,
                8,
                NOW - 86_400.0 * (concept_id % 40),
                8,
                float(placed),
                1,
                dictionary,
            ),
        )
    )


def _edge_row(concept_id: int, parent_id: int, dim_id: int) -> bytes:
    return struct.pack(
        ">hiqiqiqi?ididihihiq",
        9,
        8,
        concept_id,
        8,
        parent_id,
        8,
        dim_id,
        1,
        True,
        8,
        0.9,
        8,
        NOW - 86_400.0 * (concept_id % 60),
        2,
        Source.GUTASK.code,
        2,
        0,
        8,
        concept_id,
    )


class Prompts:
    """Texts about a world's names, as long as asked.

    Args:
        concepts: Of the world.
        seed: Of the draw.
    """

    def __init__(self, concepts: int, seed: int = 1) -> None:
        self._concepts = concepts
        self._first = concepts - names_in(concepts) + 1
        self._random = random.Random(seed)
        self._words: list[str] = []
        self._weights: list[float] = []

    def text(self, characters: int, *, placed: bool = True) -> str:
        """A prompt in prose.

        Args:
            characters: Its length.
            placed: Whether it has names, of which some are placed by facts; if not,
                everyday words stand in their stead, and nothing is told or asked.
        """
        self._choose_words()
        pool = self._pool(max(6, characters // _CHARACTERS_PER_NAME), placed)
        sentences: list[str] = []
        length = 0
        while length < characters:
            sentence = self._sentence(pool, states=placed)
            # Five sentences are a paragraph.
            sentence += "\n\n" if len(sentences) % 5 == 4 else " "
            sentences.append(sentence)
            length += len(sentence)
        return "".join(sentences)[:characters].rpartition(" ")[0]

    def _choose_words(self) -> None:
        """The grammar's words, and those of a topic."""
        words = everyday()
        topic = self._random.sample(words[_GRAMMAR:], _TOPIC)
        self._words = [*words[:_GRAMMAR], *topic]
        # Flatter than English at large: a text repeats its topic's words.
        weights = (wordfreq.word_frequency(word, "en") ** 0.5 for word in self._words)
        self._weights = list(accumulate(weights))

    def _pool(self, count: int, placed: bool) -> list[str]:
        """Names; a tenth of them, and three at least, are placed."""
        if not placed:
            return self._random.sample(everyday(), count)
        ids: list[int] = []
        while len(ids) < count:
            drawn = self._random.randint(self._first + PLACED_EVERY, self._concepts)
            if len(ids) < max(3, count // PLACED_EVERY):
                ids.append(drawn - drawn % PLACED_EVERY)
            elif drawn % PLACED_EVERY:
                ids.append(drawn)
        self._random.shuffle(ids)
        return [name(each) for each in ids]

    def _sentence(self, pool: list[str], *, states: bool) -> str:
        rng = self._random
        if states and rng.random() < 1 / 30:
            # A new thing each time: what it states is new as well.
            return f"{rng.choice(pool).capitalize()} is a {rng.choice(PARENTS[:3])}."
        words = rng.choices(
            self._words, cum_weights=self._weights, k=rng.randint(8, 17)
        )
        # A few names of a text are met again and again.
        words[rng.randrange(len(words))] = pool[int(len(pool) * rng.random() ** 2)]
        words[0] = words[0].capitalize()
        return " ".join(words) + "."


class NoStore:
    """A store that keeps nothing and answers at once: `festinger.flows.ports.Store`.

    Its tenants are named by the number of their concepts.
    """

    def __init__(self) -> None:
        self._reserved = 2 * 10**9
        self._version = 0

    async def load(self, tenant: str) -> World:
        """A world of that many concepts."""
        return world_of(int(tenant))

    async def preferences(self, tenant: str) -> tuple[Preferences, list[str]]:
        """The defaults."""
        return Preferences(), []

    async def reserve(self, tenant: str, kind: str, count: int) -> range:
        """Numbers, many at a time."""
        start, self._reserved = self._reserved, self._reserved + count
        return range(start, self._reserved)

    @asynccontextmanager
    async def writing(self, tenant: str) -> AsyncIterator[NoWriting]:
        """A pen that writes nothing."""
        yield NoWriting(self._version)
        self._version += 1

    async def flush(
        self, tenant: str, concepts: dict[int, str], deltas: Deltas, sequence: int
    ) -> None:
        """Drops them."""

    def __getattr__(self, method: str) -> Any:
        raise NotImplementedError(f"nothing that is measured calls {method}")


class NoWriting:
    """A pen that writes nothing: `festinger.flows.ports.Writing`.

    Attributes:
        version: How often it was taken before.
    """

    def __init__(self, version: int) -> None:
        self.version = version

    async def news(self, since: int, places: Collection[int] = ()) -> News:
        """None: there is one server."""
        return News(self.version)

    async def witnesses(self, asked: Iterable[Witness]) -> set[Witness]:
        """None."""
        return set()

    async def judged(self, keys: Iterable[SegmentKey]) -> set[SegmentKey]:
        """None."""
        return set()

    async def answered(
        self, keys: Iterable[RequestKey]
    ) -> dict[tuple[str, str], tuple[RequestKey, Answered]]:
        """None."""
        return {}

    async def write(self, batch: Batch) -> Committed:
        """Gives out numbers."""
        clashes = {entry.clash for entry in batch.changes.entries if entry.clash}
        return Committed(self.version + 1, dict.fromkeys(clashes, 1), {})

    def __getattr__(self, method: str) -> Any:
        raise NotImplementedError(f"nothing that is measured calls {method}")
