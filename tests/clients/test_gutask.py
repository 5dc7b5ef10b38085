"""Common behaviour of all commands of `gutask`, run as processes against a scripted
server.
"""

from __future__ import annotations

import json
import socket
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from tests.clients.scripted import FACT, FORGOTTEN, HELD, Failure, gutask

STATING = pytest.mark.parametrize("command", ["iknowthat", "forget"])


@STATING
@pytest.mark.parametrize("words", [(), ("",), ("  ", "")])
def test_empty_fact_is_explained_without_a_server(command, words):
    """A fact without a word shows the syntax and an example, and asks no server."""
    run = gutask(command, *words)

    assert (run.stdout, run.returncode) == ("", 2)
    assert "-isa|-ispart <parent>" in run.stderr
    assert (
        f"gutask {command} 'gnommoweb -isa repo in context of glitch_university'"
        in run.stderr
    )


@pytest.mark.parametrize(
    "words",
    [
        ("iknowthat", b"\xff -isa repo"),
        ("forget", "gnommoweb -isa repo", "--why", b"\xff"),
        ("whatis", b"\xff"),
        ("whatis", "gnommoweb", "--history", "--dimension", b"\xff"),
    ],
)
def test_bytes_that_are_no_text_are_refused(words):
    """An argument that is not UTF-8 is a usage error."""
    run = gutask(*words)

    assert run.returncode == 2
    assert run.stderr == "gutask: the words are not valid UTF-8\n"


@STATING
def test_option_after_the_fact_is_not_taken_for_a_word(command):
    """A server named behind the command is an error and no part of the fact."""
    run = gutask(command, "a", "-isa", "b", "--server", "127.0.0.1:1")

    assert run.returncode == 2
    assert "No such option here: --server" in run.stderr


@pytest.mark.parametrize(
    ("command", "answer", "line"),
    [
        ("iknowthat", HELD, "held: gnommoweb [glitch_university] repo"),
        ("forget", FORGOTTEN, "forgotten: gnommoweb [glitch_university] repo"),
    ],
    ids=["iknowthat", "forget"],
)
def test_unavailable_server_is_tried_again_with_the_same_id(
    server, command, answer, line
):
    """A call that found the server unavailable is repeated under its request_id."""
    busy = Failure(grpc.StatusCode.UNAVAILABLE, "it stops", "OVERLOADED")
    server.script = [busy, busy, answer]

    run = gutask(command, FACT, server=server)

    assert (run.stdout, run.returncode) == (f"{line}\n", 0)
    first, second, third = server.requests
    assert first.request_id
    assert first == second == third


@pytest.mark.parametrize(
    ("command", "answer"),
    [("iknowthat", HELD), ("forget", FORGOTTEN)],
    ids=["iknowthat", "forget"],
)
def test_each_call_has_its_own_id(server, command, answer):
    """Two runs of the command are two calls, even with the same fact."""
    server.script = [answer]

    gutask(command, FACT, server=server)
    gutask(command, FACT, server=server)

    first, second = (request.request_id for request in server.requests)
    assert first
    assert second
    assert first != second


def test_server_that_stays_unavailable_is_given_up(server):
    """After three tries the server's own message is shown, and the code is 69."""
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
    """No further try is made that the timeout leaves no time for."""
    server.script = [Failure(grpc.StatusCode.UNAVAILABLE, "no", "OVERLOADED")]

    # A third try would come after 0.8 seconds.
    run = gutask("--timeout", "0.7", "iknowthat", FACT, server=server)

    assert run.returncode == 69
    assert len(server.requests) == 2


def test_refusal_is_not_repeated(server):
    """An error that repeating cannot mend ends the command at the first try."""
    server.script = [Failure(grpc.StatusCode.INVALID_ARGUMENT, "no", "FACT_SYNTAX")]

    gutask("iknowthat", FACT, server=server)

    assert len(server.requests) == 1


def test_each_try_connects_anew():
    """A server that comes back between two tries would be found by the next."""
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


@pytest.mark.parametrize("command", ["iknowthat", "forget", "whatis"])
def test_no_server_says_how_to_start_one(command):
    """Without a server the command says where it looked, and nothing of grpc's log."""
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
    """A server that accepts and never answers costs no more than --timeout."""
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
    """An error is shown as the server words it, and its kind decides the exit code."""
    server.script = [failure]

    run = gutask("whatis", "gnommoweb", server=server)

    assert (run.stdout, run.returncode) == ("", code)
    assert run.stderr == f"gutask: {failure.message}\n"


