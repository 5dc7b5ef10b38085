"""A candidate's state is a function of the answers, in whatever order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.graph.candidates import Candidate, CandidateState, Lane, Priority
from festinger.core.graph.proposal import StatementSource, Triple
from festinger.core.validation.fitting import RaterSkill
from festinger.core.validation.lifecycle import CandidateStanding, stand, tally_of, told
from festinger.core.validation.reputation import Reputation, Reputations
from festinger.core.validation.votes import EventResponse, ValidationEvent, VoterRole

PENDING, CONFIRMED = CandidateState.PENDING, CandidateState.CONFIRMED
REJECTED = CandidateState.REJECTED
NEWCOMERS = Reputations()
CANDIDATE = Candidate(
    id=1,
    state=PENDING,
    triple=Triple("alice", "chess_club", "joined", False),
    confidence=0.36,
    source=StatementSource.EXTRACTED,
    rule="proposed",
    reason="only_proposed",
    proposer="microllm",
    author="alice",
    subject="",
    evidence="I joined the Chess Club",
    statements=1,
    created=0.0,
    cid="bcandidate",
)
ROLES = {
    "alice": VoterRole.AUTHOR,
    "mona": VoterRole.MODERATOR,
    "max": VoterRole.MODERATOR,
}
WORDS = {
    "yes": EventResponse.CONFIRMED,
    "no": EventResponse.REJECTED,
    "abstain": EventResponse.ABSTAIN,
    "back": EventResponse.WITHDRAWN,
}


def said(*answers: str) -> list[ValidationEvent]:
    """Events of answers such as `alice yes`, one after the other."""
    events = []
    for number, answer in enumerate(answers):
        who, word = answer.split()
        events.append(event(who, WORDS[word], float(number)))
    return events


def event(who: str, response: EventResponse, created: float) -> ValidationEvent:
    """Return an answer; as whom follows from the name."""
    return ValidationEvent(
        candidate_id=1,
        candidate_cid="bcandidate",
        proposer="microllm",
        responder=who,
        role=ROLES.get(who, VoterRole.COMMUNITY),
        response=response,
        before_visible=True,
        created=created,
    )


def known(**skills: tuple[float, float]) -> Reputations:
    """Raters of whom enough is known, by how good they are at yes and at no."""
    return Reputations(
        {
            name: Reputation(RaterSkill(*skill), 20, 20, name)
            for name, skill in skills.items()
        }
    )


@pytest.mark.parametrize(
    ("answers", "state", "rule", "decider"),
    [
        (["alice yes"], CONFIRMED, "author", "alice"),
        (["alice no"], REJECTED, "author", "alice"),
        (["bob yes"], PENDING, "", ""),
        (["bob yes", "bob yes"], PENDING, "", ""),
        (["bob yes", "carol yes"], CONFIRMED, "two_distinct", "bob, carol"),
        (["bob no", "carol no"], REJECTED, "two_distinct", "bob, carol"),
        (["alice no", "bob yes", "carol yes"], REJECTED, "author", "alice"),
        (["mona no", "bob yes", "carol yes"], REJECTED, "moderator", "mona"),
        (["mona yes", "alice no"], CONFIRMED, "moderator", "mona"),
        (["bob yes", "carol yes", "bob back"], PENDING, "", ""),
        (["bob yes", "carol yes", "bob no"], PENDING, "", ""),
        (["alice yes", "alice abstain"], PENDING, "", ""),
        (["alice no", "alice yes", "alice back"], REJECTED, "author", "alice"),
        (["alice back"], PENDING, "", ""),
    ],
)
def test_rules_of_the_specification(answers, state, rule, decider):
    """The author, two distinct, a moderator; what was taken back is not there."""
    standing = stand(CANDIDATE, said(*answers), NEWCOMERS)

    assert (standing.state, standing.rule, standing.decider) == (state, rule, decider)


def test_author_against_the_community_is_a_belief():
    """It is held as theirs, at the specification's confidence, and a moderator looks."""
    standing = stand(CANDIDATE, said("alice yes", "bob no", "carol no"), NEWCOMERS)

    assert standing.state is CONFIRMED
    assert (standing.belief, standing.flagged) == (True, True)
    assert (standing.rule, standing.confidence) == ("author_against_community", 0.95)


