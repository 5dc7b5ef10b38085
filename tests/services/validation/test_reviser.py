"""Confirmations by votes, once it is learnt who votes well, over a real database."""

from __future__ import annotations

import asyncio

import pytest

from festinger.core.graph.candidates import WEIGHED_ANEW, CandidateState, Lane
from festinger.core.graph.statement import parse_fact
from festinger.core.validation.drift import Drift
from festinger.core.validation.fitting import RaterSkill
from festinger.core.validation.reputation import Reputation, Reputations
from festinger.errors import DatabaseUnavailable
from festinger.services.validation import reviser
from festinger.store.validation.records import LearningResult
from tests.memories import DAY, held
from tests.services.conftest import in_step, state
from tests.services.validation.test_answers import FACT, NO, YES, answer, propose
from tests.store.world.writing import read

HELD = parse_fact(FACT)
OTHER = parse_fact("alice -ispart band in context of joined")
GOOD, POOR = RaterSkill(0.9, 0.9), RaterSkill(0.51, 0.51)


@pytest.fixture
async def confirmed(memory):
    """A candidate whose statement is held since two voted for it."""
    await propose(memory)
    for name in ("bob", "carol"):
        await answer(memory, name)
    assert HELD in held(memory.world)


@pytest.fixture
def weigh(retrainer, clock):
    """Replace what is known of bob and carol, as a night does."""

    async def weigh(skill: RaterSkill) -> float:
        fitted: float = clock.now + DAY
        clock.now = fitted
        of = {it: Reputation(skill, 20, 20, it) for it in ("bob", "carol")}
        lesson = LearningResult(2, Reputations(of, 0.5), {}, [], [], Drift(), fitted)
        await retrainer.lessons.save("default", lesson)
        return fitted

    return weigh


async def revised(memory, retrainer, fitted):
    """Return the numbers of withdrawn facts, and of those held again."""
    return tuple(await reviser.revise_all(memory, retrainer.lessons, fitted))


async def second(memory):
    """A candidate that the same two confirm, though it contradicts the first."""
    await propose(memory, str(OTHER))
    for name in ("bob", "carol"):
        await answer(memory, name, number=2)


async def waiting(pool):
    """Return the persons who are to answer the items of the inbox."""
    return [it["answerer"] for it in await pool.fetch("select answerer from inbox")]


async def test_votes_of_who_says_yes_to_everything(
    memory, retrainer, ballots, pool, clock
):
    """
    Once the night has found them out, what they confirmed is held no more, and waits in
    the inbox of moderators, with a new deadline.
    """
    for at in range(40):
        said = "yes" if at % 2 else "no"
        honest = (f"{it} {said}" for it in ("ann", "bea", "cem"))
        await ballots.decided(at % 2 == 1, *honest, "bob yes", "carol yes")
    await propose(memory)
    for name in ("bob", "carol"):
        await answer(memory, name)
    clock.now += 3 * DAY
    assert HELD in held(memory.world)

    await retrainer.learn("default")

    candidate = await read(memory.store, "candidate", 1)
    assert HELD not in held(memory.world)
    assert (candidate.state, candidate.decision_rule) == (
        CandidateState.PENDING,
        WEIGHED_ANEW,
    )
    assert (candidate.lane, candidate.flagged) == (Lane.MODERATOR, True)
    assert candidate.expires == clock.now + 2 * DAY
    assert await waiting(pool) == ["moderator"]
    assert (await retrainer.lessons.ratings("default")).is_revised
    assert await in_step(memory, memory.store)


async def test_withdrawal_is_history(memory, retrainer, confirmed, weigh, pool):
    """
    The ledger keeps the confirmation, and the graph what was held until when, and why
    not any more.
    """
    fitted = await weigh(POOR)

    assert await revised(memory, retrainer, fitted) == (1, 0)

    ledger = await pool.fetch("select outcome from assertions order by id")
    [ended] = await pool.fetch("select closed_by, valid_to from urd_history")
    assert [row["outcome"] for row in ledger] == ["candidate", "held"]
    assert ended["closed_by"] == "candidate 1"
    assert ended["valid_to"].timestamp() == fitted


