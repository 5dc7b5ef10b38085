"""`gutask iknowthat`, run as a process against a scripted memory server."""

from __future__ import annotations

import json

import grpc
import pytest

from festinger.api.v1.outcome_pb2 import Outcome
from festinger.api.v1.triple_pb2 import Triple
from tests.clients.scripted import (
    CONTAINER,
    FACT,
    HELD,
    Failure,
    edge,
    gutask,
    outcome,
)

OUTCOMES = [
    pytest.param(HELD, 0, "held: gnommoweb [glitch_university] repo", id="held"),
    pytest.param(
        outcome(
            Outcome.VERDICT_HELD,
            triple=Triple(concept="gnommoweb", parent="repo", negated=True),
        ),
        0,
        "held: gnommoweb [membership] not repo",
        id="denial",
    ),
    pytest.param(
        outcome(
            Outcome.VERDICT_CORROBORATED,
            edge=edge(dimension="glitch_university", confidence=0.97),
        ),
        0,
        "corroborated: gnommoweb [glitch_university] repo (confidence 0.97)",
        id="corroborated",
    ),
    pytest.param(
        outcome(Outcome.VERDICT_CORROBORATED, edge=edge(dimension="code_host")),
        0,
        "corroborated: gnommoweb [code_host] repo (confidence 1.00)",
        id="corroborated in the dimension that a decision moved it to",
    ),
    pytest.param(
        outcome(
            Outcome.VERDICT_CONFLICTED, triple=CONTAINER, edge=edge(), conflict_id=7
        ),
        3,
        "conflict #7: gnommoweb [type] is held as repo; "
        "container is queued for a decision",
        id="conflict",
    ),
    pytest.param(
        outcome(
            Outcome.VERDICT_CONFLICTED,
            triple=CONTAINER,
            conflict_id=8,
            reason="cycle",
            message="container is already below gnommoweb",
        ),
        3,
        "conflict #8: gnommoweb [type] container is queued for a decision: "
        "container is already below gnommoweb",
        id="conflict with nothing held",
    ),
    pytest.param(
        outcome(Outcome.VERDICT_CANDIDATE, candidate_id=12),
        4,
        "candidate #12: gnommoweb [glitch_university] repo "
        "waits for a person to confirm it",
        id="candidate",
    ),
    pytest.param(
        outcome(
            Outcome.VERDICT_REJECTED,
            reason="self_reference",
            message="nothing is placed in itself",
        ),
        5,
        "rejected: nothing is placed in itself",
        id="rejected",
    ),
    pytest.param(
        outcome(99, message="it was sent on"),  # type: ignore[arg-type]
        1,
        "unknown_99: it was sent on",
        id="an outcome of a newer server",
    ),
]


@pytest.mark.parametrize(("answer", "code", "line"), OUTCOMES)
def test_outcome_is_a_line_and_an_exit_code(server, answer, code, line):
    """Each thing that can become of a fact has its line and its exit code."""
    server.script = [answer]

    run = gutask("iknowthat", FACT, server=server)

    assert (run.stdout, run.stderr, run.returncode) == (f"{line}\n", "", code)


@pytest.mark.parametrize("words", [(FACT,), tuple(FACT.split())], ids=["one", "many"])
def test_fact_is_sent_as_it_was_written(server, words):
    """A fact reaches the server unchanged, in quotes or as bare words with -isa."""
    server.script = [HELD]

    run = gutask("iknowthat", *words, server=server)

    assert run.returncode == 0
    assert [request.fact for request in server.requests] == [FACT]


def test_bare_ispart_is_a_word(server):
    """-ispart is part of the fact and not an option, also beside --json."""
    server.script = [HELD]

    gutask("iknowthat", "glados", "-ispart", "aperture", "--json", server=server)

    assert server.requests[0].fact == "glados -ispart aperture"


def test_names_in_any_script_survive(server):
    """A name that is not ASCII reaches the server and the screen as it is."""
    server.script = [
        outcome(
            Outcome.VERDICT_HELD,
            triple=Triple(
                concept="größe", parent="概念", dimension="भाषा", is_isa=True
            ),
        )
    ]

    run = gutask("iknowthat", "größe -isa 概念 in context of भाषा", server=server)

    assert server.requests[0].fact == "größe -isa 概念 in context of भाषा"
    assert run.stdout == "held: größe [भाषा] 概念\n"


def test_name_outside_the_terminals_encoding_is_escaped(server):
    """A terminal that cannot show a name gets it escaped, not a traceback."""
    server.script = [
        outcome(Outcome.VERDICT_HELD, triple=Triple(concept="概念", parent="maß"))
    ]

    run = gutask("iknowthat", "x -ispart y", server=server, PYTHONIOENCODING="cp1251")

    assert run.stdout == "held: \\u6982\\u5ff5 [membership] ma\\xdf\n"


def test_outcome_as_json(server):
    """--json prints the answer as one object."""
    server.script = [
        outcome(
            Outcome.VERDICT_CONFLICTED,
            triple=CONTAINER,
            edge=edge(contested=True, assertion_id=2),
            conflict_id=7,
            reason="isa_isa",
            message="repo stands",
        )
    ]

    run = gutask("iknowthat", FACT, "--json", server=server)

    assert run.returncode == 3
    assert json.loads(run.stdout) == {
        "verdict": "conflicted",
        "triple": {
            "concept": "gnommoweb",
            "parent": "container",
            "dimension": "type",
            "is_isa": True,
            "negated": False,
        },
        "edge": {
            "concept": "gnommoweb",
            "parent": "repo",
            "dimension": "type",
            "is_isa": True,
            "confidence": 1.0,
            "source": "gutask",
            "last_confirm_time": "2026-01-05T12:00:00Z",
            "contested": True,
            "belief": False,
            "assertion_id": 2,
        },
        "conflict_id": 7,
        "candidate_id": None,
        "assertion_id": 3,
        "reason": "isa_isa",
        "message": "repo stands",
        "version": 9,
    }


def test_answer_cannot_steer_the_terminal(server):
    """Escape sequences, line ends and reordering marks of a message are not printed."""
    hostile = "no\x1b[2J\x9b31m\nheld: x\u202e\u200b\u2028[type] y"
    server.script = [outcome(Outcome.VERDICT_REJECTED, message=hostile)]

    run = gutask("iknowthat", FACT, server=server)

    assert run.stdout == "rejected: no [2J 31m held: x [type] y\n"


def test_json_cannot_steer_the_terminal(server):
    """--json escapes whatever is not ASCII, and loses nothing."""
    hostile = "no\x1b[2J\x9b31m\u202e"
    server.script = [outcome(Outcome.VERDICT_REJECTED, message=hostile)]

    run = gutask("iknowthat", FACT, "--json", server=server)

    assert run.stdout.strip().isascii()
    assert run.stdout.strip().isprintable()
    assert json.loads(run.stdout)["message"] == hostile


def test_malformed_fact_is_explained(server):
    """The server's explanation of a malformed fact is shown whole, and the code is 2."""
    server.script = [
        Failure(
            grpc.StatusCode.INVALID_ARGUMENT,
            "no -isa or -ispart in 'x'.\nExample: gutask iknowthat 'gnommoweb -isa repo'",
            "FACT_SYNTAX",
        )
    ]

    run = gutask("iknowthat", "x", server=server)

    assert (run.stdout, run.returncode) == ("", 2)
    assert run.stderr == (
        "gutask: no -isa or -ispart in 'x'.\n"
        "  Example: gutask iknowthat 'gnommoweb -isa repo'\n"
    )
