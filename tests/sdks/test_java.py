from __future__ import annotations

from tests.e2e.conftest import Festinger
from tests.sdks.building import CLIENTS, compiler, fetch, run

HERE = CLIENTS / "java"


async def test_java_client_works_against_a_live_server(festinger: Festinger) -> None:
    """
    Its tests pass, its example among them, and it is packed.
    """
    mvn = compiler("mvn")
    await fetch(mvn, "-B", "-q", "dependency:go-offline", at=HERE)
    tested = await run(mvn, "-B", "package", at=HERE, festinger=festinger)
    assert "Skipped: 0" in tested
    assert "gnommoweb -isa database: VERDICT_CONFLICTED" in tested
    assert list((HERE / "target").glob("festinger-client-*.jar"))
