"""Large prompts are read within bounds, and do not hold up the others.

What is counted is steps and characters, since times depend on the machine.
"""

from __future__ import annotations

import asyncio
import io
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from festinger.shim.loops import dialects, loopguard
from festinger.shim.recollection import client_summaries, inject, quotes, sticky
from festinger.shim.recollection.offload import OFFLOAD_BYTES_MIN, READ_BYTES_MAX
from festinger.shim.recollection.quotes import Quotes
from festinger.shim.recollection.segments import SegmentRole, make_segment
from festinger.shim.steps import parse, question
from tests.shim.conftest import BLOCK, POSITIONS, chat
from tests.shim.recollection.test_sticky import line
from tests.waiting import until

SENTENCE = "Number {} is a repo of Glitch University.\n"
MEGABYTES = 5


def text(characters: int) -> str:
    """So much prose."""
    sentences = "".join(SENTENCE.format(n) for n in range(characters // 40 + 1))
    return sentences[:characters]


def large(characters: int = MEGABYTES * 2**20, messages: int = 1) -> dict[str, Any]:
    """Return a prompt of so many characters in so many messages."""
    said = text(characters // messages)
    return chat(*(f"{n} {said}" for n in range(messages)))


async def post(http, shim, body):
    """Send a prompt. Returns what became of the recollection."""
    raw = io.BytesIO(json.dumps(body).encode())
    answer = await http.post(f"{shim.url}/api/chat", data=raw)
    assert answer.status == 200
    return answer.headers["X-Festinger-Recollection"]


@pytest.fixture
def threads(monkeypatch):
    """The request's steps by name: whether they were taken in the shared thread."""
    here = threading.get_ident()
    taken: dict[str, bool] = {}

    def watch(owner: object, name: str) -> None:
        step = getattr(owner, name)

        def watching(*arguments, **more):
            taken[name] = threading.get_ident() == here
            return step(*arguments, **more)

        monkeypatch.setattr(owner, name, watching)

    for owner, name in (
        (parse, "parse_json"),
        (client_summaries, "mark"),
        (sticky, "put_back"),
        (inject, "into_system"),
        (dialects, "read"),
        (loopguard.LoopWatch, "meet"),
    ):
        watch(owner, name)
    return taken


POSITIONED = [
    (POSITIONS.POSITION_STICKY, "put_back"),
    (POSITIONS.POSITION_SYSTEM, "into_system"),
]


@pytest.mark.parametrize(("position", "step"), POSITIONED)
@pytest.mark.parametrize(
    ("characters", "shared"), [(1000, True), (OFFLOAD_BYTES_MIN, False)]
)
async def test_large_prompts_are_read_in_a_thread(
    http, shim, memory, threads, position, step, characters, shared
):
    """The work for a large prompt is done in a thread of its own."""
    memory.position = position
    memory.block = BLOCK
    memory.lines = [line(BLOCK.splitlines()[1])]
    assert await post(http, shim, large(characters)) == "full"

    steps = ["parse_json", "mark", "read", step]
    assert {name: threads[name] for name in steps} == dict.fromkeys(steps, shared)


async def test_shared_state_is_not_touched_in_a_thread(http, shim, memory, threads):
    """
    A loop is noted in the thread that all share, and the session's blocks are put back in
    a thread of their own.
    """
    memory.position = POSITIONS.POSITION_STICKY
    memory.lines = [line("gnommoweb is a repo")]
    body = large(2 * OFFLOAD_BYTES_MIN, messages=3)
    assert await post(http, shim, body) == "full"
    threads.clear()
    await post(http, shim, body)

    assert (threads["meet"], threads["put_back"]) == (True, False)


async def test_others_do_not_wait(http, shim, monkeypatch):
    """While a large prompt is read another is answered."""
    reading, go_on = threading.Event(), threading.Event()
    mark = client_summaries.mark

    def slow(prompt, words):
        if len(prompt.segments[0].text) > 1000:
            reading.set()
            assert go_on.wait(30)
        return mark(prompt, words)

    monkeypatch.setattr(client_summaries, "mark", slow)
    first = asyncio.create_task(post(http, shim, large()))
    await until(reading.is_set)
    assert await post(http, shim, chat("hello")) == "none"
    assert not first.done()
    go_on.set()

    assert await first == "none"


async def test_too_large_to_be_read(http, start_shim, ollama, memory, monkeypatch):
    """A body beyond the limit passes as it is, and none of it is read."""
    shim = await start_shim(body_bytes_max=READ_BYTES_MAX + 2**20)
    monkeypatch.setattr(parse, "parse_json", None)
    raw = json.dumps(chat("x" * READ_BYTES_MAX)).encode()
    answer = await http.post(f"{shim.url}/api/chat", data=io.BytesIO(raw))

    assert answer.headers["X-Festinger-Recollection"] == "skipped:size"
    assert ollama.requests[-1].body == raw
    assert memory.recollects == []


async def test_too_many_messages(http, start_shim, ollama, memory, monkeypatch):
    """Of a body with too many messages nothing is looked at once it is parsed."""
    monkeypatch.setattr(client_summaries, "mark", None)
    monkeypatch.setattr(dialects, "read", None)
    shim = await start_shim()
    raw = json.dumps(large(2**22, messages=40_000)).encode()
    answer = await http.post(f"{shim.url}/api/chat", data=io.BytesIO(raw))

    assert answer.headers["X-Festinger-Recollection"] == "skipped:too-many"
    assert ollama.requests[-1].body == raw


@pytest.mark.parametrize("messages", [1, 99, 4001])
async def test_quotes_are_looked_for_within_bounds(
    http, start_shim, memory, monkeypatch, messages
):
    """However large a prompt is, so many characters are compared and so many kept."""
    compared: list[int] = []
    kept: list[str] = []
    pieces, looks = quotes._pieces, quotes._is_transcript

    def looking(said: str) -> bool:
        compared.append(len(said))
        return looks(said)

    def cutting(said: str) -> Iterator[str]:
        for piece in pieces(said):
            kept.append(piece)
            yield piece

    monkeypatch.setattr(quotes, "_is_transcript", looking)
    monkeypatch.setattr(Quotes, "_quotes", lambda *_: False)
    monkeypatch.setattr(quotes, "_pieces", cutting)
    shim = await start_shim()
    await post(http, shim, large(messages=messages))

    assert 0 < sum(compared) <= question.QUOTES_CHARACTERS_MAX
    assert 0 < len(kept) <= quotes.REQUEST_PIECES_MAX
    assert 0 < sum(len(t.text) for t in memory.recollects[-1].turns) <= 1_000_000


def test_text_is_cut_as_far_as_it_is_asked_for(monkeypatch):
    """Of a long text only the pieces that are kept are looked for."""
    labelled: list[str] = []

    class Label:
        def match(self, part):
            labelled.append(part)

    monkeypatch.setattr(quotes, "_LABEL", Label())
    count = Quotes().add("bob", make_segment(SegmentRole.USER, text(2**20)), 3)

    assert count == 3
    # A line ends in a seam of its own, so there is an empty part between two.
    assert len(labelled) <= 2 * count


def test_quotes_behind_the_bound_are_not_found():
    """The bound holds for what is compared, and nothing before it is lost."""
    said = "Human: hi there\nAssistant: hello\nHuman: what is gnommoweb?"
    segment = make_segment(SegmentRole.USER, "x" * 100 + "\n" + said)

    assert Quotes().repeats("bob", segment, 1000)
    assert not Quotes().repeats("bob", segment, 100)
