"""Memories and prompts of any size, the same on every run.

The prompts have the shape that real technical prose was found to have, which `rates`
measures again: 32 KB are some 5,000 tokens, of which 900 concepts are distinct and 280
are no everyday words. A memory that has read a hundred thousand names considers 180 of
these and has never met 85. There are 90 cue words; behind a dozen a pattern may match,
and two statements come of it, one of them held.
"""

from __future__ import annotations

import random
import struct
from collections.abc import (
    AsyncIterator,
    Callable,
    Collection,
    Iterable,
    Iterator,
    Sequence,
    Set,
)
from contextlib import asynccontextmanager
from functools import cache
from itertools import accumulate, islice
from typing import Any, TypeAlias

import wordfreq

from festinger.config import RoleTrust
from festinger.core.graph.candidates import Candidate
from festinger.core.graph.conflicts import Clash
from festinger.core.graph.predicates import Registry
from festinger.core.graph.proposal import StatementSource, Triple
from festinger.core.language.turns import Role
from festinger.core.system.preferences import Preferences
from festinger.core.world.draft import Witness
from festinger.core.world.publishing import ConceptSnapshot
from festinger.core.world.world import World
from festinger.store.graph.writes import GraphWrites
from festinger.store.postgres import MemoryHead
from festinger.store.world.batches import (
    Batch,
    CallResult,
    Deltas,
    RequestKey,
    SegmentKey,
)

NOW = 1_800_000_000.0
"""When everything here happens."""
TRUST = {
    Role.USER: RoleTrust.ASSERTS,
    Role.TOOL: RoleTrust.PROPOSES,
    Role.ASSISTANT: RoleTrust.PROPOSES,
    Role.SYSTEM: RoleTrust.NOTHING,
}
PLACED_EVERY = 10
"""One name in so many is placed by facts."""
CONTESTED_EVERY = 500
"""One name in so many is contested as well."""
ENOUGH = 4
"""Encounters from which a name is considered."""

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
_TOPIC = 750
_CHARACTERS_PER_NAME = 165
_CHARACTERS_PER_SENTENCE = 75
_STRANGE = 0.2
"""Sentences with a name that no memory has met."""
_CLAUSES = 0.03
"""Sentences with a clause that looks like a statement, and is none."""
_PER = 32 * 1024
STATEMENTS = 2.0
"""In 32 KB of prose."""
MANY = 15.0
"""In 32 KB of a glossary, which is nothing but statements."""
_MARK = "xqx"
"""Begins a new name: no word has it."""
_LETTERS = "bdfgklmnprstvwzh"
# fmt: off
_CLAUSE = (
    "it is a", "this is a", "there is a", "which is a", "that is an", "here is a",
    "it is the", "this is the",
)
# fmt: on
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
    """Return the name of a number below 24 millions: `tuvabemo`, and no two alike."""
    # A prime factor permutes the numbers, so that neighbours share no beginning.
    rest = index * 2_654_435_761 % len(_SYLLABLES) ** 4
    parts = []
    for _ in range(4):
        rest, part = divmod(rest, len(_SYLLABLES))
        parts.append(_SYLLABLES[part])
    return "".join(parts)


def encounters(concept_id: int) -> int:
    """Return how often a name was met; half of them too seldom to be recalled."""
    return (1, 2, 3, 5, 9, 30)[concept_id % 6]


def tokens_of(concepts: int) -> list[str]:
    """Return all words of a world, in the order of their numbers."""
    basic = _basic()
    names = range(len(basic) + 1, concepts + 1)
    return [*basic, *(name(concept_id) for concept_id in names)]


def _basic() -> list[str]:
    """Return the everyday words, in all senses, that every world contains."""
    return [*DIMENSIONS, *PARENTS, *everyday()]


def names_in(concepts: int) -> int:
    """Return the number of a world's concepts that are names."""
    return concepts - len(_basic())


def world_of(concepts: int) -> World:
    """Return a world with so many concepts; one name in ten has one to three facts."""
    return loaded(copies(concepts))


