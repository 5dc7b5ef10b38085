from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.system.principals import (
    as_metadata,
    double_of,
    is_same,
    of_metadata,
)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("alice", "alice", True),
        ("Alice", "alice", True),
        ("ALICE", "alice", True),
        ("\uff41\uff4c\uff49\uff43\uff45", "alice", True),  # wide letters
        ("stra\u00dfe", "STRASSE", True),
        ("\u0430lice", "alice", False),  # a Cyrillic a
        ("alice", "alicia", False),
        ("", "", False),
    ],
)
def test_spellings_of_a_name(one, other, same):
    """Capitals and width make no other principal; another letter does; nobody is nobody's."""
    assert is_same(one, other) is same


@pytest.mark.parametrize(
    ("name", "double"),
    [
        ("\u0430lice", "alice"),  # Cyrillic a
        ("\u0410lice", "alice"),  # a capital one
        ("\u0430li\u0441\u0435", "alice"),  # three of them
        ("\u03b1lice", "alice"),  # Greek
        ("\u00e0lice", "alice"),
        ("b\u043eb", "bob"),  # Cyrillic o
        ("alice", ""),
        ("Alice", ""),
        ("carol", ""),
        ("\u0441\u0430\u0448\u0430", ""),
    ],
)
def test_names_that_only_look_like_another(name, double):
    """A name that reads like a known one without being it is told from it."""
    assert double_of(name, ["", "bob", "alice"]) == double


@given(st.text())
def test_metadata_carries_every_name(name):
    """A name of any script goes through the metadata of a call, and comes out as it was."""
    carried = as_metadata(name)

    assert carried.isascii()
    assert carried.isprintable()
    assert of_metadata(carried) == name


def test_plain_names_are_carried_as_they_are():
    """Whoever writes them into metadata themselves has nothing to encode."""
    assert as_metadata("key:a_1.b+c-d@x.org") == "key:a_1.b+c-d@x.org"


def test_metadata_that_stands_for_no_text():
    """Bytes of no character are no name."""
    with pytest.raises(ValueError, match="utf-8"):
        of_metadata("%ff")
