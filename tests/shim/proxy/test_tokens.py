"""Tokens of the shim's clients, on an address that others can reach."""

from __future__ import annotations

import pytest

from festinger.errors import PermissionDenied
from tests.shim.conftest import chat

KNOWN = {"local-token": "", "alices-token": "alice"}
"""The name that each token proves."""

PATHS = [
    ("POST", "/api/chat"),
    ("POST", "/v1/chat/completions"),
    ("GET", "/api/version"),
    ("POST", "/iknowthat"),
    ("GET", "/facts"),
    ("GET", "/festinger/health"),
    ("GET", "/festinger/why"),
    ("GET", "/metrics"),
]


@pytest.fixture
async def beyond(start_shim):
    """The URL of a shim that listens on all addresses of this machine."""
    shim = await start_shim(address="0.0.0.0:0", plain_text=True, name_of=KNOWN.get)
    return shim.url.replace("0.0.0.0", "127.0.0.1")


@pytest.mark.parametrize(("method", "path"), PATHS)
@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer other"}])
async def test_nothing_answers_without_a_token(
    http, beyond, memory, ollama, method, path, headers
):
    """Nothing is read, stated or forwarded for those who show none that is known."""
    async with http.request(method, beyond + path, headers=headers) as answer:
        text = await answer.text()

    assert answer.status == 401
    assert "/token/TOKEN" in text
    assert (memory.recollects, ollama.requests) == ([], [])


@pytest.mark.parametrize(
    ("prefix", "headers"),
    [
        ("/token/local-token", {}),
        ("", {"Authorization": "Bearer local-token"}),
        ("", {"X-Api-Key": "local-token"}),
    ],
)
async def test_token_opens_and_stays_here(
    http, beyond, memory, ollama, prefix, headers
):
    """
    It may stand in the address or a header; the upstream never sees it, and whoever
    shows one of the machine's may name who they are.
    """
    url = f"{beyond}{prefix}/as/nan/api/chat"
    async with http.post(url, json=chat("hello there"), headers=headers) as answer:
        await answer.read()

    assert answer.status == 200
    assert "local-token" not in str(ollama.requests)
    assert memory.metadata[-1]["festinger-principal"] == "nan"


@pytest.mark.parametrize("address", ["0.0.0.0:0", "127.0.0.1:0"])
async def test_token_proves_the_name(http, start_shim, memory, ollama, address):
    """Whoever has a token of their own is not taken for whom the address names."""
    shim = await start_shim(address=address, plain_text=True, name_of=KNOWN.get)
    url = shim.url.replace("0.0.0.0", "127.0.0.1") + "/as/bob/api/chat"
    headers = {"Authorization": "Bearer alices-token"}
    async with http.post(url, json=chat("hello there"), headers=headers) as answer:
        await answer.read()

    assert memory.metadata[-1]["festinger-principal"] == "alice"
    assert "alices-token" not in str(ollama.requests)


async def test_proven_name_is_the_subject_too(http, start_shim, memory):
    """Nobody speaks, reads or forgets as somebody else by a header."""
    shim = await start_shim(name_of=KNOWN.get)
    headers = {
        "Authorization": "Bearer alices-token",
        "X-Festinger-Subject": "bob",
    }
    url = f"{shim.url}/as/bob/api/chat"
    async with http.post(url, json=chat("hello there"), headers=headers) as answer:
        await answer.read()

    told = memory.metadata[-1]
    assert told["festinger-principal"] == "alice"
    assert told["festinger-subject"] == "alice"


@pytest.mark.parametrize("carrier", ["Authorization", "X-Api-Key"])
async def test_token_of_another_memory_stays_here(http, start_shim, ollama, carrier):
    """It is refused, and not forwarded as a credential of the upstream."""

    def name_of(token):
        raise PermissionDenied("the token of alice may not use the memory default")

    shim = await start_shim(name_of=name_of)
    token = "Bearer acmes-token" if carrier == "Authorization" else "acmes-token"
    async with http.get(f"{shim.url}/api/version", headers={carrier: token}) as answer:
        status, told = answer.status, await answer.json()

    assert status == 403
    assert "may not use the memory default" in told["error"]
    assert "acmes-token" not in str(ollama.requests)


@pytest.mark.parametrize(("method", "path"), PATHS)
async def test_tokens_may_be_required_on_loopback(http, start_shim, method, path):
    """Behind a proxy nobody is known by where they come from."""
    shim = await start_shim(require_tokens=True, name_of=KNOWN.get)
    async with (
        http.request(method, shim.url + path, json=chat("hi")) as refused,
        http.get(f"{shim.url}/token/local-token/api/version") as answer,
    ):
        assert (refused.status, answer.status) == (401, 200)


async def test_other_credentials_go_on(http, beyond, ollama):
    """Credentials for the upstream are forwarded beside a token in the address."""
    url = f"{beyond}/token/local-token/api/version"
    async with http.get(url, headers={"Authorization": "Bearer theirs"}) as answer:
        await answer.read()

    assert "Bearer theirs" in str(ollama.requests)
