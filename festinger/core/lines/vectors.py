"""Embeddings of lines, by which a line is found that shares no word with a prompt."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from itertools import islice
from math import inf
from typing import Final, NamedTuple

from festinger import _fast
from festinger._fast.values import VECTOR_WIDTH_MAX

NEAREST: Final = 64
"""Number of nearest lines that are considered for a prompt; all of a young memory."""


class Embedding(NamedTuple):
    """A vector of a text.

    Attributes:
        model: Name of the model that computed it; vectors of two cannot be compared.
        vector: Its values as signed bytes; only their proportions count.
    """

    model: str
    vector: bytes


def quantised(values: Sequence[float]) -> bytes:
    """Return a vector as signed bytes.

    Raises:
        ValueError: It is empty, zero, too long, or not finite.
    """
    largest = max(map(abs, values), default=0.0)
    # NaN is refused as well: here, or by `round`.
    if not 0 < largest < inf or len(values) > VECTOR_WIDTH_MAX:
        raise ValueError("an embedding is neither empty nor zero nor too long")
    # Only proportions count for a cosine, so that the largest value may become 127.
    return array("b", [round(127 * it / largest) for it in values]).tobytes()


class LineVectors:
    """The embeddings of a memory's lines, by one model. It is not thread-safe.

    Attributes:
        model: Name of the model; empty until the first vectors are asked for.
    """

    def __init__(self) -> None:
        self.model = ""
        # A dict as an ordered set: oldest first, with removal of any line.
        self._waiting: dict[int, None] = {}
        # Rows of the vectors by line number, and line numbers by row.
        self._rows: dict[int, int] = {}
        self._numbers: list[int] = []
        # In memory only (J17): they must not outlive their lines, and are computed again.
        self._vectors: _fast.Vectors | None = None

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def waiting(self) -> int:
        """The number of lines that have no vector yet."""
        return len(self._waiting)

    # Maintenance

    def start(self, model: str, numbers: Collection[int]) -> None:
        """Have all lines wait for vectors of a model, instead of those of another.

        Args:
            numbers: The lines that may be embedded, oldest first.
        """
        # Vectors of two models cannot be compared: nothing of the old one is kept.
        self.__init__()  # type: ignore[misc]
        self.model = model
        self._waiting = dict.fromkeys(numbers)

    def add(self, number: int) -> None:
        """Have a new line wait, once a model is known."""
        if self.model:
            self._waiting[number] = None

    def drop(self, number: int) -> None:
        """Forget a line and its vector."""
        self._waiting.pop(number, None)
        row = self._rows.pop(number, None)
        if row is not None and self._vectors:
            self._vectors.drop(row)

    def next(self, most: int) -> list[int]:
        """Return the numbers of lines that wait, newest first."""
        return list(islice(reversed(self._waiting), most))

    def put(self, number: int, vector: bytes) -> None:
        """Take the vector of a line; one that does not wait any more is ignored.

        Raises:
            ValueError: It is zero, or of another width than the others.
        """
        # The line was forgotten while its embedding was computed.
        if number not in self._waiting:
            return
        if self._vectors is None:
            self._vectors = _fast.Vectors(len(vector))
        row = self._vectors.put(vector)
        # After `put`, which may refuse the vector: the line then waits on.
        del self._waiting[number]
        self._rows[number] = row
        self._numbers.append(number)

    # Comparison

    def fits(self, embedding: Embedding | None) -> bool:
        """Return whether a prompt can be compared: some lines have such vectors."""
        return (
            embedding is not None
            and self._vectors is not None
            and embedding.model == self.model
            and len(self) > 0
            and len(embedding.vector) == self._vectors.width
            and any(embedding.vector)
        )

    def compare(self, embedding: Embedding | None) -> bool:
        """Compare all lines with a prompt, for the methods below.

        Returns:
            False if they cannot be compared (`fits`).
        """
        if not self.fits(embedding) or embedding is None or self._vectors is None:
            return False
        self._vectors.compare(embedding.vector)
        return True

    def nearest(self, least: float = -1.0) -> list[int]:
        """Return the numbers of the lines that are nearest to the prompt, nearest first."""
        vectors = self._vectors
        if vectors is None:
            return []
        found = vectors.nearest(NEAREST)
        return [self._numbers[it] for it in found if vectors.cosine(it) >= least]

    def likeness(self, number: int) -> float | None:
        """Return the cosine of a line with the prompt; None if it has no vector."""
        row = self._rows.get(number)
        return None if row is None or not self._vectors else self._vectors.cosine(row)
