"""Measures Recollect over gRPC against an empty handler of the same server.

Both by calls and by one stream that stays open.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from time import perf_counter
from typing import Any, cast

import grpc
import grpc.aio

from benchmarks import stages
from benchmarks.processes import process
from benchmarks.report import Part, Row, Samples, timed
from benchmarks.worlds import MANY, NOW, TRUST, NoStore, Prompts, renewed
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.config import CallerSettings, ServerSettings
from festinger.rpc.server import MemoryServer
from festinger.services.world.memory import Memories

TOKEN = "benchmarks"
RECOLLECT = "/festinger.api.v1.MemoryService/Recollect"
RECOLLECT_STREAM = "/festinger.api.v1.MemoryService/RecollectStream"
EMPTY = "/benchmarks.Empty/"
EMPTY_STREAM = "/benchmarks.Empty/stream/"
LARGE = "32 KB"
SIZES = {"1 KB": 1024, LARGE: 32 * 1024}
WARM_ROUNDS = 4
_NEW_CHARACTERS = 1024


class EmptyHandler(grpc.GenericRpcHandler):
    """`/benchmarks.Empty/N` takes anything and answers N bytes.

    `/benchmarks.Empty/stream/N` does so as often as it is asked.
    """

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        """Return the handler of a call; None if it is not ours."""
        if details.method.startswith(EMPTY_STREAM):
            return _streaming(int(details.method.removeprefix(EMPTY_STREAM)))
        if details.method.startswith(EMPTY):
            return _answering(int(details.method.removeprefix(EMPTY)))
        return None


@cache
def _answering(size: int) -> Any:
    answer = bytes(size)

    async def handle(request: bytes, context: object) -> bytes:
        return answer

    return grpc.unary_unary_rpc_method_handler(handle)


@cache
def _streaming(size: int) -> Any:
    answer = bytes(size)

    async def handle(requests: object, context: Any) -> None:
        while await context.read():
            await context.write(answer)

    return grpc.stream_stream_rpc_method_handler(handle)


PATIENT_MS = 5000.0
"""With the product's own limit a loaded machine would refuse what is to be measured."""


@asynccontextmanager
async def memory_server(*tenants: str) -> AsyncIterator[str]:
    """A memory server that refuses nothing, however loaded the machine is.

    Args:
        tenants: Loaded beforehand; each is named by its number of concepts.
    """
    settings = ServerSettings(address="127.0.0.1:0", queue_milliseconds_max=PATIENT_MS)
    async with _serving(settings, tenants) as address:
        yield address


@asynccontextmanager
async def usual_memory_server(*tenants: str) -> AsyncIterator[str]:
    """A memory server with the product's own settings."""
    async with _serving(ServerSettings(address="127.0.0.1:0"), tenants) as address:
        yield address


@asynccontextmanager
async def _serving(
    settings: ServerSettings, tenants: Sequence[str]
) -> AsyncIterator[str]:
    caller = CallerSettings(
        name="shim",
        token_sha256=sha256(TOKEN.encode()).hexdigest(),
        trusted=True,
        tenants=("*",),
    )
    memories = Memories(cast(Any, NoStore()), now=lambda: NOW, trust=TRUST)
    server = MemoryServer(settings, memories, (caller,))
    # There is no public way in, and the product needs none.
    server._server.add_generic_rpc_handlers((EmptyHandler(),))
    for tenant in tenants:
        await memories.get(tenant)
    address = await server.start()
    try:
        yield address
    finally:
        await server.stop()
        await memories.stop()


