"""Graphiti with an embedded graph database, told what a perfect reader finds.

Graphiti asks a model for entities, for facts, for when they hold and for those that they
contradict. Each is answered by the labels. It searches by words and embeddings; of what it
finds, facts that ended are left out.
"""

from __future__ import annotations

import importlib
import re
from ast import literal_eval
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.embedding import UpstreamEmbedder
from benchmarks.plain import within
from benchmarks.talks import LabelledTalk

RESULTS_MAX = 30
_CANDIDATE = re.compile(
    r"""\{'idx': (\d+), 'fact': ('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\}"""
)


class GraphitiMemory:
    """Graphiti, whose models are played.

    Args:
        folder: An empty folder.

    Raises:
        ImportError: Graphiti or its driver is not installed.
    """

    def __init__(self, embedder: UpstreamEmbedder, folder: Path) -> None:
        core = importlib.import_module("graphiti_core")
        kuzu = importlib.import_module("graphiti_core.driver.kuzu_driver")
        reader = _made("llm_client.client", "LLMClient", _generate_response=self._read)
        self._embedder = embedder
        self._graphiti = core.Graphiti(
            graph_driver=kuzu.KuzuDriver(str(folder / "graph")),
            llm_client=reader(None),
            embedder=_made(
                "embedder.client",
                "EmbedderClient",
                create=self._embed,
                create_batch=self._embed_batch,
            )(),
            # Not asked: it puts what its searches find together by their ranks.
            cross_encoder=_made(
                "cross_encoder.client", "CrossEncoderClient", rank=self._rank
            )(),
        )
        self._stated: list[tuple[str, str]] = []
        self._denied: set[str] = set()
        self._now = ""
        self._is_made = False

    async def hear(self, turn: dict[str, Any], talk: LabelledTalk) -> None:
        """Add the turn as an episode."""
        if not self._is_made:
            await self._index()
            self._is_made = True
        time = datetime.fromisoformat(turn["time"]).replace(tzinfo=UTC)
        self._stated, self._now = talk.stated(turn), time.isoformat()
        self._denied = talk.denied(turn)
        await self._graphiti.add_episode(
            name=turn["id"],
            episode_body=f"{turn['speaker']}: {turn['text']}",
            source_description="chat",
            reference_time=time,
        )

    async def ask(self, prompt: str) -> list[str]:
        """Return the facts that its search finds and that hold."""
        found = await self._graphiti.search(prompt, num_results=RESULTS_MAX)
        return within(it.fact for it in found if it.invalid_at is None)

    async def ended(self) -> set[str]:
        """Return the facts that it ended."""
        edges = importlib.import_module("graphiti_core.edges").EntityEdge
        kept = await edges.get_by_group_ids(self._graphiti.driver, [""])
        return {it.fact for it in kept if it.invalid_at is not None}

    async def _index(self) -> None:
        """Make the indices of words, which its driver for this database leaves out."""
        driver = self._graphiti.driver
        queries = importlib.import_module("graphiti_core.graph_queries")
        for query in queries.get_fulltext_indices(driver.provider):
            await driver.execute_query(query)

    async def _read(
        self, messages: Any, response_model: Any, *_: Any, **__: Any
    ) -> Any:
        """Return what a perfect model answers."""
        match response_model.__name__ if response_model else "":
            case "ExtractedEntities":
                names = dict.fromkeys(it for pair in self._stated for it in pair)
                found = [{"name": it, "entity_type_id": 0} for it in names]
                return {"extracted_entities": found}
            case "ExtractedEdges":
                return {"edges": [self._edge(*it) for it in self._stated]}
            case "EdgeDuplicate":
                candidates = _CANDIDATE.findall(messages[-1].content)
                ended = [
                    int(at) for at, it in candidates if literal_eval(it) in self._denied
                ]
                return {"duplicate_facts": [], "contradicted_facts": ended}
            case "EdgeTimestamps":
                return {"valid_at": self._now}
            case "NodeResolutions":
                return {"entity_resolutions": []}
            case "SummarizedEntities":
                return {"summaries": []}
        return {}

    def _edge(self, subject: str, said: str) -> dict[str, Any]:
        return {
            "source_entity_name": subject,
            "target_entity_name": said,
            "relation_type": "SAID",
            "fact": f"{subject}: {said}",
            "valid_at": self._now,
        }

    async def _embed(self, input_data: Any) -> list[float]:
        """Return the embedding of a text, which may come as a list of one."""
        texts = [input_data] if isinstance(input_data, str) else input_data
        (found,) = await self._embed_batch(texts)
        return found

    async def _embed_batch(self, texts: Sequence[str]) -> list[list[float]]:
        return [list(it) for it in self._embedder.vectors(texts)]

    async def _rank(self, _: str, passages: Sequence[str]) -> list[tuple[str, float]]:
        return [(it, 0.0) for it in passages]


def _made(module: str, base: str, **methods: Callable[..., Any]) -> Any:
    """Return a subclass of a client of Graphiti's, which accepts no others."""
    found = getattr(importlib.import_module(f"graphiti_core.{module}"), base)
    return type("Played", (found,), {k: staticmethod(it) for k, it in methods.items()})
