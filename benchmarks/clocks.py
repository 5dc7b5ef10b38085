"""A clock for Festinger and its Postgres that can be moved forward."""

from __future__ import annotations

import mmap
import os
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from festinger.store.embedded import binaries

_SOURCE = Path(__file__).with_name("clock.c")
_BYTES = 8


class MovedClock:
    """Clock that is ahead of the system's.

    Args:
        file: The file from which Postgres reads by how much.
    """

    def __init__(self, file: Path) -> None:
        self._ahead = 0
        file.write_bytes(bytes(_BYTES))
        with file.open("r+b") as opened:
            self._map = mmap.mmap(opened.fileno(), _BYTES)

    def now(self) -> float:
        """Return the time in seconds since the epoch."""
        return time.time() + self._ahead

    def advance(self, seconds: int) -> None:
        """Move it forward, for Postgres as well."""
        self._ahead += seconds
        self._map[:] = self._ahead.to_bytes(_BYTES, "little")


@contextmanager
def moved_clock() -> Iterator[MovedClock]:
    """Have each Postgres that is started in the block run by a clock; needs gcc."""
    place = Path(tempfile.mkdtemp(prefix="festinger-", dir="/tmp"))
    # The user that Postgres runs as must be able to enter it.
    place.chmod(0o755)
    before = os.environ.get(binaries.VARIABLE)
    try:
        clock = MovedClock(place / "ahead")
        os.environ[binaries.VARIABLE] = str(_programs(place))
        yield clock
    finally:
        os.environ.pop(binaries.VARIABLE)
        if before is not None:
            os.environ[binaries.VARIABLE] = before
        shutil.rmtree(place)


def _programs(place: Path) -> Path:
    """Return a folder of PostgreSQL's programs that read the clock."""
    library = place / "clock.so"
    command = ["gcc", "-O1", "-shared", "-fPIC", "-o", str(library), str(_SOURCE)]
    subprocess.run(command, check=True)
    found = binaries.choose(None, place)
    folder = place / "bin"
    folder.mkdir()
    for name in binaries.PROGRAMS:
        program = folder / name
        program.write_text(
            f"#!/bin/sh\nexport LD_PRELOAD={library} CLOCK_FILE={place}/ahead\n"
            f'exec {shlex.quote(str(found.program(name)))} "$@"\n'
        )
        program.chmod(0o755)
    return folder
