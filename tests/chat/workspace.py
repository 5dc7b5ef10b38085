"""A stand-in for Slack's Web API, over real HTTP, and what Slack would send."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import aiohttp
from aiohttp import web
from slack_sdk.signature import SignatureVerifier

SIGNING_SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
TOKEN = "xoxb-test"
BOT = "U0BOT"


class Workspace:
    """
    Channels and their messages, as the methods of the API have them.

    Attributes:
        messages: By channel and stamp.
        busy: How many calls are answered 429 first.
        page_size: The most items of a page; Slack may give fewer than it is asked for.
        channels: Those that the bot is a member of.
        noise: How many messages of others follow each of the bot's.
    """

    def __init__(self) -> None:
        self.messages: dict[tuple[str, str], dict[str, Any]] = {}
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.reactions: dict[tuple[str, str], list[dict[str, Any]]] = {}
        self.ephemeral: list[dict[str, Any]] = []
        self.busy = 0
        self.down = False
        self.loses_answers = 0
        self.errors: dict[str, str] = {}
        self.url = ""
        self.page_size = 1000
        self.noise = 0
        self.channels = ["C1", "C2"]
        self._stamps = itertools.count(1)
        app = web.Application()
        app.router.add_post("/api/{method}", self._answer)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)

    async def start(self) -> None:
        """Listen."""
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}/api"

    async def stop(self) -> None:
        """Stop."""
        await self._runner.cleanup()

    def called(self, method: str) -> list[dict[str, Any]]:
        """Return the arguments of a method's calls."""
        return [values for name, values in self.calls if name == method]

    async def _answer(self, request: web.Request) -> web.Response:
        method = request.match_info["method"]
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return web.json_response({"ok": False, "error": "invalid_auth"})
        if self.down:
            return web.json_response({"ok": False, "error": "x"}, status=503)
        if self.busy:
            self.busy -= 1
            answer = {"ok": False, "error": "ratelimited"}
            return web.json_response(answer, status=429, headers={"Retry-After": "0"})
        values = await request.json()
        self.calls.append((method, values))
        if code := self.errors.get(method):
            return web.json_response({"ok": False, "error": code})
        handler = getattr(self, "_" + method.replace(".", "_"))
        answer = handler(values)
        if self.loses_answers and method == "chat.postMessage":
            self.loses_answers -= 1
            assert request.transport is not None
            request.transport.abort()
        return web.json_response({"ok": True, **answer})

    def _auth_test(self, values: Any) -> Any:
        return {"user_id": BOT}

    def _users_conversations(self, values: Any) -> Any:
        return self._page(values, "channels", [{"id": it} for it in self.channels])

    def _conversations_open(self, values: Any) -> Any:
        return {"channel": {"id": f"D{values['users']}"}}

    def _chat_postMessage(self, values: Any) -> Any:
        stamp = f"1800000009.{next(self._stamps):06}"
        self.messages[values["channel"], stamp] = values
        for _ in range(self.noise):
            other = f"1800000009.{next(self._stamps):06}"
            self.messages[values["channel"], other] = {"blocks": []}
        return {"channel": values["channel"], "ts": stamp}

    def _chat_update(self, values: Any) -> Any:
        self.messages[values["channel"], values["ts"]].update(values)
        return {}

    def _chat_delete(self, values: Any) -> Any:
        del self.messages[values["channel"], values["ts"]]
        return {}

    def _chat_postEphemeral(self, values: Any) -> Any:
        self.ephemeral.append(values)
        return {}

    def _conversations_history(self, values: Any) -> Any:
        found = [
            {"ts": stamp, "blocks": it["blocks"]}
            for (channel, stamp), it in self.messages.items()
            if channel == values["channel"] and float(stamp) > float(values["oldest"])
        ]
        return self._page(values, "messages", found[::-1])

    def _page(self, values: Any, field: str, items: list[Any]) -> Any:
        begin = int(values.get("cursor") or 0)
        end = begin + min(values["limit"], self.page_size)
        cursor = str(end) if end < len(items) else ""
        return {
            field: items[begin:end],
            "response_metadata": {"next_cursor": cursor},
        }

    def _reactions_get(self, values: Any) -> Any:
        found = self.reactions.get((values["channel"], values["timestamp"]), [])
        return {"message": {"reactions": found}}


class Sender:
    """Sends what Slack would, signed."""

    def __init__(
        self, session: aiohttp.ClientSession, now: Callable[[], float]
    ) -> None:
        self._session = session
        self._now = now
        self._clicks = itertools.count(1)

    def payload(self, user: str, reference: str, action: str, when: str = "") -> Any:
        """Return a click on a button."""
        channel, _, stamp = reference.rpartition("/")
        return {
            "type": "block_actions",
            "user": {"id": user},
            "container": {"channel_id": channel, "message_ts": stamp},
            "actions": [
                {
                    "action_id": action,
                    "action_ts": when or f"1800000010.{next(self._clicks):06}",
                }
            ],
        }

    async def click(
        self, url: str, user: str, reference: str, action: str, when: str = ""
    ) -> int:
        """Bring a click; the status of the answer."""
        payload = self.payload(user, reference, action, when)
        body = urlencode({"payload": json.dumps(payload)}).encode()
        return (await self.send(f"{url}/slack/interactive", body))[0]

    async def event(self, url: str, number: str, **event: Any) -> int:
        """Bring an event; the status of the answer."""
        values = {"type": "event_callback", "event_id": number, "event": event}
        return (await self.send(f"{url}/slack/events", json.dumps(values).encode()))[0]

    async def send(
        self,
        url: str,
        body: bytes,
        secret: str = SIGNING_SECRET,
        age: float = 0,
        **headers: str,
    ) -> tuple[int, Any]:
        """Send a body; the status and the text of the answer."""
        timestamp = str(int(self._now() - age))
        signature = SignatureVerifier(secret).generate_signature(
            timestamp=timestamp, body=body
        )
        values = {
            "X-Slack-Request-Timestamp": timestamp,
            "X-Slack-Signature": signature or "",
            "Content-Type": "application/x-www-form-urlencoded",
            **headers,
        }
        async with self._session.post(url, data=body, headers=values) as response:
            return response.status, await response.text()