@dataclass
class Case:
    """Prompts of one size for one world, and what they took.

    Attributes:
        concepts: Of the world, before it met the prompts' new names.
        history: Whether all but the last KB was seen before.
        many: Whether the texts state much.
    """

    size: str
    concepts: int
    texts: list[str]
    history: bool = False
    many: bool = False
    answer_bytes: int = 0
    answer_bytes_min: int = 0
    spent: list[float] = field(default_factory=list)
    empty: list[float] = field(default_factory=list)
    streamed: list[float] = field(default_factory=list)
    empty_streamed: list[float] = field(default_factory=list)

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """As the shim sends it."""
        return (
            ("authorization", f"Bearer {TOKEN}"),
            ("festinger-tenant", str(self.concepts)),
            ("festinger-principal", "alice"),
            ("festinger-subject", "alice"),
        )

    def request(self, which: int, number: int) -> pb.RecollectRequest:
        """Return a request that never came before, with names that were never met.

        Args:
            which: The text. What is compared takes the same, for no two take as long.
            number: Another for each request.
        """
        text = renewed(self.texts[which % len(self.texts)], number)
        user = pb.Turn.ROLE_USER
        if not self.history:
            turns = [pb.Turn(role=user, text=text, digest=number.to_bytes(8))]
        else:
            cut = len(text) - _NEW_CHARACTERS
            turns = [
                pb.Turn(role=user, text=text[:cut], seen=True, digest=b"seen"),
                pb.Turn(role=user, text=text[cut:], digest=number.to_bytes(8)),
            ]
        return pb.RecollectRequest(turns=turns)


def measure(
    quick: bool = False,
    *,
    worlds: tuple[int, ...] = (10_000, 100_000),
    rounds: int | None = None,
    prompts: int | None = None,
) -> list[Part]:
    """Measure; returns the comparison and where the time goes."""
    cases = _cases(worlds, prompts or (8 if quick else 32))
    with process(memory_server, *map(str, worlds)) as address:
        asyncio.run(_compare(address, cases, rounds or (40 if quick else 800)))
    comparison = Part(
        "Recollect over gRPC",
        "Over TCP loopback to a server in another process, one warm channel, one "
        "prompt at a time: by a call each, and by one stream. The empty handlers belong "
        "to the same server and take and return as many bytes; all four alternate. The "
        "goal is a ratio of 1.3 to the empty call, at most 1.5, and of 0.7 for the "
        "stream to the call. Each prompt brings names that the memory never met, so "
        "it grows.",
        [row for case in cases for row in _rows(case)] + _promised(cases),
    )
    return [comparison, stages.measure(quick, concepts=worlds[-1], rounds=rounds)]


def _cases(worlds: tuple[int, ...], prompts: int) -> list[Case]:
    cases = []
    for concepts in worlds:
        source = Prompts(concepts)
        for size, characters in SIZES.items():
            texts = [source.text(characters) for _ in range(prompts)]
            cases.append(Case(size, concepts, texts))
            if characters > _NEW_CHARACTERS:
                cases.append(Case(size, concepts, texts, history=True))
    concepts = max(worlds)
    glossary = Prompts(concepts, statements=MANY)
    texts = [glossary.text(SIZES[LARGE]) for _ in range(prompts)]
    return [*cases, Case(LARGE, concepts, texts, many=True)]


