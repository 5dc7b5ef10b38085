from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from festinger.core.validation.decision import (
    VOTERS_MAX,
    CandidateVerdict,
    DecisionRule,
    by_community,
    decide,
)
from festinger.core.validation.fitting import RaterSkill
from festinger.core.validation.reputation import Reputation, Reputations
from festinger.core.validation.votes import VoterRole
from tests.core.validation.crowds import author, known, moderator, vote, votes

NOBODY = Reputations()
SKILLS = st.builds(
    lambda yes, told: RaterSkill(yes, min(0.999, 1.0 - yes + told)),
    st.floats(0.01, 0.99),
    st.floats(0.0, 0.9),
)
REPUTATIONS = st.dictionaries(
    st.sampled_from("abcdef"),
    st.builds(
        Reputation,
        skill=SKILLS,
        of_true=st.integers(0, 20),
        of_false=st.integers(0, 20),
        bloc=st.just(""),
    ),
).map(
    lambda of: Reputations(
        {it: Reputation(e.skill, e.of_true, e.of_false, it) for it, e in of.items()},
        0.4,
    )
)
ANSWERS = st.dictionaries(st.sampled_from("abcdef"), st.booleans())


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("", CandidateVerdict.ASK_PEOPLE),
        ("y", CandidateVerdict.ASK_PEOPLE),
        ("n", CandidateVerdict.ASK_PEOPLE),
        ("yn", CandidateVerdict.ASK_PEOPLE),
        ("y-", CandidateVerdict.ASK_PEOPLE),
        ("----", CandidateVerdict.ASK_PEOPLE),
        ("yy", CandidateVerdict.CONFIRMED),
        ("nn", CandidateVerdict.REJECTED),
        ("yyn", CandidateVerdict.CONFIRMED),
        ("nyn", CandidateVerdict.REJECTED),
        ("yynn", CandidateVerdict.ASK_PEOPLE),
        ("yyynnn", CandidateVerdict.ASK_PEOPLE),
        ("yyyynnnn", CandidateVerdict.ASK_MODERATOR),
    ],
)
def test_at_first_two_distinct_votes_decide(said, verdict):
    """As long as nothing is known of the voters: two of the same, and a majority."""
    decision = decide(votes(said), NOBODY)

    assert decision.verdict is verdict
    enough = max(said.count("y"), said.count("n")) >= 2
    assert decision.rule is (
        DecisionRule.TWO_DISTINCT if enough else DecisionRule.TOO_FEW
    )
    assert len(decision.used) == len(said.replace("-", ""))


def test_one_principal_is_one_vote():
    """However often they answer."""
    cast = [vote("a", at=at) for at in range(5)]

    assert decide(cast, NOBODY).rule is DecisionRule.TOO_FEW


@pytest.mark.parametrize(
    ("cast", "verdict", "rule"),
    [
        ([author("y")], CandidateVerdict.CONFIRMED, DecisionRule.AUTHOR),
        ([author("n")], CandidateVerdict.REJECTED, DecisionRule.AUTHOR),
        ([author("-")], CandidateVerdict.ASK_PEOPLE, DecisionRule.TOO_FEW),
        (
            [author("-"), *votes("yy")],
            CandidateVerdict.CONFIRMED,
            DecisionRule.TWO_DISTINCT,
        ),
        ([author("y"), *votes("yy")], CandidateVerdict.CONFIRMED, DecisionRule.AUTHOR),
        ([author("y"), *votes("n")], CandidateVerdict.CONFIRMED, DecisionRule.AUTHOR),
        (
            [author("y"), *votes("nn")],
            CandidateVerdict.BELIEF,
            DecisionRule.AUTHOR_AGAINST_COMMUNITY,
        ),
        ([author("n"), *votes("yyyy")], CandidateVerdict.REJECTED, DecisionRule.AUTHOR),
        (
            [moderator("n"), author("y")],
            CandidateVerdict.REJECTED,
            DecisionRule.MODERATOR,
        ),
        (
            [moderator("y"), *votes("nnn")],
            CandidateVerdict.CONFIRMED,
            DecisionRule.MODERATOR,
        ),
        (
            [moderator("-"), *votes("nn")],
            CandidateVerdict.REJECTED,
            DecisionRule.TWO_DISTINCT,
        ),
        (
            [moderator("y"), moderator("n", "max"), author("y")],
            CandidateVerdict.ASK_MODERATOR,
            DecisionRule.MODERATORS_DIFFER,
        ),
    ],
)
def test_who_has_the_last_word(cast, verdict, rule):
    """
    Moderators, then the author, then the community; against it an author's word is a
    belief, which a moderator looks at.
    """
    decision = decide(cast, NOBODY)

    assert (decision.verdict, decision.rule) == (verdict, rule)
    assert decision.flagged is (verdict is CandidateVerdict.BELIEF)
    if rule is not DecisionRule.TWO_DISTINCT:
        held = verdict in {CandidateVerdict.CONFIRMED, CandidateVerdict.BELIEF}
        assert decision.confidence == (0.95 if held else 0.0)
    last = (
        VoterRole.MODERATOR if cast[0].role is VoterRole.MODERATOR else VoterRole.AUTHOR
    )
    spoke = [it.rater for it in cast if it.role is last and it.answer != "abstain"]
    assert decision.by == tuple(sorted(spoke))


