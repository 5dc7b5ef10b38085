"""Counts of mentioned ids."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger import _fast
from tests import oracle

IDS = st.one_of(
    st.integers(0, 20),
    st.integers(-(2**63), 2**63 - 1),
)
STEPS = st.lists(st.tuples(st.booleans(), IDS), max_size=200)


def told(mentions: Any, ids: list[int]) -> tuple[Any, ...]:
    """Return all that is told of some ids."""
    return (
        list(mentions),
        len(mentions),
        [(id in mentions, mentions.count(id)) for id in ids],
    )


def test_an_id_stays_mentioned_until_its_last_mention_is_taken_back():
    """Each mention counts, and what was never mentioned cannot be taken back."""
    mentions = _fast.Mentions()
    mentions.discard(7)
    mentions.add(7)
    mentions.add(7)

    mentions.discard(7)
    assert 7 in mentions
    assert mentions.count(7) == 1

    mentions.discard(7)
    assert 7 not in mentions
    assert (list(mentions), len(mentions), mentions.count(7)) == ([], 0, 0)


def test_what_is_no_id_is_not_mentioned():
    """Anything may be asked about."""
    assert "gnommoweb" not in _fast.Mentions()
    assert 2**70 not in _fast.Mentions()


def test_what_is_too_large_to_be_an_id_is_refused():
    """Ids are what Postgres can hold."""
    mentions = _fast.Mentions()

    for step in (mentions.add, mentions.discard, mentions.count):
        for id in (2**63, -(2**63) - 1):
            with pytest.raises(OverflowError):
                step(id)


@given(steps=STEPS)
def test_counts_are_those_of_the_oracle(steps: list[tuple[bool, int]]) -> None:
    """Whatever comes and goes, the same ids are left."""
    ids = [id for _, id in steps]
    ours, theirs = _fast.Mentions(), oracle.Mentions()

    for more, id in steps:
        for mentions in (ours, theirs):
            (mentions.add if more else mentions.discard)(id)
        assert told(ours, ids) == told(theirs, ids)
