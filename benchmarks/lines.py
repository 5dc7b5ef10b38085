"""Measures the index of what was said: beside tantivy, and within a prompt.

Both indexes have the same lines, made of words that are as frequent as words are, and
look for the same terms, the thirty best of which are wanted.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import random
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, cast

from benchmarks.report import Part, Row, Samples, timed
from benchmarks.worlds import NOW, TRUST, NoStore, Prompts, name
from festinger import _fast
from festinger._fast.values import POSTINGS_READ_MAX
from festinger.core.language.turns import Role, Turn
from festinger.core.language.utterances import Utterance
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import LineKind
from festinger.core.lines.turns import SpokenTurn, lines_of
from festinger.services.recollection.recollect import answer_prompt
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory

PEER = "tantivy"
TERMS = 30
"""Of a query."""
BEST = 30
"""Lines that are wanted of it."""
QUERIES = 64
_WORDS = 50_000
_TERMS_OF_LINE = 12
_CONCEPTS = 10_000
_CHARACTERS, _NEW_CHARACTERS = 8 * 1024, 1024
_TEXTS = 16
_LINES_OF_TURN = 4
_HEAP_BYTES = 128 * 2**20


@dataclass
class Index:
    """An index of so many lines, and what its queries took.

    Attributes:
        search: Looks for terms; returns how many lines were found.
        build_seconds: From the terms to the index.
        nbytes: What it takes.
    """

    search: Callable[[Sequence[str]], int]
    build_seconds: float
    nbytes: int
    spent: list[float] = field(default_factory=list)


def measure(
    quick: bool = False,
    *,
    sizes: Sequence[int] | None = None,
    told: tuple[int, int] | None = None,
    rounds: int | None = None,
) -> list[Part]:
    """Measure; returns the comparison of the indexes, and a prompt's time.

    Args:
        sizes: Lines of the indexes.
        told: Lines of the smaller and of the larger memory that answers prompts.
    """
    sizes = sizes or ((10_000, 100_000) if quick else (100_000, 1_000_000))
    rounds = rounds or (3 if quick else 10)
    rows = [row for size in sizes for row in _compare(size, rounds)]
    return [
        Part(
            "Lines: the index of what was said",
            f"{TERMS} terms a query, in one process; the indexes take turns. Each line "
            f"has {_TERMS_OF_LINE} terms. A query of ours is cut where it has read "
            f"{POSTINGS_READ_MAX:,} places, the rarest terms first; the peer reads all. "
            "The goal is less than 1 ms.",
            rows,
        ),
        _prompts(told or ((1_000, 10_000) if quick else (1_000, 100_000)), rounds),
    ]


def _compare(size: int, rounds: int) -> list[Row]:
    source = _Terms(size)
    queries = [source.draw(TERMS) for _ in range(QUERIES)]
    key, what = f"lines.{size}", f"{size:,} lines"
    with tempfile.TemporaryDirectory(prefix="festinger-") as folder:
        indexes = {"": _ours(source), f".{PEER}": _peer(source, Path(folder))}
        gc.freeze()
        try:
            for number in range(-1, rounds):
                for query in queries:
                    _ask(indexes, query, kept=number >= 0)
        finally:
            gc.unfreeze()
    ours, peer = indexes[""], indexes[f".{PEER}"]
    if ours is None:
        raise RuntimeError("there is no index to measure")
    rows = [timed(key, f"{what}: look for {TERMS} terms", Samples(ours.spent))]
    if peer:
        beside = (PEER, Samples(peer.spent))
        rows = [
            timed(key, f"{what}: look for {TERMS} terms", Samples(ours.spent), beside)
        ]
    rows.append(Row(f"{key}.bytes", "  memory per line", ours.nbytes / size, "B"))
    rows.append(Row(f"{key}.build", "  build", ours.build_seconds))
    if peer is None:
        return [*rows, Row(f"{key}.{PEER}", f"  {PEER} is not installed", 0.0, "")]
    return [
        *rows,
        timed(f"{key}.{PEER}", f"  {PEER}", Samples(peer.spent)),
        Row(f"{key}.{PEER}.bytes", "    on disk, per line", peer.nbytes / size, "B"),
        Row(f"{key}.{PEER}.build", "    build", peer.build_seconds),
    ]


def _ask(indexes: dict[str, Index | None], query: Sequence[str], *, kept: bool) -> None:
    for index in filter(None, indexes.values()):
        began = perf_counter()
        found = index.search(query)
        spent = perf_counter() - began
        if not found:
            raise RuntimeError("a query found nothing")
        if kept:
            index.spent.append(spent)


class _Terms:
    """Draws terms as frequent as words are, the same for each index.

    Args:
        lines: How many there are.
    """

    def __init__(self, lines: int) -> None:
        self._lines = lines
        self._words = [name(index) for index in range(_WORDS)]
        weights = accumulate(1 / (rank + 3) for rank in range(_WORDS))
        self._weights = list(weights)
        self._random = random.Random(lines)

    def draw(self, count: int) -> list[str]:
        """Return distinct terms, the order of which tells nothing."""
        found: dict[str, None] = {}
        while len(found) < count:
            found |= dict.fromkeys(self._draw(self._random, count - len(found)))
        return list(found)

    def lines(self) -> list[list[str]]:
        """Return the terms of all lines."""
        rng = random.Random(1)
        drawn = self._draw(rng, self._lines * _TERMS_OF_LINE)
        count = len(drawn)
        return [
            drawn[at : at + _TERMS_OF_LINE] for at in range(0, count, _TERMS_OF_LINE)
        ]

    def _draw(self, rng: random.Random, count: int) -> list[str]:
        return rng.choices(self._words, cum_weights=self._weights, k=count)


def _ours(source: _Terms) -> Index:
    lines = source.lines()
    postings = _fast.Postings()
    began = perf_counter()
    for line in lines:
        postings.add(dict.fromkeys(line, 1.0).items())
    spent = perf_counter() - began

    def search(terms: Sequence[str]) -> int:
        return len(postings.search([(term, 1.0) for term in terms], 0, 0.0, BEST))

    return Index(search, spent, postings.nbytes)


def _peer(source: _Terms, folder: Path) -> Index | None:
    """Return tantivy's index in a folder; None if tantivy is not installed."""
    try:
        tantivy: Any = importlib.import_module(PEER)
    except ImportError:
        return None
    lines = source.lines()
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("said", tokenizer_name="whitespace", index_option="freq")
    schema = builder.build()
    index = tantivy.Index(schema, path=str(folder))
    began = perf_counter()
    writer = index.writer(heap_size=_HEAP_BYTES, num_threads=1)
    for line in lines:
        writer.add_document(tantivy.Document(said=" ".join(line)))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    spent = perf_counter() - began
    searcher = index.searcher()

    def search(terms: Sequence[str]) -> int:
        query = tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Should, tantivy.Query.term_query(schema, "said", term))
                for term in terms
            ]
        )
        return len(searcher.search(query, BEST, count=False).hits)

    return Index(search, spent, sum(it.stat().st_size for it in folder.iterdir()))


