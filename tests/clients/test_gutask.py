"""The `gutask` command, run as a process against a scripted memory server."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.timestamp_pb2 import Timestamp
from google.rpc import (  # type: ignore[import-untyped, unused-ignore]
    error_details_pb2,
    status_pb2,
)
from grpc_status import rpc_status

from festinger.api.v1 import concept_service_pb2_grpc, memory_service_pb2_grpc
from festinger.api.v1.concept_pb2 import Concept
from festinger.api.v1.concept_service_pb2 import GetConceptResponse
from festinger.api.v1.edge_pb2 import Edge
from festinger.api.v1.memory_service_pb2 import AssertResponse
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.api.v1.source_pb2 import SOURCE_CLOUD_LLM, SOURCE_GUTASK
from festinger.api.v1.triple_pb2 import Triple

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "clients" / "gutask"

FACT = "gnommoweb -isa repo in context of glitch_university"
REPO = Triple(
    concept="gnommoweb", parent="repo", dimension="glitch_university", is_isa=True
)
CONTAINER = Triple(
    concept="gnommoweb", parent="container", dimension="type", is_isa=True
)


def edge(parent: str = "repo", dimension: str = "type", **fields: Any) -> Edge:
    """Makes a fact about gnommoweb."""
    values: dict[str, Any] = {
        "concept": "gnommoweb",
        "is_isa": True,
        "confidence": 1.0,
        "source": SOURCE_GUTASK,
        "last_confirm_time": Timestamp(seconds=1_767_614_400),
    }
    return Edge(parent=parent, dimension=dimension, **(values | fields))


@dataclass
class Failure:
    """An error that the server answers with."""

    code: grpc.StatusCode
    message: str
    reason: str = ""
    domain: str = "festinger"

    def abort(self, context: grpc.ServicerContext) -> None:
        """Ends the call with this error."""
        if not self.reason:
            context.abort(self.code, self.message)
        info = error_details_pb2.ErrorInfo(
            reason=f"ERROR_REASON_{self.reason}", domain=self.domain
        )
        packed = AnyMessage()
        packed.Pack(info)
        code, _ = self.code.value
        status = status_pb2.Status(code=code, message=self.message, details=[packed])
        context.abort_with_status(rpc_status.to_status(status))


@dataclass
class Server:
    """A memory server that answers from a script and keeps what it was asked."""

    address: str = ""
    script: list[Any] = field(default_factory=list)
    requests: list[Any] = field(default_factory=list)
    metadata: list[dict[str, str | bytes]] = field(default_factory=list)

    def answer(self, request: Any, context: grpc.ServicerContext) -> Any:
        """Gives the next answer; the last one is given for ever."""
        self.requests.append(request)
        self.metadata.append(dict(context.invocation_metadata()))
        answer = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(answer, Failure):
            answer.abort(context)
        return answer

    # The two methods, by the names that the generated code looks for.
    Assert = answer
    GetConcept = answer

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Stands for the methods that gutask does not call."""
        if not name[0].isupper():
            raise AttributeError(name)
        return self.answer


@pytest.fixture
def server() -> Iterator[Server]:
    """A memory server on a free port."""
    scripted = Server()
    running = grpc.server(ThreadPoolExecutor(2))
    memory_service_pb2_grpc.add_MemoryServiceServicer_to_server(scripted, running)
    concept_service_pb2_grpc.add_ConceptServiceServicer_to_server(scripted, running)
    scripted.address = f"127.0.0.1:{running.add_insecure_port('127.0.0.1:0')}"
    running.start()
    yield scripted
    running.stop(grace=None).wait()


