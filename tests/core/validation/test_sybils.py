from __future__ import annotations

import math
import random
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import sybils
from festinger.core.validation import reputation
from festinger.core.validation.blocs import blocs
from festinger.core.validation.camps import camps
from festinger.core.validation.decision import by_community
from festinger.core.validation.fitting import UNKNOWN, logit
from festinger.core.validation.reputation import learn_from
from tests.core.validation.crowds import crowd

SEEDS = (11,)
GOALS = {3: 0.10, 5: 0.30}
"""Share of the targets that so many attackers at each may have confirmed."""
MARGIN = 0.9
TALLIES = st.dictionaries(
    st.sampled_from([f"t{at}" for at in range(30)]),
    st.dictionaries(st.sampled_from("abcdefgh"), st.booleans()),
    min_size=20,
)


def taken(ring, seeds=SEEDS):
    """The share of its targets that an attack has confirmed, or denied, of all crowds."""
    those = [sybils.crowd(seed, ring) for seed in seeds]
    return mean(
        sybils.success(sybils.ours(each.cast, each.gold), each) for each in those
    )


@pytest.mark.parametrize(
    "ring", [it for it in sybils.TUNED if it.accounts <= 10], ids=lambda it: it.name
)
def test_camouflaged_attackers_confirm_little(ring):
    """Sixty honest answers do not make eighty lies believed."""
    assert taken(ring) <= MARGIN * GOALS[ring.each]


@pytest.mark.parametrize("ring", sybils.TUNED[3:], ids=lambda it: it.name)
def test_a_pool_of_attackers_confirms_little(ring):
    """
    Accounts of which two hardly meet; some are honest at three targets of ten, some are
    as many as the honest people.
    """
    assert taken(ring) <= MARGIN * GOALS[3 if ring.each == 3 else 5]


@pytest.mark.parametrize(
    "ring",
    sybils.HELD_OUT,
    ids=lambda it: it.name,
)
def test_attacks_that_nothing_was_tuned_to_confirm_little(ring):
    """Copies of the majority, statements that few answer, little camouflage, and denials."""
    assert taken(ring) <= MARGIN * GOALS[5]


@pytest.mark.parametrize(
    "ring", [it for it in sybils.TUNED if it.accounts <= 10], ids=lambda it: it.name
)
def test_a_blitz_is_undone_in_the_night(ring):
    """
    Lies that are all told on one day are confirmed by the weights of the day before, and
    lose that with the weights of the night.
    """
    found = sybils.blitz(sybils.crowd(11, ring))

    assert found.evening > 0.5
    assert found.morning <= MARGIN * GOALS[ring.each]


def test_honest_confirmations_stay():
    """Without attackers, nights take back few true confirmations, and many false ones."""
    found = sybils.blitz(sybils.crowd(11, None))

    assert found.true < 0.1
    assert found.false > 0.4


def test_honest_crowds_lose_nothing(monkeypatch):
    """Without attackers the area under the curve is that without the defence."""
    those = [sybils.crowd(seed, None) for seed in SEEDS]
    ours = [sybils.auc(sybils.ours(it.cast, it.gold), it) for it in those]
    monkeypatch.setattr(reputation, "blocs", lambda *_: {})

    plain = [sybils.auc(sybils.ours(it.cast, it.gold), it) for it in those]

    assert mean(ours) >= mean(plain) - 0.005


@pytest.mark.parametrize("seed", range(3))
def test_a_copy_adds_one_vote_at_most(seed):
    """Four accounts that copy a rater raise no verdict by more than one vote."""
    _, cast = crowd(seed, tasks=120, raters=7, good=(0.65, 0.9))
    copies = [f"copy{at}" for at in range(4)]
    copied = {task: it | dict.fromkeys(copies, it["r0"]) for task, it in cast.items()}

    before, after = learn_from(cast), learn_from(copied)

    assert len({after[it].bloc for it in ("r0", *copies)}) == 1
    vote = max(UNKNOWN.weight(True), after["r0"].weight(True))
    for task, answers in cast.items():
        side = 1.0 if answers["r0"] else -1.0
        alone = side * logit(by_community(answers, before).posterior)
        more = side * logit(by_community(copied[task], after).posterior)
        assert max(0.0, more) - max(0.0, alone) <= vote


def test_a_lone_expert_is_heard():
    """A rater who knows what the others do not is in no bloc, and weighs more than they."""
    truth, cast = crowd(3, tasks=200, raters=6, good=(0.6, 0.75))
    cast = {task: it | {"expert": truth[task]} for task, it in cast.items()}

    learnt = learn_from(cast)

    assert blocs(cast, {}) == {}
    assert learnt["expert"].weight(True) > 2 * max(
        learnt[f"r{at}"].weight(True) for at in range(6)
    )


@given(TALLIES, st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_camps_do_not_depend_on_order(cast, source):
    """Nor blocs, whoever answered first."""
    tasks = list(cast)
    source.shuffle(tasks)
    shuffled = {task: dict(reversed(cast[task].items())) for task in tasks}

    assert camps(shuffled, set("abcdefgh")) == camps(cast, set("abcdefgh"))
    assert learn_from(shuffled) == learn_from(cast)


@given(TALLIES)
@settings(max_examples=20, deadline=None)
def test_every_weight_is_a_number(cast):
    """Whatever is answered."""
    learnt = learn_from(cast)

    for answers in cast.values():
        assert 0.0 <= by_community(answers, learnt).posterior <= 1.0
    assert not any(math.isnan(it.weight(True)) for it in learnt.of.values())


def test_ambiguous_camps_are_one_vote_each():
    """Of two camps that contradict each other in half of the tasks, neither wins there."""
    source = random.Random(5)
    cast = {}
    for at in range(120):
        true = source.random() < 0.5
        split = at % 2
        cast[f"t{at:03}"] = {
            f"{camp}{it}": (true if not split else camp == "a")
            != (source.random() < 0.05)
            for camp in "ab"
            for it in range(5)
        }

    learnt = learn_from(cast)

    decided = [by_community(it, learnt) for it in cast.values()]
    assert mean(0.1 < it.posterior < 0.9 for it in decided[1::2]) > 0.9
