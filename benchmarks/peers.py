"""Simple implementations without this project, to compare with.

Each peer reads a text with the rules closest to ours that it can be given, and does the
same work: it counts each distinct known word once, notes when it was met, and tells
which known words are salient and which are strange. None of them merges names, leaves
out keys and hashes, or follows Unicode as we do, so they do less. They are installed
with the other development tools, and one that is missing is left out, which is told.
"""

from __future__ import annotations

import gc
import importlib
import multiprocessing
import re
import resource
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from festinger._fast.words import CLOSED_CLASS

TOKEN = r"\w+(?:[.\-']\w+)*"
ENOUGH = 4  # encounters that make a word salient, as at the threshold 0.5
_BETWEEN_WORDS = re.compile(r"[.\-']*[^\w.\-'][^\w]*")


@dataclass
class PeerMemory:
    """Words and their counters, as a dictionary and lists.

    Attributes:
        words: The known ones, in order of their numbers.
        everyday: How many of the first are of the dictionary, and never salient.
    """

    words: Sequence[str]
    everyday: int
    numbers: dict[str, int] = field(default_factory=dict)
    counts: list[int] = field(default_factory=list)
    last_seen: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Start as a vocabulary that was loaded."""
        self.numbers = {word: number for number, word in enumerate(self.words)}
        self.counts = [number % 9 for number in range(len(self.words))]
        self.last_seen = [0.0] * len(self.words)

    def meet_words(self, words: Iterable[str]) -> tuple[list[int], list[str]]:
        """Look up distinct words, and count those that are known."""
        get, counts, last_seen = self.numbers.get, self.counts, self.last_seen
        everyday = self.everyday
        salient: list[int] = []
        unknown_tokens: list[str] = []
        for word in words:
            number = get(word)
            if number is None:
                if word not in CLOSED_CLASS:
                    unknown_tokens.append(word)
                continue
            counts[number] += 1
            last_seen[number] = 1.0
            if number >= everyday and counts[number] >= ENOUGH:
                salient.append(number)
        return salient, unknown_tokens

    def meet_numbers(self, numbers: Iterable[int]) -> list[int]:
        """Count what was looked up already."""
        counts, last_seen, everyday = self.counts, self.last_seen, self.everyday
        salient: list[int] = []
        for number in numbers:
            counts[number] += 1
            last_seen[number] = 1.0
            if number >= everyday and counts[number] >= ENOUGH:
                salient.append(number)
        return salient


Read = Callable[[str], object]


def regex(memory: PeerMemory) -> Read:
    """`re` and a dict: the peer that needs nothing."""
    find = re.compile(TOKEN).findall
    return lambda text: memory.meet_words(set(find(text.lower())))


def flashtext2(memory: PeerMemory) -> Read:
    """Return a trie of keywords over split text."""
    keywords = importlib.import_module("flashtext2").KeywordProcessor(
        case_sensitive=False
    )
    keywords.add_keywords_from_iter(memory.words)
    find = keywords.extract_keywords
    return lambda text: memory.meet_words(set(find(text)))


def countvectorizer(memory: PeerMemory) -> Read:
    """scikit-learn's bag of words."""
    module = importlib.import_module("sklearn.feature_extraction.text")
    transform = module.CountVectorizer(
        vocabulary=memory.numbers, token_pattern=TOKEN, binary=True
    ).transform
    return lambda text: memory.meet_numbers(transform([text]).indices.tolist())


def ahocorasick(memory: PeerMemory) -> Read:
    """Return an automaton of all words, the longest at each place."""
    automaton = importlib.import_module("ahocorasick").Automaton()
    for number, word in enumerate(memory.words):
        automaton.add_word(f" {word} ", number)
    automaton.make_automaton()

    def read(text: str) -> object:
        # Whole words only: they stand between spaces, which two matches cannot share.
        spaced = f" {_BETWEEN_WORDS.sub('  ', text.lower())} "
        return memory.meet_numbers({n for _, n in automaton.iter_long(spaced)})

    return read


def wordlevel(memory: PeerMemory) -> Read:
    """Hugging Face's tokenizers with whole words."""
    tokenizers: Any = importlib.import_module("tokenizers")
    unknown = len(memory.words)
    model = tokenizers.models.WordLevel(
        memory.numbers | {"[UNK]": unknown}, unk_token="[UNK]"
    )
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = tokenizers.normalizers.Lowercase()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Split(
        tokenizers.Regex(TOKEN), "removed", invert=True
    )
    encode = tokenizer.encode
    return lambda text: memory.meet_numbers(set(encode(text).ids) - {unknown})


PEERS: dict[str, tuple[str, Callable[[PeerMemory], Read]]] = {
    "re": ("re and a dict", regex),
    "flashtext2": ("flashtext2", flashtext2),
    "countvectorizer": ("scikit-learn CountVectorizer", countvectorizer),
    "ahocorasick": ("pyahocorasick iter_long", ahocorasick),
    "wordlevel": ("tokenizers WordLevel", wordlevel),
}
"""By the name in the numbers: what people call it, and what makes it."""
BY_NAME = {"re", "flashtext2", "countvectorizer"}
"""They look a word's number up; the others find numbers themselves."""
WEIGHED_MIN = 400_000
"""Words that are weighed at once, at least."""


def installed(
    memory: PeerMemory, names: Iterable[str] = ()
) -> tuple[dict[str, Read], list[str]]:
    """Return the peers that are here, made; and the names of those that are not.

    Args:
        names: Which are wanted; all, if none is named.
    """
    made: dict[str, Read] = {}
    absent: list[str] = []
    for name in names or PEERS:
        title, make = PEERS[name]
        try:
            made[name] = make(memory)
        except ModuleNotFoundError:
            absent.append(title)
    return made, absent


def weigh(name: str, words: Callable[[int], Sequence[str]], concepts: int) -> int:
    """Return a peer's bytes, measured in a process of its own.

    Args:
        name: Of `PEERS`.
        words: Makes that many; a function of a module, which can be sent by name.
    """
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_weigh, (name, words, concepts))


def _weigh(name: str, words: Callable[[int], Sequence[str]], concepts: int) -> int:
    # Modules are not to be weighed, nor what words are made of.
    _made(name, words(1))
    # A small one would hide in the holes that were left behind.
    copies = max(1, WEIGHED_MIN // concepts)
    gc.collect()
    before = _resident_bytes()
    held = [_made(name, words(concepts)) for _ in range(copies)]
    gc.collect()
    return (_resident_bytes() - before) // len(held)


def _made(name: str, words: Sequence[str]) -> Read:
    memory = PeerMemory(words, 0)
    read = PEERS[name][1](memory)
    read("a text")
    memory.words = ()
    if name not in BY_NAME:
        memory.numbers = {}
    return read


def _resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()
