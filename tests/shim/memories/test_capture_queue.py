from __future__ import annotations

import asyncio
from time import perf_counter

import grpc
import pytest
import structlog

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1.extraction_service_pb2 import CaptureRequest
from festinger.config import CaptureMode, ShimSettings
from festinger.shim.memories import capture_queue
from festinger.shim.memories.capture_queue import CHARACTERS_MAX, CaptureQueue, NewTurns
from festinger.shim.system.identity import RequestCaller
from tests.exposition import families
from tests.shim.conftest import POSITIONS, chat
from tests.shim.system.test_metrics import scrape
from tests.waiting import becomes, until

ALICE = {"X-Festinger-Subject": "alice"}
BLOCK = "<recollection>\nabout alice: loves tea (fact)\n</recollection>"
USER, ASSISTANT = pb.Turn.ROLE_USER, pb.Turn.ROLE_ASSISTANT
TITLE = "### Task:\nGive it a title.\n<chat_history>\nUSER: one\n</chat_history>"


@pytest.fixture(autouse=True)
def sticky(memory):
    """Blocks stay where they were told."""
    memory.position = POSITIONS.POSITION_STICKY


async def says(http, shim, *said, path="/api/chat", headers=ALICE, **more):
    """Send a conversation; give the status."""
    body = chat(*said, system="Be brief.", **more)
    answer = await http.post(shim.url + path, json=body, headers=headers)
    await answer.read()
    return answer.status


def turns(memory):
    """Return the captured turns, each with its speaker."""
    return [(turn.role, turn.text) for it in memory.captures for turn in it.turns]


async def results(http, shim):
    """Return the results of captures, by the metrics."""
    samples = families(await scrape(http, shim))["festinger_shim_captures"].samples
    return {it.labels["result"]: it.value for it in samples}


async def test_marked_conversation_is_kept(http, shim, memory):
    """
    The user's and assistant's turns are captured, with their subject, and not to be
    extracted.
    """
    await says(http, shim, "one", "two", "three")
    await until(lambda: memory.captures)

    assert turns(memory) == [(USER, "one"), (ASSISTANT, "two"), (USER, "three")]
    (captured,) = memory.captures
    assert not captured.extract
    assert captured.session
    assert len({turn.digest for turn in captured.turns}) == 3
    (who,) = memory.captured_for
    assert who["festinger-subject"] == who["festinger-principal"] == "alice"
    assert who["festinger-tenant"] == "default"
    assert who["authorization"] == "Bearer secret"
    # Counted once the memory has answered.
    await becomes(lambda: results(http, shim), {"kept": 1})


async def test_history_that_is_sent_again_is_sent_once(http, shim, memory):
    """Each request brings what is new, under one name and without what was brought before."""
    await says(http, shim, "one")
    await says(http, shim, "one")
    await says(http, shim, "one", "two", "three")
    await says(http, shim, "one", "two", "three", "four", "five")
    await until(lambda: len(memory.captures) == 3)

    assert [text for _, text in turns(memory)] == [
        "one",
        "two",
        "three",
        "four",
        "five",
    ]
    assert len({captured.session for captured in memory.captures}) == 1


async def test_restart_gives_the_same_names(http, start_shim, memory):
    """
    A shim that remembers nothing names the session and its turns as before, so that the
    memory keeps them once.
    """
    await says(http, await start_shim(), "one", "two", "three")
    await says(http, await start_shim(), "one", "two", "three")
    await until(lambda: len(memory.captures) == 2)

    first, second = memory.captures
    assert first == second


