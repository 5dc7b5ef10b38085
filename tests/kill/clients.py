"""Clients that keep a ledger of their own: what they sent, and what they were told."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

import grpc

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1 import memory_service_pb2_grpc
from festinger.api.v1.outcome_pb2 import Outcome
from tests.kill.script import Call, Script
from tests.kill.server import OPTIONS
from tests.serving import Client
from tests.waiting import running

CONNECTIONS = 4
CALLERS = 12
"""Callers on one connection, by default."""
PAUSE_SECONDS = 0.1
"""Between two calls of one caller: the machine is not ours alone."""
CALL_SECONDS_MAX = 90.0
"""A call that finds nobody waits until somebody is there again."""

# In a hundred calls.
IMPATIENT, DOUBLED, REPEATED = 30, 5, 5

NOBODY_KNOWS = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,
)

Stub = memory_service_pb2_grpc.MemoryServiceStub


async def answered_after(times: Sequence[float], moment: float) -> float:
    """Wait for the first of some moments, which are noted meanwhile, behind another one."""
    while not (times and times[-1] > moment):  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    return next(time for time in times if time > moment)


@dataclass(frozen=True)
class Answer:
    """
    Answer to a call.

    Attributes:
        outcome: In the ledger's words; empty if there was nothing to retract.
        fact_id: The ledger row of the fact that stands there.
    """

    outcome: str
    assertion_id: int = 0
    conflict_id: int = 0
    fact_id: int = 0
    version: int = 0


REFUSED = Answer("")


@dataclass
class Ledger:
    """
    Every call that was sent, and every answer that came.

    Attributes:
        differing: Calls that were answered twice, and not alike.
    """

    sent: dict[str, Call] = field(default_factory=dict)
    answers: dict[str, Answer] = field(default_factory=dict)
    differing: list[tuple[Answer, Answer]] = field(default_factory=list)
    failures: int = 0
    times: list[float] = field(default_factory=list)

    def note(self, call: Call, answer: Answer) -> None:
        """Take an answer down."""
        if call.id not in self.answers:
            self.times.append(time.monotonic())
        first = self.answers.setdefault(call.id, answer)
        if answer != first:
            self.differing.append((first, answer))

    async def answered_after(self, moment: float) -> float:
        """Wait for the first answer after a moment, and say when it came."""
        return await answered_after(self.times, moment)


class Clients:
    """
    Callers over several connections, which make calls until they are told to end.

    Args:
        address: The server's.
        token: Lets them speak for several people.
        callers: Callers on one connection.
    """

    def __init__(self, address: str, token: str, seed: int, callers: int = CALLERS):
        self.ledger = Ledger()
        self._address = address
        self._token = token
        self._script = Script(seed)
        self._random = random.Random(seed)
        self._over = False
        self._callers = callers

    @asynccontextmanager
    async def calling(self) -> AsyncIterator[Ledger]:
        """Makes calls for the length of a block; those under way are ended after it."""
        async with AsyncExitStack() as stack:
            calls = []
            for _ in range(CONNECTIONS):
                channel = grpc.aio.insecure_channel(self._address, OPTIONS)
                stub = Stub(await stack.enter_async_context(channel))
                calls += [self._call_on(stub) for _ in range(self._callers)]
            async with running(*calls, end=self._end, seconds=CALL_SECONDS_MAX):
                yield self.ledger

    def _end(self) -> None:
        self._over = True

    async def _call_on(self, stub: Stub) -> None:
        while not self._over:
            call, luck = self._script.next(), self._random.randrange(100)
            self.ledger.sent[call.id] = call
            patient = self._random.randrange(100) >= IMPATIENT
            if luck < DOUBLED and not call.retracts:
                # One call twice at once, as over a network that repeats.
                await asyncio.gather(*(self._make(stub, call, patient) for _ in "ab"))
            else:
                await self._make(stub, call, patient)
                if luck < DOUBLED + REPEATED and not call.retracts:
                    await self._make(stub, call, patient)
            await asyncio.sleep(PAUSE_SECONDS)

    async def _make(self, stub: Stub, call: Call, patient: bool) -> None:
        """
        Make a call, and repeats it under its id until there is an answer; an impatient
        caller goes, and never hears what became of it.
        """
        pause = PAUSE_SECONDS
        while True:
            try:
                self.ledger.note(call, await self._ask(stub, call))
                return
            except grpc.aio.AioRpcError as error:
                if error.code() not in NOBODY_KNOWS:
                    raise
                self.ledger.failures += 1
            await asyncio.sleep(pause)
            if not patient:
                return
            pause = min(2 * pause, 0.5)

    async def _ask(self, stub: Stub, call: Call) -> Answer:
        request = call.request
        options = {
            "metadata": Client.as_(self._token, principal=call.principal),
            "timeout": CALL_SECONDS_MAX,
            "wait_for_ready": True,
        }
        try:
            if isinstance(request, pb.RetractRequest):
                retracted = await stub.Retract(request, **options)
                return Answer(
                    "retracted",
                    retracted.assertion_id,
                    fact_id=retracted.edge.assertion_id,
                    version=retracted.version,
                )
            stated = await stub.Assert(request, **options)
        except grpc.aio.AioRpcError as error:
            if call.retracts and error.code() is grpc.StatusCode.NOT_FOUND:
                return REFUSED
            raise
        outcome = stated.outcome
        return Answer(
            Outcome.Verdict.Name(outcome.verdict).removeprefix("VERDICT_").lower(),
            outcome.assertion_id,
            outcome.conflict_id,
            outcome.edge.assertion_id,
            stated.version,
        )
