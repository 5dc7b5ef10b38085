"""Servers and databases are killed under load; the clients' ledger says what is missing."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeVar

import grpc
import pytest

from festinger.credentials import SHIM, read_token
from tests.kill.audit import Records, audit, compare
from tests.kill.clients import Clients, Ledger
from tests.kill.conftest import Report
from tests.kill.program import EARLY
from tests.kill.server import OPTIONS, Serving
from tests.kill.speaking import Speakers, Spoken, audit_spoken

pytestmark = pytest.mark.slow

SERVER_KILLS, DATABASE_KILLS = 10, 6
DEFECT_KILLS = 2
"""Of a server that loses something at each of them."""
BACK_SECONDS_MAX = 60.0
WRITES_MIN, SENTENCES_MIN = 100, 20
"""Acknowledged while all that is killed, on the slowest machine."""


def clients_of(serving: Serving, seed: int) -> Clients:
    """Clients with the token of the server's data directory."""
    return Clients(serving.address, str(read_token(serving.data_dir, SHIM)), seed)


def speakers_of(serving: Serving, seed: int) -> Speakers:
    """People who speak with the same token."""
    return Speakers(serving.address, str(read_token(serving.data_dir, SHIM)), seed)


Kept = TypeVar("Kept", Ledger, Spoken, covariant=True)


class Calling(Protocol[Kept]):
    """Whoever calls a server, and keeps a ledger of it."""

    def calling(self) -> AbstractAsyncContextManager[Kept]:
        """Make calls for the length of a block."""
        ...


async def kill_again_and_again(
    serving: Serving, clients: Calling[Kept], times: int, moments: Callable[[], float]
) -> tuple[Kept, list[float], list[float]]:
    """
    Kill a server under load, so many seconds after an answer, and start it again; say
    how long it was up each time, and how long each start took.
    """
    up, starts = [], [await serving.start()]
    async with clients.calling() as ledger:
        for _ in range(times):
            began = time.monotonic()
            # It is certainly at work when it is killed.
            await asyncio.wait_for(ledger.answered_after(began), BACK_SECONDS_MAX)
            await asyncio.sleep(moments())
            up.append(time.monotonic() - began)
            await serving.kill()
            starts.append(await serving.start())
        began = time.monotonic()
        await asyncio.wait_for(ledger.answered_after(began), BACK_SECONDS_MAX)
        await asyncio.sleep(1)
        up.append(time.monotonic() - began)
    return ledger, up, starts


def said(ledger: Ledger, up: Sequence[float]) -> str:
    """Return the statements of the clients."""
    return (
        f"{len(ledger.sent)} calls sent, {len(ledger.answers)} acknowledged in "
        f"{sum(up):.1f} s of up-time: {rate(ledger, up):.0f}/s; "
        f"{ledger.failures} attempts failed"
    )


def spoken_of(spoken: Spoken) -> str:
    """Return the names in the statements of the speakers."""
    return (
        f"{len(spoken.said)} sentences said, {len(spoken.kept)} acknowledged as kept; "
        f"{spoken.failures} attempts failed"
    )


def rate(ledger: Ledger, up: Sequence[float]) -> float:
    """Acknowledged writes a second."""
    return len(ledger.answers) / sum(up)


async def test_server_killed_at_any_point_loses_nothing(
    serving: Serving, seed: int, report: Report
) -> None:
    """
    After 10 times kill -9 nothing that was acknowledged is lost, nothing is there that
    nobody sent or is there twice, and the server tells what the database holds.
    """
    clients, draw = clients_of(serving, seed), random.Random(seed)

    async with speakers_of(serving, seed).calling() as spoken:
        ledger, up, starts = await kill_again_and_again(
            serving, clients, SERVER_KILLS, lambda: draw.uniform(0.0, 1.2)
        )

    report(said(ledger, up))
    report(spoken_of(spoken))
    report(f"up again after {max(starts[1:]):.2f} s at most")
    records = await Records.read(serving.place.dsn)
    audit(ledger, records)
    await audit_spoken(spoken, serving.place.dsn)
    assert len(spoken.kept) >= SENTENCES_MIN
    async with grpc.aio.insecure_channel(serving.address, OPTIONS) as channel:
        await compare(channel, records)
    assert len(ledger.answers) >= WRITES_MIN
    assert await serving.end() == 0, serving.output()


