from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from festinger.core.review.findings import DocumentPlace, StoredChunk, StoredDocument
from festinger.errors import Overloaded
from festinger.workers.worker_process import WorkerProcess
from tests.waiting import until

A = DocumentPlace("", "/docs", "a.md")

# Reads a document, says which process did it, and waits.
PARENT = """
import asyncio, time
from festinger.core.review.findings import DocumentPlace
from festinger.workers.worker_process import WorkerProcess

reader = WorkerProcess()
asyncio.run(reader.divide([(DocumentPlace("", "/docs", "a.md"), b"hello")], 100))
print(reader._process.pid, flush=True)
time.sleep(60)
"""


@pytest.fixture
def apart():
    """A reader that gives up early."""
    apart = WorkerProcess(seconds_max=0.5, idle_seconds=0.2)
    yield apart
    apart.close()


@pytest.fixture
def patient():
    """A reader that gives up on nothing here."""
    patient = WorkerProcess()
    yield patient
    patient.close()


async def begun(reader):
    """Return the reading of a document that takes a second, which has begun."""
    await reader.divide([(A, b"hello")], 100)
    before = ticks(reader._process.pid)
    prose = "gnommoweb is a repo. We must use it, and X = 4.8 kg\n\n" * 4_000
    document = StoredDocument(1, "a.md", "", None, [StoredChunk("1", (), prose)])
    reading = asyncio.create_task(reader.sweep([document]))
    await until(lambda: ticks(reader._process.pid) > before + 5)
    assert not reading.done()
    return reading


def ticks(pid):
    """Return the processor time of a process, in hundredths of a second."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def is_alive(pid):
    """Return whether there is such a process, but for what is left of one that ended."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_process_that_was_idle_begins_again(apart):
    """It ends when nothing comes, and nobody notices."""
    first = await apart.divide([(A, b"hello")], 100)
    await asyncio.sleep(1)

    assert await apart.divide([(A, b"hello")], 100) == first
    assert first[0].chunks[0].text == "hello"


async def test_what_takes_too_long_is_told(apart):
    """A sweep over which the process ends is told as an error of that document alone."""
    prose = "gnommoweb is a repo. We must use it, and X = 4.8 kg\n\n" * 40_000
    documents = [
        StoredDocument(number, name, "", None, [StoredChunk(f"{number}", (), text)])
        for number, (name, text) in enumerate([("a.md", prose), ("b.md", "hello")])
    ]

    hard, easy = await apart.sweep(documents)

    assert hard.errors == ["an extractor took too long over it, or too much memory"]
    assert not easy.errors


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_process_that_was_ended_between_two_documents(patient, number):
    """The next document finds another one."""
    first = await patient.divide([(A, b"hello")], 100)
    ended = patient._process.pid
    os.kill(ended, number)
    await until(lambda: not is_alive(ended))

    assert await patient.divide([(A, b"hello")], 100) == first


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_process_that_is_ended_over_a_document(patient, number):
    """
    The end of its process does not make the document unreadable: another process reads
    it.
    """
    reading = await begun(patient)
    os.kill(patient._process.pid, number)

    (swept,) = await reading
    assert swept.found


async def test_processes_that_are_ended_one_after_the_other(patient):
    """Whoever wants something read is told to try again, and the document is not blamed."""
    reading = await begun(patient)
    for _ in range(2):
        (ended := patient._process).terminate()
        while patient._process in {None, ended} and not reading.done():  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    with pytest.raises(Overloaded):
        await reading


async def test_process_that_the_kernel_ends_over_a_document(patient):
    """Whatever takes too much memory is told as such."""
    reading = await begun(patient)
    os.kill(patient._process.pid, signal.SIGKILL)

    (swept,) = await reading
    assert "too much memory" in swept.errors[0]


async def test_the_end_makes_no_document_unreadable(patient):
    """A document being read as the server stops is to be read again."""
    reading = await begun(patient)
    await asyncio.to_thread(patient.close)

    with pytest.raises(Overloaded):
        await reading


async def test_nobody_reads_after_the_end(apart):
    """Whoever asks a reader that was closed is told to try again."""
    apart.close()

    with pytest.raises((Overloaded, RuntimeError)):
        await apart.divide([(A, b"hello")], 100)


async def test_process_does_not_outlive_its_parent():
    """After SIGKILL of a server its reader ends by itself."""
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PARENT, stdout=asyncio.subprocess.PIPE
    )
    assert parent.stdout is not None
    pid = int(await parent.stdout.readline())
    assert is_alive(pid)

    os.kill(parent.pid, signal.SIGKILL)
    await parent.wait()

    await until(lambda: not is_alive(pid))
