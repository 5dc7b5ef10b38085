"""Memories that keep sentences as they were said, and how any memory is compared."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable
from operator import mul
from typing import Any, Protocol

from benchmarks.embedding import UpstreamEmbedder
from benchmarks.processes import ProcessorClock
from benchmarks.talks import WORD, LabelledTalk, stem

WORDS_MAX = 150
"""What a memory may tell of a prompt."""
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")


class Memory(Protocol):
    """A memory that is compared."""

    async def hear(self, turn: dict[str, Any], talk: LabelledTalk) -> None:
        """Take in a turn that a person typed."""

    async def ask(self, prompt: str) -> list[str]:
        """Return the lines for a prompt, best first."""

    async def ended(self) -> Collection[str]:
        """Return the statements that it holds no more, or holds to be in dispute."""


class Sentences:
    """All that was said: what a model with a window of any size could read.

    Attributes:
        lines: The sentences, each with its speaker.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []

    async def hear(self, turn: dict[str, Any], talk: LabelledTalk) -> None:
        """Keep its sentences."""
        texts = (it.strip() for it in SENTENCE_END.split(turn["text"]))
        self.lines += [f"{turn['speaker']}: {text}" for text in texts if text]

    async def ask(self, prompt: str) -> list[str]:
        """Return every sentence."""
        return self.lines

    async def ended(self) -> Collection[str]:
        """Return nothing: what was said was said."""
        return ()


class RankedSentences(Sentences):
    """Sentences by BM25."""

    def __init__(self) -> None:
        super().__init__()
        self._terms: list[Counter[str]] = []

    async def ask(self, prompt: str) -> list[str]:
        """Return the sentences that fit best."""
        for line in self.lines[len(self._terms) :]:
            _, _, text = line.partition(": ")
            self._terms.append(Counter(stem(word) for word in WORD.findall(text)))
        query = {stem(word) for word in WORD.findall(prompt)}
        size = len(self.lines)
        mean = sum(it.total() for it in self._terms) / size
        seen = Counter(term for it in self._terms for term in query & it.keys())
        scored = []
        for line, terms in zip(self.lines, self._terms, strict=True):
            length = 0.9 * (0.6 + 0.4 * terms.total() / mean)
            score = sum(
                math.log(1 + (size - seen[term] + 0.5) / (seen[term] + 0.5))
                * (terms[term] * 1.9 / (terms[term] + length))
                for term in query & terms.keys()
            )
            if score:
                scored.append((score, line))
        return within(line for _, line in sorted(scored, reverse=True))


class EmbeddedSentences(Sentences):
    """Sentences by the cosine of their embeddings, which have the length 1."""

    def __init__(self, embedder: UpstreamEmbedder) -> None:
        super().__init__()
        self._embedder = embedder

    async def hear(self, turn: dict[str, Any], talk: LabelledTalk) -> None:
        """Keep and embed its sentences."""
        await super().hear(turn, talk)
        self._embedder.vectors(self.lines)

    async def ask(self, prompt: str) -> list[str]:
        """Return the nearest sentences."""
        asked, *there = self._embedder.vectors([prompt, *self.lines])
        cosines = [sum(map(mul, it, asked)) for it in there]
        near = sorted(zip(cosines, self.lines, strict=True), key=lambda it: -it[0])
        return within(text for _, text in near)


async def compare(memory: Memory, talk: LabelledTalk) -> Counter[str]:
    """Play a conversation to a memory, and count what came of its prompts."""
    count: Counter[str] = Counter()
    talk.closed.clear()
    for turn in talk.data["turns"]:
        if turn["role"] == "user":
            await memory.hear(turn, talk)
        talk.close(turn["id"])
        for asked in talk.asked_after(turn):
            with ProcessorClock() as clock:
                lines = await memory.ask(asked["prompt"])
            count.update(took(clock.seconds))
            count.update(talk.count(asked, lines))
    return count + talk.contradictions(await memory.ended())


def took(seconds: float) -> Counter[str]:
    """Count a prompt and the processor's time that it took."""
    return Counter(prompts=1, microseconds=round(seconds * 1e6))


def within(lines: Iterable[str]) -> list[str]:
    """Return the first lines that fit into what may be told."""
    kept, left = [], WORDS_MAX
    for line in lines:
        words = len(line.split())
        if words <= left:
            kept.append(line)
            left -= words
    return kept
