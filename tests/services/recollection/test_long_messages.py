from __future__ import annotations

import threading
from typing import Any

import pytest

from festinger.core.language.turns import Role, Turn
from festinger.services.recollection import prompt_turns
from festinger.services.recollection.recollect import Recollection, recollect_prompt
from festinger.services.world.memory import TenantMemory
from tests.services.conftest import settled

LONG_FACT = "zorbfrob runs on kubernetes."
LONG = " ".join([LONG_FACT, *(f"host{it} runs on pg{it}." for it in range(60))])


def ask(memory: TenantMemory, text: str) -> Recollection:
    """
    Have somebody say something.
    """
    turn = Turn(Role.USER, text, digest=text.encode()[:32])
    return recollect_prompt(memory, [turn], principal="nadia")


async def test_long_message_does_not_keep_other_prompts_waiting(
    memory: TenantMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    It is read in a thread while others are answered, and kept afterwards.
    """
    read, may_read = prompt_turns._read, threading.Event()

    def wait_and_read(memory: TenantMemory, spoken: Any) -> Any:
        if spoken.characters == len(LONG):
            may_read.wait(20)
        return read(memory, spoken)

    monkeypatch.setattr(prompt_turns, "_read", wait_and_read)
    ask(memory, LONG)

    answered = ask(memory, "Dobbit is a worker.")
    unread = [line.text for line in memory.world.lines.recent()]
    may_read.set()
    await settled(memory)

    assert answered.outcomes
    assert LONG_FACT not in unread
    assert LONG_FACT in [line.text for line in memory.world.lines.recent()]