async def test_named_session(http, shim, memory):
    """Its name is the client's."""
    await says(http, shim, "one", headers={**ALICE, "X-Festinger-Session": "s1"})
    await until(lambda: memory.captures)

    assert memory.captures[0].session == "s1"


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/api/chat", {}),
        ("/as/alice/api/chat", {}),
        ("/api/chat", {"Authorization": "Bearer some-key"}),
        ("/api/chat", {**ALICE, "X-Festinger": "off"}),
        ("/api/chat", {**ALICE, "Origin": "https://example.org"}),
    ],
)
async def test_what_is_not_marked_is_not_kept(http, shim, memory, path, headers):
    """Neither for a name or a token alone, nor where the shim is switched off."""
    await says(http, shim, "one", path=path, headers=headers)
    await says(http, shim, "two", headers=ALICE)
    await until(lambda: memory.captures)

    assert turns(memory) == [(USER, "two")]


async def test_errands_and_our_own_words_are_not_kept(http, shim, memory):
    """The client's text in the user's place was not said, nor was ours (B7)."""
    await says(http, shim, TITLE)
    await says(
        http, shim, "This session is being continued from a previous conversation."
    )
    await says(http, shim, "User: Hello!\nAssistant: Hi.\nUser: Bye.\nName this chat.")
    await says(http, shim, f"one\n\n{BLOCK}")
    await until(lambda: memory.captures)

    assert turns(memory) == [(USER, "one")]


@pytest.mark.parametrize(
    ("capture", "kept", "extract"),
    [("off", 0, False), (True, 1, False), ("extract", 1, True)],
)
async def test_as_configured(http, start_shim, memory, capture, kept, extract):
    """Off, on (as YAML reads it), or to be extracted."""
    shim = await start_shim(capture=capture)

    await says(http, shim, "one")
    await shim.stop()

    assert [it.extract for it in memory.captures] == [extract] * kept


async def test_configuration_is_taken_over(http, shim, memory, ollama):
    """Without a restart."""
    settings = {"upstream": ollama.url, "memory_milliseconds_max": 2000}
    shim.apply(ShimSettings(**settings, capture=CaptureMode.OFF))
    await says(http, shim, "one")
    shim.apply(ShimSettings(**settings, capture=CaptureMode.EXTRACT))
    await says(http, shim, "one", "two", "three")
    await until(lambda: memory.captures)

    assert [text for _, text in turns(memory)] == ["two", "three"]


def test_on_and_off_are_words():
    """YAML's yes and no are read as what was written."""
    read = ShimSettings.model_validate

    assert ShimSettings().capture is CaptureMode.ON
    assert read({"capture": True}).capture is CaptureMode.ON
    assert read({"capture": False}).capture is CaptureMode.OFF
    with pytest.raises(ValueError, match="'off', 'on' or 'extract'"):
        read({"capture": "always"})


async def test_memory_that_hangs_holds_nothing_up(http, shim, memory):
    """Prompts go on as ever while nothing can be kept, and what was said is sent later."""
    memory.capturing.clear()
    started = perf_counter()
    for number in range(10):
        assert await says(http, shim, f"number {number}") == 200
    spent = perf_counter() - started
    memory.capturing.set()
    await until(lambda: len(memory.captures) == 10)

    assert spent < capture_queue.CLOSE_SECONDS * 5
    assert [text for _, text in turns(memory)] == [f"number {n}" for n in range(10)]


async def test_memory_that_is_away_is_tried_again(http, shim, memory, monkeypatch):
    """A few times; then what was said is dropped, counted, and the log says so once."""
    monkeypatch.setattr(capture_queue, "RETRY_SECONDS", (0.01, 0.01))
    memory.refuses_captures = grpc.StatusCode.UNAVAILABLE
    with structlog.testing.capture_logs() as logs:
        await says(http, shim, "the heron")
        await says(http, shim, "two")
        await until(lambda: len(memory.captures) == 6)
        memory.refuses_captures = None
        await says(http, shim, "three")
        await becomes(lambda: results(http, shim), {"memory-down": 2, "kept": 1})

    assert len(memory.captures) == 7
    said = [it["event"] for it in logs if it["event"].startswith("capture")]
    assert said == ["capture_dropped", "captures_back"]
    assert "heron" not in str(logs)