def test_moderators_who_differ_leave_it_open():
    """It waits for moderators, with a flag."""
    standing = stand(CANDIDATE, said("mona yes", "max no"), NEWCOMERS)

    assert (standing.state, standing.lane) == (PENDING, Lane.MODERATOR)
    assert standing.flagged


@pytest.mark.parametrize(
    ("answers", "state"),
    [
        (["alice yes"], PENDING),
        (["bob yes", "carol yes"], PENDING),
        (["alice no"], REJECTED),
        (["mona yes"], CONFIRMED),
    ],
)
def test_what_hurts_is_held_by_moderators_only(answers, state):
    """Of a critical candidate nobody else makes a fact; anybody keeps it from being one."""
    critical = replace(CANDIDATE, priority=Priority.CRITICAL)

    standing = stand(critical, said(*answers), NEWCOMERS)

    assert standing.state is state
    assert standing.flagged == (state is PENDING)


def test_open_breaker_leaves_it_to_moderators():
    """Answers of others are stored and leave it where it is, decided or not."""
    answers = said("bob yes", "carol yes")
    decided = replace(
        CANDIDATE, state=REJECTED, decision_rule="author", decider="alice"
    )

    waiting = stand(CANDIDATE, answers, NEWCOMERS, breaker_open=True)
    left = stand(decided, answers, NEWCOMERS, breaker_open=True)
    moderated = stand(
        CANDIDATE, [*answers, *said("mona no")], NEWCOMERS, breaker_open=True
    )

    assert (waiting.state, waiting.lane) == (PENDING, Lane.MODERATOR)
    assert (left.state, left.rule, left.decision) == (REJECTED, "author", None)
    assert moderated.state is REJECTED


def test_known_voters_decide_by_what_their_answers_are_worth():
    """One who says yes to everything does not make two; a good one outweighs two bad."""
    reputations = known(bob=(0.99, 0.02), carol=(0.95, 0.95), dave=(0.9, 0.95))

    lazy = stand(CANDIDATE, said("bob yes", "carol yes"), reputations)
    good = stand(CANDIDATE, said("dave yes", "carol yes"), reputations)

    assert lazy.state is PENDING
    assert (good.state, good.rule) == (CONFIRMED, "posterior")
    assert good.posterior is not None
    assert 0.9 <= good.confidence <= 0.95


def test_votes_in_words():
    """As a moderator reads them where a confirmed statement collides."""
    answers = said("alice yes", "bob yes", "carol no", "dave abstain")

    tally = tally_of(CANDIDATE, answers, NEWCOMERS)

    assert told(answers, NEWCOMERS) == "yes: alice (author), bob; no: carol"
    assert (tally.confirmed, tally.rejected, tally.abstained) == (2, 1, 1)
    assert tally.together == ()


def test_votes_that_count_as_one_are_named():
    """
    A person who was counted together is told with the votes; one who did not vote is
    not.
    """
    ring = {
        name: Reputation(RaterSkill(0.9, 0.9), 20, 20, "bob")
        for name in ("bob", "carol", "erin")
    }
    answers = said("bob yes", "carol yes", "dave no", "erin abstain")

    tally = tally_of(CANDIDATE, answers, Reputations(ring))

    assert tally.together == ("bob, carol",)
    assert (
        told(answers, Reputations(ring))
        == "yes: bob, carol; no: dave; count as one: bob, carol"
    )


