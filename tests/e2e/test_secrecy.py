from __future__ import annotations

import asyncio
import json
import signal
import sys
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest
import yaml

from festinger.standin import StandIn
from tests.shim.conftest import chat
from tests.shim.loops.talks import DIALECTS, Do, User
from tests.waiting import until

SECRET = "the heron drinks at midnight"
KEY = "sk-4711-open-sesame"
START_SECONDS_MAX = 60.0


@dataclass
class Process:
    """Everything in a process of its own, and what it logs."""

    log: Path
    shim: str = ""
    metrics: str = ""

    @property
    def lines(self):
        """The lines that it has logged."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    async def address(self, event):
        """Return the address that it logs when something listens."""

        def listening():
            return [it["address"] for it in self.lines if it["event"] == event]

        (address,) = await until(listening, START_SECONDS_MAX)
        return f"http://{address}"


@pytest.fixture
async def ollama():
    """A stand-in for Ollama."""
    async with StandIn() as standin:
        yield standin


@asynccontextmanager
async def running(settings, ollama, tmp_path, keep):
    """`festinger up`, which logs all that it can, and keeps what it is told to."""
    file, log = tmp_path / "festinger.yaml", tmp_path / "log"
    values = {
        "data_dir": str(settings.data_dir),
        "server": {"address": "127.0.0.1:0", "metrics_address": "127.0.0.1:0"},
        "shim": {
            "address": "127.0.0.1:0",
            "upstream": ollama.url,
            "memory_milliseconds_max": 5000,
        },
        "database": {"dsn": settings.database.dsn},
        "log": {"format": "json", "level": "debug"},
        "memory": {"keep": keep},
    }
    file.write_text(yaml.safe_dump(values))
    main = "from festinger.cli import main; main()"
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", main, "up", "--config", str(file)),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=output,
        )
    started = Process(log)
    try:
        started.shim = await started.address("shim_ready")
        started.metrics = await started.address("metrics_ready")
        yield started
    finally:
        process.send_signal(signal.SIGTERM)
        await process.wait()


async def send(http, url, body=None, **how):
    """Send what nobody may tell, and read the answer."""
    headers = {"Authorization": f"Bearer {KEY}", **how.pop("headers", {})}
    answer = await http.post(url, json=body, headers=headers, **how)
    return answer.status, await answer.read()


async def use(http, shim, ollama):
    """All that happens to prompts: told, stated, looping, refused, broken and failing."""
    url = f"{shim}/api/chat"
    said = f"{SECRET}. gnommoweb is a repo. {SECRET}"
    await send(http, f"{shim}/iknowthat", {"fact": "gnommoweb -isa service"})
    for _ in range(5):
        await send(http, url, chat(said, said, f"gnommoweb? {SECRET}", system=said))
    path, write = DIALECTS["ollama"]
    looping = [User(SECRET), *[Do("read", {"path": SECRET}, SECRET)] * 8]
    for length in range(2, len(looping) + 1):
        await send(http, shim + path, write(looping[:length]))
    ollama.knobs.reply = f"{SECRET}: I look at it again, to be sure of it. " * 99
    await send(http, url, {**chat(SECRET), "stream": True})
    ollama.knobs.reply = None
    claude = {**chat(SECRET), "max_tokens": 9}
    await send(http, f"{shim}/v1/messages", claude, headers={"X-Api-Key": KEY})
    await send(http, f"{shim}/iknowthat", {"fact": f"{SECRET} -isa x"})
    await send(http, f"{shim}/iknowthat", {"fact": SECRET})
    await send(http, url, data=f'{{"messages": [{{"content": "{SECRET}'.encode())
    await send(http, url, data=f'"{SECRET}"'.encode())
    await send(http, f"{shim}/api/pull", {"model": SECRET})
    await send(http, f"{shim}/as/{KEY}!/api/chat", chat(SECRET))
    await send(http, f"{shim}/festinger/none", chat(SECRET))
    ollama.knobs.status = 500
    await send(http, url, chat(SECRET))
    ollama.knobs.status, ollama.knobs.cut_after = None, 1
    with suppress(aiohttp.ClientError):
        await send(http, url, {**chat(SECRET), "stream": True})
    ollama.knobs.cut_after = None


@pytest.mark.slow
@pytest.mark.parametrize("keep", ["utterances", "statements"])
async def test_prompts_and_keys_are_nowhere(settings, ollama, tmp_path, keep):
    """
    The text of prompts, and the keys that clients send, are in no line of a log at its
    lowest level, nor in anything that Festinger tells of itself; but for sentences that
    are kept, which the account of whoever may be told them considers.
    """
    told = {}
    own = {"Authorization": f"Bearer {KEY}"}
    async with (
        running(settings, ollama, tmp_path, keep) as started,
        aiohttp.ClientSession() as http,
    ):
        await use(http, started.shim, ollama)
        listed = f"{started.shim}/festinger/why"
        sessions = (await (await http.get(listed, headers=own)).json())["sessions"]
        urls = [
            *(f"{listed}/{session['session']}" for session in sessions),
            listed,
            f"{started.shim}/festinger/health",
            f"{started.shim}/metrics",
            f"{started.metrics}/metrics",
        ]
        for url in urls:
            for accept in ("application/json", "text/plain"):
                headers = {**own, "Accept": accept}
                async with http.get(url, headers=headers) as answer:
                    assert answer.status == 200
                    told[url, accept] = await answer.text()

    logged = [line["event"] for line in started.lines]
    assert logged.count("prompt") > 10
    assert {"loop", "fact_refused", "upstream_broke_off"} <= {*logged}
    told["log", ""] = started.log.read_text()
    assert any("gnommoweb: " in text for text in told.values())
    for source, text in told.items():
        considers = keep == "utterances" and f"{listed}/" in source[0]
        assert considers or SECRET not in text, source
        assert KEY not in text, source
