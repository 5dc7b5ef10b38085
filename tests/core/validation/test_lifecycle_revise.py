from __future__ import annotations

from dataclasses import replace

import pytest

from festinger.core.graph.candidates import (
    WEIGHED_ANEW,
    Candidate,
    CandidateState,
    Lane,
)
from festinger.core.graph.proposal import StatementSource, Triple
from festinger.core.validation.decision import DecisionRule
from festinger.core.validation.fitting import RaterSkill
from festinger.core.validation.lifecycle import revise
from festinger.core.validation.reputation import Reputation, Reputations
from festinger.core.validation.votes import EventResponse, ValidationEvent, VoterRole

CONFIRMED = Candidate(
    id=1,
    state=CandidateState.CONFIRMED,
    triple=Triple("alice", "chess_club", "joined", False),
    confidence=0.36,
    source=StatementSource.EXTRACTED,
    rule="proposed",
    reason="",
    proposer="microllm",
    author="alice",
    subject="",
    evidence="",
    statements=1,
    created=0.0,
    decision_rule=DecisionRule.TWO_DISTINCT,
)
WITHDRAWN = replace(CONFIRMED, state=CandidateState.PENDING, decision_rule=WEIGHED_ANEW)


def said(*answers: str) -> list[ValidationEvent]:
    """Answer such as `bob yes`, in this order."""
    return [
        ValidationEvent(
            1,
            "",
            "microllm",
            rater,
            VoterRole.COMMUNITY,
            EventResponse.CONFIRMED if answer == "yes" else EventResponse.REJECTED,
            before_visible=True,
            created=float(at),
        )
        for at, (rater, answer) in enumerate(each.split() for each in answers)
    ]


def known(*raters: str, bloc: str = "") -> Reputations:
    """Raters such as `bob 0.8`, who are right so often; the first two may be a bloc."""
    of = {}
    for at, (rater, right) in enumerate(each.split() for each in raters):
        skill = RaterSkill(float(right), float(right))
        of[rater] = Reputation(skill, 20, 20, bloc if bloc and at < 2 else rater)
    return Reputations(of, 0.5)


@pytest.mark.parametrize(
    ("raters", "answers", "is_withdrawn"),
    [
        # It would be confirmed now as well.
        (["bob 0.9", "cem 0.9"], ["bob yes", "cem yes"], False),
        # It would not (.80), but still is likely: weights change every night.
        (["bob 0.67", "cem 0.67"], ["bob yes", "cem yes"], False),
        # Who denied it is believed more.
        (["bob 0.6", "cem 0.6", "dan 0.9"], ["bob yes", "cem yes", "dan no"], True),
        # Nobody of a low reputation counts as one of the two who are needed.
        (["bob 0.51", "cem 0.9"], ["bob yes", "cem yes"], True),
    ],
)
def test_confirmation_without_grounds_is_withdrawn(raters, answers, is_withdrawn):
    """A candidate less likely than not, or with one vote, waits for a moderator."""
    standing = revise(CONFIRMED, said(*answers), known(*raters))

    assert (standing is not None) == is_withdrawn
    if standing:
        assert standing.state is CandidateState.PENDING
        assert (standing.rule, standing.lane) == (WEIGHED_ANEW, Lane.MODERATOR)
        assert standing.flagged


def test_more_is_needed_beside_a_bloc():
    """The same likelihood (.80) is not enough where accounts of a bloc have answered."""
    raters = ("bob 0.67", "cem 0.67", "dan 0.67")
    answers = said("bob yes", "cem yes", "dan yes")

    assert revise(CONFIRMED, answers, known(*raters)) is None
    standing = revise(CONFIRMED, answers, known(*raters, bloc="bob"))
    assert standing is not None
    assert standing.posterior == pytest.approx(0.8, abs=0.01)


def test_grounds_that_are_back_confirm_again():
    """A later night may find what was withdrawn well founded, and nothing less does."""
    answers = said("bob yes", "cem yes")

    assert revise(WITHDRAWN, answers, known("bob 0.67", "cem 0.67")) is None
    standing = revise(WITHDRAWN, answers, known("bob 0.9", "cem 0.9"))
    assert standing is not None
    assert standing.state is CandidateState.CONFIRMED


@pytest.mark.parametrize(
    "candidate",
    [
        replace(CONFIRMED, decision_rule=DecisionRule.MODERATOR),
        replace(CONFIRMED, decision_rule=DecisionRule.AUTHOR),
        replace(CONFIRMED, state=CandidateState.REJECTED),
        replace(CONFIRMED, state=CandidateState.PENDING, decision_rule=""),
        replace(WITHDRAWN, state=CandidateState.EXPIRED),
    ],
    ids=lambda it: f"{it.state} {it.decision_rule}",
)
@pytest.mark.parametrize("right", ["0.9", "0.51"])
def test_only_confirmations_by_votes_are_revised(candidate, right):
    """A decision of moderators or authors, or one that is not held, stays as it is."""
    raters = known(f"bob {right}", f"cem {right}")

    assert revise(candidate, said("bob yes", "cem yes"), raters) is None