PEOPLE = st.sampled_from(["alice", "bob", "carol", "dave", "erin", "mona", "max"])
ANSWERS = st.lists(st.tuples(PEOPLE, st.sampled_from(list(EventResponse))), max_size=14)
REPUTATIONS = st.one_of(
    st.just(NEWCOMERS),
    st.fixed_dictionaries(
        {
            name: st.builds(
                Reputation,
                st.builds(RaterSkill, st.floats(0.05, 0.95), st.floats(0.05, 0.95)),
                st.integers(0, 30),
                st.integers(0, 30),
                st.sampled_from([name, "erin"]),
            )
            for name in ("bob", "carol", "dave", "erin")
        }
    ).map(Reputations),
)
CANDIDATES = st.builds(
    lambda priority, author: replace(CANDIDATE, priority=priority, author=author),
    st.sampled_from(list(Priority)),
    st.sampled_from(["alice", ""]),
)


def events_of(answers):
    """Return the events of answers, in their order."""
    return [
        event(who, response, float(number))
        for number, (who, response) in enumerate(answers)
    ]


def final(standing: CandidateStanding) -> tuple[Any, ...]:
    """Return all of it that anybody sees."""
    return (
        standing.state,
        standing.rule,
        standing.deciders,
        standing.belief,
        standing.flagged,
        None if standing.posterior is None else round(standing.posterior, 9),
        round(standing.confidence, 9),
    )


@given(CANDIDATES, ANSWERS, REPUTATIONS, st.randoms(use_true_random=False))
def test_order_of_voters_means_nothing(candidate, answers, reputations, random):
    """However the voters come in between each other, it ends where it ends."""
    by_voter: dict[str, list[tuple[str, EventResponse]]] = {}
    for who, response in answers:
        by_voter.setdefault(who, []).append((who, response))
    queues = [list(queue) for queue in by_voter.values()]
    mixed = []
    while queues:
        queue = random.choice(queues)
        mixed.append(queue.pop(0))
        queues = [each for each in queues if each]

    one = stand(candidate, events_of(answers), reputations)
    other = stand(candidate, events_of(mixed), reputations)

    assert final(one) == final(other)


@given(CANDIDATES, ANSWERS, REPUTATIONS, st.booleans())
def test_nothing_is_decided_without_its_rule(candidate, answers, reputations, breaker):
    """Each state has who decided and by what, and only theirs."""
    events = events_of(answers)
    tally = tally_of(candidate, events, reputations)

    standing = stand(candidate, events, reputations, breaker_open=breaker)

    if standing.state is PENDING:
        assert (standing.rule, standing.deciders) == ("", ())
        assert not standing.belief
        return
    assert standing.rule
    assert standing.deciders
    roles = {ROLES.get(each, VoterRole.COMMUNITY) for each in standing.deciders}
    if breaker or (
        candidate.priority is Priority.CRITICAL and standing.state is CONFIRMED
    ):
        assert roles == {VoterRole.MODERATOR}
    if standing.rule == "moderator":
        assert roles == {VoterRole.MODERATOR}
    elif standing.rule.startswith("author"):
        assert standing.deciders == ("alice",)
    else:
        assert roles == {VoterRole.COMMUNITY}
        assert len(set(standing.deciders)) >= 2
        assert (tally.confirmed if standing.state is CONFIRMED else tally.rejected) >= 2
    assert standing.belief == (standing.rule == "author_against_community")
    assert standing.belief <= standing.flagged


@given(ANSWERS, PEOPLE, st.integers(2, 5))
def test_nobody_counts_twice(answers, who, times):
    """Saying the same again and again changes nothing."""
    once = [*answers, (who, EventResponse.CONFIRMED)]
    often = [*answers, *[(who, EventResponse.CONFIRMED)] * times]

    assert final(stand(CANDIDATE, events_of(once), NEWCOMERS)) == final(
        stand(CANDIDATE, events_of(often), NEWCOMERS)
    )


@given(
    ANSWERS, PEOPLE, st.sampled_from([EventResponse.CONFIRMED, EventResponse.REJECTED])
)
def test_what_is_withdrawn_was_never_said(answers, who, response):
    """An answer and its withdrawal leave everything as it was."""
    later = [*answers, (who, response), (who, EventResponse.WITHDRAWN)]

    assert final(stand(CANDIDATE, events_of(answers), NEWCOMERS)) == final(
        stand(CANDIDATE, events_of(later), NEWCOMERS)
    )
