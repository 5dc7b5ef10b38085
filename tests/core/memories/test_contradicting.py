from __future__ import annotations

import pytest

from festinger.core.memories.contradicting import contradicts

OPPOSED = [
    ("Loves fettuccini", "Hates fettuccini"),
    ("Likes tea", "dislikes tea"),
    ("Likes tea", "Does not like tea"),
    ("Eats meat", "Never eats meat"),
    ("Eats meat", "Stopped eating meat"),
    ("Is married", "Is not married"),
    ("Absolutely loves tea", "really hates tea"),
    ("Lives in Berlin", "Lives in Rome"),
    ("Lives in Berlin since 2019", "Is living in Rome with Bob"),
    ("Lives in Berlin", "No longer lives in Berlin"),
    ("Works at Acme", "Works for Initech"),
    ("Is 30 years old", "Is 41 years old"),
    ("Favorite pasta is fettuccini", "favourite pasta is penne"),
    ("Was born in 1990", "Born in 1991"),
    ("Is named Ada", "name is Grace"),
]
COMPATIBLE = [
    ("Loves fettuccini", "Loves fettuccini"),
    ("Loves fettuccini", "Likes fettuccini"),
    ("Loves fettuccini", "Hates broccoli"),
    ("Does not hate tea", "Likes tea"),
    ("Loves fettuccini", "Hates fettuccini with truffle oil"),
    ("Lives in Berlin", "Lives in Berlin, Germany"),
    ("Lives in Berlin", "Lives in Berlin since 2019"),
    ("Lives in Berlin", "Works at Acme"),
    ("Favorite pasta is penne", "Favorite color is green"),
    ("Was born in 1990", "Was born in Berlin"),
    ("Does not live in Rome", "Lives in Berlin"),
    ("", "Loves tea"),
    ("…", "not"),
]


@pytest.mark.parametrize(("one", "other"), OPPOSED)
def test_opposed(one, other):
    """A denial, an opposite verb, or two things where there is room for one."""
    assert contradicts(one, other)
    assert contradicts(other, one)


@pytest.mark.parametrize(("one", "other"), COMPATIBLE)
def test_compatible(one, other):
    """Both may be so of one person."""
    assert not contradicts(one, other)
    assert not contradicts(other, one)