def test_proposer_does_not_vote():
    """The proposer is no second voice."""
    assert decide(votes("yy"), NOBODY, proposer="r0").rule is DecisionRule.TOO_FEW


def test_proposer_does_not_vote_by_another_account():
    """Nor does one that always votes as they do."""
    twin = Reputation(RaterSkill(0.8, 0.8), 9, 9, "boss")
    both = Reputations({"boss": twin, "r0": twin})

    assert len(decide(votes("yy"), both, proposer="boss").used) == 1


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("y", CandidateVerdict.ASK_PEOPLE),
        ("yy", CandidateVerdict.CONFIRMED),
        ("nn", CandidateVerdict.REJECTED),
        ("yyn", CandidateVerdict.ASK_PEOPLE),
        ("yyyn", CandidateVerdict.CONFIRMED),
        ("yyyynnn", CandidateVerdict.ASK_MODERATOR),
    ],
)
def test_who_is_known_weighs_what_they_are_worth(said, verdict):
    """From 0.9 it is confirmed, up to 0.1 rejected; else more are asked, then a moderator."""
    decision = decide(votes(said), known(*(f"r{at}" for at in range(7))))

    assert decision.verdict is verdict
    assert len(said) < VOTERS_MAX or verdict is CandidateVerdict.ASK_MODERATOR


def test_posterior_is_the_sum_of_what_is_known():
    """Two good ones outweigh three who are hardly better than chance."""
    good, poor = known("a", "b", yes=0.9, no=0.9), known("c", "d", "e", yes=0.6, no=0.6)
    both = Reputations({**good.of, **poor.of}, 0.5)

    found = by_community(
        {"a": True, "b": True, "c": False, "d": False, "e": False}, both
    )

    odds = 9 * 9 / 1.5**3
    assert found.posterior == pytest.approx(odds / (1 + odds))
    assert (found.verdict, found.rule) == (
        CandidateVerdict.CONFIRMED,
        DecisionRule.POSTERIOR,
    )


def test_one_is_never_enough():
    """However good, and though somebody who says yes to everything agrees."""
    best, other = known("a", yes=0.99, no=0.99), known("b", yes=0.98, no=0.03)
    both = Reputations({**best.of, **other.of}, 0.5)

    found = by_community({"a": True, "b": True}, both)

    assert found.posterior > 0.9
    assert (found.verdict, found.rule) == (
        CandidateVerdict.ASK_PEOPLE,
        DecisionRule.TOO_FEW,
    )


def test_newcomers_do_not_overrule_the_known():
    """Three of whom nothing is known against two good ones: more people are asked."""
    good = known("a", "b", yes=0.95, no=0.95)
    said = {"a": False, "b": False, "new1": True, "new2": True, "new3": True}

    found = by_community(said, good)

    assert (found.verdict, found.rule) == (
        CandidateVerdict.ASK_PEOPLE,
        DecisionRule.TWO_DISTINCT,
    )


