"""`gutask whatis`, run as a process against a scripted memory server."""

from __future__ import annotations

import json

import grpc
import pytest

from festinger.api.v1.concept_pb2 import Concept
from festinger.api.v1.concept_service_pb2 import GetConceptResponse
from tests.clients.scripted import (
    GNOMMOWEB,
    Failure,
    edge,
    gutask,
)


def test_whatis_shows_the_recollection_and_its_details(server):
    """A fact stands in the line of a recollection, with its origin below it."""
    server.script = [GetConceptResponse(concept=GNOMMOWEB)]

    run = gutask("whatis", "gnommoweb", server=server)

    assert (run.stderr, run.returncode) == ("", 0)
    assert run.stdout == (
        "gnommoweb: [geography] ramanujan [glitch_university] repo\n"
        "  [geography] ispart ramanujan, confidence 1.00, source cloud_llm, "
        "confirmed 2026-01-05\n"
        "  [glitch_university] isa repo, confidence 0.97, source gutask, "
        "confirmed 2026-01-05\n"
    )


def test_whatis_marks_what_is_contested(server):
    """A contested fact has its mark, the line says so once, and the conflicts are named."""
    server.script = [
        GetConceptResponse(
            concept=Concept(
                token="gnommoweb",
                edges=[edge("ramanujan", "geography"), edge(contested=True)],
                conflict_ids=[7, 9],
            )
        )
    ]

    lines = gutask("whatis", "gnommoweb", server=server).stdout.splitlines()

    assert lines[0] == (
        "gnommoweb: [geography] ramanujan [type?] repo — conflict pending"
    )
    assert lines[-1] == "  conflicts: #7, #9"


def test_whatis_shows_a_conflict_where_nothing_is_held(server):
    """A concept that only a conflict is about is not unknown."""
    server.script = [
        GetConceptResponse(concept=Concept(token="gnommoweb", conflict_ids=[7]))
    ]

    run = gutask("whatis", "gnommoweb", server=server)

    assert run.stdout == "gnommoweb: — conflict pending\n  conflicts: #7\n"
    assert run.returncode == 0


def test_whatis_shows_a_source_of_a_newer_server(server):
    """A source without a name here is shown by its number."""
    newer = edge(source=99, last_confirm_time=None)
    server.script = [GetConceptResponse(concept=Concept(token="a", edges=[newer]))]

    run = gutask("whatis", "a", server=server)

    assert run.stdout == (
        "a: [type] repo\n  [type] isa repo, confidence 1.00, source unknown_99\n"
    )


def test_whatis_joins_words(server):
    """A name of several words is asked for as one."""
    server.script = [GetConceptResponse(concept=GNOMMOWEB)]

    gutask("whatis", "Glitch", "University", server=server)

    assert server.requests[0].token == "Glitch University"


def test_whatis_as_json(server):
    """--json prints the concept as one object."""
    server.script = [GetConceptResponse(concept=GNOMMOWEB, version=9)]

    concept = json.loads(gutask("whatis", "gnommoweb", "--json", server=server).stdout)

    assert concept["token"] == "gnommoweb"
    assert concept["encounter_count"] == 50
    assert concept["last_seen_time"] is None
    assert (concept["version"], concept["stale"]) == (9, False)
    assert [(e["dimension"], e["parent"], e["is_isa"]) for e in concept["edges"]] == [
        ("geography", "ramanujan", False),
        ("glitch_university", "repo", True),
    ]


def test_unknown_concept_says_how_to_store_it(server):
    """A concept that was never met ends with 6 and the command that would place it."""
    server.script = [
        Failure(grpc.StatusCode.NOT_FOUND, "glados was never met", "CONCEPT_NOT_FOUND")
    ]

    run = gutask("whatis", "glados", server=server)

    assert (run.stdout, run.returncode) == ("", 6)
    assert run.stderr == (
        "gutask: glados was never met\n  If it is not a typo, store it: "
        "gutask iknowthat 'glados -isa <parent> in context of <dimension>'\n"
    )