def test_error_as_json(server):
    """With --json an error is an object too, beside the message on standard error."""
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


def test_caller_is_named_in_the_metadata(server):
    """The tenant and the token travel as metadata."""
    server.script = [HELD]

    gutask("--tenant", "lab", "--token", "s3cret", "iknowthat", FACT, server=server)

    assert server.metadata[0]["festinger-tenant"] == "lab"
    assert server.metadata[0]["authorization"] == "Bearer s3cret"


def test_caller_may_be_named_in_the_environment(server):
    """The environment serves where the command line says nothing."""
    server.script = [HELD]

    gutask(
        "iknowthat", FACT, server=server, FESTINGER_TENANT="lab", FESTINGER_TOKEN="abc"
    )

    assert server.metadata[0]["festinger-tenant"] == "lab"
    assert server.metadata[0]["authorization"] == "Bearer abc"


def test_unnamed_caller_sends_no_metadata(server):
    """Without a tenant and a token the server's defaults hold."""
    server.script = [HELD]

    gutask("iknowthat", FACT, server=server, FESTINGER_DATA_DIR="/nowhere")

    assert not {"festinger-tenant", "authorization"} & set(server.metadata[0])


def test_token_of_this_machine_is_found(server, tmp_path):
    """The user who runs the server needs no option: the token is in its data directory."""
    server.script = [HELD]
    (tmp_path / "local.token").write_text("found\n", encoding="ascii")

    gutask("iknowthat", FACT, server=server, FESTINGER_DATA_DIR=str(tmp_path))

    assert server.metadata[0]["authorization"] == "Bearer found"


def test_server_of_this_machine_is_found(server, tmp_path):
    """The address of the running server is in its data directory, whatever its port."""
    server.script = [HELD]
    (tmp_path / "server.address").write_text(f"{server.address}\n", encoding="ascii")

    run = gutask("iknowthat", FACT, FESTINGER_DATA_DIR=str(tmp_path))

    assert run.returncode == 0, run.stderr


def test_token_file_takes_the_place_of_the_token(server, tmp_path):
    """A token is read from its file without the line end."""
    server.script = [HELD]
    path = tmp_path / "token"
    path.write_text("from-file\n", encoding="utf-8")

    gutask("--token-file", str(path), "iknowthat", FACT, server=server)

    assert server.metadata[0]["authorization"] == "Bearer from-file"


def test_missing_token_file_is_a_usage_error(tmp_path):
    """A token's file that is not there is named, without a traceback."""
    run = gutask("--token-file", str(tmp_path / "none"), "iknowthat", FACT)

    assert run.returncode == 2
    assert run.stderr.startswith("gutask: the token's file cannot be read")


@pytest.mark.parametrize("token", ["a\nb", "grün"])
def test_token_that_cannot_be_sent_is_a_usage_error(token):
    """A token with a line end or outside ASCII is refused before a call is made."""
    run = gutask("--token", token, "iknowthat", FACT)

    assert run.returncode == 2
    assert run.stderr.startswith("gutask: the token has characters")
    assert token not in run.stderr


@pytest.mark.parametrize("address", ["localhost", "http://127.0.0.1:7700", ":7700"])
def test_address_has_a_host_and_a_port(address):
    """An address of another form is refused before a call is made."""
    run = gutask("--server", address, "whatis", "gnommoweb")

    assert run.returncode == 2
    assert "HOST:PORT" in run.stderr


def test_proxy_of_the_web_is_not_used(server):
    """The server is reached directly, whatever proxy the environment names."""
    server.script = [HELD]

    run = gutask(
        "iknowthat", FACT, server=server, http_proxy="http://127.0.0.1:1", no_proxy=""
    )

    assert run.returncode == 0


def test_help_names_the_exit_codes():
    """--help tells what each exit code means."""
    run = gutask("--help")

    assert run.returncode == 0
    for code in ("  3   the fact contradicts", "  69  the memory server", "  77  perm"):
        assert code in run.stdout


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("iknowthat", "-isa classifies"),
        ("forget", "does not come back by itself"),
        ("whatis", "end of that day"),
    ],
)
def test_help_of_a_command_explains_it(command, words):
    """--help after a command is help, also where a fact's flags are words."""
    run = gutask(command, "--help")

    assert (run.stderr, run.returncode) == ("", 0)
    assert words in run.stdout
