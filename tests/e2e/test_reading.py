from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from festinger.app import everything
from festinger.config import LearningSettings, Settings
from festinger.standin import StandIn
from tests.e2e.conftest import Festinger
from tests.shim.models import LoadedOllama, loaded_ollama
from tests.waiting import until

SAID = "gnommoweb moved to glitchworks over the weekend, so stop looking on ramanujan"
ANSWER = json.dumps(
    {
        "statements": [
            {
                "turn": 2,
                "quote": "gnommoweb moved to glitchworks",
                "subject": "gnommoweb",
                "predicate": "runs_on",
                "value": "glitchworks",
            }
        ]
    }
)


@pytest.fixture
async def ollama() -> AsyncIterator[LoadedOllama]:
    """An Ollama with a model loaded, which knows what is to be read."""
    async with loaded_ollama() as ollama:
        ollama.reply = ANSWER
        yield ollama


async def chat(http: aiohttp.ClientSession, url: str, text: str) -> None:
    """Send a prompt."""
    body: dict[str, Any] = {
        "model": "llama3",
        "stream": False,
        "messages": [{"role": "user", "content": text}],
    }
    async with http.post(f"{url}/as/nadia/api/chat", json=body) as answer:
        assert answer.status == 200


async def test_what_was_said_becomes_a_statement(
    settings: Settings, ollama: LoadedOllama
) -> None:
    """Somebody says something, nobody asks anything for a while, and the graph has it."""
    shim = settings.shim.model_copy(update={"upstream": ollama.url})
    learning = LearningSettings(idle_seconds=0.1, delay_share=10_000)
    settings = settings.model_copy(update={"shim": shim, "learning": learning})
    async with (
        aiohttp.ClientSession() as http,
        everything(settings) as running,
    ):
        url = f"http://{running.shim}"
        await chat(http, url, SAID)

        async def learned() -> Any:
            async with http.get(f"{url}/festinger/health") as answer:
                health = (await answer.json())["learning"]
            idle = (health["waiting"], health["reading"]) == (0, 0)
            return health["learned"] and idle

        await until(learned)

        festinger = Festinger(settings, running, StandIn(), http)
        code, output = await festinger.run("gutask", "whatis", "gnommoweb")

    assert code == 0, output
    assert "glitchworks" in output
    assert SAID in ollama.asked[0]["messages"][-1]["content"]


async def test_own_model_reads_conversations(
    festinger: Festinger, ollama: LoadedOllama, tmp_path: Path
) -> None:
    """On trial: what it would state, and what that costs."""
    file = tmp_path / "chat.json"
    file.write_text(json.dumps([{"role": "user", "content": SAID}]))
    command = ("festinger", "evaluate", str(file), "--model", "llama3")
    ollama.mode = "whole"

    code, output = await festinger.run(*command, "--upstream", ollama.url)

    assert code == 0, output
    assert "llama3 reads 1 message" in output
    assert "gnommoweb: [runs-on] glitchworks" in output
    assert "The model read and wrote about" in output


async def test_model_that_does_not_answer_is_told(
    festinger: Festinger, tmp_path: Path
) -> None:
    """In a sentence."""
    file = tmp_path / "chat.json"
    file.write_text(json.dumps([{"role": "user", "content": SAID}]))

    code, output = await festinger.run(
        *("festinger", "evaluate", str(file), "--model", "llama3"),
        *("--upstream", "http://127.0.0.1:9"),
    )

    assert code == 1
    assert "cannot be reached" in output
    assert "Traceback" not in output
