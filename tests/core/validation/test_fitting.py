from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from festinger.core.validation.fitting import (
    ROUNDS_MAX,
    UNKNOWN,
    RaterSkill,
    fit,
    sigmoid,
)
from tests.core.validation.crowds import accuracy, crowd

TALLIES = st.dictionaries(
    st.sampled_from([f"t{at}" for at in range(12)]),
    st.dictionaries(st.sampled_from("abcdef"), st.booleans()),
)
GOLD = st.dictionaries(st.sampled_from(["t0", "t1", "t2"]), st.booleans())


def test_two_plain_votes_confirm():
    """The floor of two distinct votes and the posterior of 0.9 say the same at first."""
    assert sigmoid(2 * UNKNOWN.weight(True)) == pytest.approx(0.9)
    assert sigmoid(2 * UNKNOWN.weight(False)) == pytest.approx(0.1)


def test_yes_to_everything_says_nothing():
    """Whose yes tells nothing adds nothing, and whose no is rare adds much."""
    assert RaterSkill(0.9, 0.1).weight(True) == 0.0
    assert RaterSkill(0.99, 0.3).weight(False) < -3


@given(TALLIES, GOLD)
@settings(max_examples=150)
def test_everything_is_a_probability(cast, gold):
    """Whatever is voted, skills tell at least nothing, and it comes to an end."""
    found = fit(cast, gold)

    assert found.rounds <= ROUNDS_MAX
    assert 0.0 < found.prior < 1.0
    assert set(found.posteriors) == {task for task in cast if cast[task]}
    for task, posterior in found.posteriors.items():
        assert 0.0 <= posterior <= 1.0
        if task in gold:
            assert posterior == gold[task]
    for skill in found.skills.values():
        assert 0.0 < skill.yes < 1.0
        assert 0.0 < skill.no < 1.0
        assert skill.told >= -1e-12
        assert skill.weight(True) >= 0.0 >= skill.weight(False)


@given(TALLIES, st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_same_whatever_comes_first(cast, source):
    """To the last digit."""
    tasks = list(cast)
    source.shuffle(tasks)
    shuffled = {task: dict(reversed(cast[task].items())) for task in tasks}

    assert fit(shuffled, {}) == fit(cast, {})


def test_skill_is_found():
    """Without any gold: who is better is found to be better, and the truth with it."""
    truth, cast = crowd(tasks=400, raters=7, good=(0.6, 0.9))

    found = fit(cast, {})

    assert found.settled
    assert accuracy(found.posteriors, truth) > 0.9
    for name, skill in found.skills.items():
        right = sum(cast[task][name] == truth[task] for task in truth) / len(truth)
        assert (skill.yes + skill.no) / 2 == pytest.approx(right, abs=0.05)


def test_gold_overrules_a_majority():
    """If the truth is known, those who always deny it are found to say nothing."""
    cast = {f"t{at}": {"a": True, "b": True, "c": at % 2 == 0} for at in range(40)}
    gold = {f"t{at}": at % 2 == 0 for at in range(20)}

    found = fit(cast, gold)

    assert found.posteriors["t21"] < 0.1
    assert found.posteriors["t22"] > 0.9
    assert found.skills["c"].told > 0.8 > 0.2 > found.skills["a"].told


def test_liars_count_for_nothing():
    """A person who says the contrary of the truth gains nothing by it."""
    truth, cast = crowd(tasks=200, raters=6)
    for task, true in truth.items():
        cast[task]["liar"] = not true

    assert fit(cast, truth).skills["liar"].told == pytest.approx(0.0)


@pytest.mark.parametrize("honest", [2, 3, 5])
def test_yes_sayers_make_nothing_true(honest):
    """However many say yes to everything, those who look decide."""
    truth, cast = crowd(tasks=200, raters=honest)
    alone = accuracy(fit(cast, {}).posteriors, truth)
    for answers in cast.values():
        answers |= {f"yes{at}": True for at in range(2 * honest)}

    found = fit(cast, {})

    assert accuracy(found.posteriors, truth) >= alone - 0.03


def test_nothing_comes_of_nothing():
    """No votes, no posteriors, and as much true as false."""
    found = fit({"t": {}}, {"u": True})

    assert (found.posteriors, found.skills, found.prior) == ({}, {}, 0.5)
    assert found.settled
