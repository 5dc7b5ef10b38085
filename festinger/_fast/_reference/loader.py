"""A memory that arrives as binary COPY streams, in plain Python."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from ..values import SEED
from .copy import CopyStream, Value
from .graph import Graph
from .vocabulary import Vocabulary

_WORDS = ("int8", "text", "float8", "bool")
_ENCOUNTERS = ("int8", "int8", "timestamptz")
_EDGES = (
    *("int8",) * 3,
    "bool",
    "float8",
    "timestamptz",
    "int2",
    "int2",
    "int8",
    "bool",
)


class Loader:
    """Three streams of one memory: words, then their encounters; edges at any time.

    Their parts may be cut anywhere, and nobody else has the tables before they are
    whole: what is corrupt leaves nothing behind.

    `seed` and `mask_bits` belong to the compiled build's hash tables, where tests use
    them to force collisions; here they do nothing.
    """

    def __init__(self, *, seed: int = SEED, mask_bits: int = 64) -> None:
        """Stand before the first parts."""
        vocabulary = self._vocabulary = Vocabulary(seed=seed, mask_bits=mask_bits)
        graph = self._graph = Graph(seed=seed, mask_bits=mask_bits)
        self._words = _Taking(
            _WORDS,
            lambda number, row: vocabulary._add_row(
                number, (*row[:2], 0, None, *row[2:])
            ),
        )
        self._encounters = _Taking(_ENCOUNTERS, vocabulary._count_row)
        self._edges = _Taking(_EDGES, graph._put_row)

    def words(self, part: bytes) -> None:
        """Take a part of the words.

        Its columns are id int8, token text, novelty float8 and dictionary bool.

        Raises:
            ValueError: The stream is corrupt, or has a token or an id twice. The
                loader is of no use any more.
        """
        self._words.feed(part)

    def encounters(self, part: bytes) -> None:
        """Take a part of the counters.

        Its columns are id int8, encounters int8 and last_seen timestamptz. Those of a
        word that is not there are left out.

        Raises:
            ValueError: The stream is corrupt, or comes before the words have ended.
                The loader is of no use any more.
        """
        if not self._words.stream.ended:
            raise ValueError("encounters before the words have ended")
        self._encounters.feed(part)

    def edges(self, part: bytes) -> None:
        """Take a part of the edges.

        Its columns are those of `Graph.load_copy`, but last_confirmed timestamptz.

        Raises:
            ValueError: The stream is corrupt, or names a place twice. The loader is
                of no use any more.
        """
        self._edges.feed(part)

    def close(self) -> tuple[Vocabulary, Graph]:
        """Return the vocabulary and the graph, when all streams have ended.

        Raises:
            ValueError: One of them has not.
        """
        takings = (self._words, self._encounters, self._edges)
        # They stay claimed: the tables are somebody else's now.
        for taking in takings:
            taking.claim()
        for taking in takings:
            taking.stream.close()
        return self._vocabulary, self._graph


class _Taking:
    """A stream, and what is done with its rows."""

    def __init__(
        self,
        columns: tuple[str, ...],
        take: Callable[[int, tuple[Value, ...]], object],
    ) -> None:
        self.stream = CopyStream(columns)
        self._take = take
        self._numbers = count(1)
        self._busy = False

    def claim(self) -> None:
        if self._busy:
            raise ValueError("the loader is closed, broken or in use")
        self._busy = True

    def feed(self, part: bytes) -> None:
        self.claim()
        for row in self.stream.feed(part):
            self._take(next(self._numbers), row)
        self._busy = False
