from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path

import httpx2
import mcp
import pytest
from mcp.client.streamable_http import streamable_http_client

from festinger.config import CallerSettings
from tests.mcp.graphs import GraphTools
from tests.mcp.test_tools import STOCK, text_of

TENANTS = ("acme", "globex")

CONFIG = "server:\n  callers:\n" + "".join(
    f"    - name: {name}\n"
    f"      token_sha256: {sha256(f'{name}-token'.encode()).hexdigest()}\n"
    f"      tenants: [{name}]\n"
    for name in TENANTS
)


@pytest.fixture
async def address(serve, store):
    """
    A memory server with two tenants and a caller of each.
    """
    for name in TENANTS:
        await store.add_tenant(name)
    callers = [
        CallerSettings(
            name=name,
            token_sha256=sha256(f"{name}-token".encode()).hexdigest(),
            tenants=(name,),
        )
        for name in TENANTS
    ]
    _, client = await serve(callers=callers)
    return client.address


@pytest.fixture
def http(address, tmp_path):
    """
    Starts `festinger mcp --http` with some options; its URL.
    """
    config = tmp_path / "festinger.yaml"
    config.write_text(CONFIG)

    @asynccontextmanager
    async def start(*options):
        process = await asyncio.create_subprocess_exec(
            Path(sys.executable).with_name("festinger"),
            "mcp", "--http", "127.0.0.1:0", "--config", str(config), *options,
            env={
                "FESTINGER_SERVER": address,
                "FESTINGER_DATA_DIR": str(tmp_path),
                "PATH": os.environ["PATH"],
                "PYTHONWARNINGS": "error",
            },
            stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert process.stderr
        told = (await process.stderr.readline()).decode()
        assert told.startswith("The tools are served at "), told
        yield told.split()[-1]
        process.send_signal(signal.SIGTERM)
        _, errors = await process.communicate()
        assert b"Traceback" not in errors, errors.decode()

    return start


@asynccontextmanager
async def agent(url, token, mode="auto", **headers):
    """
    A client with a token.
    """
    every = {"authorization": f"Bearer {token}", **headers}
    async with (
        httpx2.AsyncClient(headers=every, timeout=30) as web,
        mcp.Client(streamable_http_client(url, http_client=web), mode=mode) as client,
    ):
        yield client


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_tenants_share_a_server_and_nothing_else(http, mode):
    """
    Each finds what it remembered, by its token alone.
    """
    async with (
        http() as url,
        agent(url, "acme-token", mode) as acme,
        agent(url, "globex-token", mode) as globex,
    ):
        await asyncio.gather(
            acme.call_tool("remember", {"text": STOCK}),
            globex.call_tool("remember", {"text": "Lena counts the shelf."}),
        )
        ours = await acme.call_tool("recall", {"query": "stock shelf"})
        theirs = await globex.call_tool("recall", {"query": "stock shelf"})

    (mine,) = ours.structured_content["lines"]
    (other,) = theirs.structured_content["lines"]
    assert STOCK in mine["text"]
    assert mine["said_by"] == "acme"
    assert "Lena" in other["text"]


async def test_token_opens_no_other_tenant(http):
    """
    Whatever a header says.
    """
    async with (
        http() as url,
        agent(url, "acme-token", **{"x-festinger-tenant": "globex"}) as intruder,
    ):
        refused = await intruder.call_tool("recall", {"query": "shelf"})

    assert refused.is_error
    assert "may not use the tenant" in text_of(refused)


async def test_graphs_of_tenants_are_apart(http):
    """
    The tools of the reference server, too.
    """
    async with (
        http("--reference") as url,
        agent(url, "acme-token") as acme,
        agent(url, "globex-token") as globex,
    ):
        await GraphTools(acme).create("Alice")
        assert await GraphTools(globex).whole() == {"": []}
        await GraphTools(globex).create("Alice")
        await GraphTools(globex).call("delete_entities", entityNames=["Alice"])
        assert await GraphTools(acme).whole() == {"Alice": [], "": []}


async def test_project_is_a_header(http):
    """
    Percent-encoded, as elsewhere.
    """
    async with (
        http() as url,
        agent(url, "acme-token", **{"x-festinger-project": "web%20shop"}) as acme,
    ):
        await acme.call_tool("remember", {"text": STOCK})
        found = await acme.call_tool("recall", {"query": "stock"})

    assert found.structured_content["lines"][0]["project"] == "web shop"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"authorization": "Bearer nobody-knows-it"}, 401),
        ({"authorization": "Bearer"}, 401),
        ({"authorization": "Basic YWNtZTphY21l"}, 401),
        ({"authorization": "Bearer acme-token", "host": "evil.example"}, 421),
        ({"authorization": "Bearer acme-token", "origin": "http://evil.example"}, 403),
    ],
    ids=["none", "unknown", "empty", "basic", "foreign host", "foreign origin"],
)
async def test_stranger_is_refused(http, headers, status):
    """
    Before anything of the protocol is read.
    """
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    accept = {"accept": "application/json, text/event-stream"}
    async with http() as url, httpx2.AsyncClient() as web:
        answer = await web.post(url, json=ping, headers={**accept, **headers})

    assert answer.status_code == status


async def test_client_that_vanishes_harms_nobody(http):
    """
    In the middle of a call, or of its body; others are served.
    """
    async with http() as url, agent(url, "acme-token") as other:
        host, port = url.removeprefix("http://").removesuffix("/mcp").split(":")
        for body in (b'{"jsonrpc"', b""):
            _, writer = await asyncio.open_connection(host, int(port))
            writer.write(
                b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 999\r\n"
                b"Content-Type: application/json\r\n"
                b"Authorization: Bearer acme-token\r\n\r\n" + body
            )
            await writer.drain()
            writer.transport.abort()

        told = await other.call_tool("remember", {"text": STOCK})

    assert not told.is_error


async def test_huge_body_is_refused(http):
    """
    Before it is taken in.
    """
    async with http() as url, httpx2.AsyncClient() as web:
        answer = await web.post(
            url,
            content=b'{"x": "' + b"y" * 20_000_000 + b'"}',
            headers={
                "authorization": "Bearer acme-token",
                "content-type": "application/json",
                "accept": "application/json, text/event-stream",
            },
        )

    assert answer.status_code == 413


async def test_others_machines_are_not_served(address, tmp_path):
    """
    Without encryption it listens on loopback only.
    """
    process = await asyncio.create_subprocess_exec(
        Path(sys.executable).with_name("festinger"),
        "mcp", "--http", "0.0.0.0:0",
        env={"PATH": os.environ["PATH"], "FESTINGER_DATA_DIR": str(tmp_path)},
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    _, errors = await process.communicate()

    assert process.returncode == 1
    assert b"which others can reach" in errors
