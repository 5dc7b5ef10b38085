"""Measures what a growing memory costs: in time for a prompt, and in bytes.

Beside it the peers, as far as they can be had: they read the same prompts in the same
turns, but only every few turns, since they take long.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, thread_time

from benchmarks import peers
from benchmarks.report import Part, Row, Samples, duration, timed
from benchmarks.worlds import NOW, Prompts, copies, loaded, names_in, tokens_of
from festinger import _fast
from festinger.core.recollection.concepts import recollect, render
from festinger.core.system.preferences import Preferences
from festinger.core.world.world import World

CHARACTERS = 32 * 1024
PICTURE = Path(__file__).with_name("growth.png")
PEER_EVERY = 8
"""Turns from which on the peers take part once."""
PEERS_MAX = 10**6
"""Concepts above which only `re` and a dict are tried: the others need many GB."""
_BAR = 40


@dataclass
class Size:
    """A world of one size, and what prompts took there.

    Attributes:
        load_seconds: From the database's two streams to the world.
        empty_bytes: Of the tables when they hold nothing.
        readers: The peers that are tried.
        read: What each of them took.
        weights: The bytes that each holds.
    """

    concepts: int
    world: World
    texts: list[str]
    load_seconds: float
    empty_bytes: int
    readers: dict[str, peers.Read]
    weights: dict[str, int]
    look_up: list[float] = field(default_factory=list)
    tell: list[float] = field(default_factory=list)
    read: dict[str, list[float]] = field(default_factory=dict)


def measure(
    quick: bool = False,
    *,
    concepts: Sequence[int] | None = None,
    rounds: int | None = None,
    prompts: int | None = None,
    picture: Path | None = None,
) -> list[Part]:
    """Measure 32 KB prompts, different ones in turn, in worlds of growing size.

    Args:
        picture: Where the curves are drawn; a quick run draws none unless asked.
    """
    wanted = concepts or ((10**4, 10**5) if quick else (10**4, 10**5, 10**6, 10**7))
    sizes = [_size(each, prompts or (8 if quick else 64), quick) for each in wanted]
    # The texts and worlds are not worth looking through in the middle of a prompt.
    gc.freeze()
    try:
        for number in range(-len(sizes[0].texts), rounds or (64 if quick else 1000)):
            for size in sizes:
                _round(size, number)
    finally:
        gc.unfreeze()
    if not quick:
        picture = picture or PICTURE
    if picture:
        _draw(sizes, picture)
    return [
        Part(
            "Growth: a 32 KB prompt in memories of growing size",
            "In one process, without gRPC; the sizes alternate. One name in ten has "
            "facts, two on average; a fact is 80 bytes and its place in two tables. "
            "What a peer holds is what its process grows by."
            + (f" The curves are in {picture.name}." if picture else ""),
            [row for size in sizes for row in _rows(size, sizes[0])] + _tenfold(sizes),
            _chart(sizes),
        )
    ]


def _size(concepts: int, prompts: int, quick: bool) -> Size:
    streams = list(copies(concepts))
    started = perf_counter()
    world = loaded(streams)
    spent = perf_counter() - started
    del streams
    source = Prompts(concepts)
    texts = [source.text(CHARACTERS) for _ in range(prompts)]
    empty = World()
    tried = () if concepts <= PEERS_MAX and not quick else ("re",)
    memory = peers.PeerMemory(tokens_of(concepts), concepts - names_in(concepts))
    readers, _ = peers.installed(memory, tried)
    for read in readers.values():
        read(texts[0])
    return Size(
        concepts,
        world,
        texts,
        spent,
        empty.vocabulary.nbytes + empty.graph.nbytes,
        readers,
        {name: peers.weigh(name, tokens_of, concepts) for name in readers},
        read={name: [] for name in readers},
    )


def _round(size: Size, number: int) -> None:
    text = size.texts[number % len(size.texts)]
    started = thread_time()
    scan = _fast.scan(text)
    reading = size.world.vocabulary.read(scan, now=NOW, threshold=0.5, count=True)
    looked_up = thread_time()
    lines = recollect(
        size.world, reading.salient, [scan], preferences=_PREFERENCES, now=NOW
    )
    block = render(lines)
    told = thread_time()
    assert block, "every prompt names what is placed by facts"
    if number >= 0:
        size.look_up.append(looked_up - started)
        size.tell.append(told - looked_up)
    if number >= 0 and number % PEER_EVERY == 0:
        for name, read in size.readers.items():
            started = thread_time()
            read(text)
            size.read[name].append(thread_time() - started)


_PREFERENCES = Preferences()


def _rows(size: Size, least: Size) -> list[Row]:
    key = f"growth.{size.concepts}"
    count = f"{size.concepts:,} concepts"
    peer = f"{least.concepts:,} concepts"
    world = size.world
    held = world.vocabulary.nbytes + world.graph.nbytes - size.empty_bytes
    return [
        timed(
            f"{key}.look_up",
            f"{count}: tokenise, look up, count",
            Samples(size.look_up),
            (peer, Samples(least.look_up)),
        ),
        timed(
            f"{key}.tell",
            "  edges, lines, hints, block",
            Samples(size.tell),
            (peer, Samples(least.tell)),
        ),
        Row(
            f"{key}.vocabulary_bytes",
            "  memory per concept",
            world.vocabulary.nbytes / len(world.vocabulary),
            "B",
        ),
        Row(
            f"{key}.graph_bytes",
            f"  memory per fact, of {len(world.graph):,}",
            world.graph.nbytes / len(world.graph),
            "B",
        ),
        Row(f"{key}.total_mib", "  memory, all", held / 2**20, "MiB"),
        Row(f"{key}.load", "  load from binary COPY", size.load_seconds),
        *(row for name in size.readers for row in _peer_rows(size, least, name)),
    ]


def _peer_rows(size: Size, least: Size, name: str) -> list[Row]:
    key = f"growth.{size.concepts}.{name}"
    peer = f"{least.concepts:,} concepts"
    return [
        timed(
            key,
            f"  {peers.PEERS[name][0]}",
            Samples(size.read[name]),
            (peer, Samples(least.read[name])),
        ),
        Row(f"{key}.total_mib", "    memory", size.weights[name] / 2**20, "MiB"),
    ]


def _tenfold(sizes: Sequence[Size]) -> list[Row]:
    """Return rows with a prompt's cost of the last tenfold growth.

    The figure has its name from the full run; the row says what was compared.
    """
    less, more = sizes[-2:]
    ratio = Samples(more.look_up).ratio(Samples(less.look_up))
    what = f"{more.concepts:,} against {less.concepts:,} concepts"
    return [Row("growth_10m_vs_1m", f"{what}: look up", ratio, "x")]


def _draw(sizes: Sequence[Size], picture: Path) -> None:
    # The library takes a second to import, and only this needs it.
    from benchmarks.drawing import Curve, draw

    ours = Curve(
        "Festinger",
        {s.concepts: Samples(s.look_up).p50 for s in sizes},
        {s.concepts: s.world.vocabulary.nbytes / s.concepts for s in sizes},
    )
    names = dict.fromkeys(name for size in sizes for name in size.readers)
    theirs = [
        Curve(
            peers.PEERS[name][0],
            {s.concepts: Samples(s.read[name]).p50 for s in sizes if name in s.read},
            {
                s.concepts: s.weights[name] / s.concepts
                for s in sizes
                if name in s.weights
            },
        )
        for name in names
    ]
    draw(ours, theirs, picture)


def _chart(sizes: Sequence[Size]) -> str:
    """Return a bar a size: what is looked up, and behind it what is told."""
    totals = [(Samples(s.look_up).p50, Samples(s.tell).p50) for s in sizes]
    longest = max(map(sum, totals))
    lines = []
    for size, (look_up, tell) in zip(sizes, totals, strict=True):
        bar = "█" * _width(look_up, longest) + "░" * _width(tell, longest)
        lines.append(f"{size.concepts:>9,}  {bar} {duration(look_up + tell)}")
    legend = " " * 11 + "█ tokenise, look up, count  ░ edges, lines, hints, block"
    return "\n".join([*lines, legend])


def _width(part: float, longest: float) -> int:
    return max(1, round(_BAR * part / longest))
