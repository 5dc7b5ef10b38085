from __future__ import annotations

import pytest

from tests.e2e.conftest import Festinger
from tests.sdks.building import CLIENTS, SECONDS, compiler, fetch, run

HERE = CLIENTS / "java"

# A first build takes longer than other tests may.
pytestmark = pytest.mark.timeout(2 * SECONDS)


async def test_java_client_works_against_a_live_server(festinger: Festinger) -> None:
    """Its tests pass, its example among them, and it is packed."""
    mvn = compiler("mvn")
    await fetch(mvn, "-B", "-q", "dependency:go-offline", at=HERE)
    tested = await run(mvn, "-B", "package", at=HERE, festinger=festinger)
    assert "Skipped: 0" in tested
    assert "gnommoweb -isa database: VERDICT_CONFLICTED" in tested
    assert list((HERE / "target").glob("festinger-client-*.jar"))
