from __future__ import annotations

import threading
from typing import Any

import pytest

from festinger.core.language.turns import Role, Turn
from festinger.services.recollection import prompt_turns
from festinger.services.recollection.recollect import Recollection
from festinger.services.world.tenant_memory import TenantMemory
from tests.memories import recollect_prompt
from tests.services.conftest import settled

LONG_FACT = "zorbfrob runs on kubernetes."
LONG = " ".join([LONG_FACT, *(f"host{it} runs on pg{it}." for it in range(60))])


def ask(memory: TenantMemory, text: str) -> Recollection:
    """Have somebody say something."""
    turn = Turn(Role.USER, text, digest=text.encode()[:32])
    return recollect_prompt(memory, [turn], principal="nadia")


async def test_long_message_does_not_keep_other_prompts_waiting(
    memory: TenantMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read in a thread while others are answered, and kept afterwards."""
    read, may_read = prompt_turns._read, threading.Event()

    def wait_and_read(memory: TenantMemory, spoken: Any) -> Any:
        if spoken.characters == len(LONG):
            may_read.wait(20)
        return read(memory, spoken)

    monkeypatch.setattr(prompt_turns, "_read", wait_and_read)
    ask(memory, LONG)

    answered = ask(memory, "Dobbit is a worker.")
    unread = [line.text for line in memory.world.lines.sources.recent()]
    may_read.set()
    await settled(memory)

    assert answered.outcomes
    assert LONG_FACT not in unread
    assert LONG_FACT in [line.text for line in memory.world.lines.sources.recent()]


async def test_what_follows_a_long_message_is_queued_behind_it(
    memory: TenantMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A correction that comes while the long message is still read does not overtake it."""
    queued: list[str] = []

    def note(*arguments: Any) -> None:
        queued.append(arguments[-1].stored[0].utterances[0].text[:8])

    monkeypatch.setattr(prompt_turns, "_queue", note)
    ask(memory, LONG)
    ask(memory, "No, zorbfrob runs on podman.")
    await memory.settle()
    ask(memory, "Dobbit is a worker, as we said.")

    assert queued == [LONG[:8], "No, zorb", "Dobbit i"]


async def test_message_that_could_not_be_read_may_come_again(
    memory: TenantMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A defect of the reader leaves no mark that the turn was heard."""

    def fail(memory: TenantMemory, spoken: Any) -> Any:
        raise RuntimeError("a defect")

    with monkeypatch.context() as patch:
        patch.setattr(prompt_turns, "_read", fail)
        ask(memory, LONG)
        await memory.settle()
    ask(memory, LONG)
    await settled(memory)

    assert LONG_FACT in [line.text for line in memory.world.lines.sources.recent()]