async def some_backend(serving: Serving, draw: random.Random) -> int:
    """Return a process that serves a connection, as soon as there is one."""
    for _ in range(6_000):
        if backends := serving.backends():
            return draw.choice(backends)
        await asyncio.sleep(0.01)
    raise AssertionError("no connection in a minute")


async def test_database_killed_at_any_point_loses_nothing(
    serving: Serving, seed: int, report: Report
) -> None:
    """
    After six times kill -9 of a backend or of all Postgres, each time back without a
    restart of the server, the same holds.
    """
    clients, draw = clients_of(serving, seed), random.Random(seed)
    up, away = [], {"backend": [0.0], "postmaster": [0.0]}
    await serving.start()
    pid = serving.pid

    async with (
        speakers_of(serving, seed).calling() as spoken,
        clients.calling() as ledger,
    ):
        for kill in range(DATABASE_KILLS):
            began = time.monotonic()
            await asyncio.sleep(draw.uniform(0.5, 2.0))
            up.append(time.monotonic() - began)
            what = ("backend", "postmaster")[kill % 2]
            victim = await some_backend(serving, draw) if what == "backend" else None
            killed = time.monotonic()
            os.kill(victim or serving.postmaster(), signal.SIGKILL)
            # What was committed before may be acknowledged just after.
            await asyncio.sleep(0.1)
            back = await asyncio.wait_for(ledger.answered_after(killed + 0.1), 60)
            away[what].append(back - killed)
        began = time.monotonic()
        await asyncio.sleep(1)
        up.append(time.monotonic() - began)

    report(said(ledger, up))
    report(spoken_of(spoken))
    for what, seconds in away.items():
        report(f"back {max(seconds):.2f} s at most after the kill of a {what}")
    records = await Records.read(serving.place.dsn)
    audit(ledger, records)
    await audit_spoken(spoken, serving.place.dsn)
    assert len(spoken.kept) >= SENTENCES_MIN
    async with grpc.aio.insecure_channel(serving.address, OPTIONS) as channel:
        await compare(channel, records)
    assert len(ledger.answers) >= WRITES_MIN
    assert max(*away["backend"], *away["postmaster"]) <= BACK_SECONDS_MAX
    assert (serving.pid, serving.code) == (pid, None)
    assert await serving.end() == 0, serving.output()


@pytest.mark.parametrize("command", [EARLY], ids=["acknowledges_early"])
async def test_audit_notices_who_acknowledges_before_committing(
    serving: Serving, seed: int
) -> None:
    """A server with that very defect, killed in the same way, fails the same audit."""
    clients = clients_of(serving, seed)

    ledger, *_ = await kill_again_and_again(serving, clients, DEFECT_KILLS, lambda: 0.5)

    records = await Records.read(serving.place.dsn)
    with pytest.raises(AssertionError, match="acknowledged and lost"):
        audit(ledger, records)


@pytest.mark.parametrize("command", [EARLY], ids=["acknowledges_early"])
async def test_audit_notices_sentences_that_are_lost(
    serving: Serving, seed: int
) -> None:
    """The same defect loses sentences, and the audit of what was said notices it."""
    speakers = speakers_of(serving, seed)

    spoken, *_ = await kill_again_and_again(
        serving, speakers, DEFECT_KILLS, lambda: 0.5
    )

    with pytest.raises(AssertionError, match="sentences acknowledged and lost"):
        await audit_spoken(spoken, serving.place.dsn)
