from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import httpx2
import mcp
import pytest
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError

from festinger.credentials import hash_of
from festinger.mcp.subscribers import URI
from tests import forks
from tests.mcp import program
from tests.mcp.graphs import GraphTools
from tests.mcp.test_tools import STOCK, text_of
from tests.waiting import until

# Of the tokens that the test's server knows; theirs are their names.
HOLDS = {"guest": "default", "stranger": "acme"}


@pytest.fixture
async def address(client, store):
    """A memory server with two tenants and a caller of each."""
    await store.add_tenant("acme")
    return client.address


@pytest.fixture
def http(address, tmp_path):
    """Start `festinger mcp --http` with some options; its URL."""
    issued = [
        {"name": name, "token_sha256": hash_of(name), "tenants": [tenant]}
        for name, tenant in HOLDS.items()
    ]
    (tmp_path / "tokens.json").write_text(json.dumps(issued))

    numbers = count()

    @asynccontextmanager
    async def start(*options, at="127.0.0.1:0"):
        output = tmp_path / f"output-{next(numbers)}"
        with output.open("wb") as file:
            process = forks.start(
                *("mcp", "--http", at, *options),
                environment={
                    "FESTINGER_SERVER": address,
                    "FESTINGER_DATA_DIR": str(tmp_path),
                    "PATH": os.environ["PATH"],
                },
                output=file.fileno(),
                program=program.__name__,
            )
        await until(
            lambda: "\n" in output.read_text() or process.returncode is not None
        )
        told = output.read_text()
        assert told.startswith("The tools are served at "), told
        yield told.splitlines()[0].split()[-1]
        process.send_signal(signal.SIGTERM)
        await process.wait()
        errors = output.read_text()
        assert "Traceback" not in errors, errors

    return start


@asynccontextmanager
async def agent(url, token, mode="auto", told=None, **headers):
    """A client with a token."""
    every = {"authorization": f"Bearer {token}", **headers}
    async with (
        httpx2.AsyncClient(headers=every, timeout=30) as web,
        mcp.Client(
            streamable_http_client(url, http_client=web),
            mode=mode,
            message_handler=told,
        ) as client,
    ):
        yield client


@asynccontextmanager
async def watching(url, token, mode, **headers):
    """A client that subscribes to its graph; the notifications that it gets."""
    told: asyncio.Queue[Any] = asyncio.Queue()
    async with agent(url, token, mode, told.put, **headers) as client:
        if mode == "legacy":
            with pytest.warns(MCPDeprecationWarning):
                await client.subscribe_resource(URI)
            yield told
        else:
            async with client.listen(resource_subscriptions=[URI]):
                yield told


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_tenants_share_a_server_and_nothing_else(http, mode):
    """Each finds what it remembered, by its token alone."""
    async with (
        http() as url,
        agent(url, "guest", mode) as guest,
        agent(url, "stranger", mode) as other,
    ):
        await asyncio.gather(
            guest.call_tool("remember", {"text": STOCK}),
            other.call_tool("remember", {"text": "Lena counts the shelf."}),
        )
        ours = await guest.call_tool("recall", {"query": "stock shelf"})
        theirs = await other.call_tool("recall", {"query": "stock shelf"})

    (mine,) = ours.structured_content["lines"]
    (other,) = theirs.structured_content["lines"]
    assert STOCK in mine["text"]
    assert mine["said_by"] == "guest"
    assert "Lena" in other["text"]


async def test_token_opens_no_other_tenant(http):
    """Whatever a header says."""
    async with (
        http() as url,
        agent(url, "guest", **{"x-festinger-tenant": "acme"}) as intruder,
    ):
        refused = await intruder.call_tool("recall", {"query": "shelf"})

    assert refused.is_error
    assert "may not use the tenant" in text_of(refused)


