"""Thanks for answering, which weigh nothing."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.validation.decision import decide
from festinger.core.validation.karma import (
    AFFIRMED,
    CONFIRMED,
    PREVENTED,
    REJECTED,
    DecidedCandidate,
    karma,
)
from festinger.core.validation.reputation import Reputations
from festinger.core.validation.votes import VoteAnswer, VoterRole
from tests.core.validation.crowds import vote

TRUE = DecidedCandidate("t", True, confidence=0.36)
FALSE = DecidedCandidate("t", False, confidence=0.36, saliency=1.5)


@pytest.mark.parametrize(
    ("decided", "said", "role", "earned"),
    [
        (TRUE, "y", VoterRole.COMMUNITY, CONFIRMED),
        (TRUE, "n", VoterRole.COMMUNITY, 0.0),
        (TRUE, "-", VoterRole.COMMUNITY, 0.0),
        (FALSE, "n", VoterRole.COMMUNITY, REJECTED + PREVENTED * 2.5),
        (FALSE, "y", VoterRole.COMMUNITY, 0.0),
        # A machine that was sure of it did not merely guess.
        (replace(FALSE, confidence=0.8), "n", VoterRole.COMMUNITY, REJECTED),
        # No concept is more important than one met ten thousand times.
        (
            replace(FALSE, saliency=9.0),
            "n",
            VoterRole.COMMUNITY,
            REJECTED + PREVENTED * 5,
        ),
        # Authors stand by their own words for nothing.
        (TRUE, "y", VoterRole.AUTHOR, 0.0),
        (FALSE, "n", VoterRole.AUTHOR, 0.0),
        (replace(TRUE, by_hand=True), "y", VoterRole.AUTHOR, AFFIRMED),
        (TRUE, "y", VoterRole.MODERATOR, 0.0),
        (FALSE, "n", VoterRole.MODERATOR, 0.0),
    ],
)
def test_what_an_answer_earns(decided, said, role, earned):
    """By what became of it, what the machine relied on, and as whom it was given."""
    assert karma([decided], [vote("ann", said, role=role)]) == {"ann": earned}


def test_late_answers_earn_nothing():
    """Whoever saw the outcome could only agree."""
    assert karma([TRUE], [vote("ann", before_visible=False)]) == {}


def test_last_answer_counts_once():
    """Whoever changes their mind earns by what they said last."""
    said = [vote("ann", "n", 1.0), vote("ann", "y", 2.0), vote("ann", "y", 3.0)]

    assert karma([TRUE], said) == {"ann": CONFIRMED}


def test_accounts_that_count_as_one_share():
    """A hundred accounts of one script earn as one."""
    said = [vote(f"bot{at}") for at in range(4)]
    blocs = {f"bot{at}": "bot0" for at in range(4)}

    earned = karma([TRUE], said, blocs)

    assert earned == {f"bot{at}": CONFIRMED / 4 for at in range(4)}


@given(
    st.lists(
        st.tuples(
            st.sampled_from("tuv"), st.sampled_from("abc"), st.sampled_from("yn-")
        ),
        max_size=20,
    ),
    st.randoms(use_true_random=False),
)
def test_order_means_nothing(said, source):
    """Nor does a vote on what is not decided."""
    votes = [vote(who, it, at, task) for at, (task, who, it) in enumerate(said)]
    shuffled = list(votes)
    source.shuffle(shuffled)
    decided = [TRUE, replace(FALSE, task="u")]

    earned = karma(decided, votes)

    assert karma(reversed(decided), shuffled) == earned
    assert all(it >= 0.0 for it in earned.values())


def test_karma_weighs_no_vote():
    """A decision is given reputations and votes; karma is in neither."""
    source = random.Random(1)
    votes = [vote(f"r{at}", source.choice("yn")) for at in range(6)]

    fields = {*Reputations.__slots__, *type(votes[0]).__slots__}

    assert "karma" not in fields
    assert decide(votes, Reputations()) == decide(votes, Reputations())
    assert VoteAnswer.YES in {it.answer for it in votes}
