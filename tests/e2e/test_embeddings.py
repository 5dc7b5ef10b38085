from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest

from festinger.app import everything
from festinger.config import EmbeddingSettings, Settings
from tests.shim.models import LoadedOllama, loaded_ollama
from tests.waiting import until

SAID = (
    "Kassel delivers the stock file at 05:40 every morning.",
    "The staging cluster for the catalog runs in Falkenstein.",
)
PROMPT = "When do we need our import ready tomorrow?"


@dataclass
class Site:
    """Festinger in front of an Ollama with a model of embeddings."""

    ollama: LoadedOllama
    http: aiohttp.ClientSession
    url: str

    async def chat(self, text: str) -> None:
        """Send a prompt, as a conversation of its own."""
        body: dict[str, Any] = {
            "model": "llama3",
            "stream": False,
            "messages": [{"role": "user", "content": text}],
        }
        async with self.http.post(f"{self.url}/as/nadia/api/chat", json=body) as answer:
            assert answer.status == 200

    async def get(self, path: str, **query: str) -> Any:
        """Return a page of the shim."""
        url = f"{self.url}/as/nadia{path}"
        async with self.http.get(url, params=query) as answer:
            return await answer.json()

    async def until_embedded(self, count: int) -> None:
        """Wait until so many lines are embedded."""

        async def embedded() -> bool:
            health = await self.get("/festinger/health")
            return bool(health["embeddings"]["lines"] >= count)

        await until(embedded)


@pytest.fixture
async def ollama() -> AsyncIterator[LoadedOllama]:
    """An Ollama with both models loaded, for which the import is about the stock file."""
    async with loaded_ollama() as ollama:
        name = "all-minilm:latest"
        ollama.models.append({"model": name, "name": name})
        ollama.vectors = {"stock": [1.0, 0.0], "import": [1.0, 0.0]}
        yield ollama


@asynccontextmanager
async def running(
    settings: Settings, ollama: LoadedOllama, **chosen: Any
) -> AsyncIterator[Site]:
    """Everything, with these settings of embeddings."""
    embeddings = EmbeddingSettings.model_validate(
        {"idle_seconds": 0.05, "prompt_milliseconds_max": 1_000, **chosen}
    )
    shim = settings.shim.model_copy(update={"upstream": ollama.url})
    update = {"shim": shim, "embeddings": embeddings}
    async with (
        aiohttp.ClientSession() as http,
        everything(settings.model_copy(update=update)) as it,
    ):
        yield Site(ollama, http, f"http://{it.shim}")


async def test_task_is_told_what_shares_no_word_with_it(
    settings: Settings, ollama: LoadedOllama
) -> None:
    """Once the lines are embedded, and the reason shows how near it is."""
    async with running(settings, ollama, model="all-minilm") as site:
        for text in SAID:
            await site.chat(text)
        await site.until_embedded(len(SAID))

        why = await site.get("/festinger/why", prompt=PROMPT)

        (line,) = [it for it in why["told"] if "05:40" in it["text"]]
        assert line["features"]["likeness"] == pytest.approx(1.0)
        assert "05:40" in why["block"]


async def test_prompts_are_the_same_when_the_model_is_slow(
    settings: Settings, ollama: LoadedOllama
) -> None:
    """The upstream gets, byte for byte, the same request as without embeddings."""
    given = []
    for model in ("", "all-minilm"):
        ollama.chats.clear()
        async with running(
            settings, ollama, model=model, prompt_milliseconds_max=20
        ) as it:
            ollama.embedding_seconds = 30
            await it.chat("write a haiku about rain")
            await it.chat(PROMPT)
            given.append(list(ollama.chats))
            if model:
                health = await it.get("/festinger/health")
                assert health["embeddings"]["missed"] == 1

    assert given[0] == given[1]
    assert json.loads(given[0][1])["messages"] == [{"role": "user", "content": PROMPT}]
