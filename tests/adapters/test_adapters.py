"""Adapters for the frameworks of agents, each in its framework, against a live server."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from festinger.credentials import OPERATOR, read_token
from tests.adapters.conftest import HERE
from tests.apart import ROOT, require
from tests.e2e.conftest import Festinger

ENVIRONMENT = ROOT / ".venv-adapters"
SUITE = HERE / "suite"
SECONDS = 300.0


@pytest.mark.parametrize(
    "file", sorted(SUITE.glob("test_*.py")), ids=lambda it: it.stem
)
async def test_suite_of_a_framework_passes(festinger: Festinger, file: Path) -> None:
    """
    Its tests pass, and none is skipped.
    """
    require(ENVIRONMENT, "environment with the frameworks of agents", "test-adapters")
    process = await asyncio.create_subprocess_exec(
        *(ENVIRONMENT / "bin" / "python", "-m", "pytest", "-c", SUITE / "pytest.ini"),
        *("--rootdir", SUITE, "--confcutdir", SUITE, file),
        env={
            **os.environ,
            "FESTINGER_SERVER": festinger.running.server,
            "FESTINGER_TOKEN": read_token(festinger.settings.data_dir, OPERATOR) or "",
        },
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        printed, _ = await asyncio.wait_for(process.communicate(), SECONDS)
    finally:
        if process.returncode is None:
            process.kill()
    output = printed.decode()
    assert process.returncode == 0, output
    assert "skipped" not in output, output
