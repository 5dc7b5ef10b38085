"""A real Matrix homeserver in an environment of its own, and people who use it."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import secrets
import signal
import subprocess
from base64 import b64encode
from pathlib import Path
from typing import Any
from urllib.parse import quote

import aiohttp

from tests.apart import ROOT, environment_without_proxies
from tests.kill.server import free_port

ENVIRONMENT = ROOT / ".venv-synapse"
SECRET = "shared"
START_SECONDS_MAX = 60.0
PASSWORD = "hunter2"


class Synapse:
    """
    A homeserver on this machine, with SQLite, of which nobody else knows.

    Args:
        directory: Where it keeps everything.
        limits: Of requests, as its configuration has them.
    """

    def __init__(self, directory: Path, **limits: Any) -> None:
        self._directory = directory
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}"

    def configure(self) -> None:
        """Write its configuration."""
        seed = b64encode(secrets.token_bytes(32)).decode().rstrip("=")
        (self._directory / "signing.key").write_text(f"ed25519 a_test {seed}\n")
        fast = {"per_second": 1000, "burst_count": 1000}
        values = {
            "server_name": "test",
            "report_stats": False,
            "signing_key_path": str(self._directory / "signing.key"),
            "registration_shared_secret": SECRET,
            "macaroon_secret_key": SECRET,
            "form_secret": SECRET,
            "trusted_key_servers": [],
            "database": {
                "name": "sqlite3",
                "args": {"database": str(self._directory / "homeserver.db")},
            },
            "media_store_path": str(self._directory / "media"),
            "listeners": [
                {
                    "port": self._port,
                    "type": "http",
                    "bind_addresses": ["127.0.0.1"],
                    "resources": [{"names": ["client"]}],
                }
            ],
            # Else a second look at everything shows what the first one did.
            "caches": {"sync_response_cache_duration": "0s"},
            "rc_message": fast,
            "rc_login": {"address": fast, "account": fast, "failed_attempts": fast},
            "rc_joins": {"local": fast, "remote": fast},
            "rc_invites": {"per_room": fast, "per_user": fast, "per_issuer": fast},
            "rc_room_creation": fast,
            "rc_registration": fast,
            # Accounts of a moment: to hash a password for years takes a third of a second.
            "bcrypt_rounds": 4,
            **self._limits,
        }
        (self._directory / "homeserver.yaml").write_text(json.dumps(values))

    async def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [
            str(ENVIRONMENT / "bin/python"),
            "-m",
            "synapse.app.homeserver",
            "-c",
            str(self._directory / "homeserver.yaml"),
        ]
        with (self._directory / "out").open("ab") as out:
            self._process = subprocess.Popen(  # noqa: ASYNC220 - it is not waited for
                command,
                cwd=self._directory,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=environment_without_proxies(),
            )
        async with (
            asyncio.timeout(START_SECONDS_MAX),
            aiohttp.ClientSession() as session,
        ):
            while True:
                if self._process.poll() is not None:
                    raise RuntimeError((self._directory / "out").read_text()[-4000:])
                try:
                    async with session.get(f"{self.url}/health") as response:
                        if response.status == 200:
                            return
                except aiohttp.ClientError:
                    pass
                await asyncio.sleep(0.1)

    async def stop(self) -> None:
        """End it."""
        if self._process:
            self._process.send_signal(signal.SIGTERM)
            await asyncio.to_thread(self._process.wait)
            self._process = None

    async def register(self, name: str) -> Somebody:
        """Make an account, by the secret that its operator has."""
        async with aiohttp.ClientSession() as session:
            path = f"{self.url}/_synapse/admin/v1/register"
            async with session.get(path) as response:
                nonce = (await response.json())["nonce"]
            parts = (nonce, name, PASSWORD, "notadmin")
            mac = hmac.new(SECRET.encode(), "\0".join(parts).encode(), hashlib.sha1)
            body = {
                "nonce": nonce,
                "username": name,
                "password": PASSWORD,
                "admin": False,
                "mac": mac.hexdigest(),
            }
            async with session.post(path, json=body) as response:
                made = await response.json()
                assert response.status == 200, made
        return Somebody(self.url, made["user_id"], made["access_token"])


class Somebody:
    """A person with an account, who uses the plain client-server API."""

    def __init__(self, url: str, account: str, token: str) -> None:
        self.account = account
        self.token = token
        self._url = url

    async def call(self, method: str, path: str, body: Any = None, **query: str) -> Any:
        """Return a call; its answer."""
        headers = {"Authorization": f"Bearer {self.token}"}
        async with (
            aiohttp.ClientSession(headers=headers) as session,
            session.request(
                method,
                f"{self._url}/_matrix/client/v3/{path}",
                json=body,
                params=query,
            ) as response,
        ):
            answer = await response.json()
            assert response.status == 200, answer
            return answer

    async def make_room(self, *invited: str, **fields: Any) -> str:
        """Make a room, and invites others."""
        body = {"preset": "private_chat", "invite": invited, **fields}
        return str((await self.call("POST", "createRoom", body))["room_id"])

    async def join(self, room: str) -> None:
        """Enter a room."""
        await self.call("POST", f"join/{quote(room)}", {})

    async def invitations(self) -> list[str]:
        """Return the rooms that wait for them."""
        news = await self.call("GET", "sync", timeout="0")
        return list(news.get("rooms", {}).get("invite", {}))

    async def messages(self, room: str) -> list[Any]:
        """Return the events of a room, oldest first."""
        page = await self.call(
            "GET", f"rooms/{quote(room)}/messages", dir="b", limit="200"
        )
        return list(reversed(page["chunk"]))

    async def send(self, room: str, kind: str, content: Any) -> str:
        """Send an event."""
        path = f"rooms/{quote(room)}/send/{kind}/{secrets.token_hex(8)}"
        return str((await self.call("PUT", path, content))["event_id"])

    async def react(self, room: str, event: str, mark: str) -> str:
        """Click a reaction."""
        relation = {"rel_type": "m.annotation", "event_id": event, "key": mark}
        return await self.send(room, "m.reaction", {"m.relates_to": relation})

    async def say(self, room: str, text: str, reply_to: str = "") -> str:
        """Write a text."""
        content: dict[str, Any] = {"msgtype": "m.text", "body": text}
        if reply_to:
            content["m.relates_to"] = {"m.in_reply_to": {"event_id": reply_to}}
        return await self.send(room, "m.room.message", content)

    async def redact(self, room: str, event: str) -> str:
        """Take an event back."""
        path = f"rooms/{quote(room)}/redact/{quote(event)}/{secrets.token_hex(8)}"
        return str((await self.call("PUT", path, {}))["event_id"])
