"""How fast a text is tokenised, looked up and counted, against `re` and a dict.

Run it with `python benchmarks/core.py` (`--quick` for a few seconds). Everything is
measured in turns in one process, so that a busy machine slows both sides alike; the
ratios are what counts.
"""

from __future__ import annotations

import gc
import random
import re
import statistics
import struct
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from festinger import _fast
from festinger._fast.words import CLOSED_CLASS

SEED = 20240131
TEXTS = 16
DISTINCT_WORDS = 1_100
ENDS = ["a", "e", "i", "o", "u", "an", "er", "in", "ol"]
SYLLABLES = [start + end for start in "bdfgklmnprstvwz" for end in ENDS]


@dataclass
class Regex:
    """What one would write without this project: a regex, a dict and a list.

    It splits on other rules and merges nothing, so it does less.
    """

    numbers: dict[str, int]
    counts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Start every counter at zero."""
        self.find = re.compile(r"\w+").findall
        self.counts = [0] * len(self.numbers)

    def read(self, text: str) -> None:
        """Count each distinct known word once."""
        numbers, counts = self.numbers, self.counts
        for word in set(self.find(text.lower())):
            number = numbers.get(word)
            if number is not None:
                counts[number] += 1


def vocabulary_words(chance: random.Random, count: int) -> list[str]:
    """Distinct made-up words: short ones first, then the names that teams make up."""
    words: dict[str, None] = {}
    while len(words) < count:
        word = "".join(chance.choices(SYLLABLES, k=chance.choice([1, 2, 2, 3, 3, 4])))
        if len(words) > 5_000:
            tail = "".join(chance.choices(SYLLABLES, k=2))
            word += chance.choice("-_.") + tail
        words[word] = None
    return list(words)


def prose(chance: random.Random, words: list[str], size: int) -> str:
    """Text as prompts have it: two closed-class words in five, capitals, numbers."""
    own = [chance.choice(words[:5_000]) for _ in range(DISTINCT_WORDS * 4 // 5)]
    own += [chance.choice(words) for _ in range(DISTINCT_WORDS // 5)]
    closed = sorted(CLOSED_CLASS)
    parts: list[str] = []
    length = 0
    while length < size:
        kind = chance.random()
        if kind < 0.4:
            word = closed[int(len(closed) * chance.random() ** 3)]
        elif kind < 0.42:
            word = str(chance.randrange(5_000))
        else:
            word = own[int(len(own) * chance.random() ** 2)]
        if chance.random() < 0.08:
            word = word.capitalize()
        word += chance.choices([" ", ", ", ". ", "\n"], [82, 7, 7, 4])[0]
        parts.append(word)
        length += len(word)
    return "".join(parts)[:size]


def copy_stream(words: Iterable[str]) -> bytes:
    """The words as Postgres would send them."""
    rows = [b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0)]
    for id, word in enumerate(words, 1):
        token = word.encode()
        rows.append(struct.pack(">hiqi", 6, 8, id, len(token)) + token)
        rows.append(struct.pack(">iqididi?", 8, id % 9, 8, 1.0, 8, 0.0, 1, False))
    rows.append(struct.pack(">h", -1))
    return b"".join(rows)


def seconds(call: Callable[[str], object], text: str) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    call(text)
    return time.perf_counter() - start


def compare(
    vocabulary: _fast.Vocabulary, regex: Regex, texts: list[str], rounds: int
) -> tuple[float, float, float]:
    """Medians in seconds: scanning alone, all of ours, and the regex."""

    def read(text: str) -> None:
        vocabulary.read(_fast.scan(text), now=1.0, threshold=0.5, count=True)

    scanned, ours, theirs = [], [], []
    for number in range(rounds):
        text = texts[number % len(texts)]
        theirs.append(seconds(regex.read, text))
        ours.append(seconds(read, text))
        scanned.append(seconds(_fast.scan, text))
    return tuple(map(statistics.median, (scanned, ours, theirs)))  # type: ignore[return-value]


def measure(quick: bool) -> dict[str, float]:
    """Measure everything.

    Args:
        quick: Fewer rounds, and no vocabulary of a million.

    Returns:
        For each `<KB>kb_<concepts>`: microseconds of `_scan`, `_all` and `_regex`, and
        `_ratio`, how many times faster ours is; then the loading of the vocabularies.
    """
    chance = random.Random(SEED)
    figures: dict[str, float] = {}
    words = vocabulary_words(chance, 100_000 if quick else 1_000_000)
    for concepts in [10_000, 100_000] if quick else [10_000, 100_000, 1_000_000]:
        known = words[:concepts]
        stream = copy_stream(known)
        vocabulary = _fast.Vocabulary()
        figures[f"load_{concepts}_ms"] = 1e3 * seconds(
            lambda _: vocabulary.load_copy(stream),  # noqa: B023 (called at once)
            "",
        )
        figures[f"bytes_a_concept_{concepts}"] = vocabulary.nbytes / concepts
        regex = Regex({word: number for number, word in enumerate(known)})
        for size in (32, 1):
            texts = [prose(chance, known, size * 1024) for _ in range(TEXTS)]
            rounds = (100 if quick else 400) * (1 if size == 32 else 5)
            gc.collect()
            gc.disable()
            scan, ours, theirs = compare(vocabulary, regex, texts, rounds)
            gc.enable()
            name = f"{size}kb_{concepts}"
            figures[f"{name}_scan"] = 1e6 * scan
            figures[f"{name}_all"] = 1e6 * ours
            figures[f"{name}_regex"] = 1e6 * theirs
            figures[f"{name}_ratio"] = theirs / ours
    return figures


def main() -> None:
    """Measure, and print a table."""
    figures = measure("--quick" in sys.argv[1:])
    print(f"build: {_fast.BUILD}; medians in microseconds")
    print(
        f"{'text':>6} {'concepts':>9} {'scan':>8} {'all':>8} {'regex':>8} {'ratio':>6}"
    )
    for key in figures:
        if key.endswith("_ratio"):
            name = key.removesuffix("_ratio")
            text, concepts = name.split("_")
            scan, ours, theirs = (
                figures[f"{name}_{k}"] for k in ("scan", "all", "regex")
            )
            print(
                f"{text:>6} {concepts:>9} {scan:8.1f} {ours:8.1f} {theirs:8.1f} "
                f"{figures[key]:5.1f}x"
            )
    for key in figures:
        if key.startswith("load_"):
            concepts = key.split("_")[1]
            print(
                f"loading {concepts} concepts: {figures[key]:.0f} ms, "
                f"{figures[f'bytes_a_concept_{concepts}']:.0f} bytes each"
            )


if __name__ == "__main__":
    main()