def test_concept_without_facts_is_not_found(server):
    """A word that was met and never placed ends with 6 as well."""
    server.script = [GetConceptResponse(concept=Concept(token="glados"))]

    run = gutask("whatis", "glados", server=server)

    assert (run.stdout, run.returncode) == ("", 6)
    assert "nothing is known of glados" in run.stderr


def test_whatis_says_that_an_answer_may_be_old(server):
    """The answer of a server without its database is shown, with a warning beside it."""
    server.script = [GetConceptResponse(concept=GNOMMOWEB, stale=True)]

    run = gutask("whatis", "gnommoweb", server=server)

    assert run.stdout.startswith("gnommoweb: [geography] ramanujan")
    assert run.stderr == (
        "gutask: the server has not heard from its database: this may be old\n"
    )
    assert run.returncode == 0


def test_without_a_time_today_is_asked_for(server):
    """Only --as-of asks for another day than this."""
    server.script = [GetConceptResponse(concept=GNOMMOWEB)]

    gutask("whatis", "gnommoweb", server=server)

    assert not server.requests[0].HasField("as_of_time")


@pytest.mark.parametrize(
    ("time", "asked"),
    [
        ("2026-01-05", "2026-01-05T21:59:59.999999Z"),
        ("20260105", "2026-01-05T21:59:59.999999Z"),
        ("2026-01-05T14:00", "2026-01-05T12:00:00.999999Z"),
        ("2026-01-05 14:00:07", "2026-01-05T12:00:07.999999Z"),
        ("2026-01-05T14:00:07.25", "2026-01-05T12:00:07.250Z"),
        ("2026-01-05T12:00:07Z", "2026-01-05T12:00:07.999999Z"),
        ("2026-01-05T07:00:07-05:00", "2026-01-05T12:00:07.999999Z"),
    ],
)
def test_time_is_local_and_taken_to_its_end(server, time, asked):
    """A date is the end of that day, and a second its end, on the reader's clock."""
    server.script = [GetConceptResponse(concept=GNOMMOWEB)]

    # POSIX turns the sign: this is two hours east of Greenwich.
    run = gutask("whatis", "gnommoweb", "--as-of", time, server=server, TZ="XXX-2")

    assert (run.stderr, run.returncode) == ("", 0)
    assert server.requests[0].as_of_time.ToJsonString() == asked


def test_what_was_known_is_shown_like_what_is(server):
    """The facts of another time stand in the same lines as today's."""
    server.script = [GetConceptResponse(concept=GNOMMOWEB)]

    then = gutask("whatis", "gnommoweb", "--as-of", "2026-01-05", server=server)
    now = gutask("whatis", "gnommoweb", server=server)

    assert then.stdout == now.stdout != ""


@pytest.mark.parametrize(
    "time",
    ["", "yesterday", "2026-13-01", "2026-01", "12:00", "1767614400", "0000-01-01"],
)
def test_what_is_no_time_is_refused(time):
    """A time that cannot be read is a usage error, with examples of how to write one."""
    run = gutask("whatis", "gnommoweb", "--as-of", time)

    assert (run.stdout, run.returncode) == ("", 2)
    assert f"{time!r} is no time" in run.stderr
    assert "2026-01-05T14:30:00Z" in run.stderr


@pytest.mark.parametrize(
    ("time", "zone"),
    [
        ("9999-12-31", "XXX+2"),
        ("0001-01-01T00:00:00", "XXX-2"),
        ("0001-01-01T00:00:00+02:00", "UTC"),
    ],
)
def test_time_beyond_the_calendar_is_refused(time, zone):
    """The ends of the calendar are a usage error too, where UTC has no such year."""
    run = gutask("whatis", "gnommoweb", "--as-of", time, TZ=zone)

    assert run.returncode == 2
    assert "is no time" in run.stderr


def test_what_was_not_known_yet_is_not_found(server):
    """A concept of which nothing was known at that time ends with 6."""
    server.script = [GetConceptResponse(concept=Concept(token="gnommoweb"))]

    run = gutask("whatis", "gnommoweb", "--as-of", "2020-01-01", server=server)

    assert (run.stdout, run.returncode) == ("", 6)
    assert run.stderr == "gutask: nothing was known of gnommoweb then\n"
