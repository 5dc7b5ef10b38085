"""People's ratings of told lines."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from festinger.api.v1 import inbox_service_pb2 as inbox_pb
from festinger.api.v1 import line_service_pb2 as pb
from festinger.api.v1.inbox_pb2 import InboxDecision, InboxItem
from tests.serving import Client, refused

OPERATOR = Client.as_("operator")
NADIA = Client.as_("shim", principal="nadia", subject="nadia")
THEO = Client.as_("shim", principal="theo", subject="theo")
STOCK = "Kassel delivers the stock file at 05:40 every morning."
LATER = "The stock file from Kassel must not be opened by hand."
PROMPT = "When does Kassel deliver the stock file?"


class Rated:
    """A memory whose lines are told, and rated."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def told(self, prompt: str = PROMPT) -> dict[str, float]:
        """The lines that a prompt is told: the probability of each, by its quote or text."""
        request = pb.ExplainRequest(prompt=prompt)
        answer = await self.client.lines.Explain(request, metadata=THEO)
        return {it.line.quote or it.line.text: it.probability for it in answer.told}

    async def name(self, words: str) -> str:
        """Return the name of the line that fits some words best."""
        request = pb.SearchLinesRequest(query=words)
        answer = await self.client.lines.SearchLines(request, metadata=OPERATOR)
        return str(answer.lines[0].name)

    async def rate(self, name: str, verdict: str, who: Any = THEO) -> Any:
        """Say what a line was worth."""
        request = pb.RateLineRequest(
            name=name, verdict=f"VERDICT_{verdict}", prompt=PROMPT
        )
        return await self.client.lines.RateLine(request, metadata=who)

    async def waiting(self) -> list[Any]:
        """Return the items that wait because a line was called wrong."""
        wanted = inbox_pb.InboxFilter(kinds=[InboxItem.KIND_FEEDBACK])
        request = inbox_pb.ListInboxRequest(filter=wanted)
        page = await self.client.inbox.ListInbox(request, metadata=OPERATOR)
        return list(page.items)

    async def decide(self, item_id: str, action: Any) -> None:
        """Decide about it."""
        request = inbox_pb.DecideInboxRequest(item_ids=[item_id], action=action)
        await self.client.inbox.DecideInbox(request, metadata=OPERATOR)

    async def undo(self) -> None:
        """Undoe the last decision."""
        request = inbox_pb.UndoInboxRequest()
        await self.client.inbox.UndoInbox(request, metadata=OPERATOR)


@pytest.fixture
async def rated(client):
    """Two sentences that fit the same prompt."""
    for text in (STOCK, LATER):
        await client.lines.Say(pb.SayRequest(text=text), metadata=NADIA)
    return Rated(client)


async def test_line_that_helped_ranks_higher(rated):
    """Votes raise the probability of a line, somebody's once, and no other line's."""
    before = await rated.told()
    name = await rated.name("stock file by hand")

    await rated.rate(name, "HELPED")
    once = await rated.told()
    await rated.rate(name, "HELPED")
    again = await rated.told()
    await rated.rate(name, "HELPED", OPERATOR)
    twice = await rated.told()

    assert before[LATER] < once[LATER] == again[LATER] < twice[LATER]
    assert before[STOCK] == once[STOCK] == twice[STOCK]


async def test_wrong_line_is_told_no_longer(rated):
    """It is silent at once, and waits in the inbox with who said so and in which prompt."""
    name = await rated.name("Kassel delivers 05:40")

    await rated.rate(name, "WRONG")
    told = await rated.told()
    (item,) = await rated.waiting()

    assert STOCK not in told
    assert LATER in told
    assert item.feedback.principal == "theo"
    assert item.feedback.prompt == PROMPT
    assert item.feedback.speaker == "nadia"
    assert "theo says that this line is wrong" in item.why


async def test_repeated_complaint_is_one_item(rated):
    """
    A call whose answer was lost may be repeated: somebody's complaint waits once, and once
    more only after it was decided or if it is somebody else's.
    """
    name = await rated.name("Kassel delivers 05:40")

    await rated.rate(name, "WRONG")
    await rated.rate(name, "WRONG")
    (item,) = await rated.waiting()
    await rated.rate(name, "WRONG", OPERATOR)
    both = await rated.waiting()
    await rated.decide(item.id, InboxDecision.ACTION_REJECT)
    await rated.rate(name, "WRONG")

    assert len(both) == 2
    assert len(await rated.waiting()) == 2


async def test_wrong_line_is_told_again(rated):
    """A person who rejects the complaint has the line told again; undone, it is silent."""
    await rated.rate(await rated.name("Kassel delivers 05:40"), "WRONG")
    (item,) = await rated.waiting()

    await rated.decide(item.id, InboxDecision.ACTION_REJECT)
    overruled = await rated.told()
    left = await rated.waiting()
    await rated.undo()
    silent = await rated.told()

    assert STOCK in overruled
    assert left == []
    assert STOCK not in silent
    assert [it.id for it in await rated.waiting()] == [item.id]


async def test_wrong_line_stays_silent_if_a_person_agrees(rated):
    """Accepting the complaint closes it; the line stays untold, also after a restart."""
    await rated.rate(await rated.name("Kassel delivers 05:40"), "WRONG")
    (item,) = await rated.waiting()

    await rated.decide(item.id, InboxDecision.ACTION_ACCEPT)

    assert await rated.waiting() == []
    assert STOCK not in await rated.told()


async def test_wrong_fact_is_retracted_and_restored(rated, client):
    """A fact of the graph is taken back with it, and stated again if it was right."""
    await client.states("billing -ispart podman in context of runs-on")
    name = await rated.name("billing runs on")

    await rated.rate(name, "WRONG")
    gone = list((await client.concept("billing")).edges)
    (item,) = await rated.waiting()
    await rated.decide(item.id, InboxDecision.ACTION_REJECT)

    assert gone == []
    assert list(item.feedback.facts) == ["billing -ispart podman in context of runs-on"]
    edges = (await client.concept("billing")).edges
    assert [it.parent for it in edges] == ["podman"]


@pytest.mark.parametrize(
    ("name", "verdict", "code"),
    [
        ("said-99.0", "WRONG", grpc.StatusCode.NOT_FOUND),
        ("walrus", "HELPED", grpc.StatusCode.NOT_FOUND),
        ("said-1.0", "UNSPECIFIED", grpc.StatusCode.INVALID_ARGUMENT),
    ],
)
async def test_odd_feedback_is_refused(rated, name, verdict, code):
    """A line that is not there, and a verdict that is none, are refused."""
    with refused() as refusal:
        await rated.rate(name, verdict)

    assert refusal.code == code
