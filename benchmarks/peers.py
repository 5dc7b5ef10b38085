"""What one would write without this project, to compare with.

Each peer reads a text with the rules closest to ours that it can be given, and does the
same work: it counts each distinct known word once, notes when it was met, and tells
which known words are salient and which are strange. None of them merges names, leaves
out keys and hashes, or follows Unicode as we do, so they do less. Those that are not of
Python's own library are measured where they are installed: `pip install flashtext2
scikit-learn pyahocorasick tokenizers`.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from festinger._fast.words import CLOSED_CLASS

TOKEN = r"\w+(?:[.\-']\w+)*"
ENOUGH = 4  # encounters that make a word salient, as at the threshold 0.5
_BETWEEN_WORDS = re.compile(r"[.\-']*[^\w.\-'][^\w]*")


@dataclass
class Memory:
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
        strangers: list[str] = []
        for word in words:
            number = get(word)
            if number is None:
                if word not in CLOSED_CLASS:
                    strangers.append(word)
                continue
            counts[number] += 1
            last_seen[number] = 1.0
            if number >= everyday and counts[number] >= ENOUGH:
                salient.append(number)
        return salient, strangers

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


def regex(memory: Memory) -> Read:
    """`re` and a dict: the peer that needs nothing."""
    find = re.compile(TOKEN).findall
    return lambda text: memory.meet_words(set(find(text.lower())))


def flashtext2(memory: Memory) -> Read:
    """A trie of keywords over split text."""
    keywords = importlib.import_module("flashtext2").KeywordProcessor(
        case_sensitive=False
    )
    keywords.add_keywords_from_iter(memory.words)
    find = keywords.extract_keywords
    return lambda text: memory.meet_words(set(find(text)))


def countvectorizer(memory: Memory) -> Read:
    """scikit-learn's bag of words."""
    module = importlib.import_module("sklearn.feature_extraction.text")
    transform = module.CountVectorizer(
        vocabulary=memory.numbers, token_pattern=TOKEN, binary=True
    ).transform
    return lambda text: memory.meet_numbers(transform([text]).indices.tolist())


def ahocorasick(memory: Memory) -> Read:
    """An automaton of all words, the longest at each place."""
    automaton = importlib.import_module("ahocorasick").Automaton()
    for number, word in enumerate(memory.words):
        automaton.add_word(f" {word} ", number)
    automaton.make_automaton()

    def read(text: str) -> object:
        # Whole words only: they stand between spaces, which two matches cannot share.
        spaced = f" {_BETWEEN_WORDS.sub('  ', text.lower())} "
        return memory.meet_numbers({n for _, n in automaton.iter_long(spaced)})

    return read


def wordlevel(memory: Memory) -> Read:
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


PEERS: dict[str, tuple[str, Callable[[Memory], Read]]] = {
    "re": ("re and a dict", regex),
    "flashtext2": ("flashtext2", flashtext2),
    "countvectorizer": ("scikit-learn CountVectorizer", countvectorizer),
    "ahocorasick": ("pyahocorasick iter_long", ahocorasick),
    "wordlevel": ("tokenizers WordLevel", wordlevel),
}
"""By the name in the numbers: what people call it, and what makes it."""


def installed(memory: Memory) -> tuple[dict[str, Read], list[str]]:
    """The peers that are here, made; and the names of those that are not."""
    made: dict[str, Read] = {}
    absent: list[str] = []
    for name, (title, make) in PEERS.items():
        try:
            made[name] = make(memory)
        except ModuleNotFoundError:
            absent.append(title)
    return made, absent
