"""`gutask whatis --history`, run as a process against a scripted memory server."""

from __future__ import annotations

import json
from typing import Any

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from festinger.api.v1.concept_service_pb2 import HistoryResponse
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.history_pb2 import HistoryEvent
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.api.v1.source_pb2 import SOURCE_GUTASK, SOURCE_INFERRED
from festinger.api.v1.triple_pb2 import Triple
from tests.clients.scripted import CONTAINER, Failure, gutask

NOON = Timestamp(seconds=1_767_614_400, nanos=250_000_000)
# POSIX turns the sign: this is two hours east of Greenwich.
EAST = {"TZ": "XXX-2"}


def event(kind: HistoryEvent.Kind, **fields: Any) -> HistoryEvent:
    """Make an event about gnommoweb."""
    values: dict[str, Any] = {"event_time": NOON, "triple": CONTAINER}
    return HistoryEvent(kind=kind, **(values | fields))


def stated(verdict: Outcome.Verdict, **fields: Any) -> HistoryEvent:
    """Make the event of a statement."""
    values = {"principal": "alice", "source": SOURCE_INFERRED}
    return event(HistoryEvent.KIND_STATED, verdict=verdict, **(values | fields))


EVENTS = [
    pytest.param(
        stated(Outcome.VERDICT_HELD),
        "held          [type] isa container, by alice (inferred)",
        id="held",
    ),
    pytest.param(
        stated(
            Outcome.VERDICT_HELD,
            triple=Triple(concept="gnommoweb", parent="goat", negated=True),
        ),
        "held          [membership] not ispart goat, by alice (inferred)",
        id="denial",
    ),
    pytest.param(
        stated(Outcome.VERDICT_CORROBORATED, text="It is a\ncontainer."),
        "corroborated  [type] isa container, by alice (inferred), “It is a container.”",
        id="corroborated, with its sentence",
    ),
    pytest.param(
        stated(Outcome.VERDICT_CONFLICTED, conflict_id=7, reason="isa_isa"),
        "conflict #7   [type] isa container, by alice (inferred)",
        id="conflict",
    ),
    pytest.param(
        stated(Outcome.VERDICT_CANDIDATE, candidate_id=12, reason="doubtful"),
        "candidate #12  [type] isa container, doubtful, by alice (inferred)",
        id="candidate",
    ),
    pytest.param(
        stated(Outcome.VERDICT_REJECTED, reason="self_reference"),
        "rejected      [type] isa container, self_reference, by alice (inferred)",
        id="rejected",
    ),
    pytest.param(
        stated(Outcome.VERDICT_REJECTED, reason="settled", conflict_id=7),
        "rejected      [type] isa container, settled, conflict #7, by alice (inferred)",
        id="counted on a closed conflict",
    ),
    pytest.param(
        event(
            HistoryEvent.KIND_RETRACTED,
            principal="bob",
            source=SOURCE_GUTASK,
            text="it moved",
        ),
        "retracted     [type] isa container, by bob (gutask), “it moved”",
        id="retracted",
    ),
    pytest.param(
        event(HistoryEvent.KIND_ENDED, closed_by="retraction 12", assertion_id=3),
        "ended         [type] isa container, by retraction 12",
        id="ended",
    ),
    pytest.param(
        event(
            HistoryEvent.KIND_SETTLED,
            principal="operator",
            conflict_id=7,
            decision=Conflict.DECISION_DECOMPOSE,
            text="both are true",
        ),
        "settled #7    [type] isa container, decompose by operator, “both are true”",
        id="settled",
    ),
    pytest.param(
        event(99, principal="bob"),  # type: ignore[arg-type]
        "unknown_99    [type] isa container, by bob",
        id="an event of a newer server",
    ),
]


@pytest.mark.parametrize(("happened", "line"), EVENTS)
def test_event_is_a_line(server, happened, line):
    """Each thing that can happen has its line: when, what, to what, by whom and why."""
    server.script = [HistoryResponse(events=[happened])]

    run = gutask("whatis", "gnommoweb", "--history", server=server, TZ="UTC")

    assert (run.stderr, run.returncode) == ("", 0)
    assert run.stdout == f"2026-01-05 12:00:00  {line}\n"


def test_common_line_fits_a_narrow_terminal(server):
    """A statement in a dimension with a short name has at most 80 columns."""
    happened = stated(Outcome.VERDICT_CORROBORATED)
    server.script = [HistoryResponse(events=[happened])]

    run = gutask("whatis", "gnommoweb", "--history", server=server)

    assert len(run.stdout.rstrip("\n")) <= 80


def test_times_are_local(server):
    """The times are those of the clock on the reader's wall."""
    server.script = [HistoryResponse(events=[stated(Outcome.VERDICT_HELD)])]

    run = gutask("whatis", "gnommoweb", "--history", server=server, **EAST)

    assert run.stdout.startswith("2026-01-05 14:00:00  held")


def test_long_words_are_shortened(server):
    """Of a long sentence the beginning is shown."""
    happened = stated(Outcome.VERDICT_HELD, text="gnommoweb " * 40)
    server.script = [HistoryResponse(events=[happened])]

    run = gutask("whatis", "gnommoweb", "--history", server=server)

    shown = run.stdout[run.stdout.index("“") :]
    assert shown == f"“{('gnommoweb ' * 40)[:71].rstrip()}…”\n"


