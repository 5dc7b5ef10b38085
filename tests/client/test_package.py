"""`clients/python`: the client without the rest of Festinger."""

from __future__ import annotations

import asyncio
import shutil
import sys
from pathlib import Path

import pytest

from tests.apart import ROOT
from tests.serving import Client
from tests.test_wheel import install, run

HERE = ROOT / "clients" / "python"
HEAVY = ("aiohttp", "asyncpg", "click", "cryptography", "pydantic", "structlog")


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Python of an environment that has the package; its dependencies are those of here."""
    place = tmp_path_factory.mktemp("client")
    for name in ("clients/python", "festinger"):
        ignored = shutil.ignore_patterns("__pycache__", "_fast", "build", "*.egg-info")
        shutil.copytree(ROOT / name, place / name, ignore=ignored)
    run(
        *(sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"),
        *("--no-index", "--wheel-dir", place, place / "clients" / "python"),
    )
    (wheel,) = place.glob("*.whl")
    return install(wheel, place / "home") / "bin" / "python"


def test_client_needs_nothing_of_a_server(python: Path, tmp_path: Path) -> None:
    """
    No module of the server is in it, and what a server is built on is not imported, for
    the adapters neither.
    """
    told = run(
        *(python, "-W", "error", "-c"),
        "import sys, festinger.adapters, importlib.util as u\n"
        f"print([it for it in {HEAVY} if it in sys.modules])\n"
        "print(u.find_spec('festinger.config'), festinger.adapters.__file__)",
        cwd=tmp_path,
    )

    heavy, rest = told.splitlines()
    assert heavy == "[]"
    assert rest.startswith(f"None {python.parents[1]}")


async def test_example_tells(python: Path, client: Client) -> None:
    """It states two facts, of which one contradicts, and has a prompt recollected."""
    told = await asyncio.to_thread(run, python, HERE / "example.py", client.address)

    assert "gnommoweb -isa repo: VERDICT_HELD" in told
    assert "gnommoweb -isa database: VERDICT_CONFLICTED" in told
    assert "<recollection>" in told