async def _compare(address: str, cases: list[Case], rounds: int) -> None:
    numbers = itertools.count(1)
    async with grpc.aio.insecure_channel(address) as channel:
        for case in cases:
            # Warm, and with all names met so often that each is considered. The facts
            # that the prompts state are held by then.
            sizes = []
            for which in range(WARM_ROUNDS * len(case.texts)):
                request = case.request(which, next(numbers)).SerializeToString()
                sizes.append(len(await _call(channel, RECOLLECT, request, case)))
            case.answer_bytes = sorted(sizes)[len(sizes) // 2]
            case.answer_bytes_min = min(sizes)
        streams = [_Streams(channel, case) for case in cases]
        for which in range(rounds):
            for case, pair in zip(cases, streams, strict=True):
                await _round(channel, case, pair, which, numbers)
        for pair in streams:
            await pair.close()


class _Streams:
    """A case's two streams: of Recollect, and of the empty handler."""

    def __init__(self, channel: grpc.aio.Channel, case: Case) -> None:
        self._calls: list[Any] = [
            channel.stream_stream(method)(metadata=case.metadata)
            for method in (RECOLLECT_STREAM, f"{EMPTY_STREAM}{case.answer_bytes}")
        ]

    async def ask(self, request: bytes, *, empty: bool) -> bytes:
        """Return the answer to a request."""
        call = self._calls[empty]
        await call.write(request)
        answer: bytes = await call.read()
        return answer

    async def close(self) -> None:
        """End both."""
        for call in self._calls:
            await call.done_writing()
            await call.read()


async def _round(
    channel: grpc.aio.Channel,
    case: Case,
    streams: _Streams,
    which: int,
    numbers: Iterator[int],
) -> None:
    """Each way once, with one text and other new names in it."""
    empty = f"{EMPTY}{case.answer_bytes}"
    sizes = []
    for method, spent in ((RECOLLECT, case.spent), (empty, case.empty)):
        request = case.request(which, next(numbers)).SerializeToString()
        # What the call before left to do, as a write, is not this one's time.
        await _call(channel, f"{EMPTY}1", b"", case)
        started = perf_counter()
        sizes.append(len(await _call(channel, method, request, case)))
        spent.append(perf_counter() - started)
    for kind, spent in ((False, case.streamed), (True, case.empty_streamed)):
        number = next(numbers)
        request = pb.RecollectStreamRequest(
            id=number, request=case.request(which, number)
        ).SerializeToString()
        await _call(channel, f"{EMPTY}1", b"", case)
        started = perf_counter()
        sizes.append(len(await streams.ask(request, empty=kind)))
        spent.append(perf_counter() - started)
    if min(sizes) < case.answer_bytes_min / 2:
        raise RuntimeError(f"an answer is too short: {sizes}")


async def _call(
    channel: grpc.aio.Channel, method: str, request: bytes, case: Case
) -> bytes:
    call: Any = channel.unary_unary(method)
    answer: bytes = await call(request, metadata=case.metadata)
    return answer


def _rows(case: Case) -> list[Row]:
    size = case.size.replace(" KB", "k")
    what = f"{case.size}, {case.concepts:,} concepts"
    if case.history:
        size, what = f"{size}_seen", f"{what}, 1 KB of it new"
    if case.many:
        size, what = f"{size}_many", f"{what}, {MANY:g} statements"
    key = f"recollect.{size}.{case.concepts}"
    spent, empty = Samples(case.spent), Samples(case.empty)
    streamed, idle = Samples(case.streamed), Samples(case.empty_streamed)
    return [
        timed(key, f"Recollect, {what}", spent, ("empty handler", empty)),
        timed(f"{key}.stream", "  by the stream", streamed, ("the call", spent)),
        timed(f"{key}.empty", f"  empty, {case.answer_bytes} B back", empty),
        timed(f"{key}.empty_stream", "  … by a stream", idle, ("the call", empty)),
        Row(f"{key}.added", "  difference", spent.p50 - empty.p50),
        Row(f"{key}.stream_added", "  … by a stream", streamed.p50 - idle.p50),
    ]


def _promised(cases: list[Case]) -> list[Row]:
    """Return every run's promised row: a new prompt of 32 KB, the largest memory."""
    plain = [each for each in cases if not each.history and not each.many]
    case = max(plain, key=lambda each: (SIZES[each.size], each.concepts))
    spent, empty = Samples(case.spent), Samples(case.empty)
    streamed, idle = Samples(case.streamed), Samples(case.empty_streamed)
    what = f"{case.size}, {case.concepts:,} concepts"
    return [
        Row(
            "recollect_vs_empty_p50",
            f"Call to empty call, {what}",
            spent.ratio(empty),
            "x",
        ),
        Row(
            "stream_vs_unary_p50", f"Stream to call, {what}", streamed.ratio(spent), "x"
        ),
        Row("stream_vs_unary_p50.empty", "  of gRPC alone", idle.ratio(empty), "x"),
    ]
