from __future__ import annotations

import random

import pytest

from festinger.core.validation.blocs import blocs
from festinger.core.validation.reputation import learn_from
from tests.core.validation.crowds import crowd


def with_script(cast, count, seed=3, *, slip=0.0):
    """Return the same votes, and those of accounts that all answer by one script."""
    source = random.Random(seed)
    script = {task: source.random() < 0.5 for task in cast}
    return {
        task: answers
        | {f"s{at}": script[task] != (source.random() < slip) for at in range(count)}
        for task, answers in cast.items()
    }


@pytest.mark.parametrize("count", [2, 5, 20])
def test_accounts_of_one_script_are_one(count):
    """However many, even if they outnumber all others; and they alone."""
    _, cast = crowd(raters=6)

    found = blocs(with_script(cast, count), {})

    assert found == {f"s{at}": "s0" for at in range(count)}


def test_yes_to_everything_is_no_bloc():
    """It is a rate of errors, and weighs nothing."""
    _, cast = crowd(raters=6)
    cast = {task: answers | {"y1": True, "y2": True} for task, answers in cast.items()}

    assert blocs(cast, {}) == {}
    assert learn_from(cast)["y1"].weight(True) == pytest.approx(0.0, abs=0.05)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("good", [(0.6, 0.9), (0.9, 0.99), (0.97, 1.0), (1.0, 1.0)])
def test_who_is_right_may_agree(seed, good):
    """Honest raters are no bloc, however good: even if they never differ."""
    _, cast = crowd(seed, tasks=300, good=good)

    assert blocs(cast, {}) == {}


@pytest.mark.parametrize("seed", range(8))
def test_the_careful_are_no_bloc_beside_the_careless(seed):
    """Two who are never wrong stay two where everybody else often is."""
    truth, cast = crowd(seed, tasks=300, raters=3, good=(0.6, 0.8))
    cast = {
        task: it | {"a": truth[task], "b": truth[task]} for task, it in cast.items()
    }

    assert blocs(cast, {}) == {}


@pytest.mark.parametrize("seed", range(4))
def test_the_careful_are_no_bloc_beside_who_does_not_look(seed):
    """If nobody else is any good their noise proves nothing."""
    _, cast = crowd(seed, tasks=150, raters=20, good=(0.92, 1.0))
    source = random.Random(seed)
    for answers in cast.values():
        answers |= {f"lazy{at}": source.random() < 0.7 for at in range(6)}

    assert blocs(cast, {}) == {}


def test_few_shared_tasks_prove_nothing():
    """Below twenty it may be chance."""
    _, cast = crowd(tasks=19, raters=6)

    assert blocs(with_script(cast, 5), {}) == {}


def test_a_slip_hides_nobody():
    """A member who differs in one answer of a hundred is still of the bloc."""
    _, cast = crowd(tasks=300, raters=6)

    assert len(blocs(with_script(cast, 5, slip=0.005), {})) == 5


def test_gold_gives_a_bloc_away():
    """Alone with one honest rater nobody can tell, but for what is known."""
    truth, cast = crowd(tasks=100, raters=1)
    cast = with_script(cast, 3)

    assert blocs(cast, {}) == {}
    assert set(blocs(cast, truth)) == {"s0", "s1", "s2"}


def test_strangers_change_nothing():
    """Accounts that share no task with others are in no camp."""
    _, cast = crowd(raters=6)
    cast = with_script(cast, 3)
    strangers = {
        f"x{at:03}": {f"x{at}y{it}": True for it in range(2)} for at in range(400)
    }

    assert blocs(cast | strangers, {}) == blocs(cast, {})


def sparse(seed, *, tasks=600, honest=60, good=(0.6, 0.95), script=40):
    """Five honest votes a task and three of one script; two accounts share few tasks."""
    source = random.Random(seed)
    skills = {f"p{at:02}": source.uniform(*good) for at in range(honest)}
    cast = {}
    for at in range(tasks):
        true, scripted = source.random() < 0.5, source.random() < 0.5
        cast[f"t{at:03}"] = {
            name: (source.random() < skills[name]) == true
            for name in source.sample(sorted(skills), 5)
        } | {
            f"s{it:02}": scripted
            for it in source.sample(range(script), 3 * (script > 0))
        }
    return cast


@pytest.mark.parametrize("seed", range(3))
def test_script_shows_though_its_accounts_hardly_meet(seed):
    """Forty of a hundred accounts, of which two share three tasks."""
    assert set(blocs(sparse(seed), {})) == {f"s{it:02}" for it in range(40)}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("good", [(0.6, 0.95), (0.9, 1.0), (1.0, 1.0)])
def test_crowd_is_no_bloc(seed, good):
    """Nor are its best ones, who look nearly perfect and are."""
    assert blocs(sparse(seed, good=good, script=0), {}) == {}


@pytest.mark.parametrize("seed", range(3))
def test_experts_are_no_bloc(seed):
    """Twenty who are never wrong among sixty who often are."""
    source = random.Random(seed)
    cast = {}
    for at in range(600):
        true = source.random() < 0.5
        names = source.sample(range(60), 5)
        cast[f"t{at:03}"] = {
            f"p{it:02}": (source.random() < (1.0 if it < 20 else 0.65)) == true
            for it in names
        }

    assert blocs(cast, {}) == {}
