from __future__ import annotations

import pytest

from festinger.core.principals import double_of, is_same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("alice", "alice", True),
        ("Alice", "alice", True),
        ("ALICE", "alice", True),
        ("ａｌｉｃｅ", "alice", True),  # wide letters
        ("straße", "STRASSE", True),
        ("аlice", "alice", False),  # a Cyrillic а
        ("alice", "alicia", False),
        ("", "", False),
    ],
)
def test_spellings_of_a_name(one, other, same):
    """
    Capitals and width make no other principal; another letter does; nobody is nobody's.
    """
    assert is_same(one, other) is same


@pytest.mark.parametrize(
    ("name", "double"),
    [
        ("аlice", "alice"),  # Cyrillic а
        ("Аlice", "alice"),  # a capital one
        ("аliсе", "alice"),  # three of them
        ("αlice", "alice"),  # Greek
        ("àlice", "alice"),
        ("bоb", "bob"),  # Cyrillic о
        ("alice", ""),
        ("Alice", ""),
        ("carol", ""),
        ("саша", ""),
    ],
)
def test_names_that_only_look_like_another(name, double):
    """
    What reads like a known name without being it is told from it.
    """
    assert double_of(name, ["", "bob", "alice"]) == double
