"""Rate limits of a homeserver, over real HTTP."""

from __future__ import annotations

import pytest
from aiohttp import web

from festinger.chat.adapter import PlatformAway
from festinger.chat.homeserver import PAUSE_SECONDS_MAX, Homeserver


@pytest.fixture
async def limited():
    """Start a homeserver that limits the first call, and return the client and its pauses."""
    runners, clients = [], []
    pauses: list[float] = []

    async def sleep(seconds):
        pauses.append(seconds)

    async def start(headers, body):
        answers = [web.json_response(body, status=429, headers=headers)]

        async def answer(request):
            return answers.pop() if answers else web.json_response({"user_id": "@bot"})

        app = web.Application()
        app.router.add_get("/{path:.*}", answer)
        runner = web.AppRunner(app, access_log=None)
        runners.append(runner)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        client = Homeserver(f"http://{host}:{port}", "token", sleep=sleep)
        clients.append(client)
        await client.open()
        return client, pauses

    yield start
    for client in clients:
        await client.close()
    for runner in runners:
        await runner.cleanup()


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ({"Retry-After": "7"}, {}, 7.0),
        ({"Retry-After": "7"}, {"retry_after_ms": 2000}, 7.0),
        ({}, {"retry_after_ms": 2000}, 2.0),
        ({"Retry-After": "soon"}, {"retry_after_ms": 2000}, 2.0),
        ({}, {}, 1.0),
    ],
)
async def test_limited_call_is_made_again_when_it_may(limited, headers, body, seconds):
    """The header of newer homeservers counts, or else the field of older ones."""
    client, pauses = await limited(headers, body)

    answer = await client.get("account", "whoami")

    assert answer == {"user_id": "@bot"}
    assert pauses == [seconds]


async def test_long_pause_is_a_homeserver_that_is_away(limited):
    """Nothing waits for minutes in a call."""
    headers = {"Retry-After": str(PAUSE_SECONDS_MAX + 1)}
    client, pauses = await limited(headers, {})

    with pytest.raises(PlatformAway, match="301 seconds"):
        await client.get("account", "whoami")

    assert pauses == []