async def test_graphs_of_tenants_are_apart(http):
    """The tools of the reference server, too."""
    async with (
        http("--reference") as url,
        agent(url, "guest") as guest,
        agent(url, "stranger") as other,
    ):
        await GraphTools(guest).create("Alice")
        assert await GraphTools(other).whole() == {"": []}
        await GraphTools(other).create("Alice")
        await GraphTools(other).call("delete_entities", entityNames=["Alice"])
        assert await GraphTools(guest).whole() == {"Alice": [], "": []}


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_subscriber_is_told_of_changes_of_its_graph_alone(http, mode):
    """Nothing of what other tenants, and other projects, change."""
    async with (
        http("--reference") as url,
        watching(url, "guest", mode) as told,
        agent(url, "guest") as guest,
        agent(url, "stranger") as stranger,
        agent(url, "guest", **{"x-festinger-project": "shop"}) as elsewhere,
    ):
        for other in (stranger, elsewhere):
            await GraphTools(other).create("Bob")
        await GraphTools(guest).create("Alice")
        await told.get()
        await asyncio.sleep(0.3)

    assert told.empty()


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_token_subscribes_to_no_other_tenant(http, mode):
    """It is refused as the graph itself is."""
    foreign = {"x-festinger-tenant": "acme"}
    async with http("--reference") as url:
        with pytest.RaisesGroup(
            pytest.RaisesExc(MCPError, match="may not use the tenant"),
            allow_unwrapped=True,
            flatten_subgroups=True,
        ):
            async with watching(url, "guest", mode, **foreign):
                pass


async def test_project_is_a_header(http):
    """Percent-encoded, as elsewhere."""
    async with (
        http() as url,
        agent(url, "guest", **{"x-festinger-project": "web%20shop"}) as guest,
    ):
        await guest.call_tool("remember", {"text": STOCK})
        found = await guest.call_tool("recall", {"query": "stock"})

    assert found.structured_content["lines"][0]["project"] == "web shop"


STRANGERS = [
    ({}, 401),
    ({"authorization": "Bearer nobody-knows-it"}, 401),
    ({"authorization": "Bearer"}, 401),
    ({"authorization": "Basic YWNtZTphY21l"}, 401),
    ({"authorization": "Bearer guest", "host": "evil.example"}, 421),
    ({"authorization": "Bearer guest", "origin": "http://evil.example"}, 403),
]


async def test_stranger_is_refused(http):
    """Before anything of the protocol is read."""
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    accept = {"accept": "application/json, text/event-stream"}
    async with http() as url, httpx2.AsyncClient() as web:
        answers = [
            await web.post(url, json=ping, headers={**accept, **headers})
            for headers, _ in STRANGERS
        ]

    refused = zip(STRANGERS, answers, strict=True)
    assert [(it, answer.status_code) for (it, _), answer in refused] == STRANGERS


@pytest.mark.parametrize("options", [(), ("--reference",)], ids=["memory", "graph"])
async def test_every_address_refuses_what_web_pages_send(http, options):
    """Also an address of loopback that is not the usual one; its own clients are served."""
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    known = {
        "accept": "application/json, text/event-stream",
        "authorization": "Bearer guest",
    }
    foreign = [{"host": "evil.example"}, {"origin": "http://evil.example"}]
    async with http(*options, at="127.0.0.2:0") as url, httpx2.AsyncClient() as web:
        answers = [
            await web.post(url, json=ping, headers={**known, **each})
            for each in foreign
        ]
        async with agent(url, "guest", origin=url.removesuffix("/mcp")) as own:
            tools = await own.list_tools()

    assert [it.status_code for it in answers] == [421, 403]
    assert tools.tools


async def test_client_that_vanishes_harms_nobody(http):
    """In the middle of a call, or of its body; others are served."""
    async with http() as url, agent(url, "guest") as other:
        host, port = url.removeprefix("http://").removesuffix("/mcp").split(":")
        for body in (b'{"jsonrpc"', b""):
            _, writer = await asyncio.open_connection(host, int(port))
            writer.write(
                b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 999\r\n"
                b"Content-Type: application/json\r\n"
                b"Authorization: Bearer guest\r\n\r\n" + body
            )
            await writer.drain()
            writer.transport.abort()

        told = await other.call_tool("remember", {"text": STOCK})

    assert not told.is_error


async def test_huge_body_is_refused(http):
    """Before it is taken in."""
    async with http() as url, httpx2.AsyncClient() as web:
        answer = await web.post(
            url,
            content=b'{"x": "' + b"y" * 20_000_000 + b'"}',
            headers={
                "authorization": "Bearer guest",
                "content-type": "application/json",
                "accept": "application/json, text/event-stream",
            },
        )

    assert answer.status_code == 413


async def test_others_machines_are_not_served(address, tmp_path):
    """Without encryption it listens on loopback only."""
    process = await asyncio.create_subprocess_exec(
        Path(sys.executable).with_name("festinger"),
        "mcp", "--http", "0.0.0.0:0",
        env={"PATH": os.environ["PATH"], "FESTINGER_DATA_DIR": str(tmp_path)},
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    _, errors = await process.communicate()

    assert process.returncode == 1
    assert b"others can reach" in errors
