from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from festinger.core.validation.decision import CandidateVerdict, DecisionRule, aggregate
from festinger.core.validation.reputation import JUDGED_MIN, learn, learn_from
from festinger.core.validation.votes import Vote, VoteAnswer
from tests.core.validation.crowds import accuracy, crowd

VOTES = st.lists(
    st.tuples(
        st.sampled_from(["t", "u", "v"]),
        st.sampled_from("abcd"),
        st.sampled_from(VoteAnswer),
    ),
    max_size=20,
).map(lambda said: [Vote(*each, cast_at=at) for at, each in enumerate(said)])


def cast_votes(cast, **kwargs):
    """Return the answers of a tally as votes."""
    return [
        Vote(task, rater, VoteAnswer.YES if yes else VoteAnswer.NO, 0.0, **kwargs)
        for task, answers in cast.items()
        for rater, yes in answers.items()
    ]


def test_nothing_is_known_at_first():
    """Below ten judged votes everybody weighs the same."""
    _, cast = crowd(tasks=JUDGED_MIN - 1)

    learnt = learn_from(cast)

    assert not any(it.known or it.low for it in learnt.of.values())
    assert learnt.prior == 0.5
    assert {learnt[it].weight(True) for it in (*learnt.of, "stranger")} == {
        learnt["stranger"].weight(True)
    }


def test_ten_judged_votes_are_enough():
    """Then each weighs what they are worth."""
    truth, cast = crowd(tasks=JUDGED_MIN)

    learnt = learn_from(cast, truth)

    assert all(it.known for it in learnt.of.values())
    assert len({it.weight(True) for it in learnt.of.values()}) > 1


def test_nobody_judges_their_own_votes():
    """A task that nobody else answered tells nothing, unless its truth is known."""
    cast = {f"t{at}": {"a": at % 2 == 0} for at in range(30)}

    assert learn_from(cast)["a"].judged == 0
    assert learn_from(cast, dict.fromkeys(cast, True))["a"].judged == 30


def test_late_votes_tell_nothing_of_their_rater():
    """A rater who sees the outcome first could only agree."""
    _, cast = crowd(tasks=40)
    late = [Vote(it, "late", VoteAnswer.YES, 1.0, before_visible=False) for it in cast]

    learnt = learn([*cast_votes(cast), *late])

    assert "late" not in learnt.of
    assert learnt == learn(cast_votes(cast))


def test_an_early_answer_is_judged_though_it_was_changed():
    """A rater's earlier answer counts for them, the present one decides."""
    _, cast = crowd(tasks=40)
    early = cast_votes(cast)
    late = [
        replace(it, answer=VoteAnswer.ABSTAIN, cast_at=2.0, before_visible=False)
        for it in early
    ]

    assert learn([*late, *early]) == learn(early)


def test_yes_to_everything_is_low():
    """Once enough was false; where all was true there is no shame in it."""
    truth, cast = crowd(tasks=60)
    cast = {task: it | {"yes": True} for task, it in cast.items()}
    true = {task: it for task, it in cast.items() if truth[task]}

    assert learn_from(cast)["yes"].low
    assert not learn_from(cast)["r0"].low
    assert not learn_from(true, truth)["yes"].low


@given(VOTES, st.randoms(use_true_random=False), st.booleans())
@settings(max_examples=100)
def test_order_of_lines_means_nothing(votes, source, gold):
    """Only who voted last on a task does."""
    shuffled = list(votes)
    source.shuffle(shuffled)
    known = {"u": True, "w": False} if gold else {}

    assert aggregate(shuffled, known) == aggregate(votes, known)


@given(VOTES)
@settings(max_examples=100)
def test_another_yes_never_makes_a_task_less_probable(votes):
    """Of somebody new, all things learnt again."""
    before = aggregate(votes, {}).outcomes
    task = votes[0].task if votes else "t"

    after = aggregate([*votes, Vote(task, "new", VoteAnswer.YES, 99.0)], {}).outcomes

    known = before[task].decision.posterior if votes else 0.5
    assert after[task].decision.posterior > known


@pytest.mark.parametrize("seed", range(5))
def test_another_right_yes_never_makes_it_much_less_probable(seed):
    """Nor where everybody is known and each vote changes what all are worth a little."""
    truth, cast = crowd(seed, tasks=80, raters=6)
    source = random.Random(seed)
    for task in source.sample([it for it in truth if truth[it]], 15):
        said = dict(cast[task])
        rater = source.choice(sorted(said))
        without = {it: yes for it, yes in said.items() if it != rater}

        before = aggregate(cast_votes(cast | {task: without}), {}).outcomes[task]
        after = aggregate(cast_votes(cast | {task: without | {rater: True}}), {})

        assert after.outcomes[task].by_votes >= before.by_votes - 1e-6


def test_forty_percent_yes_sayers_cost_nothing():
    """They are two of five accounts, and answer everything."""
    truth, cast = crowd(tasks=300, raters=6, good=(0.65, 0.85))
    more = {f"yes{at}": True for at in range(4)}

    posteriors = [
        {
            task: it.by_votes
            for task, it in aggregate(cast_votes(each), {}).outcomes.items()
        }
        for each in (cast, {task: it | more for task, it in cast.items()})
    ]

    alone, attacked = (accuracy(each, truth) for each in posteriors)
    assert attacked >= alone - 0.03


def test_known_truth_is_not_voted_about():
    """The decision is what is known; what votes alone say stands beside it."""
    found = aggregate(
        [Vote("t", it, VoteAnswer.YES, 0.0) for it in "abc"], {"t": False, "u": True}
    )

    denied, unvoted = found.outcomes["t"], found.outcomes["u"]
    assert (denied.decision.verdict, denied.decision.rule) == (
        CandidateVerdict.REJECTED,
        DecisionRule.GOLD,
    )
    assert denied.decision.posterior == 0.0
    assert denied.by_votes > 0.9
    assert unvoted.decision.verdict is CandidateVerdict.CONFIRMED


def test_single_rater_decides_nothing():
    """However much they say."""
    votes = [Vote(f"t{at}", "a", VoteAnswer.YES, 0.0) for at in range(50)]

    found = aggregate(votes, {}).outcomes.values()
    assert {it.decision.verdict for it in found} == {CandidateVerdict.ASK_PEOPLE}
