"""Votes on lines, as a factor of their odds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from festinger.core.lines.weights import raised

PROBABILITIES = st.floats(0.0, 1.0)


@given(PROBABILITIES)
def test_nothing_changes_without_votes(probability):
    """A line that nobody rated is ranked as ever."""
    assert raised(probability, 0) == probability


@given(st.floats(0.001, 0.999), st.integers(1, 1000))
def test_each_vote_raises_a_line(probability, helped):
    """Every further vote raises it by less, and never to certainty."""
    before, now = raised(probability, helped - 1), raised(probability, helped)

    assert before <= now < 1.0
