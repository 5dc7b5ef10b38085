from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.conftest import Festinger
from tests.sdks.building import CLIENTS, SECONDS, compiler, fetch, run

HERE = CLIENTS / "rust"

# A first build takes longer than other tests may.
pytestmark = pytest.mark.timeout(2 * SECONDS)


async def test_rust_client_works_against_a_live_server(
    tmp_path: Path, festinger: Festinger
) -> None:
    """Its tests pass, its example tells, and what is packed builds by itself."""
    cargo = compiler("cargo")
    await fetch(cargo, "fetch", at=HERE)
    tested = await run(cargo, "test", "--", "--nocapture", at=HERE, festinger=festinger)
    assert "NOT TRIED" not in tested
    server = festinger.running.server
    told = await run(cargo, "run", "--quiet", "--example", "tell", server, at=HERE)
    assert "gnommoweb -isa database: VERDICT_CONFLICTED" in told
    assert "<recollection>" in told
    await run(cargo, "package", "--allow-dirty", "--no-verify", at=HERE)
    assert list((HERE / "target" / "package").glob("*.crate"))
