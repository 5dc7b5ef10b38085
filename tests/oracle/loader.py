"""Loading of a memory from binary COPY streams."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from festinger._fast.values import SEED
from tests.oracle.copy import CopyStream, Value
from tests.oracle.graph import Graph
from tests.oracle.vocabulary import Vocabulary

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
    """Loader of the three streams of a memory: words, then encounters, and edges.

    The edges may be loaded at any time. The streams may be cut into parts anywhere. The
    tables are handed out only when they are complete, so a corrupt stream leaves
    nothing behind.

    `seed` and `mask_bits` belong to the compiled build's hash tables, where tests use
    them to force collisions; here they do nothing.
    """

    def __init__(self, *, seed: int = SEED, mask_bits: int = 64) -> None:
        """Create a loader for new streams."""
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
        """Load a part of the words.

        Its columns are id int8, token text, novelty float8 and dictionary bool.

        Raises:
            ValueError: The stream is corrupt, or holds a token or an id twice. The
                loader cannot be used any more.
        """
        self._words.feed(part)

    def encounters(self, part: bytes) -> None:
        """Load a part of the counters.

        Its columns are id int8, encounters int8 and last_seen timestamptz. Counters of
        an unknown word are ignored.

        Raises:
            ValueError: The stream is corrupt, or begins before the words have ended.
                The loader cannot be used any more.
        """
        if not self._words.stream.ended:
            raise ValueError("encounters before the words have ended")
        self._encounters.feed(part)

    def edges(self, part: bytes) -> None:
        """Load a part of the edges.

        Its columns are those of `Graph.load_copy`, but last_confirmed is timestamptz.

        Raises:
            ValueError: The stream is corrupt, or holds two edges of the same place. The
                loader cannot be used any more.
        """
        self._edges.feed(part)

    def close(self) -> tuple[Vocabulary, Graph]:
        """Return the vocabulary and the graph, once all streams have ended.

        Raises:
            ValueError: A stream has not ended.
        """
        takings = (self._words, self._encounters, self._edges)
        # They stay claimed, since the tables belong to the caller now.
        for taking in takings:
            taking.claim()
        for taking in takings:
            taking.stream.close()
        return self._vocabulary, self._graph


class _Taking:
    """A stream with the consumer of its rows."""

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
