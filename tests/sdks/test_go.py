from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.conftest import Festinger
from tests.sdks.building import CLIENTS, SECONDS, assert_current, compiler, fetch, run

HERE = CLIENTS / "go"

# A first build takes longer than other tests may.
pytestmark = pytest.mark.timeout(2 * SECONDS)
# Nothing here is timed, and what is built runs for a moment: a quarter is saved.
FLAGS = "'-gcflags=all=-N -l -dwarf=false' '-ldflags=-s -w'"
PLUGINS = (
    "google.golang.org/protobuf/cmd/protoc-gen-go",
    "google.golang.org/grpc/cmd/protoc-gen-go-grpc",
)


async def test_go_client_works_against_a_live_server(festinger: Festinger) -> None:
    """The package is without complaint, its tests pass, and its example tells."""
    go = compiler("go")
    await fetch(go, "mod", "download", at=HERE)
    await run(go, "vet", "./...", at=HERE, GOFLAGS=FLAGS)
    tested = await run(
        go, "test", "-v", "./...", at=HERE, festinger=festinger, GOFLAGS=FLAGS
    )
    assert "SKIP" not in tested
    server = festinger.running.server
    told = await run(go, "run", "./example", server, at=HERE, GOFLAGS=FLAGS)
    assert "gnommoweb -isa database: VERDICT_CONFLICTED" in told
    assert "<recollection>" in told


async def test_go_messages_are_current(tmp_path: Path) -> None:
    """Generated anew, they are what is committed."""
    go = compiler("go")
    await fetch(go, "mod", "download", at=HERE)
    for plugin in PLUGINS:
        await run(go, "build", "-o", f"{tmp_path}/", plugin, at=HERE, GOFLAGS=FLAGS)
    assert_current("go", tmp_path, HERE / "api", tmp_path / "api")
