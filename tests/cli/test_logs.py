from __future__ import annotations

import json
import subprocess
import sys

import pytest

from festinger.cli.logs import trace_errors

SECRET = "the heron drinks at midnight"

SCRIPT = """
import asyncio, logging, sys, structlog
from festinger.cli import logs
from festinger.config import LogSettings

logs.set_up(logging.INFO, LogSettings(**{settings}))
log = structlog.get_logger("test")
log.debug("quiet")
log.info("hello", count=1)
try:
    raise ValueError({secret!r})
except ValueError as error:
    try:
        raise RuntimeError({secret!r}) from error
    except RuntimeError:
        log.exception("worker_failed")

async def fail(text):
    raise KeyError(text)

async def main():
    task = asyncio.create_task(fail({secret!r}))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    del task

    def called(text):
        raise LookupError(text)

    asyncio.get_running_loop().call_soon(called, {secret!r})
    await asyncio.sleep(0)

asyncio.run(main())
"""


def logged(**settings):
    """Return the log lines of a process with these settings."""
    script = SCRIPT.format(settings=settings, secret=SECRET)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == ""
    return done.stderr


def test_json():
    """Elsewhere than on a terminal each line is one object, from libraries too."""
    lines = [json.loads(line) for line in logged().splitlines()]

    assert [(it["level"], it["event"]) for it in lines] == [
        ("info", "hello"),
        ("error", "worker_failed"),
        ("error", "Task exception was never retrieved"),
        ("error", "Exception in callback main.<locals>.called"),
    ]
    assert lines[0]["count"] == 1


@pytest.mark.parametrize("form", ["json", "console"])
def test_words_of_errors_are_left_out(form):
    """An error is told by its kind and its places, and so is what caused it."""
    written = logged(format=form)

    assert "RuntimeError" in written
    assert "ValueError" in written
    assert "in fail" in written
    assert SECRET not in written


def test_for_people_when_told_so():
    """`console` writes for people where there is no terminal, in no colours."""
    written = logged(format="console")

    assert "[info     ] hello" in written
    assert "\x1b" not in written


def test_level():
    """The settings say what is worth a line."""
    assert "quiet" in logged(level="debug")
    assert "hello" not in logged(level="error")


def test_an_error_without_a_trace():
    """An error that was never raised is told by its kind; what is none changes nothing."""
    event = {"event": "e", "exc_info": ValueError(SECRET)}

    assert trace_errors(None, "error", event) == {
        "event": "e",
        "exception": "ValueError",
    }
    assert trace_errors(None, "error", {"event": "e", "exc_info": None}) == {
        "event": "e"
    }
