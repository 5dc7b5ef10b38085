from __future__ import annotations

from array import array
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger import _fast
from tests import oracle

WIDTH = 3
vectors = st.binary(min_size=WIDTH, max_size=WIDTH).filter(any)
steps = st.lists(st.one_of(vectors, st.integers(0, 12)), max_size=24)


def filled(build: Any, doing: list[bytes | int]) -> Any:
    """Return a table after vectors were added, and rows dropped."""
    table = build.Vectors(WIDTH)
    for it in doing:
        table.put(it) if isinstance(it, bytes) else table.drop(it)
    return table


@given(doing=steps, prompt=vectors, most=st.integers(0, 6))
def test_cosines_are_those_of_the_oracle(
    doing: list[bytes | int], prompt: bytes, most: int
) -> None:
    """Of each row with a prompt, and the nearest are the greatest."""
    ours, theirs = filled(_fast, doing), filled(oracle, doing)
    for table in (ours, theirs):
        table.compare(prompt)
    rows = range(len(doing) + 1)
    nearest = [theirs.cosine(it) for it in theirs.nearest(most)]

    assert len(ours) == len(theirs)
    assert [ours.cosine(it) for it in rows] == pytest.approx(
        [theirs.cosine(it) for it in rows], abs=1e-5
    )
    assert [ours.cosine(it) for it in ours.nearest(most)] == pytest.approx(
        nearest, abs=1e-5
    )


@pytest.mark.parametrize("vector", [b"", b"\1\2", b"\0\0\0", b"\1\2\3\4"])
def test_vectors_of_another_form_are_refused(vector: bytes) -> None:
    """Of another width, or without a direction, whether kept or compared."""
    table = filled(_fast, [b"\1\2\3"])

    with pytest.raises(ValueError, match="a vector"):
        table.put(vector)
    with pytest.raises(ValueError, match="a vector"):
        table.compare(vector)


@pytest.mark.parametrize("width", [0, 4_097])
def test_width_has_a_limit(width: int) -> None:
    """A table of no values, or of too many, is refused."""
    with pytest.raises(ValueError, match="1 to 4096"):
        _fast.Vectors(width)


@given(
    table=st.lists(st.binary(min_size=WIDTH, max_size=WIDTH), min_size=1, max_size=6),
    rows=st.lists(st.integers(0, 5), max_size=12),
)
def test_sums_of_rows_are_those_of_the_oracle(
    table: list[bytes], rows: list[int]
) -> None:
    """The largest value is 127, and of a zero sum there is nothing."""
    known = [it for it in rows if it < len(table)]
    ours = _fast.sum_of_rows(b"".join(table), WIDTH, known)

    assert ours == oracle.sum_of_rows(b"".join(table), WIDTH, known)
    assert not ours or max(map(abs, array("b", ours))) == 127


@pytest.mark.parametrize(("width", "rows"), [(3, [2]), (3, [-1]), (0, [0])])
def test_rows_that_are_not_in_the_table_are_refused(
    width: int, rows: list[int]
) -> None:
    """Nothing behind the table is read."""
    with pytest.raises(ValueError, match=r"not in the table|a vector has"):
        _fast.sum_of_rows(b"\1\2\3\4\5\6", width, rows)
