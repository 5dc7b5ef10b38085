from __future__ import annotations

import json

import pytest

from festinger.api.v1 import line_service_pb2 as pb

RUNS = "The billing service runs on podman."


@pytest.fixture
async def stated(client):
    """A sentence that makes a fact."""
    await client.lines.Say(pb.SayRequest(text=RUNS))


async def test_statements_that_end_are_shown_before_anything_goes(operator, stated):
    """Beside the lines, with how many there are."""
    code, printed, complained = await operator.runs("forget", "--phrase", "podman")

    assert code == 1
    assert printed.startswith("1 line would be forgotten:\n")
    assert "1 statement would end with them:\n" in printed
    assert "  billing_service: [runs-on] podman\n" in printed
    assert "--yes" in complained


async def test_statements_that_ended_are_counted(operator, stated):
    """With the lines."""
    printed = await operator.prints("forget", "--phrase", "podman", "--yes")

    assert printed.endswith("Forgotten: 1 line. Ended: 1 statement.\n")


async def test_program_is_told_lines_and_statements(operator, stated):
    """An object each, told apart by their kind, and the counts at the end."""
    printed = await operator.prints("forget", "--phrase", "podman", "--yes", "--json")

    line, ended, done = map(json.loads, printed.splitlines())
    assert (line["kind"], line["quote"]) == ("memory", RUNS)
    assert ended == {"kind": "ended", "text": "billing_service: [runs-on] podman"}
    assert (done["forgotten"], done["ended"]) == (1, 1)
