"""`festinger system doctor` says what is wrong, and what to do about it."""

from __future__ import annotations

import json
import socket
from dataclasses import replace

import pytest
from click.testing import CliRunner
from cryptography import x509

from festinger.cli.system.certs import certs
from festinger.cli.system.diagnoses import (
    Severity,
    check_certificate,
    check_directory,
    check_postgres,
    check_queues,
    check_schema,
)
from festinger.config import TlsSettings
from festinger.credentials import OPERATOR, token_file
from festinger.store.migrations import HEAD
from festinger.store.system.database_status import DatabaseCondition, QueueAge

HEALTHY = DatabaseCondition(
    major=18,
    schema=HEAD,
    skew_seconds=0.1,
    is_replica=False,
    connections=5,
    connections_max=50,
    replicas=1,
    lag_seconds=0.2,
    queues=[QueueAge("conflicts", 2, 60.0), QueueAge("reader", 0, 0.0)],
)


def severities(condition):
    """Return the severity of each check of a database."""
    found = (
        *check_postgres(condition),
        *check_schema(condition),
        *check_queues(condition),
    )
    return {each.check: each.severity for each in found}


@pytest.fixture
def data_dir(operator):
    """The data directory, with the token as a server makes it."""
    token_file(operator.data_dir, OPERATOR).chmod(0o600)
    return operator.data_dir


@pytest.fixture
def nowhere():
    """An address at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"127.0.0.1:{listener.getsockname()[1]}"


async def look(operator, database, nowhere, *words, **environment):
    """Return the diagnoses by check, and the exit code."""
    code, printed, complained = await operator.runs(
        *("system", "doctor", "--json", *words),
        FESTINGER_DSN=database,
        FESTINGER_SHIM=nowhere,
        FESTINGER_UPSTREAM=f"http://{nowhere}",
        **environment,
    )
    assert complained == ""
    found = [json.loads(line) for line in printed.splitlines()]
    return code, {each["check"]: each for each in found}


async def test_what_is_well_is_said(operator, data_dir, database, nowhere):
    """A line for each check; what is down has its advice, and the exit code is 1."""
    code, found = await look(operator, database, nowhere)

    well = {name for name, each in found.items() if each["severity"] == "ok"}
    assert {"server", "database", "schema", "clock", "connections"} <= well
    assert {"data directory", "secrets", "conversations", "reader", "reviews"} <= well
    assert found["shim"]["severity"] == "warn"
    assert found["upstream"]["severity"] == "fail"
    assert "--upstream" in found["upstream"]["advice"]
    assert code == 1


async def test_nothing_that_fails_is_exit_code_0(
    operator, data_dir, database, nowhere, provider
):
    """Warnings are for people, and no reason to call somebody."""
    code, printed, _ = await operator.runs(
        *("system", "doctor"),
        FESTINGER_DSN=database,
        FESTINGER_SHIM=nowhere,
        FESTINGER_UPSTREAM=provider.url,
    )

    words = {line.split()[0] for line in printed.splitlines()}
    assert (code, words) == (0, {"ok", "warn"})


async def test_server_that_is_gone_is_told(operator, data_dir, database, nowhere):
    """With how to start one."""
    code, found = await look(operator, database, nowhere, "--server", nowhere)

    assert (code, found["server"]["severity"]) == (1, "fail")
    assert "festinger up" in found["server"]["advice"]


async def test_port_of_somebody_else_is_told(operator, data_dir, database, nowhere):
    """Another program listens on the shim's address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        taken = f"127.0.0.1:{listener.getsockname()[1]}"
        _, found = await look(operator, database, nowhere, "--shim", taken)

    assert "another program listens" in found["shim"]["found"]


async def test_password_of_the_database_is_not_printed(operator, data_dir, nowhere):
    """Nor does a database that is gone keep the other checks from being made."""
    dsn = f"postgresql://u:hunter2@{nowhere}/d"
    code, found = await look(operator, dsn, nowhere)

    assert (code, found["database"]["severity"]) == (1, "fail")
    assert "hunter2" not in json.dumps(found)
    assert found["server"]["severity"] == "ok"


def test_secret_that_others_can_read_fails(tmp_path):
    """With the command that mends it."""
    token = tmp_path / "operator.token"
    token.write_text("secret")
    token.chmod(0o644)

    found = {each.check: each for each in check_directory(tmp_path)}

    assert found["secrets"].severity is Severity.FAIL
    assert found["secrets"].advice == f"run: chmod 600 {token}"


def test_directory_that_everybody_can_write_fails(tmp_path):
    """Whoever can write there can replace the tokens."""
    tmp_path.chmod(0o777)

    found = {each.check: each for each in check_directory(tmp_path)}

    assert found["data directory"].severity is Severity.FAIL


@pytest.mark.parametrize(
    ("days", "severity"),
    [(300, Severity.OK), (5, Severity.WARN), (-1, Severity.FAIL)],
)
def test_certificate_that_ends_is_told_before(tmp_path, days, severity):
    """Two weeks ahead, and it fails once it has ended."""
    made = CliRunner().invoke(certs, ["localhost", "--directory", str(tmp_path)])
    assert made.exit_code == 0, made.output
    file, key = tmp_path / "localhost.pem", tmp_path / "localhost.key"
    end = x509.load_pem_x509_certificate(file.read_bytes()).not_valid_after_utc
    tls = TlsSettings(certificate=file, key=key)

    (found,) = check_certificate("shim.tls", tls, end.timestamp() - days * 86_400)

    assert (found.severity, found.check) == (severity, "shim.tls.certificate")


def test_certificate_that_is_none_fails(tmp_path):
    """In one line."""
    tls = TlsSettings(certificate=tmp_path / "gone", key=tmp_path / "gone")

    (found,) = check_certificate("server.tls", tls)

    assert found.severity is Severity.FAIL


def test_healthy_database_is_well():
    """Nothing is told that needs no action."""
    assert set(severities(HEALTHY).values()) == {Severity.OK}


@pytest.mark.parametrize(
    ("change", "check", "severity"),
    [
        ({"major": 14}, "database", Severity.FAIL),
        ({"is_replica": True}, "database", Severity.FAIL),
        ({"connections": 45}, "connections", Severity.WARN),
        ({"skew_seconds": -7.0}, "clock", Severity.FAIL),
        ({"lag_seconds": 40.0}, "replication", Severity.WARN),
        ({"schema": "0003"}, "schema", Severity.WARN),
        ({"schema": None}, "schema", Severity.WARN),
        ({"schema": "9999"}, "schema", Severity.FAIL),
        (
            {"queues": [QueueAge("reader", 1, 100_000.0)]},
            "reader",
            Severity.WARN,
        ),
        (
            {"queues": [QueueAge("reviews", 3, 10 * 86_400.0)]},
            "reviews",
            Severity.WARN,
        ),
    ],
)
def test_each_fault_is_found(change, check, severity):
    """And nothing else with it."""
    found = severities(replace(HEALTHY, **change))

    assert found[check] is severity
    assert {name for name, it in found.items() if it is not Severity.OK} == {check}