def world_of_words(dictionary: Iterable[str], names: Sequence[str]) -> World:
    """Return a world of these words, where each name was met often enough."""
    basic = {*DIMENSIONS, *PARENTS}
    known = sorted({*dictionary} - basic)
    met = [token for token in names if token not in basic]
    rows = _rows([*DIMENSIONS, *PARENTS, *known], met.__getitem__, len(met), ENOUGH)
    return loaded(_streams(rows), frozenset({*known, *basic}))


def loaded(
    streams: Iterable[tuple[bytes, bytes]], dictionary: Set[str] = frozenset()
) -> World:
    """Return the world that a database would send as these streams."""
    world = World(dictionary or frozenset(everyday()))
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
    basic = _basic()
    first = len(basic) + 1
    return _streams(_rows(basic, lambda i: name(first + i), concepts - len(basic)))


_Row: TypeAlias = tuple[bytes, list[bytes]]
"""A concept's row, and those of its edges."""


def _rows(
    tokens: Sequence[str], named: Callable[[int], str], names: int, met: int = 0
) -> Iterator[_Row]:
    for concept_id, token in enumerate(tokens, 1):
        root = concept_id <= len(DIMENSIONS)
        edges = [_edge_row(concept_id, concept_id, concept_id)] if root else []
        yield _concept_row(concept_id, token, 40, True), edges
    for number in range(names):
        concept_id = len(tokens) + 1 + number
        placed = concept_id % PLACED_EVERY == 0
        often = met or encounters(concept_id)
        row = _concept_row(concept_id, named(number), often, False, placed)
        yield row, list(_edges_of(concept_id)) if placed else []


def _streams(rows: Iterable[_Row]) -> Iterator[tuple[bytes, bytes]]:
    rows = iter(rows)
    while chunk := list(islice(rows, _CHUNK)):
        yield (
            _stream(concept for concept, _ in chunk),
            _stream(edge for _, edges in chunk for edge in edges),
        )


def _stream(rows: Iterable[bytes]) -> bytes:
    return b"".join((_COPY_HEADER, *rows, _COPY_TRAILER))