def python(
    *arguments: str | bytes, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs Python with gutask importable and a clean environment."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("FESTINGER_")}
    return subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        env={**inherited, "PYTHONPATH": f"{PACKAGE}{os.pathsep}{ROOT}", **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def gutask(
    *arguments: str | bytes, server: Server | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs the command, against a server if one is given."""
    if server is not None:
        environment["FESTINGER_SERVER"] = server.address
    return python("-m", "gutask", *arguments, **environment)


def outcome(verdict: Outcome.Verdict, **fields: Any) -> AssertResponse:
    """Makes an answer to a statement."""
    values: dict[str, Any] = {"triple": REPO, "assertion_id": 3}
    return AssertResponse(
        outcome=Outcome(verdict=verdict, **(values | fields)), version=9
    )


HELD = outcome(Outcome.VERDICT_HELD, edge=edge(dimension="glitch_university"))

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
        outcome(Outcome.VERDICT_CANDIDATE, factoid_id=12),
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
    """
    Each thing that can become of a fact has its line and its exit code.
    """
    server.script = [answer]

    run = gutask("iknowthat", FACT, server=server)

    assert (run.stdout, run.stderr, run.returncode) == (f"{line}\n", "", code)


@pytest.mark.parametrize("words", [(FACT,), tuple(FACT.split())], ids=["one", "many"])
def test_fact_is_sent_as_it_was_written(server, words):
    """
    A fact reaches the server unchanged, in quotes or as bare words with -isa.
    """
    server.script = [HELD]

    run = gutask("iknowthat", *words, server=server)

    assert run.returncode == 0
    assert [request.fact for request in server.requests] == [FACT]


def test_bare_ispart_is_a_word(server):
    """
    -ispart is part of the fact and not an option, also beside --json.
    """
    server.script = [HELD]

    gutask("iknowthat", "glados", "-ispart", "aperture", "--json", server=server)

    assert server.requests[0].fact == "glados -ispart aperture"


def test_names_in_any_script_survive(server):
    """
    A name that is not ASCII reaches the server and the screen as it is.
    """
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
    """
    A terminal that cannot show a name gets it escaped, not a traceback.
    """
    server.script = [
        outcome(Outcome.VERDICT_HELD, triple=Triple(concept="概念", parent="maß"))
    ]

    run = gutask("iknowthat", "x -ispart y", server=server, PYTHONIOENCODING="cp1251")

    assert run.stdout == "held: \\u6982\\u5ff5 [membership] ma\\xdf\n"


def test_outcome_as_json(server):
    """
    --json prints the answer as one object.
    """
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
            "assertion_id": 2,
        },
        "conflict_id": 7,
        "factoid_id": None,
        "assertion_id": 3,
        "reason": "isa_isa",
        "message": "repo stands",
        "version": 9,
    }


def test_answer_cannot_steer_the_terminal(server):
    """
    Escape sequences, line ends and reordering marks of a message are not printed.
    """
    hostile = "no\x1b[2J\x9b31m\nheld: x\u202e\u200b\u2028[type] y"
    server.script = [outcome(Outcome.VERDICT_REJECTED, message=hostile)]

    run = gutask("iknowthat", FACT, server=server)

    assert run.stdout == "rejected: no [2J 31m held: x [type] y\n"


def test_json_cannot_steer_the_terminal(server):
    """
    --json escapes whatever is not ASCII, and loses nothing.
    """
    hostile = "no\x1b[2J\x9b31m\u202e"
    server.script = [outcome(Outcome.VERDICT_REJECTED, message=hostile)]

    run = gutask("iknowthat", FACT, "--json", server=server)

    assert run.stdout.strip().isascii()
    assert run.stdout.strip().isprintable()
    assert json.loads(run.stdout)["message"] == hostile


def test_malformed_fact_is_explained(server):
    """
    The server's explanation of a malformed fact is shown whole, and the code is 2.
    """
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


@pytest.mark.parametrize("words", [(), ("",), ("  ", "")])
def test_empty_fact_is_explained_without_a_server(words):
    """
    A fact without a word shows the syntax and an example, and asks no server.
    """
    run = gutask("iknowthat", *words)

    assert (run.stdout, run.returncode) == ("", 2)
    assert "-isa|-ispart <parent>" in run.stderr
    assert "'gnommoweb -isa repo in context of glitch_university'" in run.stderr


def test_bytes_that_are_no_text_are_refused():
    """
    An argument that is not UTF-8 is a usage error.
    """
    run = gutask("iknowthat", b"\xff -isa repo")

    assert run.returncode == 2
    assert run.stderr == "gutask: the words are not valid UTF-8\n"


def test_option_after_the_fact_is_not_taken_for_a_word():
    """
    A server named behind the command is an error and no part of the fact.
    """
    run = gutask("iknowthat", "a", "-isa", "b", "--server", "127.0.0.1:1")

    assert run.returncode == 2
    assert "No such option here: --server" in run.stderr


def test_unavailable_server_is_tried_again_with_the_same_id(server):
    """
    A call that found the server unavailable is repeated under its request_id.
    """
    busy = Failure(grpc.StatusCode.UNAVAILABLE, "it stops", "OVERLOADED")
    server.script = [busy, busy, HELD]

    run = gutask("iknowthat", FACT, server=server)

    assert (run.stdout, run.returncode) == (
        "held: gnommoweb [glitch_university] repo\n",
        0,
    )
    assert len(server.requests) == 3
    assert len({request.request_id for request in server.requests}) == 1


def test_each_call_has_its_own_id(server):
    """
    Two runs of the command are two calls, even with the same fact.
    """
    server.script = [HELD]

    gutask("iknowthat", FACT, server=server)
    gutask("iknowthat", FACT, server=server)

    first, second = (request.request_id for request in server.requests)
    assert first
    assert second
    assert first != second


def test_server_that_stays_unavailable_is_given_up(server):
    """
    After three tries the server's own message is shown, and the code is 69.
    """
    server.script = [
        Failure(
            grpc.StatusCode.UNAVAILABLE,
            "the database cannot be reached; try again",
            "DATABASE_UNAVAILABLE",
        )
    ]

    run = gutask("iknowthat", FACT, server=server)

    assert len(server.requests) == 3
    assert run.returncode == 69
    assert run.stderr == "gutask: the database cannot be reached; try again\n"


def test_retries_end_with_the_timeout(server):
    """
    No further try is made that the timeout leaves no time for.
    """
    server.script = [Failure(grpc.StatusCode.UNAVAILABLE, "no", "OVERLOADED")]

    # A third try would come after 0.8 seconds.
    run = gutask("--timeout", "0.7", "iknowthat", FACT, server=server)

    assert run.returncode == 69
    assert len(server.requests) == 2


def test_refusal_is_not_repeated(server):
    """
    An error that repeating cannot mend ends the command at the first try.
    """
    server.script = [Failure(grpc.StatusCode.INVALID_ARGUMENT, "no", "FACT_SYNTAX")]

    gutask("iknowthat", FACT, server=server)

    assert len(server.requests) == 1


def test_each_try_connects_anew():
    """
    A server that comes back between two tries would be found by the next.
    """
    with socket.create_server(("127.0.0.1", 0)) as dropping:
        met = []

        def drop() -> None:
            while True:
                try:
                    connection, peer = dropping.accept()
                except OSError:
                    return
                connection.close()
                met.append(peer)

        with ThreadPoolExecutor(1) as background:
            background.submit(drop)
            address = f"127.0.0.1:{dropping.getsockname()[1]}"
            run = gutask("--server", address, "whatis", "gnommoweb")
            dropping.shutdown(socket.SHUT_RDWR)

    assert run.returncode == 69
    assert len(met) >= 3


@pytest.mark.parametrize("command", ["iknowthat", "whatis"])
def test_no_server_says_how_to_start_one(command):
    """
    Without a server the command says where it looked, and nothing of grpc's log.
    """
    with socket.socket() as reserved:  # bound, but it does not listen
        reserved.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{reserved.getsockname()[1]}"
        run = gutask("--server", address, command, "gnommoweb")

    assert (run.stdout, run.returncode) == ("", 69)
    assert run.stderr == (
        f"gutask: no memory server at {address}. Start one with `make run` or "
        "`festinger up`, or name it with --server\n"
    )


def test_silent_server_is_given_up_at_the_timeout():
    """
    A server that accepts and never answers costs no more than --timeout.
    """
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        address = f"127.0.0.1:{mute.getsockname()[1]}"
        run = gutask("--server", address, "--timeout", "0.3", "whatis", "gnommoweb")

    assert run.returncode == 69
    assert f"the memory server at {address} did not answer" in run.stderr


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (Failure(grpc.StatusCode.UNAUTHENTICATED, "who?", "UNAUTHENTICATED"), 77),
        (Failure(grpc.StatusCode.PERMISSION_DENIED, "no", "PERMISSION_DENIED"), 77),
        (Failure(grpc.StatusCode.RESOURCE_EXHAUSTED, "busy", "OVERLOADED"), 69),
        (Failure(grpc.StatusCode.NOT_FOUND, "no tenant x", "TENANT_NOT_FOUND"), 2),
        (Failure(grpc.StatusCode.INTERNAL, "a defect", "INTERNAL"), 1),
        (Failure(grpc.StatusCode.UNKNOWN, "not ours"), 1),
        (Failure(grpc.StatusCode.ABORTED, "other", "ELSE", domain="other.org"), 1),
    ],
    ids=lambda value: value.code.name if isinstance(value, Failure) else str(value),
)
def test_error_is_a_message_and_an_exit_code(server, failure, code):
    """
    An error is shown as the server words it, and its kind decides the exit code.
    """
    server.script = [failure]

    run = gutask("whatis", "gnommoweb", server=server)

    assert (run.stdout, run.returncode) == ("", code)
    assert run.stderr == f"gutask: {failure.message}\n"


def test_error_as_json(server):
    """
    With --json an error is an object too, beside the message on standard error.
    """
    server.script = [Failure(grpc.StatusCode.INVALID_ARGUMENT, "no", "FACT_SYNTAX")]

    run = gutask("iknowthat", "x", "--json", server=server)

    assert run.stderr == "gutask: no\n"
    assert json.loads(run.stdout) == {
        "error": {
            "status": "INVALID_ARGUMENT",
            "reason": "FACT_SYNTAX",
            "message": "no",
        }
    }


GNOMMOWEB = Concept(
    token="gnommoweb",
    encounter_count=50,
    edges=[
        edge("ramanujan", "geography", is_isa=False, source=SOURCE_CLOUD_LLM),
        edge("repo", "glitch_university", confidence=0.97),
    ],
)


def test_whatis_shows_the_recollection_and_its_details(server):
    """
    What is known stands in the line of a recollection, each fact's origin below it.
    """
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
    """
    A contested fact has its mark, the line says so once, and the conflicts are named.
    """
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
    """
    A concept that only a conflict is about is not unknown.
    """
    server.script = [
        GetConceptResponse(concept=Concept(token="gnommoweb", conflict_ids=[7]))
    ]

    run = gutask("whatis", "gnommoweb", server=server)

    assert run.stdout == "gnommoweb: — conflict pending\n  conflicts: #7\n"
    assert run.returncode == 0


def test_whatis_shows_a_source_of_a_newer_server(server):
    """
    A source without a name here is shown by its number.
    """
    newer = edge(source=99, last_confirm_time=None)
    server.script = [GetConceptResponse(concept=Concept(token="a", edges=[newer]))]

    run = gutask("whatis", "a", server=server)

    assert run.stdout == (
        "a: [type] repo\n  [type] isa repo, confidence 1.00, source unknown_99\n"
    )


def test_whatis_joins_words(server):
    """
    A name of several words is asked for as one.
    """
    server.script = [GetConceptResponse(concept=GNOMMOWEB)]

    gutask("whatis", "Glitch", "University", server=server)

    assert server.requests[0].token == "Glitch University"


def test_whatis_as_json(server):
    """
    --json prints the concept as one object.
    """
    server.script = [GetConceptResponse(concept=GNOMMOWEB)]

    concept = json.loads(gutask("whatis", "gnommoweb", "--json", server=server).stdout)

    assert concept["token"] == "gnommoweb"
    assert concept["encounter_count"] == 50
    assert concept["last_seen_time"] is None
    assert [(e["dimension"], e["parent"], e["is_isa"]) for e in concept["edges"]] == [
        ("geography", "ramanujan", False),
        ("glitch_university", "repo", True),
    ]


def test_unknown_concept_says_how_to_store_it(server):
    """
    A concept that was never met ends with 6 and the command that would place it.
    """
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
    """
    A word that was met and never placed ends with 6 as well.
    """
    server.script = [GetConceptResponse(concept=Concept(token="glados"))]

    run = gutask("whatis", "glados", server=server)

    assert (run.stdout, run.returncode) == ("", 6)
    assert "nothing is known of glados" in run.stderr


def test_caller_is_named_in_the_metadata(server):
    """
    The tenant and the token travel as metadata.
    """
    server.script = [HELD]

    gutask("--tenant", "lab", "--token", "s3cret", "iknowthat", FACT, server=server)

    assert server.metadata[0]["festinger-tenant"] == "lab"
    assert server.metadata[0]["authorization"] == "Bearer s3cret"


def test_caller_may_be_named_in_the_environment(server):
    """
    The environment serves where the command line says nothing.
    """
    server.script = [HELD]

    gutask(
        "iknowthat", FACT, server=server, FESTINGER_TENANT="lab", FESTINGER_TOKEN="abc"
    )

    assert server.metadata[0]["festinger-tenant"] == "lab"
    assert server.metadata[0]["authorization"] == "Bearer abc"


def test_unnamed_caller_sends_no_metadata(server):
    """
    Without a tenant and a token the server's defaults hold.
    """
    server.script = [HELD]

    gutask("iknowthat", FACT, server=server)

    assert not {"festinger-tenant", "authorization"} & set(server.metadata[0])


def test_token_file_takes_the_place_of_the_token(server, tmp_path):
    """
    A token is read from its file without the line end.
    """
    server.script = [HELD]
    path = tmp_path / "token"
    path.write_text("from-file\n", encoding="utf-8")

    gutask("--token-file", str(path), "iknowthat", FACT, server=server)

    assert server.metadata[0]["authorization"] == "Bearer from-file"


def test_missing_token_file_is_a_usage_error(tmp_path):
    """
    A token's file that is not there is named, without a traceback.
    """
    run = gutask("--token-file", str(tmp_path / "none"), "iknowthat", FACT)

    assert run.returncode == 2
    assert run.stderr.startswith("gutask: the token's file cannot be read")


@pytest.mark.parametrize("token", ["a\nb", "grün"])
def test_token_that_cannot_be_sent_is_a_usage_error(token):
    """
    A token with a line end or outside ASCII is refused before a call is made.
    """
    run = gutask("--token", token, "iknowthat", FACT)

    assert run.returncode == 2
    assert run.stderr.startswith("gutask: the token has characters")
    assert token not in run.stderr


@pytest.mark.parametrize("address", ["localhost", "http://127.0.0.1:7700", ":7700"])
def test_address_has_a_host_and_a_port(address):
    """
    An address of another form is refused before a call is made.
    """
    run = gutask("--server", address, "whatis", "gnommoweb")

    assert run.returncode == 2
    assert "HOST:PORT" in run.stderr


def test_proxy_of_the_web_is_not_used(server):
    """
    The server is reached directly, whatever proxy the environment names.
    """
    server.script = [HELD]

    run = gutask(
        "iknowthat", FACT, server=server, http_proxy="http://127.0.0.1:1", no_proxy=""
    )

    assert run.returncode == 0


def test_help_names_the_exit_codes():
    """
    --help tells what each exit code means.
    """
    run = gutask("--help")

    assert run.returncode == 0
    for code in ("  3   the fact contradicts", "  69  the memory server", "  77  perm"):
        assert code in run.stdout


def test_version_needs_no_grpc():
    """
    What makes no call starts without grpc and without the messages.
    """
    run = python(
        "-c",
        "import sys; from gutask.cli import cli\n"
        "cli(['--version'], standalone_mode=False)\n"
        "sys.exit(bool({'grpc', 'google.protobuf'} & sys.modules.keys()))",
    )

    assert run.stdout == "gutask, version 0.1.0\n"
    assert (run.stderr, run.returncode) == ("", 0)


@pytest.mark.parametrize("first", ["festinger.api.v1", "gutask._api"])
def test_both_packages_live_in_one_process(first):
    """
    gutask's messages and festinger's are apart, in either order, and speak alike.
    """
    second = "gutask._api" if first == "festinger.api.v1" else "festinger.api.v1"
    run = python(
        "-c",
        f"from {first} import concept_pb2 as one, memory_service_pb2\n"
        f"from {second} import concept_pb2 as two, memory_service_pb2\n"
        "sent = one.Concept(token='gnommoweb')\n"
        "sent.last_seen_time.FromSeconds(5)\n"
        "read = two.Concept.FromString(sent.SerializeToString())\n"
        "assert one.Concept is not two.Concept\n"
        "print(read.token, read.last_seen_time.ToJsonString())",
    )

    assert run.stderr == ""
    assert run.stdout == "gnommoweb 1970-01-01T00:00:05Z\n"


def test_another_version_of_the_messages_does_no_harm():
    """
    gutask works in a process that has a different `triple.proto` registered.
    """
    run = python(
        "-c",
        "from google.protobuf import descriptor_pb2, descriptor_pool\n"
        "newer = descriptor_pb2.FileDescriptorProto(\n"
        "    name='festinger/api/v1/triple.proto', package='festinger.api.v1')\n"
        "newer.message_type.add(name='Triple')\n"
        "descriptor_pool.Default().Add(newer)\n"
        "import gutask.client\n"
        "from gutask._api.triple_pb2 import Triple\n"
        "print(Triple(concept='gnommoweb').concept)",
    )

    assert run.stderr == ""
    assert run.stdout == "gnommoweb\n"


def test_generated_messages_are_up_to_date(tmp_path):
    """
    `generate.py` writes what is committed, whatever directory it is run from.
    """
    subprocess.run(
        [sys.executable, PACKAGE / "generate.py", "--out", tmp_path],
        cwd=tmp_path,
        check=True,
    )

    committed = PACKAGE / "gutask" / "_api"
    fresh = {path.name: path.read_text() for path in tmp_path.glob("*_pb2.py*")}
    assert fresh == {p.name: p.read_text() for p in committed.glob("*_pb2.py*")}
