"""Measures the shim against a bare pass-through proxy before the same model."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from statistics import median
from time import perf_counter

from benchmarks import sessions
from benchmarks.chats import TURNS, Chat, Chats, Client, Spent
from benchmarks.processes import process, processor_seconds
from benchmarks.proxies import (
    BURST,
    PACE_SECONDS,
    PACED,
    WORDS,
    bare_proxy,
    model,
)
from benchmarks.recollect import PATIENT_MS, TOKEN, memory_server
from benchmarks.report import Part, Row, Samples, timed
from festinger.config import ServerSettings, ShimSettings
from festinger.shim.app import Shim

CONCEPTS = 10_000
CONCURRENT = 32
SIZES = {"2k": 2_000, "8k": 8_000, "32k": 32_000}
USUAL = "8k"
SHIM, BARE, FLOOR, DIRECT = "shim", "bare proxy", "asking proxy", "no proxy"
PASSED = {
    "get": ("GET", "/api/tags", b""),
    "post": ("POST", "/api/embed", b'{"model": "m", "input": "%b"}' % (b"word " * 400)),
}
_WARM = 3
_ROUNDS_ALONE = {BURST: 6, PACED: 2}


@asynccontextmanager
async def shim(
    upstream: str, server: str, milliseconds_max: float
) -> AsyncIterator[str]:
    """The real shim."""
    settings = ShimSettings(
        address="127.0.0.1:0",
        upstream=upstream,
        tenant=str(CONCEPTS),
        memory_milliseconds_max=milliseconds_max,
    )
    async with Shim(settings, ServerSettings(address=server), lambda: TOKEN) as running:
        yield running.url


@dataclass(frozen=True, slots=True)
class Case:
    """Request that is sent.

    Attributes:
        size: Of the conversation.
        told: Whether the memory has something to tell about each new message.
        clients: How many send at once.
        pace: Whether the model takes its time.
    """

    size: str
    told: bool
    clients: int
    pace: str = BURST

    @property
    def key(self) -> str:
        """Names it among the numbers."""
        told = "told" if self.told else "untold"
        parts = ["shim", *(["paced"] if self.pace == PACED else ()), told]
        return ".".join((*parts, self.size, str(self.clients)))

    @property
    def what(self) -> str:
        """Names it for people."""
        told = "something" if self.told else "nothing"
        return f"{told} to tell, {self.size}, {_how(self.clients)}"


CASES = tuple(
    Case(size, told, clients)
    for clients in (1, CONCURRENT)
    for size in SIZES
    for told in (True, False)
)
PACED_CASES = tuple(Case(USUAL, True, n, PACED) for n in (1, CONCURRENT))


def measure(
    quick: bool = False,
    *,
    rounds: int | None = None,
    counts: Sequence[int] | None = None,
) -> list[Part]:
    """Measure; returns prompts, what is merely passed, and what sessions weigh."""
    rounds = rounds or (1 if quick else 8)
    counts = counts or ((20, 200) if quick else (100, 1_000, 10_000))
    cases = [
        it
        for it in CASES
        if not quick or it.size == USUAL or (it.clients == 1 and it.told)
    ]
    return asyncio.run(_measure(cases, rounds, counts))


async def _measure(
    cases: Sequence[Case], rounds: int, counts: Sequence[int]
) -> list[Part]:
    prompts: list[Row] = []
    paced: list[Row] = []
    async with AsyncExitStack() as stack:
        upstream = stack.enter_context(process(model))
        server = stack.enter_context(process(memory_server, str(CONCEPTS)))
        urls = {
            SHIM: stack.enter_context(process(shim, upstream, server, PATIENT_MS)),
            BARE: stack.enter_context(process(bare_proxy, upstream)),
            FLOOR: stack.enter_context(process(bare_proxy, upstream, server)),
            DIRECT: upstream,
        }
        usual = ShimSettings().memory_milliseconds_max
        impatient = stack.enter_context(process(shim, upstream, server, usual))
        made = {told: Chats(CONCEPTS, told=told) for told in (True, False)}
        for case in (*cases, *PACED_CASES):
            chats = made[case.told]
            spent = await _compare(case, chats, urls, rounds, server)
            _check(case, spent[SHIM].results)
            rows = _rows(case, spent)
            if case.size == USUAL:
                hurried = await _compare(case, chats, {SHIM: impatient}, 1, server)
                rows.append(_missed(case, hurried[SHIM], usual))
            (paced if case.pace == PACED else prompts).extend(rows)
        passed = [
            row for name in PASSED for row in await _passed(name, urls, 30 * rounds)
        ]
        weights = await sessions.measure(upstream, server, str(CONCEPTS), counts)
    return [
        Part(
            "The shim, streaming /api/chat",
            "Conversations whose last message is new; to the first byte of the answer, "
            f"which has {WORDS} chunks without a pause. The asking proxy is the bare "
            "one, which has an empty stream of the memory server answer it before it "
            "sends on. Client, proxies, memory server and model are processes of their "
            "own, which share the cores; the peers alternate. The shim that is compared "
            f"waits {PATIENT_MS / 1000:.0f} s for the memory, so that it skips nothing; "
            f"what would be skipped with the usual {usual:.0f} ms is told below.",
            prompts,
        ),
        Part(
            "The shim, at a model's pace",
            f"{1 / PACE_SECONDS:.0f} chunks a second for each client; a chunk's time is "
            "from its sending by the model to its arrival.",
            paced,
        ),
        Part("The shim, what is merely passed", "To the last byte.", passed),
        weights,
    ]


async def _compare(
    case: Case, chats: Chats, urls: dict[str, str], rounds: int, server: str
) -> dict[str, Spent]:
    spent = {peer: Spent() for peer in urls}
    pools = {
        peer: [await Client.connect(url) for _ in range(case.clients)]
        for peer, url in urls.items()
    }
    peers = list(urls)
    alone = case.clients == 1
    rounds = rounds * _ROUNDS_ALONE[case.pace] if alone else (rounds + 1) // 2
    # A crowd's conversations begin before they are measured, which warms enough.
    for number in range(-1 if alone else 0, rounds):
        noted = spent if number >= 0 else {}
        if alone:
            chat = chats.chat(SIZES[case.size])
            await _take_turns(chat, case.pace, peers, pools, noted)
        else:
            for peer in peers:
                at_work = (urls[peer], server)
                await _crowd(case, chats, pools[peer], noted.get(peer), at_work)
        peers.append(peers.pop(0))
    for client in itertools.chain(*pools.values()):
        await client.close()
    return spent


def _check(case: Case, results: Sequence[bytes]) -> None:
    """Latency must not come from having nothing to do."""
    expected = b"full" if case.told else b"none"
    if results.count(expected) < 0.9 * len(results):
        raise RuntimeError(f"the shim did not answer as it should: {Counter(results)}")


async def _take_turns(
    chat: Chat,
    pace: str,
    peers: Sequence[str],
    pools: dict[str, list[Client]],
    spent: dict[str, Spent],
) -> None:
    """A conversation that is led with each peer, one after the other at each turn."""
    for peer in peers:
        await pools[peer][0].ask(chat.body(pace))
    for turn in range(TURNS):
        chat.go_on()
        body = chat.body(pace)
        for peer in (*peers[turn:], *peers[:turn]):
            await pools[peer][0].ask(body, spent.get(peer))


async def _crowd(
    case: Case,
    chats: Chats,
    pool: list[Client],
    spent: Spent | None,
    at_work: Sequence[str],
) -> None:
    """As many conversations as there are clients, all at once.

    Args:
        case: What is sent.
        chats: Makes the conversations.
        pool: The clients.
        spent: Where it is noted; None for nowhere.
        at_work: The processes whose processor's time is noted.
    """
    talks = [chats.chat(SIZES[case.size]) for _ in pool]

    async def lead(client: Client, chat: Chat) -> None:
        for _ in range(TURNS):
            chat.go_on()
            await client.ask(chat.body(case.pace), spent)

    # With the same model: with another one it would be another conversation for the shim,
    # so that its first measured request would bring all of the history as new.
    await asyncio.gather(
        *(c.ask(t.body(case.pace)) for c, t in zip(pool, talks, strict=True))
    )
    count = TURNS * len(pool)
    before = sum(map(processor_seconds, at_work))
    started = perf_counter()
    await asyncio.gather(*map(lead, pool, talks))
    if spent:
        spent.rate.append(count / (perf_counter() - started))
        used = sum(map(processor_seconds, at_work)) - before
        spent.processor.append(used / count)


async def _passed(name: str, urls: dict[str, str], rounds: int) -> list[Row]:
    """Return a route that the shim only passes on, one at a time."""
    method, path, body = PASSED[name]
    urls = {peer: url for peer, url in urls.items() if peer != FLOOR}
    spent = {peer: Spent() for peer in urls}
    clients = {peer: await Client.connect(url) for peer, url in urls.items()}
    for number in range(-_WARM, rounds):
        for peer, client in clients.items():
            noted = spent[peer] if number >= 0 else None
            await client.ask(body, noted, path=path, method=method)
    for client in clients.values():
        await client.close()
    bare, direct = Samples(spent[BARE].whole), Samples(spent[DIRECT].whole)
    key = f"shim.passed.{name}"
    return [
        timed(key, f"{method} {path}", Samples(spent[SHIM].whole), (BARE, bare)),
        timed(f"{key}.bare", f"  {BARE}", bare),
        timed(f"{key}.direct", f"  {DIRECT}", direct),
    ]


def _missed(case: Case, spent: Spent, milliseconds: float) -> Row:
    """The share of prompts for which the memory took longer than the shim waits."""
    # Where there is something to tell, blocks are put back without it.
    share = spent.share(b"skipped") + case.told * spent.share(b"replay")
    what = f"  … if it waits {milliseconds:.0f} ms"
    return Row(f"{case.key}.skipped.usual", what, share * 100, "%")


def _rows(case: Case, spent: dict[str, Spent]) -> list[Row]:
    rows = []
    parts = {"first": "first byte", "whole": "whole answer"}
    if case.pace == PACED:
        parts = {"first": "first byte", "chunk": "a chunk"}
    elif case.size != USUAL:
        del parts["whole"]
    for part, name in parts.items():
        key = f"{case.key}.{part}"
        took = {peer: Samples(getattr(it, part)) for peer, it in spent.items()}
        bare = (BARE, took[BARE])
        rows += [
            timed(key, f"{case.what}: {name}", took[SHIM], bare),
            timed(f"{key}.floor", f"  {FLOOR}", took[FLOOR], bare),
            timed(f"{key}.bare", f"  {BARE}", took[BARE]),
            timed(f"{key}.direct", f"  {DIRECT}", took[DIRECT]),
        ]
    if case.clients > 1 and case.pace == BURST:
        rate = {peer: median(it.rate) for peer, it in spent.items()}
        rows += [
            _rate(f"{case.key}.rate", "  requests a second", rate[SHIM], rate[BARE]),
            _rate(f"{case.key}.rate.floor", f"  … {FLOOR}", rate[FLOOR], rate[BARE]),
            _rate(f"{case.key}.rate.bare", f"  … {BARE}", rate[BARE]),
        ]
        cpu = {peer: Samples(it.processor) for peer, it in spent.items()}
        key, what = f"{case.key}.processor", "  processor, with the memory server"
        bare = (BARE, cpu[BARE])
        rows += [
            timed(key, what, cpu[SHIM], bare),
            timed(f"{key}.floor", f"  … {FLOOR}", cpu[FLOOR], bare),
            timed(f"{key}.bare", f"  … {BARE}", cpu[BARE]),
        ]
    skipped = spent[SHIM].share(b"skipped") * 100
    rows.append(
        Row(f"{case.key}.skipped", "  went on without the memory", skipped, "%")
    )
    return rows


def _rate(key: str, what: str, rate: float, bare: float | None = None) -> Row:
    ratio = rate / bare if bare else None
    return Row(key, what, rate, "/s", ratio=ratio, peer=BARE if bare else "")


def _how(clients: int) -> str:
    return "one at a time" if clients == 1 else f"{clients} at once"
