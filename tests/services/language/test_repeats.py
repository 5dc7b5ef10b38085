"""Calls whose commit was not answered, and which are made again under their id."""

from __future__ import annotations

from typing import Any

import pytest

from festinger.core.graph.outcome import Verdict
from festinger.core.lines.line import IndexedLine
from festinger.core.lines.listing import UtteranceFilter, name_of
from festinger.core.memories.feedback import FeedbackVerdict
from festinger.core.review.inbox import InboxPlace, InboxRef
from festinger.errors import DatabaseUnavailable
from festinger.services.language.forgetting import forget_lines
from festinger.services.language.notes import GivenNote, keep_notes
from festinger.services.language.saying import say
from festinger.services.recollection.rating import RateLine
from festinger.services.review import inbox
from festinger.services.review.item_decisions import InboxAction, InboxAnswer
from tests.services.conftest import Unreliable, in_step, key, state

RUNS = "The billing service runs on podman."


@pytest.fixture
def lossy(unreliable: Unreliable) -> Unreliable:
    """A database that commits, and whose first answer is lost."""
    unreliable.answers_lost = 1
    return unreliable


async def count(pool: Any, table: str) -> int:
    """Return the number of rows of a table."""
    return int(await pool.fetchval(f"select count(*) from {table}"))


async def test_words_are_said_once(memory, lossy, pool):
    """The second try has the outcome of the first."""
    with pytest.raises(DatabaseUnavailable):
        await say(memory, RUNS, principal="alice", request=key(method="Say"))

    again = await say(memory, RUNS, principal="alice", request=key(method="Say"))

    assert [it.verdict for it in again.outcomes] == [Verdict.HELD]
    assert await count(pool, "assertions") == 1
    assert await count(pool, "turns") == 1


async def test_notes_are_kept_once(memory, lossy, pool):
    """The second try has the lines of the first."""
    notes = [GivenNote("[task] buy paint", RUNS)]
    request = key(method="KeepNotes")
    with pytest.raises(DatabaseUnavailable):
        await keep_notes(memory, notes, session="t", principal="alice", request=request)

    again = await keep_notes(
        memory, notes, session="t", principal="alice", request=request
    )

    assert len(again.lines) == 1
    assert await count(pool, "turns") == 1
    assert await count(pool, "assertions") == 1


async def test_lines_are_forgotten_once(memory, unreliable, store):
    """The second try says how many went with the first."""
    await say(memory, RUNS, principal="alice")
    unreliable.answers_lost = 1
    selection, request = UtteranceFilter(phrase="podman"), key(method="ForgetLines")
    with pytest.raises(DatabaseUnavailable):
        await forget_lines(memory, selection, principal="alice", request=request)

    again = await forget_lines(memory, selection, principal="alice", request=request)

    assert (again.line_count, again.statement_count) == (1, 1)
    assert memory.world.facts(memory.world.id("billing_service")) == []
    assert await in_step(memory, store)


async def test_line_is_rated_once(memory, unreliable, pool):
    """The second try has the line, which is no more."""
    await state(memory, "gnommoweb -isa repo")
    line: IndexedLine = next(iter(memory.world.lines.every()))
    unreliable.answers_lost = 1

    def rating() -> RateLine:
        """Return the job of a call."""
        return RateLine(
            memory,
            name_of(line),
            FeedbackVerdict.WRONG,
            principal="alice",
            shown=lambda line: True,
            prompt="",
            request=key(method="RateLine"),
        )

    with pytest.raises(DatabaseUnavailable):
        await memory.writer.submit(rating())

    again = rating()
    await memory.writer.submit(again)

    assert again.line.text == "gnommoweb: [type] repo"
    assert await count(pool, "line_feedback") == 1


async def test_decision_is_undone_once_and_whole(memory, unreliable, store):
    """The second try undoes the items that are left, and no other decision."""
    refs = []
    for name in ("alpha", "beta", "gamma"):
        await state(memory, f"{name} -isa repo")
        outcome, _ = await state(memory, f"{name} -isa container")
        refs.append(InboxRef(InboxPlace.CONFLICT, outcome.conflict_id))
    reject = InboxAnswer(InboxAction.REJECT, "alice")
    await inbox.decide(memory, refs[:1], reject)
    done = (await inbox.decide(memory, refs[1:], reject)).decision
    assert done is not None
    request = key(method="UndoInbox")
    unreliable.answers_lost = 1
    with pytest.raises(DatabaseUnavailable):
        await inbox.undo(memory, "alice", str(done.id), request=request)

    again = await inbox.undo(memory, "alice", str(done.id), request=request)
    third = await inbox.undo(memory, "alice", str(done.id), request=request)

    assert [it.decision and it.decision.undone_by for it in (again, third)] == [
        "alice",
        "alice",
    ]
    assert [*again.failures, *third.failures] == []
    async with memory.store.reading(memory.tenant) as reads:
        found = await reads.conflicts_by_id([ref.number for ref in refs])
    waits = [found[ref.number].decided is None for ref in refs]
    assert waits == [False, True, True]
    assert await in_step(memory, store)
