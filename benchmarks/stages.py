"""Measures where Recollect's time goes: the same steps, one by one, in one process."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import replace
from hashlib import sha256
from time import thread_time
from typing import Any, cast

from benchmarks.report import Part, Row, Samples, timed
from benchmarks.worlds import NOW, TRUST, NoStore, Prompts, renewed
from festinger import _fast
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.config import CallerSettings
from festinger.core.graph.gate import judge
from festinger.core.graph.tokens import blank_own_blocks
from festinger.core.recollection.concepts import recollect
from festinger.core.recollection.reading import Reader, propose
from festinger.rpc.filling import fill_response
from festinger.rpc.recollection.decoding import turns_of
from festinger.rpc.system.callers import Credentials
from festinger.services.recollection.recollect import Recollection
from festinger.services.world.jobs import PromptJob
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory

PROMPTS = 8
WARM_ROUNDS = 4
METADATA = (
    ("user-agent", "grpc-python-asyncio/1.85.1"),
    ("authorization", "Bearer benchmarks"),
    ("festinger-tenant", "default"),
    ("festinger-principal", "alice"),
    ("festinger-subject", "alice"),
)
STAGES = {
    "decode": "protobuf in, and turns of it",
    "auth": "who calls",
    "blocks": "blank our own blocks",
    "scan": "tokens",
    "read": "look up and count",
    "cues": "find statements",
    "judge": "judge them",
    "edges": "edges, choice, lines",
    "hints": "unknown names worth a question",
    "encode": "block, and the message's bytes",
    "meet": "afterwards: meet what is new",
    "write": "afterwards: the writer, without a database",
}
AFTERWARDS = frozenset(("meet", "write"))


class Clock:
    """Notes what each stage took."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, list[float]] = defaultdict(list)
        self._last = 0.0

    def start(self) -> None:
        """The first stage begins."""
        self._last = thread_time()

    def lap(self, stage: str) -> None:
        """A stage ends, and the next begins."""
        now = thread_time()
        self.spent[stage].append(now - self._last)
        self._last = thread_time()


def measure(
    quick: bool = False, *, rounds: int | None = None, concepts: int = 100_000
) -> Part:
    """Measure with prompts of 1 KB and 32 KB, new as a whole."""
    rows = asyncio.run(_measure(rounds or (24 if quick else 400), concepts))
    return Part(
        f"Where Recollect's time goes ({concepts:,} concepts)",
        "The steps of the handler, in one process and without gRPC, in the processor's "
        "time. What happens after the answer is no part of the sum.",
        rows,
    )


async def _measure(rounds: int, concepts: int) -> list[Row]:
    memories = Memories(cast(Any, NoStore()), now=lambda: NOW, trust=TRUST)
    memory = await memories.get(str(concepts))
    source = Prompts(concepts)
    sizes = {"1k": 1024, "32k": 32 * 1024}
    texts = {
        size: [source.text(n) for _ in range(PROMPTS)] for size, n in sizes.items()
    }
    clocks = {size: Clock() for size in sizes}
    warm = WARM_ROUNDS * PROMPTS
    for number in range(rounds + warm):
        for size, clock in clocks.items():
            if number == warm:
                clock.spent.clear()
            text = renewed(texts[size][number % PROMPTS], number + 1)
            await _walk(memory, text, clock)
    await memories.stop()
    rows = []
    for size, clock in clocks.items():
        answer = [stage for stage in STAGES if stage not in AFTERWARDS]
        laps = [clock.spent[stage] for stage in answer]
        whole = Samples([sum(each) for each in zip(*laps, strict=True)])
        peer = (f"all of {size.upper()}B", whole)
        rows.append(timed(f"stages.{size}.all", f"All, {size.upper()}B", whole))
        rows += [
            timed(f"stages.{size}.{stage}", f"  {what}", Samples(spent), peer)
            for stage, what in STAGES.items()
            if (spent := clock.spent[stage])
        ]
    return rows


async def _walk(memory: TenantMemory, text: str, clock: Clock) -> None:
    """Do the work of `MemoryServicer.Recollect` for one new turn."""
    world, preferences = memory.world, memory.preferences
    credentials = _CREDENTIALS
    turn = pb.Turn(role=pb.Turn.ROLE_USER, text=text)
    data = pb.RecollectRequest(turns=[turn]).SerializeToString()
    clock.start()
    turns = turns_of(pb.RecollectRequest.FromString(data).turns)
    clock.lap("decode")
    caller = credentials.identify(METADATA)
    clock.lap("auth")
    text = blank_own_blocks(turns[0].text)
    clock.lap("blocks")
    scan = _fast.scan(text)
    clock.lap("scan")
    threshold = preferences.saliency_read_threshold
    words = world.vocabulary.read(scan, now=NOW, threshold=threshold, count=True)
    clock.lap("read")
    reader = Reader(memory.trust, caller.principal, caller.subject)
    proposals = propose(scan, turns[0], world, reader)
    clock.lap("cues")
    outcomes = [judge(proposal, world) for proposal in proposals]
    clock.lap("judge")
    silent = replace(preferences, hints_per_block=0)
    recollect(world, words.salient, [scan], preferences=silent, now=NOW)
    told = thread_time()
    clock.lap("edges")
    lines = recollect(world, words.salient, [scan], preferences=preferences, now=NOW)
    # The lines were made twice; what is more the second time is the search for hints.
    both = thread_time() - told
    clock.spent["hints"].append(max(0.0, both - clock.spent["edges"][-1]))
    clock.start()
    position = preferences.recollection_position
    recollection = Recollection(lines, position, outcomes, world.version)
    message = pb.RecollectResponse()
    fill_response(message, recollection, False)
    message.SerializeToString()
    clock.lap("encode")
    world.meet_late(words.unknown_tokens[:500], now=NOW)
    clock.lap("meet")
    if proposals:
        job = PromptJob(proposals, world.conflicts, [])
        memory.writer.offer(job)
        await job.done
        clock.lap("write")


_CREDENTIALS = Credentials(
    [
        CallerSettings(
            name="shim",
            token_sha256=sha256(b"benchmarks").hexdigest(),
            trusted=True,
            tenants=("*",),
        )
    ]
)
