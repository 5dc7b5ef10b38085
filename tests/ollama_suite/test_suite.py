"""The official Python client's own tests, with the shim between client and server."""

from __future__ import annotations

import asyncio
import re
import socket
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.apart import ROOT, environment_without_proxies, require

ENVIRONMENT = ROOT / ".venv-ollama"
SUITE = ENVIRONMENT / "suite"
SCRIPTS = Path(__file__).with_name("scripts")

DEADLINE_SECONDS = 300.0

PROMPTS_MIN = 30
"""So many of its tests send prompts at least; the memory hears of each."""


@dataclass(frozen=True)
class Outcome:
    """Results of the tests.

    Attributes:
        passed: How many passed.
        others: Those that did not, with the reason.
        output: What was printed.
    """

    passed: int
    others: list[str]
    output: str


@pytest.fixture(scope="module", autouse=True)
def environment():
    """The environment is there."""
    require(ENVIRONMENT, "archive of Ollama's client", "test-ollama-suite")


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def run(shim_url: str, port: int, report: Path, *options: str) -> Outcome:
    """Run the suite, its server on a port and its clients before the shim."""
    process = await asyncio.create_subprocess_exec(
        ENVIRONMENT / "bin" / "python",
        *("-m", "pytest", "-q", "-p", "through_shim", "-p", "no:cacheprovider"),
        *("tests", f"--junitxml={report}", *options),
        cwd=SUITE,
        env={
            **environment_without_proxies(),
            "PYTHONPATH": str(SCRIPTS),
            "PYTHONDONTWRITEBYTECODE": "1",
            "FESTINGER_SHIM_URL": shim_url,
            "PYTEST_HTTPSERVER_HOST": "127.0.0.1",
            "PYTEST_HTTPSERVER_PORT": str(port),
        },
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(DEADLINE_SECONDS):
            output, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    cases = ElementTree.parse(report).getroot().iter("testcase")
    others, passed = [], 0
    for case in cases:
        reasons = [f"{child.tag} {child.get('message')}" for child in case]
        passed += not reasons
        others += [f"{case.get('name')}: {reason}" for reason in reasons]
    return Outcome(passed, others, output.decode())


def collected() -> int:
    """Return the number of test functions in the archive."""
    files = SUITE.joinpath("tests").glob("test_*.py")
    functions = re.compile(r"^(?:async )?def test_", re.MULTILINE)
    return sum(len(functions.findall(file.read_text())) for file in files)


def test_version():
    """The tested version is that of the other tests."""
    locks = ("ollama-suite.archive", "ollama-suite.lock", "dev.lock")
    texts = [(ROOT / "requirements" / lock).read_text() for lock in locks]
    versions = {
        version
        for text in texts
        for version in re.findall(r"^ollama==(\S+)", text, re.MULTILINE)
    }

    assert len(versions) == 1
    assert f"Version: {versions.pop()}\n" in (SUITE / "PKG-INFO").read_text()


async def test_all_pass(start_shim, memory, tmp_path):
    """With nothing to tell, no test notices that the shim is there."""
    port = free_port()
    shim = await start_shim(upstream=f"http://127.0.0.1:{port}", model_changes=True)
    outcome = await run(shim.url, port, tmp_path / "report.xml")

    assert outcome.others == [], outcome.output
    assert outcome.passed >= collected() > PROMPTS_MIN
    assert len(memory.recollects) >= PROMPTS_MIN


async def test_they_go_through_the_shim(start_shim, ollama, tmp_path):
    """Before another server they fail, those too whose requests the memory does not see."""
    shim = await start_shim(model_changes=True)
    options = ("-k", "pull_stream or push_stream")
    outcome = await run(shim.url, free_port(), tmp_path / "report.xml", *options)

    assert outcome.others, outcome.output
    assert outcome.passed == 0
    assert len(ollama.requests) == len(outcome.others)
