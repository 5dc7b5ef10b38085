"""Rows as values, by the names of their columns."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from festinger.core.graph.candidates import Priority
from festinger.store.system.queries import value_of


@dataclass(frozen=True, slots=True)
class Loan:
    """Loan of a library."""

    id: int
    reader: str
    priority: Priority
    created: float
    returned: float | None
    reminders: int
    titles: tuple[str, ...]


LOAN: dict[str, Any] = {
    "id": 7,
    "reader": "ada",
    "priority": "high",
    "created_at": datetime(1970, 1, 2, tzinfo=UTC),
    "returned_at": None,
    "reminder_count": 2,
    "titles": ["Emma", "Dune"],
    "shelf": "not asked for",
}


def test_attributes_take_the_columns_of_their_names():
    """Text becomes a member, a time seconds, a list a tuple; other columns are left."""
    loan = value_of(Loan, LOAN)

    assert loan == Loan(7, "ada", Priority.HIGH, 86400.0, None, 2, ("Emma", "Dune"))


def test_null_becomes_what_stands_for_none():
    """An attribute that may be None is None; others have no value that is no text."""
    loan = value_of(Loan, LOAN | {"reader": None, "id": None, "created_at": None})

    assert (loan.reader, loan.id, loan.created) == ("", 0, 0.0)
    assert loan.returned is None


def test_attribute_without_a_column_must_be_given():
    """A query that forgets a column is no value with a default."""
    row = {name: value for name, value in LOAN.items() if name != "titles"}

    with pytest.raises(KeyError, match="no column for titles"):
        value_of(Loan, row)
    assert value_of(Loan, row, titles=()).titles == ()
