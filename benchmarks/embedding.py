"""Embeddings of an Ollama, for measuring what they add to relevance."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from urllib.request import Request, urlopen

from festinger.core.lines.index import LineIndex
from festinger.core.lines.vectors import Embedding, quantised

SECONDS_MAX = 60.0
BATCH = 64


@dataclass
class UpstreamEmbedder:
    """Embeds texts by `/api/embed`, each text once."""

    url: str
    model: str
    _known: dict[str, bytes] = field(default_factory=dict)

    def embed(self, text: str) -> Embedding:
        """The embedding of a prompt."""
        self._ask([text])
        return Embedding(self.model, self._known[text])

    def fill(self, index: LineIndex) -> None:
        """Embed all lines of an index that are not yet."""
        while lines := index.unembedded(self.model, BATCH):
            self._ask([line.embedded for line in lines])
            for line in lines:
                index.vectors.put(line.number, self._known[line.embedded])

    def _ask(self, texts: list[str]) -> None:
        unknown = [it for it in dict.fromkeys(texts) if it not in self._known]
        if not unknown:
            return
        body = json.dumps({"model": self.model, "input": unknown}).encode()
        headers = {"Content-Type": "application/json"}
        request = Request(f"{self.url}/api/embed", body, headers)
        with urlopen(request, timeout=SECONDS_MAX) as answer:
            vectors = json.load(answer)["embeddings"]
        for text, vector in zip(unknown, vectors, strict=True):
            self._known[text] = quantised(vector)
