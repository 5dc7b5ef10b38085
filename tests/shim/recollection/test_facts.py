from __future__ import annotations

import json

import pytest

from festinger.shim.recollection.facts import FACT_BYTES_MAX

TEXT = {"text": "gnommoweb runs on host berta."}


async def call(http, shim, method, query="", prefix="", **how):
    """Call /facts: status and body."""
    url = f"{shim.url}{prefix}/facts{query}"
    async with http.request(method, url, **how) as answer:
        return answer.status, json.loads(await answer.read())


@pytest.mark.parametrize(
    "query",
    [
        "?limit=many",
        "?limit=0",
        "?limit=-1",
        "?limit=501",
        "?limit=" + "9" * 5000,
        "?limit=5.0",
        "?limit=\u0661",
        "?kind=rumour",
        "?kind=UTTERANCE",
        "?since=yesterday",
        "?since=0001-01-01T00:00:00%2B23:00",
        "?query=x",
        "?q=x&q=y",
    ],
)
async def test_wrong_questions(http, shim, query):
    """A question that cannot be read is a 400 that says what is wrong, and never forwarded."""
    status, body = await call(http, shim, "GET", query)

    assert status == 400
    assert body["error"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"{",
        b"[" * 30_000,
        b'{"text": ""}',
        b'{"text": 5}',
        b'{"text": "\\ud800"}',
        b'{"text": "x", "project": null}',
        b'{"text": "x", "corrects": 7}',
        b'{"text": "x", "by": "bob"}',
        b"\xff\xfe",
    ],
)
async def test_wrong_bodies(http, shim, body):
    """A body that says nothing is a 400."""
    status, answer = await call(http, shim, "POST", data=body)

    assert status == 400
    assert answer["error"]


async def test_large_body(http, shim):
    """A body over the limit is a 413."""
    body = json.dumps({"text": "x" * FACT_BYTES_MAX}).encode()
    status, answer = await call(http, shim, "POST", data=body)

    assert status == 413
    assert answer["error"]


@pytest.mark.parametrize(
    "query", ["", "?preview=1", "?name=", "?name=x&preview=perhaps", "?all=1"]
)
async def test_nothing_is_forgotten_by_mistake(http, shim, query):
    """Nothing selected, or something unknown, is a 400, below a project as well."""
    for prefix in ("", "/as/nan/in/shop"):
        status, answer = await call(http, shim, "DELETE", query, prefix)
        assert status == 400
        assert answer["error"]


async def test_other_methods(http, shim, ollama):
    """They are refused, and never forwarded."""
    status, _ = await call(http, shim, "PUT", json=TEXT)

    assert status == 405
    assert ollama.requests == []


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
async def test_pages_of_other_sites(http, shim, method):
    """
    A request that another site's page makes a browser send is refused, also if it only
    reads.
    """
    headers = {"Origin": "https://example.com", "Content-Type": "application/json"}
    status, answer = await call(
        http, shim, method, "?name=said-1.0", headers=headers, data=b"{}"
    )

    assert status == 403
    assert answer["error"]


async def test_server_away(http, start_shim):
    """Without a server it is a 503 that says so."""
    shim = await start_shim(server="127.0.0.1:1")

    assert (await call(http, shim, "GET"))[0] == 503
    assert (await call(http, shim, "DELETE", "?by=nan"))[0] == 503
    status, body = await call(http, shim, "POST", json=TEXT)
    assert status == 503
    assert "nothing was stored" in body["error"]
