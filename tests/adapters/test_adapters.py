"""Adapters for the frameworks of agents, each in its framework, against a live server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters.conftest import HERE
from tests.apart import ROOT, require
from tests.e2e.conftest import Festinger
from tests.sdks.building import run

ENVIRONMENT = ROOT / ".venv-adapters"
SUITE = HERE / "suite"


@pytest.mark.parametrize(
    "file", sorted(SUITE.glob("test_*.py")), ids=lambda it: it.stem
)
async def test_suite_of_a_framework_passes(festinger: Festinger, file: Path) -> None:
    """Its tests pass, and none is skipped."""
    require(ENVIRONMENT, "environment with the frameworks of agents", "test-adapters")
    output = await run(
        *(ENVIRONMENT / "bin" / "python", "-m", "pytest", "-c", SUITE / "pytest.ini"),
        *("--rootdir", SUITE, "--confcutdir", SUITE, file),
        at=ROOT,
        festinger=festinger,
    )
    assert "skipped" not in output, output
