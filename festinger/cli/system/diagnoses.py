"""The checks of `festinger system doctor`: each says what is so, and what to do."""

from __future__ import annotations

import json
import os
import shutil
import socket
import ssl
import stat
import time
from collections.abc import Iterator
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.request import HTTPSHandler, ProxyHandler, Request, build_opener

from cryptography import x509
from grpc_health.v1 import health_pb2

from festinger.cli.calls import client_to
from festinger.cli.system.databases import running_dsn
from festinger.config import Settings, TlsSettings, host_and_port
from festinger.credentials import LOCAL, read_token
from festinger.errors import ConfigurationError, FestingerError
from festinger.running import address_in
from festinger.store.migrations import HEAD, POSTGRES_MIN, require_known
from festinger.store.system.database_status import DatabaseCondition, condition_of

SECONDS: Final = 3.0
"""The time that a server may take to answer, in seconds."""
FREE_BYTES_MIN: Final = 512 * 2**20
"""Less free space than this soon stops Postgres."""
FREE_BYTES_LOW: Final = 4 * 2**30
SKEW_SECONDS_MAX: Final = 5.0
"""Leases are held by the database's clock and expiries by the servers'."""
LAG_SECONDS_MAX: Final = 30.0
CERTIFICATE_DAYS_MIN: Final = 14
QUEUES: Final = {
    "reader": (
        86_400.0,
        "let a model read (learning.model), or `festinger config set reading off`",
    ),
    "conversations": (86_400.0, "see `festinger memories interactions`"),
    "conflicts": (7 * 86_400.0, "decide them: festinger inbox --kind conflict"),
    "candidates": (7 * 86_400.0, "decide them: festinger inbox --kind statement"),
    "reviews": (7 * 86_400.0, "decide them: festinger inbox"),
}
"""By queue the age at which it is told, in seconds, and what to do."""


