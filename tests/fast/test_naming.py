"""What making a named tuple promises."""

from __future__ import annotations

import gc
from typing import Any, NamedTuple

import pytest

from festinger import _fast
from festinger.core.graph.proposal import Triple

filled: Any = _fast.filled


class Pair(NamedTuple):
    """Two things."""

    first: object
    second: object = None


def test_named_tuple_is_made_of_its_fields() -> None:
    """
    It is the one that its class makes of the same fields.
    """
    made = filled(Triple, ("ant", "insect", "type", True, False))

    assert made == Triple("ant", "insect", "type", True, False)
    assert type(made) is Triple
    assert made.parent == "insect"


def test_named_tuple_holds_its_fields_by_itself() -> None:
    """
    What it was made of may go; what it holds stays, and goes with it.
    """
    fields: tuple[object, ...] = ([1], [2])
    made = filled(Pair, fields)

    first = fields[0]
    del fields
    assert made == ([1], [2])
    assert made.first is first
    assert gc.is_tracked(made)


@pytest.mark.parametrize("cls", [list, int, None, "Pair"])
def test_only_tuples_are_filled(cls: object) -> None:
    """
    Nothing else has the places.
    """
    with pytest.raises(TypeError):
        filled(cls, (1, 2))


def test_fields_are_a_tuple() -> None:
    """
    There are no others.
    """
    with pytest.raises(TypeError):
        filled(Pair, None)