async def test_what_is_refused_is_not_tried_again(http, shim, memory):
    """Somebody must do something first."""
    memory.refuses_captures = grpc.StatusCode.PERMISSION_DENIED

    await says(http, shim, "one")
    await says(http, shim, "two")
    await until(lambda: len(memory.captures) == 2)
    await shim.stop()

    assert [text for _, text in turns(memory)] == ["one", "two"]


async def test_what_no_upstream_answers_was_said(http, start_shim, memory):
    """The client asks again, and does not say it again."""
    shim = await start_shim(upstream="http://127.0.0.1:9")

    assert await says(http, shim, "one") == 502
    assert await says(http, shim, "one") == 502
    await until(lambda: memory.captures)

    assert turns(memory) == [(USER, "one")]


async def test_what_the_memory_did_not_read_is_kept(http, start_shim, memory):
    """A prompt that goes on without a recollection was said all the same."""
    shim = await start_shim()
    memory.abort = grpc.StatusCode.INTERNAL

    await says(http, shim, "one")
    await until(lambda: memory.captures)

    assert turns(memory) == [(USER, "one")]


async def test_not_more_than_the_newest(http, shim, memory):
    """Of a long history the end is kept."""
    long = "word " * (CHARACTERS_MAX // 5)

    await says(http, shim, "first", "second", long, "third", "fourth")
    await until(lambda: memory.captures)

    kept = [text for _, text in turns(memory)]
    assert kept == [long[: CHARACTERS_MAX - len("thirdfourth")], "third", "fourth"]


class Keeper:
    """Keeps what is said when a test lets it."""

    def __init__(self):
        self.kept: list[NewTurns] = []
        self.open = asyncio.Event()
        self.defect = False

    async def keep(self, request, caller):
        """Wait, and notes it."""
        await self.open.wait()
        if self.defect:
            raise RuntimeError("a defect")
        self.kept.append(request)


def said(characters=1):
    """Something that was said."""
    return NewTurns(CaptureRequest(), RequestCaller(), characters)


@pytest.mark.parametrize(
    ("limit", "value", "characters"),
    [("WAITING_MAX", 3, 1), ("WAITING_CHARACTERS_MAX", 3, 1)],
)
async def test_queue_is_bounded(monkeypatch, limit, value, characters):
    """In number and in size; beyond it what comes is dropped and counted."""
    monkeypatch.setattr(capture_queue, limit, value)
    keeper = Keeper()
    captures = CaptureQueue(keeper.keep)
    captures.start()

    for _ in range(5):
        captures.offer(said(characters))
    full = captures.results.copy()
    keeper.open.set()
    await until(lambda: not captures.waiting)
    captures.offer(said(characters))
    await captures.stop()

    assert full == {"queue-full": 2}
    assert len(keeper.kept) == 4


async def test_offered_twice_is_kept_once():
    """When an answer begins and when it ends."""
    keeper = Keeper()
    keeper.open.set()
    captures, once = CaptureQueue(keeper.keep), said()
    captures.start()

    captures.offer(once)
    captures.offer(once)
    captures.offer(None)
    await captures.stop()

    assert captures.results == {"kept": 1}


async def test_defect_ends_nothing():
    """
    A conversation that cannot be kept for whatever reason is dropped, and the next is
    kept.
    """
    keeper = Keeper()
    keeper.open.set()
    keeper.defect = True
    captures = CaptureQueue(keeper.keep)
    captures.start()

    captures.offer(said())
    await until(lambda: not captures.waiting)
    keeper.defect = False
    captures.offer(said())
    await captures.stop()

    assert captures.results == {"error": 1, "kept": 1}


async def test_stop_does_not_wait_for_ever(monkeypatch):
    """A conversation that cannot be sent at a stop is dropped and counted."""
    monkeypatch.setattr(capture_queue, "CLOSE_SECONDS", 0.05)
    captures = CaptureQueue(Keeper().keep)
    captures.start()
    captures.offer(said())
    captures.offer(said())

    await captures.stop()

    assert captures.results == {"stopped": 2}
