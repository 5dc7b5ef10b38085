from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from festinger.core.validation.votes import (
    Vote,
    VoteAnswer,
    VoterRole,
    last_votes,
    tally,
    together,
)
from tests.core.validation.crowds import vote

VOTES = st.lists(
    st.builds(
        Vote,
        task=st.sampled_from(["t", "u"]),
        rater=st.sampled_from("abc"),
        answer=st.sampled_from(VoteAnswer),
        cast_at=st.sampled_from([1.0, 2.0, 3.0]),
        before_visible=st.booleans(),
        withdrawn=st.booleans(),
        role=st.sampled_from(VoterRole),
    ),
    max_size=12,
)


def test_last_answer_counts():
    """Whatever was said before, and in whatever order it is read."""
    cast = [vote("a", "n", at=2), vote("a", "y", at=3), vote("a", "n", at=1)]

    assert tally(cast) == {"t": {"a": True}}


def test_withdrawn_does_not_count():
    """The answer before it counts again."""
    cast = [vote("a", "n", at=1), vote("a", "y", at=2, withdrawn=True)]

    assert tally(cast) == {"t": {"a": False}}
    assert tally(cast[1:]) == {}


def test_abstaining_takes_an_answer_back():
    """The task stays, with nobody's answer."""
    assert tally([vote("a", "y", at=1), vote("a", "-", at=2)]) == {"t": {}}


def test_two_answers_of_a_moment_are_none():
    """Nobody can tell which was meant."""
    assert tally([vote("a", "y"), vote("a", "n")]) == {"t": {}}
    assert tally([vote("a", "y"), vote("a", "y")]) == {"t": {"a": True}}


@given(VOTES, st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_order_of_votes_means_nothing(cast, source):
    """Times decide, not the order of lines; nobody is counted twice on a task."""
    shuffled = list(cast)
    source.shuffle(shuffled)

    standing = last_votes(cast)
    assert tally(shuffled) == tally(cast)
    assert list(tally(shuffled)) == list(tally(cast))
    said = [it for it in standing if it.answer is not VoteAnswer.ABSTAIN]
    again = [it for it in last_votes(shuffled) if it.answer is not VoteAnswer.ABSTAIN]
    assert again == said
    pairs = [(it.task, it.rater) for it in standing]
    assert len(pairs) == len(set(pairs))


def test_bloc_counts_once():
    """As most of its accounts say; if they are divided it says nothing."""
    bloc_of = {"a": "a", "b": "a", "c": "a", "d": "d", "e": "d"}

    said = together({"a": True, "b": True, "c": False, "d": True, "e": False}, bloc_of)
    assert said == {"a": True}
    assert together({"z": True, "x": False}, {}) == {"z": True, "x": False}
