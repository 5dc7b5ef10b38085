from __future__ import annotations

import asyncio
import os
import signal
import sys
import time

import pytest

from festinger.core.promotion.sweeping import Part, Place, Whole
from festinger.errors import Overloaded
from festinger.workers.apart import Apart

A = Place("", "/docs", "a.md")
GONE_SECONDS_MAX = 20.0

# Reads a document, says which process did it, and waits.
PARENT = """
import asyncio, time
from festinger.core.promotion.sweeping import Place
from festinger.workers.apart import Apart

reader = Apart()
asyncio.run(reader.divide([(Place("", "/docs", "a.md"), b"hello")], 100))
print(reader._process.pid, flush=True)
time.sleep(60)
"""


@pytest.fixture
def apart():
    """
    A reader that gives up early.
    """
    apart = Apart(seconds_max=0.5, idle_seconds=0.2)
    yield apart
    apart.close()


def is_alive(pid):
    """
    Whether there is such a process, but for what is left of one that ended.
    """
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_process_that_was_idle_begins_again(apart):
    """
    It ends when nothing comes, and nobody notices.
    """
    first = await apart.divide([(A, b"hello")], 100)
    await asyncio.sleep(1)

    assert await apart.divide([(A, b"hello")], 100) == first
    assert first[0].chunks[0].text == "hello"


async def test_what_takes_too_long_is_told(apart):
    """
    A sweep over which the process ends is told as an error of that document alone.
    """
    prose = "gnommoweb is a repo. We must use it, and X = 4.8 kg\n\n" * 40_000
    documents = [
        Whole(number, name, "", None, [Part(f"{number}", (), text)])
        for number, (name, text) in enumerate([("a.md", prose), ("b.md", "hello")])
    ]

    hard, easy = await apart.sweep(documents)

    assert hard.errors == [
        "a.md: an extractor took too long over it, or too much memory"
    ]
    assert not easy.errors


async def test_nobody_reads_after_the_end(apart):
    """
    Whoever asks a reader that was closed is told to try again.
    """
    apart.close()

    with pytest.raises((Overloaded, RuntimeError)):
        await apart.divide([(A, b"hello")], 100)


async def test_process_does_not_outlive_its_parent():
    """
    After SIGKILL of a server its reader ends by itself.
    """
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PARENT, stdout=asyncio.subprocess.PIPE
    )
    assert parent.stdout is not None
    pid = int(await parent.stdout.readline())
    assert is_alive(pid)

    os.kill(parent.pid, signal.SIGKILL)
    await parent.wait()

    deadline = time.monotonic() + GONE_SECONDS_MAX
    while is_alive(pid):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)
