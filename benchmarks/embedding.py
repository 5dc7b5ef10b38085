"""Embeddings of lines and prompts, for measuring what they add to relevance."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol
from urllib.request import Request, urlopen

from festinger.core.lines import wordvectors
from festinger.core.lines.index import LineIndex
from festinger.core.lines.vectors import Embedding, quantised

SECONDS_MAX = 60.0
BATCH = 64


class TextEmbedder(Protocol):
    """Embeds prompts, and the lines of an index.

    Attributes:
        model: Name of the model, for which there are weights.
    """

    model: str

    def embed(self, text: str) -> Embedding | None:
        """Return the embedding of a prompt; None if it has none."""
        ...

    def fill(self, index: LineIndex) -> None:
        """Embed all lines of an index that are not yet."""
        ...


class WordEmbedder:
    """Embeds by the words, as a server does without a model for it."""

    model = wordvectors.MODEL

    def embed(self, text: str) -> Embedding | None:
        """Return the embedding of a prompt; None if it has no known word."""
        return wordvectors.embedded_prompt(text)

    def fill(self, index: LineIndex) -> None:
        """Embed the lines; a conversation has fewer than are embedded at once."""
        wordvectors.embed_lines(index)


@dataclass
class UpstreamEmbedder:
    """Embeds texts by `/api/embed` of an Ollama, each text once."""

    url: str
    model: str
    _known: dict[str, array[float]] = field(default_factory=dict)

    def vectors(self, texts: Sequence[str]) -> list[array[float]]:
        """Return the vectors of texts."""
        unknown = [it for it in dict.fromkeys(texts) if it not in self._known]
        for at in range(0, len(unknown), BATCH):
            self._ask(unknown[at : at + BATCH])
        return [self._known[it] for it in texts]

    def embed(self, text: str) -> Embedding:
        """Return the embedding of a prompt."""
        (vector,) = self.vectors([text])
        return Embedding(self.model, quantised(vector))

    def fill(self, index: LineIndex) -> None:
        """Embed all lines of an index that are not yet."""
        while lines := index.unembedded(self.model, BATCH):
            vectors = self.vectors([line.embedded for line in lines])
            for line, vector in zip(lines, vectors, strict=True):
                index.vectors.put(line.number, quantised(vector))

    def _ask(self, texts: list[str]) -> None:
        body = json.dumps({"model": self.model, "input": texts}).encode()
        headers = {"Content-Type": "application/json"}
        request = Request(f"{self.url}/api/embed", body, headers)
        with urlopen(request, timeout=SECONDS_MAX) as answer:
            vectors = json.load(answer)["embeddings"]
        for text, vector in zip(texts, vectors, strict=True):
            self._known[text] = array("f", vector)
