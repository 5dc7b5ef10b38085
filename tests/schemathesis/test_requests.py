"""Requests that nobody wrote, made from the description of the HTTP API."""

from __future__ import annotations

import asyncio
import os

import pytest

from tests.apart import ROOT, environment_without_proxies, require
from tests.console.house import House

ENVIRONMENT = ROOT / ".venv-schemathesis"
EXAMPLES = int(os.environ.get("FESTINGER_EXAMPLES", "20"))
CHECKS = ",".join(
    (
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_schema_conformance",
    )
)
SECONDS = 900


@pytest.fixture(autouse=True)
def installed() -> None:
    """Schemathesis, as its target installs it."""
    require(ENVIRONMENT, "Schemathesis", "test-schemathesis")


@pytest.mark.timeout(SECONDS + 60)
@pytest.mark.parametrize("token", ["operator", "guest", ""])
async def test_every_answer_is_as_described(house: House, token: str) -> None:
    """
    Valid and invalid requests of an operator, of a guest and of nobody: none is an error
    of the server, and each answer has a status, a type and a body that the description
    allows.
    """
    headers = ["--header", f"Authorization: Bearer {token}"] if token else []
    process = await asyncio.create_subprocess_exec(
        ENVIRONMENT / "bin" / "schemathesis",
        "run",
        f"{house.url}/openapi.json",
        "--checks",
        CHECKS,
        "--max-examples",
        str(EXAMPLES),
        "--seed",
        "7",
        "--suppress-health-check",
        "all",
        "--no-color",
        *headers,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env=environment_without_proxies(),
    )
    said, _ = await asyncio.wait_for(process.communicate(), SECONDS)

    assert process.returncode == 0, said.decode()
