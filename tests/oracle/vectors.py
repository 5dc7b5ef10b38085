"""Embeddings of lines, compared with that of a prompt."""

from __future__ import annotations

from array import array
from math import sqrt
from typing import final

from festinger._fast.values import VECTOR_WIDTH_MAX


@final
class Vectors:
    """Vectors of one model, by row; a dropped one is None. It is not thread-safe."""

    def __init__(self, width: int) -> None:
        """Create an empty table."""
        if not 0 < width <= VECTOR_WIDTH_MAX:
            raise ValueError(f"a vector has 1 to {VECTOR_WIDTH_MAX} values")
        self.width = width
        self._rows: list[array[int] | None] = []
        self._cosines: list[float] = []

    def __len__(self) -> int:
        """Return the number of vectors that are held."""
        return sum(row is not None for row in self._rows)

    def put(self, vector: bytes) -> int:
        """Add a vector and return its row."""
        self._rows.append(self._checked(vector))
        self._cosines.append(0.0)
        return len(self._rows) - 1

    def drop(self, row: int) -> None:
        """Remove a vector."""
        if row < len(self._rows):
            self._rows[row] = None
            self._cosines[row] = 0.0

    def compare(self, vector: bytes) -> None:
        """Compute the cosine of each vector with another."""
        other = self._checked(vector)
        for at, row in enumerate(self._rows):
            if row is not None:
                self._cosines[at] = _cosine(row, other)

    def cosine(self, row: int) -> float:
        """Return the cosine of a vector with the one that was compared last."""
        return self._cosines[row] if row < len(self._cosines) else 0.0

    def nearest(self, most: int) -> list[int]:
        """Return the rows with the greatest such cosines, greatest first."""
        held = [at for at, row in enumerate(self._rows) if row is not None]
        return sorted(held, key=lambda at: (-self._cosines[at], at))[:most]

    def _checked(self, vector: bytes) -> array[int]:
        if len(vector) != self.width:
            raise ValueError(f"a vector has {self.width} values here")
        if not any(vector):
            raise ValueError("a vector is not zero")
        return array("b", vector)


def _cosine(one: array[int], other: array[int]) -> float:
    dot = sum(a * b for a, b in zip(one, other, strict=True))
    return dot / sqrt(sum(a * a for a in one) * sum(b * b for b in other))


def sum_of_rows(table: bytes, width: int, rows: list[int]) -> bytes:
    """Return the sum of rows of a table, scaled so that the largest value is 127."""
    if not 0 < width <= VECTOR_WIDTH_MAX:
        raise ValueError(f"a vector has 1 to {VECTOR_WIDTH_MAX} values")
    values, total = array("b", table), [0] * width
    for row in rows:
        if not 0 <= row < len(table) // width:
            raise ValueError(f"row {row} is not in the table")
        for at in range(width):
            total[at] += values[row * width + at]
    largest = max(map(abs, total))
    # Halves are rounded away from zero.
    scaled = [
        int(127.0 * it / largest + (0.5 if it > 0 else -0.5)) for it in total if largest
    ]
    return array("b", scaled).tobytes()