def test_words_cannot_steer_the_terminal(server):
    """Escape sequences and line ends in what was said or named are not printed."""
    hostile = stated(
        Outcome.VERDICT_REJECTED,
        triple=Triple(concept="a", parent="b\x1b[2J", dimension="c\n", is_isa=True),
        reason="x\u202ey",
        principal="bob\r",
        text="no\x9b31m\nheld",
    )
    server.script = [HistoryResponse(events=[hostile])]

    run = gutask("whatis", "a", "--history", server=server, TZ="UTC")

    assert run.stdout == (
        "2026-01-05 12:00:00  rejected      [c] isa b [2J, xy, by bob (inferred), "
        "“no 31m held”\n"
    )


def test_every_page_is_told(server):
    """Pages are followed to the end, each asked for like the first."""
    names = ["repo", "container", "goat"]
    pages = [
        HistoryResponse(
            events=[
                stated(
                    Outcome.VERDICT_HELD,
                    triple=Triple(concept="gnommoweb", parent=name, is_isa=True),
                )
            ],
            next_page_token=token,
        )
        for name, token in zip(names, ["one", "two", ""], strict=True)
    ]
    # An empty page may come before the end.
    server.script = [*pages[:2], HistoryResponse(next_page_token="three"), pages[2]]

    run = gutask(
        "whatis", "gnommoweb", "--history", "--dimension", "type", server=server
    )

    assert [line.split()[5].rstrip(",") for line in run.stdout.splitlines()] == names
    assert [
        (it.token, it.dimension, it.page_size, it.page_token) for it in server.requests
    ] == [("gnommoweb", "type", 1000, token) for token in ("", "one", "two", "three")]


def test_page_that_the_server_was_too_busy_for_is_asked_for_again(server):
    """A page that failed is repeated; what came before it is told once."""
    busy = Failure(grpc.StatusCode.UNAVAILABLE, "it stops", "OVERLOADED")
    first = HistoryResponse(
        events=[stated(Outcome.VERDICT_HELD)], next_page_token="one"
    )
    server.script = [first, busy, HistoryResponse(events=[stated(2)])]  # type: ignore[arg-type]

    run = gutask("whatis", "gnommoweb", "--history", server=server)

    assert run.returncode == 0
    assert [line.split()[2] for line in run.stdout.splitlines()] == [
        "held",
        "corroborated",
    ]


def test_history_as_json(server):
    """--json prints every event whole, with the times of the server."""
    server.script = [
        HistoryResponse(
            events=[
                stated(
                    Outcome.VERDICT_CONFLICTED,
                    reason="isa_isa",
                    text="long " * 30,
                    confidence=0.75,
                    assertion_id=4,
                    conflict_id=7,
                ),
                event(
                    HistoryEvent.KIND_ENDED,
                    closed_by="conflict 7",
                    valid_from_time=Timestamp(seconds=1_767_610_800),
                    assertion_id=3,
                ),
            ]
        )
    ]

    run = gutask("whatis", "gnommoweb", "--history", "--json", server=server, **EAST)

    nothing: dict[str, Any] = {
        "event_time": "2026-01-05T12:00:00.250Z",
        "triple": {
            "concept": "gnommoweb",
            "parent": "container",
            "dimension": "type",
            "is_isa": True,
            "negated": False,
        },
        "verdict": None,
        "reason": "",
        "text": "",
        "principal": "",
        "source": None,
        "confidence": 0.0,
        "assertion_id": None,
        "conflict_id": None,
        "candidate_id": None,
        "closed_by": "",
        "valid_from_time": None,
        "decision": None,
    }
    assert json.loads(run.stdout) == {
        "events": [
            nothing
            | {
                "kind": "stated",
                "verdict": "conflicted",
                "reason": "isa_isa",
                "text": "long " * 30,
                "principal": "alice",
                "source": "inferred",
                "confidence": 0.75,
                "assertion_id": 4,
                "conflict_id": 7,
            },
            nothing
            | {
                "kind": "ended",
                "closed_by": "conflict 7",
                "valid_from_time": "2026-01-05T11:00:00Z",
                "assertion_id": 3,
            },
        ]
    }


def test_decision_is_named_in_json(server):
    """A decision is shown as a word."""
    settled = event(
        HistoryEvent.KIND_SETTLED, conflict_id=7, decision=Conflict.DECISION_RECLASSIFY
    )
    server.script = [HistoryResponse(events=[settled])]

    run = gutask("whatis", "gnommoweb", "--history", "--json", server=server)

    assert json.loads(run.stdout)["events"][0]["decision"] == "reclassify"


@pytest.mark.parametrize(
    ("words", "where"),
    [((), ""), (("--dimension", "type"), " in type")],
    ids=["anywhere", "in a dimension"],
)
def test_concept_without_a_history_is_not_found(server, words, where):
    """A word to which nothing happened ends with 6, and says so."""
    server.script = [HistoryResponse()]

    run = gutask("whatis", "repo", "--history", *words, server=server)

    assert (run.stdout, run.returncode) == ("", 6)
    assert run.stderr == f"gutask: nothing ever happened to repo{where}\n"


def test_unknown_concept_says_how_to_store_it(server):
    """A concept that was never met ends with 6 and the command that would place it."""
    server.script = [
        Failure(grpc.StatusCode.NOT_FOUND, "glados was never met", "CONCEPT_NOT_FOUND")
    ]

    run = gutask("whatis", "glados", "--history", server=server)

    assert run.returncode == 6
    assert "gutask iknowthat 'glados -isa <parent>" in run.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--dimension", "type"), "--dimension belongs to --history"),
        (("--history", "--as-of", "2026-01-05"), "--history tells of all times"),
    ],
)
def test_options_that_do_not_go_together_are_refused(words, complaint):
    """An option that would be ignored is a usage error."""
    run = gutask("whatis", "gnommoweb", *words)

    assert (run.stdout, run.returncode) == ("", 2)
    assert complaint in run.stderr
