from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.e2e.conftest import Festinger
from tests.sdks.building import CLIENTS, SECONDS, assert_current, compiler, fetch, run

HERE = CLIENTS / "typescript"

# A first build takes longer than other tests may.
pytestmark = pytest.mark.timeout(2 * SECONDS)


@pytest.fixture
async def package(tmp_path: Path) -> Path:
    """A copy of the package, with what it is built on."""
    copy = tmp_path / "typescript"
    shutil.copytree(HERE, copy, ignore=shutil.ignore_patterns("node_modules", "dist"))
    npm = compiler("npm")
    await fetch(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", at=copy)
    return copy


async def test_typescript_client_works_against_a_live_server(
    package: Path, festinger: Festinger
) -> None:
    """It builds, its tests pass, its messages are current, and what is packed tells."""
    npm, node = compiler("npm"), compiler("node")
    plugins = package / "node_modules" / ".bin"
    assert_current("typescript", plugins, HERE / "src" / "api", package / "api")
    packed = await run(npm, "pack", at=package)
    assert "dist/index.d.ts" in packed
    tested = await run(npm, "test", at=package, festinger=festinger)
    assert "# skipped 0" in tested
    told = await run(node, "example.mjs", festinger.running.server, at=package)
    assert "gnommoweb -isa database: CONFLICTED" in told
    assert "<recollection>" in told