def _edges_of(concept_id: int) -> Iterator[bytes]:
    for number in range(1 + concept_id // PLACED_EVERY % _EDGES_MAX):
        dim_id = 1 + (number + concept_id // 30) % len(DIMENSIONS)
        parent = len(DIMENSIONS) + 1 + concept_id // 7 % len(PARENTS)
        yield _edge_row(concept_id, parent, dim_id)


def _concept_row(
    concept_id: int, token: str, met: int, dictionary: bool, placed: bool = False
) -> bytes:
    data = token.encode()
    return b"".join(
        (
            struct.pack(">hiqi", 6, 8, concept_id, len(data)),
            data,
            struct.pack(
                ">iqididi?",
                8,
                met,
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
        ">hiqiqiqi?ididihihiqi?",
        10,
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
        StatementSource.GUTASK.code,
        2,
        0,
        8,
        concept_id,
        1,
        False,
    )


class Prompts:
    """Texts about a world's names, as long as asked.

    Args:
        concepts: Of the world.
        seed: Of the draw.
        statements: In 32 KB; half of them are plain enough to be held.
    """

    def __init__(
        self, concepts: int, seed: int = 1, *, statements: float = STATEMENTS
    ) -> None:
        self._concepts = concepts
        self._first = concepts - names_in(concepts) + 1
        self._random = random.Random(seed)
        self._stating = statements * _CHARACTERS_PER_SENTENCE / _PER
        self._words: list[str] = []
        self._weights: list[float] = []

    def text(self, characters: int, *, placed: bool = True) -> str:
        """Return a prompt in prose.

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
            sentence = self._sentence(pool, named=placed)
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
        """Return names that are considered; a tenth, and three at least, are placed."""
        if not placed:
            return self._random.sample(everyday(), count)
        ids: list[int] = []
        while len(ids) < count:
            drawn = self._random.randint(self._first + PLACED_EVERY, self._concepts)
            if len(ids) < max(3, count // PLACED_EVERY):
                ids.append(drawn - drawn % PLACED_EVERY)
            elif drawn % PLACED_EVERY and encounters(drawn) >= ENOUGH:
                ids.append(drawn)
        self._random.shuffle(ids)
        return [name(each) for each in ids]

    def _sentence(self, pool: list[str], *, named: bool) -> str:
        rng = self._random
        if named and rng.random() < self._stating:
            # A person waits for the second: something of a kind has no name.
            form = rng.choice(["{} is a {}.", "A {} is a {}."])
            return form.format(rng.choice(pool), rng.choice(PARENTS[:3])).capitalize()
        words = rng.choices(
            self._words, cum_weights=self._weights, k=rng.randint(8, 17)
        )
        # A few names of a text are met again and again.
        words[rng.randrange(len(words))] = pool[int(len(pool) * rng.random() ** 2)]
        if named and rng.random() < _STRANGE:
            words[rng.randrange(len(words))] = _MARK + name(rng.randrange(10**6))
        if rng.random() < _CLAUSES:
            words.insert(rng.randrange(len(words)), rng.choice(_CLAUSE))
        words[0] = words[0].capitalize()
        return " ".join(words) + "."


def renewed(text: str, number: int) -> str:
    """Return the text with other new names, so that nobody has met them yet.

    Args:
        number: Another for each time.
    """
    letters = "".join(_LETTERS[int(digit, 16)] for digit in f"{number:x}")
    text = f"x{letters} {text}".replace(_MARK, f"x{letters}")
    return text.replace(_MARK.capitalize(), f"X{letters}")


class NoStore:
    """A `PostgresStore` that keeps nothing and answers at once.

    Its tenants are named by the number of their concepts.
    """

    def __init__(self) -> None:
        self._reserved = 2 * 10**9
        self._version = 0

    async def load(self, tenant: str) -> World:
        """Return a world of that many concepts."""
        return world_of(int(tenant))

    async def preferences(self, tenant: str) -> tuple[Preferences, list[str]]:
        """Return the defaults."""
        return Preferences(), []

    async def registry(self, tenant: str) -> tuple[Registry, list[str]]:
        """Return those that come with the product."""
        return Registry(), []

    async def heads(self, tenants: Collection[str]) -> dict[str, MemoryHead]:
        """Any server serves each of them."""
        return {tenant: MemoryHead(self._version, "") for tenant in tenants}

    async def reserve(self, tenant: str, kind: str, count: int) -> range:
        """Numbers, many at a time."""
        start, self._reserved = self._reserved, self._reserved + count
        return range(start, self._reserved)

    @asynccontextmanager
    async def writing(self, tenant: str) -> AsyncIterator[NoWriting]:
        """Write nothing."""
        yield NoWriting(self._version)
        self._version += 1

    async def flush(
        self, tenant: str, concepts: dict[int, str], deltas: Deltas, sequence: int
    ) -> None:
        """Drop them."""

    def __getattr__(self, method: str) -> Any:
        raise NotImplementedError(f"nothing that is measured calls {method}")


class NoWriting:
    """A `PostgresWriting` that writes nothing.

    Attributes:
        version: Number of earlier writings.
    """

    def __init__(self, version: int) -> None:
        self.version = version

    async def news(self, since: int, places: Collection[int] = ()) -> ConceptSnapshot:
        """None: there is one server."""
        return ConceptSnapshot(self.version)

    async def witnesses(self, asked: Iterable[Witness]) -> set[Witness]:
        """None."""
        return set()

    async def judged(self, keys: Iterable[SegmentKey]) -> set[SegmentKey]:
        """None."""
        return set()

    async def answered(
        self, keys: Iterable[RequestKey]
    ) -> dict[tuple[str, str], tuple[RequestKey, CallResult]]:
        """None."""
        return {}

    async def pending_candidates(
        self, triples: Collection[Triple]
    ) -> dict[Triple, Candidate]:
        """None."""
        return {}

    async def unused(self, kind: str) -> int:
        """Always the same: nothing is kept."""
        return 1

    async def breaker_until(self) -> float:
        """Never."""
        return 0.0

    async def write(self, batch: Batch) -> int:
        """Give out numbers."""
        graph = batch.of(GraphWrites)
        entries = graph.draft.changes.entries
        graph.conflicts = {entry.clash: 1 for entry in entries if entry.clash}
        return self.version + 1

    def __getattr__(self, method: str) -> Any:
        raise NotImplementedError(f"nothing that is measured calls {method}")