def _prompts(sizes: tuple[int, int], rounds: int) -> Part:
    """Measure prompts, by turns in a memory of few and in one of many lines."""
    spent = asyncio.run(_tell(sizes, rounds))
    few, many = (Samples(spent[size]) for size in sizes)
    fewer, more = (f"{size:,} lines" for size in sizes)
    return Part(
        "Lines: a prompt of 8 KB, 1 KB of it new",
        "In one process, without gRPC, until the answer is there, in processor time; the "
        "memories take turns. The smaller one's lines are the larger one's first, and each "
        "prompt repeats two of them, so that both tell about as much. The goal is a ratio "
        "of at most 1.5.",
        [
            timed(f"lines.prompt.{sizes[1]}", more, many, (fewer, few)),
            timed(f"lines.prompt.{sizes[0]}", f"  {fewer}", few),
            Row("lines_many_vs_few", "Many lines to few", many.ratio(few), "x"),
        ],
    )


async def _tell(sizes: tuple[int, int], rounds: int) -> dict[int, list[float]]:
    spent: dict[int, list[float]] = {size: [] for size in sizes}
    opened = [
        Memories(cast(Any, NoStore()), now=lambda: NOW, trust=TRUST) for _ in sizes
    ]
    memories = {}
    for size, each in zip(sizes, opened, strict=True):
        memories[size] = await each.get(str(_CONCEPTS))
        _fill(memories[size].world.lines, size, Prompts(_CONCEPTS))
    texts = _texts(memories[sizes[0]].world.lines)
    gc.freeze()
    try:
        for number in range(-1, 4 * rounds):
            for text in texts:
                for size, memory in memories.items():
                    took = _answer(memory, text)
                    if number >= 0:
                        spent[size].append(took)
    finally:
        gc.unfreeze()
        for each in opened:
            await each.stop()
    return spent


def _texts(index: LineIndex) -> list[str]:
    """Return prompts, each of which ends with two sentences of an index."""
    source = Prompts(_CONCEPTS)
    held = [line.text for line in index.sources.recent()]
    texts = []
    for number in range(_TEXTS):
        told = f" {held[37 * number % len(held)]}. {held[53 * number % len(held)]}."
        texts.append(source.text(_CHARACTERS - len(told)) + told)
    return texts


def _answer(memory: TenantMemory, text: str) -> float:
    """Return the seconds of a processor for answering a prompt; it teaches nothing."""
    cut = len(text) - _NEW_CHARACTERS
    turns = [
        Turn(Role.USER, text[:cut], seen=True),
        Turn(Role.USER, text[cut:]),
    ]
    began = process_time()
    answer_prompt(memory, turns, principal="alice", subject="alice")
    return process_time() - began


def _fill(index: LineIndex, size: int, source: Prompts) -> None:
    """Have so many sentences been said."""
    said: list[str] = []
    while len(said) < size:
        said += source.text(2**18).replace("\n", " ").split(". ")
    for number in range(0, size, _LINES_OF_TURN):
        turn = SpokenTurn(
            id=number,
            speaker=f"n{number % 7}",
            principal="key",
            project="",
            session="",
            said=NOW - size + number,
            digest=number.to_bytes(16),
            utterances=[
                Utterance(text) for text in said[number : number + _LINES_OF_TURN]
            ],
            is_newest=False,
        )
        index.sources.put(LineKind.UTTERANCE, number, lines_of(turn))
