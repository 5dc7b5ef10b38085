"""Routing: who is asked, how urgently, and until when."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.graph.candidates import Lane, Priority
from festinger.core.graph.proposal import (
    CandidateDetails,
    Evidence,
    Proposal,
    StatementSource,
    Triple,
)
from festinger.core.validation.policy import (
    TTL_SECONDS,
    Person,
    ValidationPolicy,
    in_pilot,
    share_of,
)
from festinger.core.validation.routing import QuestionRoute, route

NOW = 1_700_000_000.0
REACHABLE = Person({"matrix": "@alice:example.org"})
POLICY = ValidationPolicy(people={"alice": REACHABLE, "mo": Person(moderator=True)})


def _proposal(
    parent: str = "chess_club",
    *,
    dimension: str = "joined",
    author: str = "alice",
    proposer: str = "scanner",
    sentence: str = "",
    priority: str = "",
    justification: str = "",
) -> Proposal:
    return Proposal(
        Triple("alice", parent, dimension, False),
        confidence=0.5,
        source=StatementSource.INFERRED,
        principal=author,
        proposer=proposer,
        evidence=Evidence(sentence),
        candidacy=CandidateDetails(priority=priority, justification=justification),
    )


def _route(
    proposal: Proposal, policy: ValidationPolicy = POLICY, **changed: Any
) -> QuestionRoute:
    arguments: dict[str, Any] = {
        "predicate": "t:joined",
        "contradicts": "",
        "breaker_open": False,
    }
    return route(proposal, policy=policy, now=NOW, **(arguments | changed))


def test_an_author_who_can_be_reached_is_asked():
    """A statement from somebody's text is asked of them, for two days."""
    assert _route(_proposal()) == QuestionRoute(
        Lane.AUTHOR, Priority.NORMAL, False, NOW + 48 * 3600
    )


@pytest.mark.parametrize("author", ["bob", "mo", ""])
def test_an_author_who_cannot_be_reached_leaves_it_to_the_community(author):
    """Without an account on any platform nobody can be asked in person."""
    assert _route(_proposal(author=author)).lane is Lane.COMMUNITY


def test_who_proposed_it_is_not_asked_as_its_author():
    """Proposer and approver are different principals."""
    assert _route(_proposal(proposer="alice")).lane is Lane.COMMUNITY


@pytest.mark.parametrize(
    "proposal",
    [
        _proposal("moderator"),
        _proposal("phishing_crew"),
        _proposal(dimension="harasses"),
        _proposal(sentence="She said she would kill herself and joined the club."),
        _proposal(priority="critical"),
    ],
)
def test_what_is_critical_goes_to_moderators_within_minutes(proposal):
    """Security, moderation and safety are for moderators, whoever wrote it."""
    assert _route(proposal) == QuestionRoute(
        Lane.MODERATOR, Priority.CRITICAL, False, NOW + 15 * 60
    )


@pytest.mark.parametrize(
    "proposal",
    [
        _proposal(sentence="I joined, write to alice@example.org"),
        _proposal(dimension="salary"),
        _proposal("catholic_church"),
        _proposal(justification="her phone is +49 30 1234567"),
    ],
)
def test_what_is_private_goes_to_moderators(proposal):
    """Neither its author nor a channel is shown what is private."""
    found = _route(proposal)

    assert (found.lane, found.sensitive) == (Lane.MODERATOR, True)


def test_a_contradicted_fact_that_is_private_makes_it_private():
    """The held fact is told in the question, so it counts."""
    assert _route(_proposal(), contradicts="alice@example.org").sensitive


def test_after_too_many_reversals_moderators_decide():
    """While the circuit breaker is open nobody else is asked."""
    assert _route(_proposal(), breaker_open=True).lane is Lane.MODERATOR


def test_standing_makes_it_urgent():
    """
    A statement by a person of standing is asked about within hours, if not within
    minutes.
    """
    policy = replace(POLICY, people={"alice": replace(REACHABLE, high=True)})

    assert _route(_proposal(priority="low"), policy).priority is Priority.HIGH
    assert _route(_proposal("moderator"), policy).priority is Priority.CRITICAL


@pytest.mark.parametrize("priority", Priority)
def test_the_deadline_goes_by_the_priority(priority):
    """Fifteen minutes, two hours, two days."""
    found = _route(_proposal(priority=priority))

    assert found.expires == NOW + TTL_SECONDS[priority]


def test_outside_the_pilot_it_waits_for_as_long_as_it_takes():
    """Of other predicates nobody is asked, and nothing expires."""
    assert _route(_proposal(), predicate="t:likes").expires is None
    assert _route(_proposal(), predicate="").expires is None


def test_a_star_stands_for_every_predicate():
    """Even for one that nobody named."""
    policy = replace(POLICY, predicates=("*",))

    assert _route(_proposal(), policy, predicate="").expires is not None


@given(st.text(max_size=20), st.floats(0, 1), st.floats(0, 1))
def test_who_is_in_stays_in_when_the_share_grows(author, one, other):
    """A rollout never takes back whom it reached."""
    less, more = (replace(POLICY, share=each) for each in sorted((one, other)))

    assert in_pilot("t:joined", author, less) <= in_pilot("t:joined", author, more)


def test_a_tenth_is_about_a_tenth():
    """The share of authors is what was asked for."""
    policy = replace(POLICY, share=0.1)
    inside = sum(in_pilot("t:joined", f"user{n}", policy) for n in range(5000))

    assert 400 < inside < 600


@given(st.lists(st.text(max_size=5), max_size=3))
def test_a_share_is_below_one(names):
    """So that a share of one is everybody, and of none nobody."""
    assert 0.0 <= share_of(*names) < 1.0
