"""Commands and options are completed, as somebody types them in a shell."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select

import pytest

PROGRAMS = {"festinger": "festinger system completion", "gutask": "gutask completion"}
SECONDS_MAX = 60.0
BASH = [shutil.which("bash"), "--norc", "--noprofile", "-i"]
ZSH = [shutil.which("zsh"), "-f", "-i"]
FISH = shutil.which("fish")


class Terminal:
    """A shell that is typed to."""

    def __init__(self, file: int) -> None:
        self.file = file
        self.shown = ""

    def types(self, text: str) -> None:
        """Write what a person would."""
        os.write(self.file, text.encode())

    def shows(self, text: str) -> bool:
        """Return whether a text appears in time."""
        until = time.monotonic() + SECONDS_MAX
        while text not in self.shown and time.monotonic() < until:
            if select([self.file], [], [], 0.1)[0]:
                self.shown += os.read(self.file, 4096).decode(errors="replace")
        return text in self.shown


@contextmanager
def terminal(shell: list[str | None], home: Path) -> Iterator[Terminal]:
    """An interactive shell, which has the commands on its path and nothing of a user's."""
    if shell[0] is None:
        pytest.skip("NO SHELL: it is not on this machine")
    here, there = pty.openpty()
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    process = subprocess.Popen(
        [str(it) for it in shell],
        env={"PATH": path, "HOME": str(home), "TERM": "dumb", "LANG": "C.UTF-8"},
        stdin=there,
        stdout=there,
        stderr=there,
        start_new_session=True,
    )
    os.close(there)
    try:
        yield Terminal(here)
    finally:
        process.kill()
        process.wait()
        os.close(here)


CASES = [
    ("festinger sys", "festinger system "),
    ("festinger system doc", "festinger system doctor "),
    ("festinger system doctor --data", "festinger system doctor --data-dir "),
    ("gutask iknow", "gutask iknowthat "),
    ("gutask --proj", "gutask --project "),
]


@pytest.mark.parametrize(
    ("shell", "prepare"),
    [(BASH, ""), (ZSH, "autoload -U compinit; compinit -D; ")],
    ids=["bash", "zsh"],
)
def test_a_tab_completes_what_is_typed(shell, prepare, tmp_path):
    """Rooms, commands and options of both programs, once their scripts are read."""
    with terminal(shell, tmp_path) as typed:
        sources = "; ".join(
            f"source <({it} {shell_name(shell)})" for it in PROGRAMS.values()
        )
        typed.types(f"{prepare}{sources}; echo re''ady\n")
        assert typed.shows("ready"), typed.shown
        for begun, whole in CASES:
            typed.shown = ""
            typed.types(f"{begun}\t")
            assert typed.shows(whole), typed.shown
            typed.types("\x15")  # takes the line back


def shell_name(shell: list[str | None]) -> str:
    """Return the name by which it is asked for."""
    return Path(str(shell[0])).name


@pytest.mark.skipif(FISH is None, reason="NO FISH: it is not on this machine")
@pytest.mark.parametrize(("begun", "whole"), CASES)
def test_fish_completes_what_is_typed(begun, whole, tmp_path):
    """The next word is completed."""
    program = begun.split()[0]
    done = subprocess.run(
        [
            *(str(FISH), "--no-config", "--command"),
            f"{PROGRAMS[program]} fish | source; complete --do-complete '{begun}'",
        ],
        env={
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(tmp_path),
        },
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )

    assert whole.split()[-1] in done.stdout.split(), done.stdout + done.stderr
