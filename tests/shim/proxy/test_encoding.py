"""Prompts that come compressed."""

from __future__ import annotations

import json
import sys

import pytest

from tests.shim.conftest import BLOCK

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

RESULT = "X-Festinger-Recollection"
PROMPT = json.dumps({"model": "m", "input": "hello", "n": 1.50}).encode()


async def send(http, shim, body, path="/v1/responses", encoding="zstd"):
    """Send a body in an encoding."""
    headers = {"Content-Type": "application/json", "Content-Encoding": encoding}
    answer = await http.post(shim.url + path, data=body, headers=headers)
    await answer.read()
    return answer


async def test_nothing_to_tell(http, shim, ollama, memory):
    """A compressed prompt is read, and passes as it came, compressed."""
    body = zstd.compress(PROMPT)
    answer = await send(http, shim, body)

    received = ollama.requests[-1]
    assert answer.status == 200
    assert answer.headers[RESULT] == "none"
    assert memory.turns == [("user", "hello", False)]
    assert received.body == body
    assert received.header("Content-Encoding") == "zstd"


async def test_with_a_block(http, shim, ollama, memory):
    """A compressed prompt that is changed goes on plain, and says so."""
    memory.block = BLOCK
    answer = await send(http, shim, zstd.compress(PROMPT), encoding=" ZSTD ")

    received = ollama.requests[-1]
    added = f'"instructions":{json.dumps(BLOCK)},'.encode()
    assert answer.status == 200
    assert answer.headers[RESULT] == "full"
    assert received.body.replace(added, b"") == PROMPT
    assert received.header("Content-Encoding") is None
    assert received.header("Content-Length") == str(len(received.body))


def unsized():
    """Return a bomb that does not say how much it holds."""
    compressor = zstd.ZstdCompressor()
    return compressor.compress(b" " * 2**24) + compressor.flush()


@pytest.mark.parametrize("bomb", [zstd.compress(b" " * 2**24), unsized()], ids="au")
async def test_bomb(http, start_shim, ollama, bomb):
    """A small body that would become a large one is refused, announced or unannounced."""
    shim = await start_shim(body_bytes_max=2**20)
    answer = await send(http, shim, bomb)

    assert answer.status == 413
    assert "shim.body_bytes_max" in (await answer.json())["error"]["message"]
    assert ollama.requests == []


async def test_just_not_too_large(http, start_shim, ollama, memory):
    """A body of just the largest size is read."""
    shim = await start_shim(body_bytes_max=2**16)
    body = PROMPT + b" " * (2**16 - len(PROMPT))
    answer = await send(http, shim, zstd.compress(body))

    assert answer.headers[RESULT] == "none"


def large_window():
    """Return the prompt in a frame that wants 128 MiB of window."""
    options: dict[int, int] = {zstd.CompressionParameter.window_log: 27}
    compressor = zstd.ZstdCompressor(options=options)
    return compressor.compress(PROMPT) + compressor.flush()


UNREAD = [
    b"not zstd",
    b"",
    zstd.compress(PROMPT)[:-3],
    zstd.compress(PROMPT) + b"more",
    zstd.compress(PROMPT) + zstd.compress(b" "),
    zstd.compress(b"") * 10_000,
    large_window(),
]


@pytest.mark.parametrize("body", UNREAD, ids=range(len(UNREAD)))
async def test_unreadable(http, shim, ollama, memory, body):
    """
    A body that cannot be decompressed, or needs much memory, is the upstream's to
    judge.
    """
    answer = await send(http, shim, body)

    assert answer.headers[RESULT].startswith("skipped:")
    assert ollama.requests[-1].body == body
    assert memory.recollects == []


@pytest.mark.parametrize(
    ("path", "encoding"),
    [("/v1/responses", "gzip"), ("/api/chat", "zstd"), ("/v1/messages", "zstd")],
)
async def test_other_encodings(http, shim, ollama, path, encoding):
    """If Ollama takes no compression the prompt is not read."""
    body = zstd.compress(PROMPT)
    answer = await send(http, shim, body, path, encoding)

    assert answer.headers[RESULT] == "skipped:encoded"
    assert ollama.requests[-1].body == body
