"""Requests of real clients, through the shim and a real memory server."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.shim.recollection.memory import MemoryClient
from tests.e2e.conftest import Festinger
from tests.shim.conftest import SAMPLES, chat, load, samples
from tests.shim.recollection.test_client_summaries import ERRANDS, SUMMARIES, SYSTEMS
from tests.shim.recollection.test_framing import FRAMED, PAGE, SAID, UNSAID

AGENT_ZERO = "gnommoweb is a repo of Glitch University. Please update its README."

# All that people say in the samples.
SAID_IN_SAMPLES = {
    AGENT_ZERO,
    "Hello 😀",
    "Grüß dich 😀",
    "What is it?",
    "what",
    "what?",
    "Why?",
}


@pytest.fixture
def asked(monkeypatch):
    """The questions to the memory about prompts from here on."""
    questions: list[pb.RecollectRequest] = []
    recollect = MemoryClient.recollect

    async def heard(self, request, caller):
        questions.append(request)
        return await recollect(self, request, caller)

    monkeypatch.setattr(MemoryClient, "recollect", heard)
    return questions


def queries(asked: Iterable[pb.RecollectRequest]) -> set[str]:
    """Return the texts of prompts that were taken for a user's question."""
    newest = [request.turns[-1] for request in asked if request.turns]
    earlier = [text for request in asked for text in request.earlier]
    return {it.text for it in newest if it.role == pb.Turn.ROLE_USER} | {*earlier}


async def kept(festinger: Festinger) -> list[str]:
    """Return the sentences that are kept, once all that was asked is written."""
    # It is written behind what came before.
    body = {"text": "The last of it is written now."}
    async with festinger.http.post(f"{festinger.url}/facts", json=body) as it:
        assert it.status in {200, 201}
    query = {"kind": "utterance", "limit": "500"}
    async with festinger.http.get(f"{festinger.url}/facts", params=query) as it:
        found = [line["quote"] for line in (await it.json())["facts"]]
    return [text for text in found if text != body["text"]]


async def send(festinger: Festinger, body: Any) -> None:
    """Send a prompt in a conversation of its own."""
    url = f"{festinger.url}/as/nan/api/chat"
    async with festinger.http.post(url, json=body) as answer:
        await answer.read()
        assert answer.status == 200


@pytest.mark.slow
async def test_samples(festinger, asked):
    """
    Of no sample is anything kept or asked but what its user wrote; a request that is told
    nothing is forwarded byte for byte.
    """
    if not SAMPLES.is_dir():
        pytest.skip(f"NOTHING IS TESTED: there are no captured requests in {SAMPLES}")
    unchanged = 0
    for sample in samples():
        captured = load(sample)
        headers = {
            name: value
            for name, value in captured["headers"]
            if name.lower() in {"content-type", "authorization"}
        }
        before = len(festinger.ollama.requests)
        async with festinger.http.request(
            captured["method"],
            festinger.url + captured["path"],
            data=captured["raw"] or None,
            headers=headers,
        ) as answer:
            await answer.read()
        result = answer.headers.get("X-Festinger-Recollection", "")
        sent = festinger.ollama.requests[before:]
        if sent and (result == "none" or result.startswith("skipped")):
            assert sent[-1].body == captured["raw"], sample.name
            unchanged += 1

    assert unchanged > 50
    assert queries(asked) <= SAID_IN_SAMPLES
    assert AGENT_ZERO in queries(asked)
    words = " ".join(SAID_IN_SAMPLES)
    assert [text for text in await kept(festinger) if text not in words] == []


@pytest.mark.slow
async def test_what_frameworks_write(festinger, asked):
    """
    Titles, tags, follow-ups, summaries, templates, files and tool results in the user's
    place: nothing of it is kept or asked, but the user's own words among it are.
    """
    for text in (*ERRANDS, *SUMMARIES, *UNSAID):
        await send(festinger, chat(text))
    for system in SYSTEMS:
        await send(festinger, chat(SAID, system=system))

    assert queries(asked) == set()
    assert await kept(festinger) == []
    for number, text in enumerate(FRAMED):
        await send(festinger, chat(text, system=f"You are number {number}."))
    assert PAGE not in json.dumps([*queries(asked)])
    assert all(SAID in text for text in queries(asked))
    assert {*await kept(festinger)} == {SAID}
