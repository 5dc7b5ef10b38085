"""`gutask helped` and `gutask wrong`, run as processes against a scripted server."""

from __future__ import annotations

import json

import grpc
import pytest

from festinger.api.v1.line_service_pb2 import (
    MemoryLine,
    RateLineRequest,
    RateLineResponse,
)
from tests.clients.scripted import Failure, gutask

RATED = RateLineResponse(line=MemoryLine(name="said-12.0", text='nan: "05:40"'))


@pytest.fixture
def lines() -> bool:
    """The server knows lines."""
    return True


@pytest.mark.parametrize(
    ("command", "verdict", "said"),
    [
        ("helped", RateLineRequest.VERDICT_HELPED, "is ranked higher"),
        ("wrong", RateLineRequest.VERDICT_WRONG, "is told no longer"),
    ],
)
def test_line_is_rated(server, command, verdict, said):
    """The line's name, what is said of it and the prompt reach the server."""
    server.script = [RATED]

    run = gutask(command, "said-12.0", "--prompt", "when?", server=server)

    (request,) = server.requests
    assert (run.stdout, run.stderr) == (f'{said}: nan: "05:40"\n', "")
    assert (request.name, request.verdict) == ("said-12.0", verdict)
    assert request.prompt == "when?"


@pytest.mark.parametrize(
    "reason",
    ["OVERLOADED", "DATABASE_UNAVAILABLE", ""],
    ids=["unread", "unknown", "lost"],
)
def test_rating_counts_once(server, reason):
    """It is sent again under its id, whatever became of the first try."""
    server.script = [Failure(grpc.StatusCode.UNAVAILABLE, "it stops", reason), RATED]

    run = gutask("helped", "said-12.0", server=server)

    first, second = server.requests
    assert first.request_id == second.request_id != ""
    assert run.returncode == 0


def test_rating_as_json(server):
    """With --json the answer names the line."""
    server.script = [RATED]

    run = gutask("wrong", "said-12.0", "--json", server=server)

    assert json.loads(run.stdout)["line"]["name"] == "said-12.0"
