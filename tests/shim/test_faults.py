from __future__ import annotations

import json

import aiohttp
import pytest

from tests.shim.conftest import chat
from tests.shim.faults import WITHIN_BYTES, Fault, FaultProxy

PROMPTS = {
    "/api/chat": chat("hello"),
    "/api/generate": {"model": "llama3", "prompt": "hello", "stream": False},
    "/v1/chat/completions": {
        "model": "llama3",
        "messages": [{"role": "user", "content": "hello"}],
    },
}
WHOLE = [Fault.NONE, Fault.LATE, Fault.TRICKLING]
NEVER = [Fault.RESET_BEFORE, Fault.GARBAGE, Fault.CLOSED_AT_ONCE]
WITHIN = [Fault.RESET_WITHIN, Fault.CLOSED_WITHIN]

every_route = pytest.mark.parametrize("path", PROMPTS)
streamed_or_not = pytest.mark.parametrize("stream", [True, False])


@pytest.fixture
async def proxy(ollama):
    """A way to Ollama that can be spoilt."""
    ollama.knobs.reply = " ".join(f"word{number}" for number in range(120))
    async with FaultProxy(ollama.url) as proxy:
        yield proxy


@pytest.fixture
async def shim(start_shim, proxy):
    """A shim that has no other way."""
    return await start_shim(upstream=proxy.url)


async def ask(http, url, path, stream):
    """Return the status of a prompt, its body, and whether it arrived to its end."""
    prompt = PROMPTS[path] | {"stream": stream}
    async with http.post(f"{url}{path}", json=prompt) as response:
        body = b""
        try:
            async for chunk in response.content.iter_any():
                body += chunk
        except aiohttp.ClientError:
            return response.status, body, False
        return response.status, body, True


def without_moments(body):
    """Return an answer without what differs from one to the next."""
    lines = []
    for line in body.decode().splitlines():
        text = line.removeprefix("data: ")
        if text.startswith("{"):
            value = json.loads(text)
            lines.append({**value, "created": 0, "created_at": "", "id": ""})
        else:
            lines.append(text)
    return lines


@every_route
@streamed_or_not
@pytest.mark.parametrize("fault", WHOLE, ids=lambda it: it.name)
async def test_slow_ways_change_nothing(http, shim, ollama, proxy, path, stream, fault):
    """However it travels, the answer is the upstream's."""
    direct = await ask(http, ollama.url, path, stream)
    proxy.fault = fault
    status, body, whole = await ask(http, shim.url, path, stream)

    assert (status, whole) == (200, True)
    assert without_moments(body) == without_moments(direct[1])


@every_route
@streamed_or_not
@pytest.mark.parametrize("fault", NEVER, ids=lambda it: it.name)
async def test_no_answer_is_an_error(http, shim, proxy, path, stream, fault):
    """A request without an answer is a 502 in words, in the shape of the route."""
    proxy.fault = fault
    status, body, whole = await ask(http, shim.url, path, stream)

    error = json.loads(body)["error"]
    assert (status, whole) == (502, True)
    assert "Ollama" in (error["message"] if path.startswith("/v1") else error)


@every_route
@streamed_or_not
async def test_refusal_of_the_upstream_passes(http, shim, proxy, path, stream):
    """A 503 of the upstream's is the client's to understand, as it is."""
    proxy.fault = Fault.UNAVAILABLE

    assert await ask(http, shim.url, path, stream) == (
        503,
        b'{"error":"server busy"}\n',
        True,
    )


@every_route
@streamed_or_not
@pytest.mark.parametrize("fault", WITHIN, ids=lambda it: it.name)
async def test_half_an_answer_is_none(http, shim, proxy, path, stream, fault):
    """An answer that is cut does not look complete, and is not completed."""
    proxy.fault = fault
    _, body, whole = await ask(http, shim.url, path, stream)

    assert not whole or b'"error"' in body
    assert b'"done":true' not in body.replace(b" ", b"")
    assert b"[DONE]" not in body
    assert len(body) < WITHIN_BYTES + 400


@pytest.mark.parametrize("fault", Fault, ids=lambda it: it.name)
async def test_what_was_broken_works_again(http, shim, proxy, fault):
    """After any fault the next prompt is answered, on a connection that is whole."""
    for _ in range(3):
        proxy.fault = fault
        await ask(http, shim.url, "/api/chat", stream=True)
        proxy.fault = Fault.NONE
        status, _, whole = await ask(http, shim.url, "/api/chat", stream=True)
        assert (status, whole) == (200, True)