class Severity(StrEnum):
    """Severity of a diagnosis."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


class Diagnosis(NamedTuple):
    """Result of a check.

    Attributes:
        severity: How bad it is.
        check: What was checked.
        found: What is so.
        advice: What to do; empty if nothing has to be done.
    """

    severity: Severity
    check: str
    found: str
    advice: str = ""


def ok(check: str, found: str) -> Diagnosis:
    """Return that something is as it should be."""
    return Diagnosis(Severity.OK, check, found)


def warn(check: str, found: str, advice: str) -> Diagnosis:
    """Return that something may become a problem."""
    return Diagnosis(Severity.WARN, check, found, advice)


def fail(check: str, found: str, advice: str) -> Diagnosis:
    """Return that something is a problem."""
    return Diagnosis(Severity.FAIL, check, found, advice)


def graded(
    check: str, found: str, advice: str, *, warns: bool = False, fails: bool = False
) -> Diagnosis:
    """Return that something is a problem, may become one, or else is as it should be."""
    if fails:
        return fail(check, found, advice)
    return warn(check, found, advice) if warns else ok(check, found)


async def diagnose(settings: Settings) -> list[Diagnosis]:
    """Check everything; nothing is started or changed."""
    return [
        *check_directory(settings.data_dir),
        *check_certificate("server.tls", settings.server.tls),
        *check_certificate("shim.tls", settings.shim.tls),
        *check_server(settings),
        *check_shim(settings),
        *await check_database(settings),
    ]


def check_directory(data_dir: Path) -> Iterator[Diagnosis]:
    """Check the data directory, its secrets and the space on its disk."""
    try:
        mode = data_dir.stat().st_mode
    except OSError as error:
        yield fail(
            "data directory",
            f"{data_dir}: {error.strerror}",
            "name it with --data-dir; `festinger up` makes a new one",
        )
        return
    if not os.access(data_dir, os.W_OK | os.X_OK):
        yield fail(
            "data directory",
            f"{data_dir} is not writable for you",
            "run as the user whose data it is",
        )
    elif mode & stat.S_IWOTH:
        yield fail(
            "data directory",
            f"everybody can write to {data_dir}",
            f"run: chmod o-w {data_dir}",
        )
    else:
        yield ok("data directory", str(data_dir))
    names = ("*.token", "tokens.json", "model.keys")
    there = [file for name in names for file in sorted(data_dir.glob(name))]
    for file in there:
        # Whoever reads a token can call with it.
        if file.stat().st_mode & 0o077:
            yield fail("secrets", f"others can read {file}", f"run: chmod 600 {file}")
    if not any(file.stat().st_mode & 0o077 for file in there):
        yield ok("secrets", f"{len(there)} files that only their owner can read")
    free = shutil.disk_usage(data_dir).free
    told = f"{free / 2**30:.1f} GB free for {data_dir}"
    advice = "free some space; `festinger system status` shows what takes it"
    low, too_low = free < FREE_BYTES_LOW, free < FREE_BYTES_MIN
    yield graded("disk", told, advice, warns=low, fails=too_low)


def check_certificate(
    section: str, tls: TlsSettings, now: float | None = None
) -> Iterator[Diagnosis]:
    """Check that a certificate can be read and is valid for some time.

    Args:
        section: Its section of the configuration.
        tls: Where it is; there may be none.
        now: Seconds since the epoch; None for the time of this machine.
    """
    if tls.certificate is None:
        return
    name, advice = f"{section}.certificate", "make a new one: festinger system certs"
    try:
        content = tls.certificate.expanduser().read_bytes()
        end = x509.load_pem_x509_certificate(content).not_valid_after_utc
    except (OSError, ValueError) as error:
        yield fail(name, f"{tls.certificate} cannot be read: {error}", advice)
        return
    days = (end.timestamp() - (time.time() if now is None else now)) / 86_400
    told = f"{tls.certificate} is valid until {end:%Y-%m-%d}"
    yield graded(name, told, advice, warns=days < CERTIFICATE_DAYS_MIN, fails=days < 0)


def check_server(settings: Settings) -> Iterator[Diagnosis]:
    """Check that the memory server answers, or could be started."""
    address = settings.server.address  # as `calls.located` does
    if "address" not in settings.server.model_fields_set:
        address = address_in(settings.data_dir) or address
    with client_to(address, settings.server.tls, timeout=SECONDS) as client:
        # "" is the server as a whole; a server may serve without its database.
        for service, name in (("", "server"), ("database", "server's database")):
            request = health_pb2.HealthCheckRequest(service=service)
            try:
                answer = client.call("grpc.health.v1.Health.Check", request)
            except FestingerError:
                yield fail(
                    name,
                    f"no memory server answers at {address}{_port(address)}",
                    "start one with `festinger up`, or name it with --server",
                )
                return
            if answer.status == health_pb2.HealthCheckResponse.SERVING:
                yield ok(name, f"ready at {address}")
            else:
                yield fail(name, f"not ready at {address}", "see the server's log")


def check_shim(settings: Settings) -> Iterator[Diagnosis]:
    """Check that the shim answers, is of this version, and reaches Ollama."""
    address, own = settings.shim.address, version("festinger")
    health = _get(
        f"{settings.shim.tls.scheme}://{address}/festinger/health",
        verify=False,  # our own certificate is checked above
        token=read_token(settings.data_dir, LOCAL),
    )
    if health is None or "shim" not in health:
        yield warn(
            "shim",
            f"no shim answers at {address}{_port(address)}",
            "start it with `festinger up`, or name it with --shim",
        )
        # A list of upstreams is asked by the shim alone, with its own settings.
        if settings.shim.upstreams:
            return
        answer = _get(f"{settings.shim.upstream}/api/version")
        state = "unreachable" if answer is None else "ready"
        upstreams = [{"url": settings.shim.upstream, "state": state}]
    else:
        # A shim that was not restarted after an upgrade.
        theirs = health["shim"].get("version")
        if theirs == own:
            yield ok("shim", f"ready at {address}, version {own}")
        else:
            yield fail(
                "shim",
                f"version {theirs} at {address}, and this is {own}",
                "restart it, so that all parts are of one version",
            )
        upstreams = health.get("upstreams") or [health["upstream"]]
    for upstream in upstreams:
        if upstream["state"] == "ready":
            yield ok("upstream", f"{upstream['url']} answers")
        else:
            yield fail(
                "upstream",
                f"{upstream['url']} is {upstream['state']}",
                "start Ollama there, or name another with --upstream",
            )


async def check_database(settings: Settings) -> list[Diagnosis]:
    """Check Postgres, its clock and replicas, the schema and the queues."""
    try:
        dsn = running_dsn(settings)
    # `running_dsn` says what is so, a colon, and what to do.
    except FestingerError as error:
        what, _, advice = error.message.partition(": ")
        return [warn("database", what, advice)]
    try:
        condition = await condition_of(dsn)
    except FestingerError as error:
        return [fail("database", "it cannot be read", error.message)]
    return [
        *check_postgres(condition),
        *check_schema(condition),
        *check_queues(condition),
    ]


def check_postgres(condition: DatabaseCondition) -> Iterator[Diagnosis]:
    """Check the version of Postgres, its connections, its clock and its replicas."""
    told = f"PostgreSQL {condition.major}"
    if condition.major < POSTGRES_MIN:
        yield fail("database", told, f"Festinger needs {POSTGRES_MIN} or newer")
    elif condition.is_replica:
        advice = "add target_session_attrs=read-write to database.dsn"
        yield fail("database", f"{told}, a read-only replica", advice)
    else:
        yield ok("database", told)
    used, most = condition.connections, condition.connections_max
    told = f"{used} of {most} in use"
    advice = "raise max_connections, or lower database.connections_max"
    yield graded("connections", told, advice, warns=used > 0.8 * most)
    skew = condition.skew_seconds
    told = f"the database's differs by {abs(skew):.1f} s"
    advice = "set both by NTP (chronyc tracking)"
    yield graded("clock", told, advice, fails=abs(skew) > SKEW_SECONDS_MAX)
    if condition.replicas:
        lag = condition.lag_seconds
        told = f"{condition.replicas} replicas, the slowest {lag:.1f} s behind"
        advice = "see the replica's log and its network"
        yield graded("replication", told, advice, warns=lag > LAG_SECONDS_MAX)


def check_schema(condition: DatabaseCondition) -> Iterator[Diagnosis]:
    """Check that the schema is that of this version."""
    if condition.schema == HEAD:
        yield ok("schema", f"{HEAD}, the newest")
        return
    try:
        require_known(condition.schema or HEAD, "the database")
    # Unknown and newer cannot be served; older is brought up to date by the next start.
    except ConfigurationError as error:
        yield fail("schema", f"{condition.schema}, of a newer version", error.message)
    else:
        advice = "the next start brings it up to date; make a backup before"
        yield warn("schema", f"{condition.schema or 'none'}, not {HEAD}", advice)


def check_queues(condition: DatabaseCondition) -> Iterator[Diagnosis]:
    """Check that nothing waits too long."""
    for name, waiting, seconds in condition.queues:
        longest, advice = QUEUES[name]
        told = f"{waiting} wait" if waiting else "nothing waits"
        if waiting:
            told += f", the oldest for {_duration(seconds)}"
        yield graded(name, told, advice, warns=seconds > longest)


def _duration(seconds: float) -> str:
    for size, unit in ((86_400, "days"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def _port(address: str) -> str:
    """Say so if another program listens at an address."""
    try:
        with socket.create_connection(host_and_port(address), timeout=SECONDS):
            return ", where another program listens"
    except OSError:
        return ""


def _get(url: str, *, verify: bool = True, token: str | None = None) -> Any:
    """Return the JSON at an address; None if nobody answers."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    context = ssl.create_default_context()
    if not verify:
        # Our own shim, perhaps by an address that its certificate does not name.
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    # Neither is asked through a proxy.
    opener = build_opener(ProxyHandler({}), HTTPSHandler(context=context))
    try:
        with opener.open(Request(url, headers=headers), timeout=SECONDS) as response:
            return json.load(response)
    except HTTPError as error:
        # The shim's report of what is not ready has the status 503.
        with error:
            try:
                return json.load(error)
            except ValueError:
                # Any other answer is of somebody who is there.
                return None if error.code >= 500 else {}
    except (URLError, OSError, ValueError):
        return None
