from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FESTINGER = Path(sys.executable).with_name("festinger")

WORKER = """
import asyncio, sys
from festinger.cli import logs
from festinger.workers.periodic import every

logs.set_up()
runs = 0

async def fail():
    global runs
    runs += 1
    raise RuntimeError

async def main():
    worker = asyncio.create_task(every(0, "test", fail))
    while runs < 3 and not worker.done():
        await asyncio.sleep(0)
    print(runs)

asyncio.run(main())
"""

SPEAKER = """
import sys
from rich.console import Console
from festinger.cli.output import forgiving
from festinger.cli.progress import StartReporter

with StartReporter(Console(file=forgiving(sys.stdout))) as progress:
    for _ in range(3):
        progress.say("waiting for Postgres to stop")
print("said", file=sys.stderr)
"""

CLOSED = """
import sys
from festinger.cli.output import forgiving

stream = forgiving(sys.stdout)
sys.stdout.close()
stream.write("unheard")
stream.flush()
"""


@pytest.fixture
def unread():
    """A pipe whose reader is gone."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


def run(script, **streams):
    """Return the output and exit of a process that runs a script."""
    return subprocess.run([sys.executable, "-c", script], text=True, **streams)


def test_a_worker_works_on_while_its_log_cannot_be_written(unread):
    """Run after run fails, and is told to nobody."""
    done = run(WORKER, stdout=subprocess.PIPE, stderr=unread)

    assert (done.returncode, done.stdout) == (0, "3\n")


def test_progress_is_told_to_nobody(unread):
    """A start goes on, and its end is no failure."""
    done = run(SPEAKER, stdout=unread, stderr=subprocess.PIPE)

    assert (done.returncode, done.stderr) == (0, "said\n")


def test_a_stream_that_was_closed():
    """Output into a closed stream is lost."""
    assert run(CLOSED, stderr=subprocess.PIPE).stderr == ""


def test_a_stream_is_written_to_again_when_it_can_be(tmp_path):
    """Only what was said in the meantime is missing."""
    script = """
import resource, sys
from festinger.cli.output import forgiving

stream = forgiving(sys.stdout)
for limit, text in (9, "one\\n"), (4, "two\\n"), (99, "three\\n"):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    stream.write(text)
    stream.flush()
"""
    file = tmp_path / "output"
    with file.open("wb") as stream:
        run(script, stdout=stream, check=True)

    assert file.read_text() == "one\nthree\n"


@pytest.mark.parametrize(
    "command",
    [["provenance", "trace"], ["memories", "--project"], ["inbox", "--tenant"]],
)
def test_words_that_are_no_text(command):
    """A sentence and exit code 1, no traceback."""
    nobody = ("--server", "127.0.0.1:1")
    done = subprocess.run(
        [FESTINGER, *command, b"caf\xe9", *nobody],
        stderr=subprocess.PIPE,
        check=False,
    )

    said = b"festinger: the words are not valid UTF-8\n"
    assert (done.returncode, done.stderr) == (1, said)


@pytest.mark.parametrize("arguments", [["--help"], ["language", "tokens", __file__]])
def test_disk_that_takes_no_output(arguments):
    """A sentence and exit code 1, no traceback."""
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [FESTINGER, *arguments], stdout=full, stderr=subprocess.PIPE, check=False
        )

    said = b"festinger: the output cannot be written: there is no room left\n"
    assert (done.returncode, done.stderr) == (1, said)