def test_critical_leaves_the_low_out():
    """A person who says yes to everything does not count at all there."""
    low = known("r0", "r1", "r2", yes=0.95, no=0.1, prior=0.95)

    usual, critical = (decide(votes("yyy"), low, critical=it) for it in (False, True))

    assert len(usual.used) == 3
    assert usual.rule is critical.rule is DecisionRule.TOO_FEW
    assert critical.used == ()


def test_yes_sayers_send_nobody_to_a_moderator():
    """However many have answered, people are asked who may know."""
    low = known(*(f"r{at}" for at in range(9)), yes=0.98, no=0.03)
    both = Reputations({**low.of, **known("ann").of})

    decision = decide([*votes("yyyyyyyyy"), vote("ann")], both)

    assert (decision.verdict, decision.rule) == (
        CandidateVerdict.ASK_PEOPLE,
        DecisionRule.TOO_FEW,
    )


def test_bloc_is_one_voter():
    """Five accounts that always vote alike do not make two distinct votes."""
    of = {f"r{at}": Reputation(RaterSkill(0.8, 0.8), 9, 9, "r0") for at in range(5)}

    decision = decide(votes("yyyyy"), Reputations(of))

    assert [(it.rater, it.accounts) for it in decision.used] == [("r0", 5)]
    assert decision.rule is DecisionRule.TOO_FEW


@pytest.mark.parametrize("wary", [True, False])
def test_where_a_bloc_answers_dissent_counts_more(wary):
    """
    Six good ones against three: decided, unless one of the six is of a bloc, of which
    others may be among them.
    """
    good = known(*(f"r{at}" for at in range(9)), yes=0.9, no=0.9).of
    if wary:
        good["r0"] = Reputation(RaterSkill(0.9, 0.9), 9, 9, "ring")
        good["ring"] = Reputation(RaterSkill(0.9, 0.9), 9, 9, "ring")

    decision = decide(votes("yyyyyynnn"), Reputations(good))

    assert decision.verdict is (
        CandidateVerdict.ASK_MODERATOR if wary else CandidateVerdict.CONFIRMED
    )
    assert decision.posterior == pytest.approx(0.5 if wary else 0.9986, abs=1e-4)


@given(ANSWERS, REPUTATIONS)
@settings(max_examples=100)
def test_another_yes_never_makes_it_less_probable(answers, reputations):
    """Nor another no more probable, whoever says it and whatever is known of them."""
    before = by_community(answers, reputations).posterior

    more = by_community(answers | {"g": True}, reputations).posterior
    less = by_community(answers | {"g": False}, reputations).posterior
    assert less < before < more or before in (0.0, 1.0)
    for rater in set("abcdef") - answers.keys():
        assert by_community(answers | {rater: True}, reputations).posterior >= before
        assert by_community(answers | {rater: False}, reputations).posterior <= before


@given(ANSWERS, REPUTATIONS, st.booleans())
@settings(max_examples=100)
def test_a_decision_has_two_voters_and_its_reasons(answers, reputations, critical):
    """Nobody is counted twice, two stand behind what is decided, and it says who."""
    found = by_community(answers, reputations, critical=critical)

    assert len({it.rater for it in found.used}) == len(found.used) <= len(answers)
    assert (found.confidence > 0.0) is (found.verdict is CandidateVerdict.CONFIRMED)
    if found.verdict in {CandidateVerdict.CONFIRMED, CandidateVerdict.REJECTED}:
        yes = found.verdict is CandidateVerdict.CONFIRMED
        assert sum(it.yes is yes for it in found.used) >= 2
        if found.rule is DecisionRule.POSTERIOR:
            assert found.posterior >= 0.9 if yes else found.posterior <= 0.1


@given(st.permutations([*votes("yynyn"), author("y"), vote("r0", "n", at=1.0)]))
@settings(max_examples=50)
def test_order_means_nothing(cast):
    """Only who voted last does."""
    assert decide(cast, NOBODY) == decide(sorted(cast, key=lambda it: it.rater), NOBODY)
    assert {it.role for it in cast} == {VoterRole.AUTHOR, VoterRole.COMMUNITY}