async def test_later_night_restores(memory, retrainer, confirmed, weigh):
    """A withdrawn fact is held again once its votes are well founded after all."""
    await revised(memory, retrainer, await weigh(POOR))

    found = await revised(memory, retrainer, await weigh(GOOD))

    candidate = await read(memory.store, "candidate", 1)
    assert found == (0, 1)
    assert HELD in held(memory.world)
    assert (candidate.state, candidate.flagged) == (CandidateState.CONFIRMED, False)
    assert await in_step(memory, memory.store)


@pytest.mark.parametrize("response", [YES, NO])
async def test_moderator_has_the_last_word(
    memory, retrainer, confirmed, weigh, response
):
    """No later revision changes what a moderator decided about a withdrawn confirmation."""
    await revised(memory, retrainer, await weigh(POOR))
    await answer(memory, "mia", response, is_operator=True)

    found = await revised(memory, retrainer, await weigh(POOR))

    assert found == (0, 0)
    assert (HELD in held(memory.world)) == (response is YES)


async def test_others_stated_it_too(memory, retrainer, confirmed, weigh):
    """
    A fact that somebody else states is held on their word, though the votes for it are
    gone.
    """
    await state(memory, FACT, "dave")

    found = await revised(memory, retrainer, await weigh(POOR))

    assert found == (1, 0)
    assert HELD in held(memory.world)
    assert await in_step(memory, memory.store)


async def test_revising_again_changes_nothing(memory, retrainer, confirmed, weigh):
    """Nothing is written for what stands as it should."""
    fitted = await weigh(POOR)
    await revised(memory, retrainer, fitted)
    version = memory.world.version

    assert await revised(memory, retrainer, fitted) == (0, 0)
    assert memory.world.version == version


@pytest.mark.parametrize("changed_max", [1, 20])
async def test_one_withdrawal_frees_nothing_for_another(
    memory, retrainer, confirmed, weigh, monkeypatch, changed_max
):
    """A confirmation that waits since another one contradicts it is withdrawn before that."""
    monkeypatch.setattr(reviser, "CHANGED_MAX", changed_max)
    await second(memory)

    found = await revised(memory, retrainer, await weigh(POOR))

    assert found == (2, 0)
    assert not {HELD, OTHER} & held(memory.world)
    assert await in_step(memory, memory.store)


async def test_interrupted_revision_is_completed(
    memory, retrainer, confirmed, weigh, unreliable, monkeypatch
):
    """A server that dies between two withdrawals has lost none; the next look goes on."""
    monkeypatch.setattr(reviser, "CHANGED_MAX", 1)
    await second(memory)
    fitted = await weigh(POOR)
    begun = unreliable.commits
    revision = asyncio.create_task(revised(memory, retrainer, fitted))
    await unreliable.until_commit(begun + 1)
    unreliable.gate.clear()
    await unreliable.until_commit(begun + 2)
    unreliable.away = True
    unreliable.gate.set()
    with pytest.raises(DatabaseUnavailable):
        await revision
    unreliable.away = False
    halfway = (
        (await read(memory.store, "candidate", 2)).state,
        HELD in held(memory.world),
    )
    await retrainer.look()

    assert halfway == (CandidateState.PENDING, True)
    assert not {HELD, OTHER} & held(memory.world)
    assert (await retrainer.lessons.ratings("default")).is_revised


async def test_one_process_completes_a_revision(
    memory, retrainer, confirmed, weigh, pool
):
    """If another one has the lease, it leaves the revision to that."""
    await weigh(POOR)
    await pool.execute(
        "insert into leases (tenant, name, holder, expires_at) values "
        "('default', 'learning', gen_random_uuid(), now() + interval '1 hour')"
    )

    await retrainer.look()

    assert HELD in held(memory.world)


async def test_learning_in_between_asks_for_another_revision(
    memory, retrainer, confirmed, weigh
):
    """A revision is complete for what was learnt before it, not for what came meanwhile."""
    before = await weigh(GOOD)
    await weigh(POOR)

    await retrainer.lessons.set_revised("default", before)

    assert not (await retrainer.lessons.ratings("default")).is_revised
