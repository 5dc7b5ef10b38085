"""Time of tokenising, looking up and counting a text, against other readers.

The words and texts are made up from a seed; beside them real texts are read, whose
words are in the same vocabulary.

Everything is measured in turns in one process, so that a busy machine slows all sides
alike; the ratios are what counts. A turn is some texts one after the other, so that what
is measured is reading, and not the way back from where the others have left the caches.
Time is the processor's: on a busy machine the clock on the wall is unfair to who needs
milliseconds, since he is sent away in the middle.
"""

from __future__ import annotations

import gc
import random
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import thread_time

from benchmarks import loading, peers
from benchmarks.report import Part, Row, Samples, timed
from benchmarks.texts import pieces, words_of
from festinger import _fast
from festinger._fast.words import CLOSED_CLASS

SEED = 20240131
TEXTS = 64
TURN = 16
SIZES = {"32k": 32 * 1024, "1k": 1024}
SHOWN = {"32k": "32 KB", "1k": "1 KB", "real": "Real texts"}
DISTINCT_WORDS = 1_100
EVERYDAY = 5_000
"""How many of the words are of the dictionary, which makes them never salient."""
ENDS = ["a", "e", "i", "o", "u", "an", "er", "in", "ol"]
SYLLABLES = [start + end for start in "bdfgklmnprstvwz" for end in ENDS]


@dataclass(frozen=True)
class Corpus:
    """A vocabulary's words, and texts of each size.

    Attributes:
        everyday: How many of the first words are of the dictionary.
    """

    words: Sequence[str]
    everyday: int
    texts: Mapping[str, Sequence[str]]


def measure(
    quick: bool = False, *, concepts: int | None = None, rounds: int | None = None
) -> list[Part]:
    """Measure a vocabulary of a million, or of a tenth of that."""
    count = concepts or (100_000 if quick else 1_000_000)
    corpus = corpus_of(count, TURN if quick else TEXTS)
    vocabulary = _fast.Vocabulary()
    vocabulary.load_copy(copy_stream(corpus))
    made, absent = peers.installed(peers.PeerMemory(corpus.words, corpus.everyday))

    def ours(text: str) -> object:
        return vocabulary.read(_fast.scan(text), now=1.0, threshold=0.5, count=True)

    readers = {"ours": ours, "scan": _fast.scan, **made}
    rows: list[Row] = []
    for name, read in corpus.texts.items():
        turns = rounds or (3 if quick else 32)
        rows += _rows(name, in_turns(readers, read, turns))
    each = vocabulary.nbytes / len(vocabulary)
    rows.append(
        Row("bytes_per_concept", "memory per concept, without edges", each, "B")
    )
    note = (
        f"{len(corpus.words):,} concepts, in one process and in turns. The others do the "
        "same work by the rules closest to ours that they can be given; they merge no "
        "names. The real texts are the descriptions of installed packages and Python's "
        "docstrings, 32 KB each."
    )
    if absent:
        note += f"\nNOT INSTALLED, SO NOT MEASURED: {', '.join(absent)}."
    return [
        Part("Core: tokenise, look up, count", note, rows),
        *loading.measure(quick, count=concepts),
    ]


def in_turns(
    readers: Mapping[str, Callable[[str], object]], texts: Sequence[str], rounds: int
) -> dict[str, Samples]:
    """Return each reader's samples for a text, some texts at a turn."""
    spent: dict[str, list[float]] = {name: [] for name in readers}
    for reader in readers.values():
        reader(texts[0])
    gc.collect()
    gc.disable()
    try:
        for turn in range(rounds):
            first = turn * TURN % len(texts)
            for name, reader in readers.items():
                for text in texts[first : first + TURN]:
                    started = thread_time()
                    reader(text)
                    spent[name].append(thread_time() - started)
    finally:
        gc.enable()
    return {name: Samples(values) for name, values in spent.items()}


def _rows(size: str, samples: Mapping[str, Samples]) -> list[Row]:
    ours = samples["ours"]
    rows = [
        timed(f"core.{size}", f"{SHOWN[size]}: tokenise, look up, count", ours),
        timed(f"core.{size}.scan", "  tokenise only", samples["scan"]),
    ]
    for name, (title, _) in peers.PEERS.items():
        if name not in samples:
            continue
        # The first peer's figures are told for each size, the others' for the large one.
        key = f"core_vs_{name}_{size}" if name == "re" else f"core_vs_{name}"
        if name != "re" and size != "32k":
            key = f"core.{size}.vs_{name}"
        rows += [
            timed(f"core.{size}.{name}", f"  {title}", samples[name]),
            Row(key, "    we are faster by", samples[name].ratio(ours), "x"),
        ]
    return rows


def corpus_of(concepts: int, count: int) -> Corpus:
    """The same words and made-up texts on every run; the real ones are the machine's."""
    chance = random.Random(SEED)
    real = pieces(SIZES["32k"], TURN)
    theirs = words_of(real)
    made = vocabulary_words(chance, concepts - len(theirs.everyday) - len(theirs.names))
    read = {
        name: [prose(chance, made, size) for _ in range(count)]
        for name, size in SIZES.items()
    }
    common = dict.fromkeys([*made[:EVERYDAY], *theirs.everyday])
    names = dict.fromkeys([*made[EVERYDAY:], *theirs.names])
    words = [*common, *(name for name in names if name not in common)]
    return Corpus(words, len(common), read | {"real": real})


def vocabulary_words(chance: random.Random, count: int) -> list[str]:
    """Distinct made-up words: short ones first, then the names that teams make up."""
    words: dict[str, None] = {}
    while len(words) < count:
        word = "".join(chance.choices(SYLLABLES, k=chance.choice([1, 2, 2, 3, 3, 4])))
        if len(words) > EVERYDAY:
            tail = "".join(chance.choices(SYLLABLES, k=2))
            word += chance.choice("-_.") + tail
        if word not in CLOSED_CLASS:
            words[word] = None
    return list(words)


def prose(chance: random.Random, words: Sequence[str], size: int) -> str:
    """Text as prompts have it: two closed-class words in five, capitals, numbers."""
    own = [chance.choice(words[:EVERYDAY]) for _ in range(DISTINCT_WORDS * 4 // 5)]
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


def copy_stream(corpus: Corpus) -> bytes:
    """Return the words as Postgres would send them."""
    rows = [b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0)]
    for number, word in enumerate(corpus.words):
        token, everyday = word.encode(), number < corpus.everyday
        rows.append(struct.pack(">hiqi", 6, 8, number + 1, len(token)) + token)
        rows.append(
            struct.pack(">iqididi?", 8, number % 9, 8, 1.0, 8, 0.0, 1, everyday)
        )
    rows.append(struct.pack(">h", -1))
    return b"".join(rows)
