from __future__ import annotations

import asyncio
import os
import random
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from tests.kill.program import FORKED
from tests.kill.server import Serving
from tests.memories import write_dictionary
from tests.store.embedded.clusters import copy, make_base

SEED = "FESTINGER_TEST_SEED"

Report = Callable[[str], None]

_lines: list[str] = []


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the end what was killed, and how fast it was back."""
    if _lines:
        terminalreporter.section("killing")
        for line in _lines:
            terminalreporter.write_line(line)
        # Whoever else has this hook says nothing twice.
        _lines.clear()


@pytest.fixture
def report(request: pytest.FixtureRequest) -> Report:
    """Take a line for the report at the end of the tests."""
    return lambda line: _lines.append(f"{request.node.name}: {line}")


@pytest.fixture
def seed(report: Report) -> int:
    """The seed of chance: `FESTINGER_TEST_SEED`, or another number each time."""
    seed = int(os.environ.get(SEED) or random.randrange(10**6))
    report(f"{SEED}={seed}")
    return seed


@pytest.fixture(scope="session")
def used() -> Iterator[Path]:
    """A data directory in which a server has run once; its dictionary has few words."""
    base = make_base()
    (base / "data").mkdir(mode=0o755)
    write_dictionary(base / "data")

    async def run() -> None:
        serving = Serving(base / "data", FORKED)
        try:
            await serving.start()
            assert await serving.end() == 0, serving.output()
        finally:
            await serving.clear()

    asyncio.run(run())
    yield base / "data"
    shutil.rmtree(base)


@pytest.fixture
def command() -> tuple[str, ...]:
    """The command to start: a test may have another one."""
    return FORKED


@pytest.fixture
def data_dir(used: Path) -> Iterator[Path]:
    """A data directory of the test's own; making one from nothing takes longer."""
    base = make_base()
    copy(used, base / "data")
    yield base / "data"
    shutil.rmtree(base)


@pytest.fixture
async def serving(data_dir: Path, command: tuple[str, ...]) -> AsyncIterator[Serving]:
    """A server process that is not started yet; nothing of it outlives the test."""
    serving = Serving(data_dir, command)
    yield serving
    # Shown if the test failed.
    print(serving.output())
    await serving.clear()
    shutil.rmtree(serving.place.sockets, ignore_errors=True)
