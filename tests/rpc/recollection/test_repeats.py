"""Calls about lines whose answer was lost, and which are made again under their id."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from festinger.api.v1 import inbox_service_pb2 as inbox_pb
from festinger.api.v1 import line_service_pb2 as pb
from festinger.api.v1 import memory_service_pb2 as memory_pb
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.inbox_pb2 import InboxDecision, InboxItem
from festinger.api.v1.outcome_pb2 import Outcome
from tests.serving import Client, refused

OPERATOR = Client.as_("operator")
NADIA = Client.as_("shim", principal="nadia", subject="nadia")
RUNS = "The billing service runs on podman."
MOVED = "The billing service moved from podman to kubernetes."


async def twice(call: Any, request: Any, who: Any = OPERATOR) -> list[Any]:
    """Return the answers to a request that is sent again."""
    request.request_id = "once"
    return [await call(request, metadata=who) for _ in range(2)]


async def count(pool: Any, table: str) -> int:
    """Return the number of rows of a table."""
    return int(await pool.fetchval(f"select count(*) from {table}"))


async def line_about(client: Client, words: str, kind: str) -> Any:
    """Return the line of a kind that fits some words best."""
    request = pb.SearchLinesRequest(query=words, kind=kind)
    return (await client.lines.SearchLines(request, metadata=OPERATOR)).lines[0]


async def test_repeated_call_says_nothing_twice(client, pool):
    """It has its first answer again, and no second row in the ledger."""
    first, again = await twice(client.lines.Say, pb.SayRequest(text=RUNS), NADIA)

    assert again == first
    assert [it.verdict for it in again.outcomes] == [Outcome.VERDICT_HELD]
    assert await count(pool, "assertions") == 1


async def test_saying_it_again_confirms_it(client, pool):
    """Another call with the same words is another statement: the fact is corroborated."""
    for name in ("morning", "evening"):
        answer = await client.lines.Say(
            pb.SayRequest(text=RUNS, request_id=name), metadata=NADIA
        )

    assert [it.verdict for it in answer.outcomes] == [Outcome.VERDICT_CORROBORATED]
    assert await count(pool, "assertions") == 2
    assert await count(pool, "turns") == 1


async def test_repeated_change_is_answered_as_the_first(client, pool):
    """Its conflict is settled, and nothing is stated or decided again."""
    await client.lines.Say(pb.SayRequest(text=RUNS), metadata=NADIA)

    first, again = await twice(client.lines.Say, pb.SayRequest(text=MOVED), NADIA)

    assert again == first
    assert {it.verdict for it in again.outcomes} == {Outcome.VERDICT_HELD}
    rows = await count(pool, "assertions")
    await client.lines.Say(pb.SayRequest(text=MOVED, request_id="once"), metadata=NADIA)
    assert await count(pool, "assertions") == rows


async def test_other_words_under_the_same_id_are_refused(client):
    """Nobody gets the answer to another question."""
    await client.lines.Say(pb.SayRequest(text=RUNS, request_id="once"), metadata=NADIA)

    with refused() as refusal:
        await client.lines.Say(
            pb.SayRequest(text=MOVED, request_id="once"), metadata=NADIA
        )

    assert refusal.reason == "REQUEST_ID_REUSED"


async def test_repeated_notes_are_kept_once(client, pool):
    """Equal notes of one call are two; those of its repetition are the same two."""
    request = pb.KeepNotesRequest(
        notes=[pb.Note(text="[task] buy paint", reading=RUNS)] * 2, session="tasks"
    )

    first, again = await twice(client.lines.KeepNotes, request)

    assert again == first
    assert len({it.name for it in again.lines}) == 2
    assert await count(pool, "turns") == 2


async def test_repeated_forgetting_counts_as_the_first(client):
    """The lines are gone: their number is told, and not that there is none of the name."""
    await client.lines.Say(pb.SayRequest(text=RUNS), metadata=NADIA)
    name = (await line_about(client, "podman", "KIND_UTTERANCE")).name

    first, again = await twice(
        client.lines.ForgetLines, pb.ForgetLinesRequest(name=name)
    )

    assert (first.total_size, first.statement_count) == (1, 1)
    assert (again.total_size, again.statement_count) == (1, 1)
    assert again.version == first.version
    assert (len(first.lines), len(again.lines)) == (1, 0)
    with refused() as refusal:
        await client.lines.ForgetLines(
            pb.ForgetLinesRequest(name=name), metadata=OPERATOR
        )
    assert refusal.reason == "LINE_NOT_FOUND"


async def test_preview_has_the_statements_that_would_end(client):
    """Those that are held for the sake of the lines alone; what others state stays."""
    both = "The billing service listens on port 8080."
    for text in (RUNS, both):
        await client.lines.Say(pb.SayRequest(text=text), metadata=NADIA)
    await client.lines.Say(pb.SayRequest(text=both), metadata=OPERATOR)
    request = pb.ForgetLinesRequest(speaker="nadia", preview=True)

    preview = await client.lines.ForgetLines(request, metadata=OPERATOR)
    request.preview = False
    done = await client.lines.ForgetLines(request, metadata=OPERATOR)

    assert [it.parent for it in preview.statements] == ["podman"]
    assert preview.statement_count == 1
    assert done.statements == preview.statements
    edges = (await client.concept("billing_service")).edges
    assert [it.parent for it in edges] == ["8080"]


async def test_repeated_complaint_about_a_fact_has_its_line(client):
    """The fact is retracted, so that no line has the name any more."""
    await client.states("gnommoweb -isa repo")
    line = await line_about(client, "gnommoweb", "KIND_STATEMENT")
    request = pb.RateLineRequest(name=line.name, verdict="VERDICT_WRONG")

    first, again = await twice(client.lines.RateLine, request)

    assert (again.line.name, again.line.text) == (first.line.name, first.line.text)
    assert again.version == first.version
    wanted = inbox_pb.InboxFilter(kinds=[InboxItem.KIND_FEEDBACK])
    page = await client.inbox.ListInbox(
        inbox_pb.ListInboxRequest(filter=wanted), metadata=OPERATOR
    )
    assert len(page.items) == 1


@pytest.fixture
async def decided(client: Client) -> list[str]:
    """Two conflicts that an operator has dismissed, each by a decision of its own."""
    ids = []
    for name in ("alpha", "beta"):
        await client.states(f"{name} -isa repo")
        answer = await client.states(f"{name} -isa container")
        ids.append(f"conflict-{answer.outcome.conflict_id}")
        request = inbox_pb.DecideInboxRequest(
            item_ids=ids[-1:], action=InboxDecision.ACTION_REJECT
        )
        await client.inbox.DecideInbox(request, metadata=OPERATOR)
    return ids


async def waiting(client: Client) -> list[str]:
    """Return the items that wait."""
    page = await client.inbox.ListInbox(inbox_pb.ListInboxRequest(), metadata=OPERATOR)
    return [it.id for it in page.items]


async def test_repeated_undoing_undoes_one_decision(client, decided):
    """
    "The latest" is the one that the first call found.
    """
    first, again = await twice(client.inbox.UndoInbox, inbox_pb.UndoInboxRequest())

    assert again.decision == first.decision
    assert again.decision.undo_principal == "operator"
    assert len(await waiting(client)) == 1


async def test_repeated_undoing_of_what_was_decided_elsewhere(client):
    """Nothing in the inbox has logged it: the conflict says that it waits again."""
    await client.states("alpha -isa repo")
    number = (await client.states("alpha -isa container")).outcome.conflict_id
    request = memory_pb.ResolveRequest(
        conflict_id=number, decision=Conflict.DECISION_DISMISS
    )
    await client.memory.Resolve(request, metadata=OPERATOR)
    undoing = inbox_pb.UndoInboxRequest(decision_id=f"conflict-{number}")

    _, again = await twice(client.inbox.UndoInbox, undoing)

    assert again.decision.undo_principal == "operator"
    assert list(again.failures) == []
    assert await waiting(client) == [f"conflict-{number}"]


async def test_undoing_under_an_id_that_was_used_is_refused(client, decided):
    """For another decision."""
    request = inbox_pb.UndoInboxRequest(decision_id=decided[0], request_id="once")
    await client.inbox.UndoInbox(request, metadata=OPERATOR)
    request.decision_id = decided[1]

    with refused() as refusal:
        await client.inbox.UndoInbox(request, metadata=OPERATOR)

    assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refusal.reason == "REQUEST_ID_REUSED"
    assert await waiting(client) == decided[:1]
