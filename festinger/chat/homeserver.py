"""Calls to a Matrix homeserver, with the patience that it asks for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import quote, urlencode

import aiohttp
from yarl import URL

from festinger.chat.adapter import PlatformAway

SECONDS_MAX: Final = 30.0
"""How long an answer may take."""
ATTEMPTS_MAX: Final = 20
"""How often a call is made that the homeserver wants later."""
PAUSE_SECONDS_MAX: Final = 300.0
"""The longest pause that it may ask for; then it counts as away."""


class CallRefused(Exception):
    """The homeserver refuses a call.

    Args:
        code: Its own. Example: `M_FORBIDDEN`.
    """

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}" if code else f"status {status}")
        self.status = status
        self.code = code


class Homeserver:
    """A Matrix homeserver.

    Args:
        url: Where it is.
        token: The access token of the bot's account.
        sleep: Waits.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._url = url
        self._token = token
        self._sleep = sleep
        self._session: aiohttp.ClientSession | None = None

    async def open(self) -> None:
        """Opens the session."""
        self._session = aiohttp.ClientSession(
            headers={"Authorization": f"Bearer {self._token}"}
        )

    async def close(self) -> None:
        """Closes it."""
        if self._session:
            await self._session.close()

    async def get(
        self,
        *path: str,
        query: Mapping[str, str] = MappingProxyType({}),
        seconds: float = SECONDS_MAX,
    ) -> dict[str, Any]:
        """Reads something; `path` is in parts, below `/_matrix/client/v3`."""
        return await self._call("GET", path, None, query, seconds)

    async def put(self, *path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Puts something somewhere; doing it twice is doing it once."""
        return await self._call("PUT", path, body, {}, SECONDS_MAX)

    async def post(self, *path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Has something done."""
        return await self._call("POST", path, body, {}, SECONDS_MAX)

    async def _call(
        self,
        method: str,
        path: tuple[str, ...],
        body: Mapping[str, Any] | None,
        query: Mapping[str, str],
        seconds: float,
    ) -> dict[str, Any]:
        """A call, made again as often as it is wanted later.

        Raises:
            PlatformAway: There is no answer, or none that can be read.
            Refused: It is refused.
        """
        parts = "/".join(quote(part, safe="") for part in path)
        address = f"{self._url}/_matrix/client/v3/{parts}"
        url = URL(f"{address}?{urlencode(query)}" if query else address, encoded=True)
        for _ in range(ATTEMPTS_MAX):
            status, answer = await self._once(method, url, body, seconds)
            if status == 429:
                await self._sleep(_pause(answer))
                continue
            if status < 300:
                return answer
            code, message = answer.get("errcode", ""), answer.get("error", "")
            if status >= 500 or status == 401:
                raise PlatformAway(f"the homeserver answers {status} {code}: {message}")
            raise CallRefused(status, str(code), str(message))
        raise PlatformAway("the homeserver wants fewer requests")

    async def _once(
        self,
        method: str,
        url: URL,
        body: Mapping[str, Any] | None,
        seconds: float,
    ) -> tuple[int, dict[str, Any]]:
        assert self._session is not None
        timeout = aiohttp.ClientTimeout(total=seconds)
        try:
            async with self._session.request(
                method, url, json=body, timeout=timeout, allow_redirects=False
            ) as response:
                try:
                    answer = await response.json(content_type=None)
                except ValueError:
                    answer = None
                if not isinstance(answer, dict):
                    # A proxy before it answers pages.
                    return (502, {}) if response.status < 400 else (response.status, {})
                return response.status, answer
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            words = str(error) or type(error).__name__
            raise PlatformAway(f"the homeserver does not answer: {words}") from None


def _pause(answer: Mapping[str, Any]) -> float:
    """For how long a homeserver wants no such request."""
    milliseconds = answer.get("retry_after_ms")
    seconds = milliseconds / 1000 if isinstance(milliseconds, int | float) else 1.0
    if seconds > PAUSE_SECONDS_MAX:
        raise PlatformAway(f"the homeserver wants nothing for {seconds:.0f} seconds")
    return max(seconds, 0.01)
