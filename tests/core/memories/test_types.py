from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.memories.rules import RULES, Authority
from festinger.core.memories.types import (
    CONVERSATION_TYPES,
    ENGINEERING_TYPES,
    ENTITY_TYPES,
    MemoryType,
    normalised,
)


@pytest.mark.parametrize(
    ("content", "key"),
    [
        ("  Loves\u00a0\u2009Fettuccini!! ", "loves fettuccini"),
        ("loves\n\tfettuccini .", "loves fettuccini"),
        ("Cafe\u0301", "caf\u00e9"),
        ("loves\u200b tea", "loves tea"),
        ("Uses C++.", "uses c++"),
        ("Uses C#", "uses c#"),
        ("…", "…"),
        ("", ""),
    ],
)
def test_key(content, key):
    """Blanks, capitals, composition and the last mark make no difference."""
    assert normalised(content) == key


@given(st.text())
def test_key_is_its_own_key(content):
    """Normalised twice is normalised once."""
    assert normalised(normalised(content)) == normalised(content)


def test_every_type_has_its_place():
    """Each belongs to a conversation, to engineers or to entities, and has a rule."""
    placed = {*CONVERSATION_TYPES, *ENGINEERING_TYPES, *ENTITY_TYPES}

    assert placed == set(MemoryType) == set(RULES)
    assert [RULES[each].authority for each in CONVERSATION_TYPES] == list(Authority)
