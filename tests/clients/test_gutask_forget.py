"""`gutask forget`, run as a process against a scripted memory server."""

from __future__ import annotations

import json

import grpc
import pytest

from festinger.api.v1.memory_service_pb2 import RetractResponse
from festinger.api.v1.triple_pb2 import Triple
from tests.clients.scripted import FACT, FORGOTTEN, Failure, gutask

DENIAL = Triple(concept="gnommoweb", parent="goat", is_isa=True, negated=True)


@pytest.mark.parametrize("words", [(FACT,), tuple(FACT.split())], ids=["one", "many"])
def test_fact_is_sent_as_it_was_written(server, words):
    """A fact reaches the server unchanged, in quotes or as bare words with -isa."""
    server.script = [FORGOTTEN]

    run = gutask("forget", *words, server=server)

    assert (run.stderr, run.returncode) == ("", 0)
    assert [request.fact for request in server.requests] == [FACT]


def test_what_was_forgotten_is_said(server):
    """The fact that is held no more stands in a line of its own."""
    server.script = [FORGOTTEN]

    run = gutask("forget", FACT, server=server)

    assert run.stdout == "forgotten: gnommoweb [glitch_university] repo\n"


def test_denial_is_forgotten_with_not(server):
    """-not is part of the fact and not an option, and the answer says so."""
    server.script = [RetractResponse(triple=DENIAL)]

    run = gutask("forget", "gnommoweb", "-not", "-isa", "goat", server=server)

    assert server.requests[0].fact == "gnommoweb -not -isa goat"
    assert run.stdout == "forgotten: gnommoweb [type] not goat\n"


@pytest.mark.parametrize(
    ("numbers", "line"),
    [
        ([7], "held in its place: the statement of conflict #7"),
        ([7, 9], "held in its place: the statements of conflicts #7, #9"),
    ],
    ids=["one", "two"],
)
def test_what_is_held_in_its_place_is_said(server, numbers, line):
    """The conflicts whose statements had waited for the fact are named."""
    server.script = [RetractResponse(triple=DENIAL, settled_conflict_ids=numbers)]

    run = gutask("forget", "gnommoweb -not -isa goat", server=server)

    assert run.stdout.splitlines()[1:] == [f"  {line}"]
    assert run.returncode == 0


def test_reason_is_sent(server):
    """--why goes to the record, wherever it stands among the words."""
    server.script = [FORGOTTEN]

    gutask("forget", "--why", "it moved", "a", "-isa", "b", server=server)
    gutask("forget", "a", "-isa", "b", "--why=-isa was wrong", server=server)

    assert [(it.fact, it.reasoning) for it in server.requests] == [
        ("a -isa b", "it moved"),
        ("a -isa b", "-isa was wrong"),
    ]


def test_without_a_reason_none_is_sent(server):
    """--why may be left out."""
    server.script = [FORGOTTEN]

    gutask("forget", FACT, server=server)

    assert server.requests[0].reasoning == ""


def test_fact_that_is_not_held_is_not_found(server):
    """If nothing of the kind is held the server's words are shown, and the code is 6."""
    message = "nothing of the kind is held: gnommoweb -isa repo"
    server.script = [
        Failure(grpc.StatusCode.NOT_FOUND, message, "FACT_NOT_HELD"),
    ]

    run = gutask("forget", "gnommoweb -isa repo", server=server)

    assert (run.stdout, run.returncode) == ("", 6)
    assert run.stderr == f"gutask: {message}\n"


def test_answer_as_json(server):
    """--json prints what was forgotten and what followed as one object."""
    answer = RetractResponse()
    answer.CopyFrom(FORGOTTEN)
    answer.settled_conflict_ids[:] = [7]
    server.script = [answer]

    run = gutask("forget", FACT, "--json", server=server)

    assert run.returncode == 0
    assert json.loads(run.stdout) == {
        "triple": {
            "concept": "gnommoweb",
            "parent": "repo",
            "dimension": "glitch_university",
            "is_isa": True,
            "negated": False,
        },
        "edge": {
            "concept": "gnommoweb",
            "parent": "repo",
            "dimension": "glitch_university",
            "is_isa": True,
            "confidence": 1.0,
            "source": "gutask",
            "last_confirm_time": "2026-01-05T12:00:00Z",
            "contested": False,
            "belief": False,
            "assertion_id": 3,
        },
        "settled_conflict_ids": [7],
        "assertion_id": 12,
        "version": 10,
    }


def test_forgotten_denial_has_no_edge(server):
    """In JSON a denial that was taken back has no edge."""
    server.script = [RetractResponse(triple=DENIAL, assertion_id=4)]

    run = gutask("forget", "gnommoweb -not -isa goat", "--json", server=server)

    answer = json.loads(run.stdout)
    assert answer["triple"]["negated"] is True
    assert answer["edge"] is None


def test_answer_cannot_steer_the_terminal(server):
    """Escape sequences in the names that come back are not printed."""
    hostile = Triple(concept="a\x1b[2J", parent="b\nheld: c", dimension="d\u202e")
    server.script = [RetractResponse(triple=hostile)]

    run = gutask("forget", "a -ispart b", server=server)

    assert run.stdout == "forgotten: a [2J [d] b held: c\n"
