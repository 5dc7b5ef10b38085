"""`festinger graph resolve` and `festinger inbox undo`, as processes against a server."""

from __future__ import annotations

import pytest

from festinger.api.v1.conflict_pb2 import Conflict
from festinger.errors import ModelRefused
from tests.cli.review.test_inbox import contradict

DECOMPOSE = {
    "decision": "decompose",
    "existing_dimension": "artifact",
    "new_dimension": "deployment",
    "reasoning": "what it is, and where it runs",
}


@pytest.fixture
async def chosen(pool):
    """A model is chosen."""
    await pool.execute("update config set value = '1' where key = 'resolve_model_id'")


async def test_progress_tells_of_each(chosen, operator, model):
    """A line a conflict with what was decided and how long it took, then the sum."""
    await contradict(operator.client, "gnommoweb", "ant")
    model.says(DECOMPOSE, {"decision": "explode"})

    printed = await operator.prints("graph", "resolve", "--progress")

    lines = printed.splitlines()
    assert lines[0].startswith("1/2  #1 resolved  gnommoweb [type]: met repo")
    assert lines[1].startswith(
        "    decompose, decided by festinger:resolver: what it is, and where it runs  ["
    )
    assert lines[2].startswith("2/2  #2 pending  ant [type]: held repo, refused")
    assert lines[3].startswith("    stays pending: ")
    assert lines[4] == "run 1: 1 resolved, 0 dismissed, 1 still pending of 2"


async def test_run_that_cannot_go_on(chosen, operator, model):
    """The reason, and exit code 1."""
    await contradict(operator.client, "gnommoweb")
    model.says(ModelRefused("its key is not accepted (401)"))

    code, printed, _ = await operator.runs("graph", "resolve")

    assert code == 1
    assert "run 1 could not go on: its key is not accepted (401)" in printed


async def test_no_model_says_what_to_do(operator):
    """The commands that choose one."""
    code, _, complained = await operator.runs("graph", "resolve")

    assert code == 1
    assert "festinger config set resolve_model_id" in complained


async def test_status_says_how_it_stands(chosen, operator, model):
    """The status tells the pending conflicts, the next run and the last ones."""
    await contradict(operator.client, "gnommoweb")
    model.says(DECOMPOSE)
    await operator.prints("graph", "resolve")
    await contradict(operator.client, "ant")

    printed = await operator.prints("graph", "resolve", "--status")

    first, coming, last = printed.splitlines()
    assert first.startswith("1 pending, the oldest since 2027-01-15")
    assert coming == "next run: 2027-01-16 02:00 UTC"
    assert last.endswith(
        "by operator  run 1: 1 resolved, 0 dismissed, 0 still pending of 1"
    )


async def test_undo_brings_it_back(chosen, operator, model):
    """The conflict is pending again, with its history below."""
    await contradict(operator.client, "gnommoweb")
    model.says(DECOMPOSE)
    await operator.prints("graph", "resolve")

    await operator.prints("inbox", "undo", "conflict-1", "--because", "too fine")

    conflict = await operator.client.conflict(1)
    [earlier] = conflict.earlier_resolutions
    assert conflict.state == Conflict.STATE_PENDING
    assert earlier.principal == "festinger:resolver"
    assert (earlier.undo_principal, earlier.undo_reasoning) == ("operator", "too fine")
    assert (await operator.prints("inbox")).startswith("conflict-1")


async def test_world_is_checked(operator):
    """A sentence that nothing differs, and exit code 0."""
    await contradict(operator.client, "gnommoweb")

    printed = await operator.prints("check", "--world")

    assert "are the same in memory and in the database" in printed


async def test_difference_is_an_exit_code(operator, memories):
    """Each difference is a line, the last one says how to mend it, and the code is 1."""
    await contradict(operator.client, "gnommoweb")
    (await memories.get("default")).world.denials[1, 2, 3] = 4

    code, printed, _ = await operator.runs("check", "--world")

    assert code == 1
    assert printed.splitlines() == [
        "denial (1, 2, 3): here only, 4",
        "The memory differs from its database. Mend it: festinger system reload",
    ]
