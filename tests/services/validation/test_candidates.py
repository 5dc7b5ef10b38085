from __future__ import annotations

import pytest

from festinger.core.graph.candidates import CandidateState
from festinger.core.graph.outcome import CollisionType, Verdict
from festinger.core.language.turns import Role, Turn
from festinger.core.validation.votes import EventResponse
from festinger.errors import (
    CandidateClosed,
    CandidateNotFound,
    PermissionDenied,
)
from festinger.services.validation.answers import RecordAnswer, operator_answer
from festinger.services.validation.reference import CandidateReference
from festinger.services.validation.responders import AnswerInput
from festinger.store.world.batches import RequestKey
from tests.memories import held, recollect_prompt
from tests.services.conftest import in_step, settled, state
from tests.store.world.writing import read

DOUBTFUL = "michigan kind of state"


async def confirm(memory, number, principal="op", request=None):
    """Return a person's confirmation of a candidate."""
    made = await _answer(memory, number, EventResponse.CONFIRMED, principal, request)
    return made.candidate, made.verdict, made.version


async def reject(memory, number, principal="op"):
    """Return a person's rejection of a candidate."""
    made = await _answer(memory, number, EventResponse.REJECTED, principal)
    return made.candidate, made.version


async def _answer(memory, number, response, principal, request=None):
    policy = memory.validation.policy
    job = operator_answer(
        number, response, principal=principal, policy=policy, request=request
    )
    return await memory.writer.submit(job)


async def doubt(memory, text=DOUBTFUL, role=Role.USER, principal="alice"):
    """Has a prompt state something, which is doubtful if nothing else is said."""
    recollect_prompt(memory, [Turn(role, text)], principal=principal)
    await settled(memory)


async def test_confirmed_candidate_is_held(memory, store):
    """A person's confirmation makes a fact, by them, and the candidate is closed."""
    await doubt(memory)

    candidate, outcome, version = await confirm(memory, 1)

    assert (candidate.state, candidate.decider) == (CandidateState.CONFIRMED, "op")
    assert outcome.verdict is Verdict.HELD
    assert outcome.fact is not None
    assert (outcome.fact.source, outcome.fact.confidence) == ("validated", 0.95)
    assert version == memory.world.version
    assert await in_step(memory, store)


async def test_confirmed_candidate_may_collide(memory):
    """It goes through the gate like everything else (I2)."""
    await doubt(memory)
    await state(memory, "michigan -isa band")

    candidate, outcome, _ = await confirm(memory, 1)

    assert candidate.state is CandidateState.CONFIRMED
    assert outcome.collision is CollisionType.ISA_ISA
    assert outcome.conflict_id == 1


async def test_rejected_candidate_is_dropped(memory):
    """Nothing is held, and nobody may decide again."""
    await doubt(memory)

    candidate, _ = await reject(memory, 1)

    assert candidate.state is CandidateState.REJECTED
    assert held(memory.world) == set()
    with pytest.raises(CandidateClosed):
        await confirm(memory, 1)


@pytest.mark.parametrize("decide", [confirm, reject])
async def test_proposer_does_not_decide(memory, store, decide):
    """The proposer of a candidate has no say about it (E6); its author has."""
    await doubt(memory)

    with pytest.raises(PermissionDenied):
        await decide(memory, 1, principal="scanner")
    await decide(memory, 1, principal="alice")

    assert (await read(store, "candidate", 1)).decider == "alice"


@pytest.mark.parametrize("decide", [confirm, reject])
async def test_unknown_candidate_is_not_found(memory, decide):
    """A decision about nothing says so."""
    with pytest.raises(CandidateNotFound):
        await decide(memory, 7)


async def test_repeated_confirmation_answers_again(memory):
    """The same request_id gives the first outcome and changes nothing."""
    await doubt(memory)
    request = RequestKey("op", "r1", "ConfirmCandidate", b"x")

    answers = [await confirm(memory, 1, request=request) for _ in range(2)]

    assert answers[0] == answers[1]


async def test_one_person_counts_once(memory):
    """Confirming what one stated oneself adds no witness, only firmness (C3)."""
    await doubt(memory, "gnommoweb is a repo", Role.TOOL)
    await doubt(memory, "gnommoweb is a repo", principal="op")

    _, outcome, _ = await confirm(memory, 1)

    assert outcome.verdict is Verdict.CORROBORATED
    assert outcome.fact is not None
    assert outcome.fact.confidence == 0.95


@pytest.mark.parametrize("role", [Role.TOOL, Role.ASSISTANT])
async def test_tools_and_models_bring_candidates(memory, store, role):
    """Their clean statements wait for people, with the reason."""
    await doubt(memory, "gnommoweb is a repo", role)

    (candidate,) = await read(store, "candidates")
    assert (candidate.reason, candidate.proposer) == (f"{role}_text", "scanner")
    assert (candidate.author, candidate.evidence) == ("alice", "gnommoweb is a repo")
    assert held(memory.world) == set()


async def test_fact_of_a_prompt_is_not_told_back_in_it(memory):
    """A prompt's statement is told from the next prompt on (D9)."""
    turn = [Turn(Role.USER, "gnommoweb is a repo of Glitch University")]

    first = recollect_prompt(memory, turn, principal="alice")
    await settled(memory)
    second = recollect_prompt(memory, turn, principal="alice")

    assert first.lines == []
    assert [line.text for line in second.lines] == [
        "gnommoweb: [glitch_university] repo"
    ]


@pytest.mark.parametrize("decide", [confirm, reject])
async def test_operator_takes_a_decision_back(memory, store, decide):
    """
    A candidate without a deadline waits again, as if nobody had decided; only who decided
    it can do that.
    """
    await doubt(memory)
    await decide(memory, 1)
    back = AnswerInput("op", EventResponse.WITHDRAWN, is_operator=True)
    others = AnswerInput("bob", EventResponse.WITHDRAWN)

    with pytest.raises(CandidateClosed):
        await answer(memory, others)
    undone = await answer(memory, back)

    assert undone.candidate.state is CandidateState.PENDING
    assert held(memory.world) == set()
    assert await in_step(memory, store)
    candidate, *_ = await confirm(memory, 1)
    assert candidate.state is CandidateState.CONFIRMED


async def answer(memory, said):
    """Answer the first candidate; return the result."""
    policy = memory.validation.policy
    return await memory.writer.submit(
        RecordAnswer(CandidateReference(1), said, policy=policy)
    )
