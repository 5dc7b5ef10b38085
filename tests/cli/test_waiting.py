"""`festinger waiting`, as a process against a server."""

from __future__ import annotations

import pytest

from festinger.errors import BadAnswer
from tests.rpc.test_inquiries import ANSWER, USE, meet


@pytest.fixture
async def met(pool, operator, memories, inquirer):
    """
    A model is chosen, and a concept crossed the write threshold.
    """
    await pool.execute("update config set value = '1' where key = 'write_model_id'")
    await memories.read_settings("default")
    await meet(operator.client)
    await inquirer.listen()


async def ask(inquirer):
    """
    Has everything asked that is due.
    """
    await inquirer.look()
    await inquirer.finished()


async def test_what_waits(met, operator):
    """
    The concept, since when, and the sentences that the model will be shown.
    """
    printed = await operator.prints("waiting")

    first, second = printed.splitlines()
    assert first.startswith("gnommoweb  waiting since 2027-01-15")
    assert first.endswith("(met 16 times)")
    assert second == f"    “{USE}”"


async def test_failure_and_retry(met, operator, inquirer, model):
    """
    The error and when it is tried again; by hand at once.
    """
    model.says(BadAnswer("it answered with prose"), ANSWER)
    await ask(inquirer)
    failed = await operator.prints("waiting")

    retried = await operator.prints("waiting", "retry", "gnommoweb")
    await ask(inquirer)

    assert "failed 1 times, again at 2027-01-15" in failed
    assert "it answered with prose" in failed
    assert "it answered with prose" not in retried
    assert await operator.prints("waiting") == "No concept waits.\n"


async def test_answered_ones_are_shown_if_asked_for(met, operator, inquirer, model):
    """
    What became of the answer, without what people said.
    """
    model.says(ANSWER)
    await ask(inquirer)

    printed = await operator.prints("waiting", "--all")

    assert "    gnommoweb -isa service in context of type: held" in printed
    assert USE not in printed


async def test_resting_says_what_to_do(operator):
    """
    Nothing waits, and no model is chosen.
    """
    nothing, resting = (await operator.prints("waiting")).splitlines()

    assert nothing == "No concept waits."
    assert resting.startswith("resting: no model is chosen")
