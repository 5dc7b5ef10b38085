"""HTTP client of a Matrix homeserver that respects its rate limits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import quote, urlencode

import aiohttp
from yarl import URL

from festinger.chat.adapter import PlatformAway
from festinger.llm.failures import retry_after

SECONDS_MAX: Final = 30.0
"""Timeout of a call in seconds."""
ATTEMPTS_MAX: Final = 20
"""The maximum number of attempts of a call that is rate-limited."""
PAUSE_SECONDS_MAX: Final = 300.0
"""The longest pause that is respected; beyond it the homeserver counts as away."""


class CallRefused(Exception):
    """The homeserver refuses a call.

    Args:
        status: The HTTP status.
        code: The Matrix error code. Example: `M_FORBIDDEN`.
        message: The error message of the homeserver.
    """

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}" if code else f"status {status}")
        self.status = status
        self.code = code


@dataclass(eq=False)
class Homeserver:
    """Client of a Matrix homeserver.

    Args:
        url: The base URL of the homeserver.
        token: The access token of the bot's account.
    """

    url: str
    token: str
    _: KW_ONLY
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    _session: aiohttp.ClientSession | None = field(default=None, init=False)

    async def open(self) -> None:
        """Open the session."""
        self._session = aiohttp.ClientSession(
            headers={"Authorization": f"Bearer {self.token}"}
        )

    async def close(self) -> None:
        """Close the session."""
        if self._session:
            await self._session.close()

    async def get(
        self,
        *path: str,
        query: Mapping[str, str] = MappingProxyType({}),
        seconds: float = SECONDS_MAX,
    ) -> dict[str, Any]:
        """Send a GET request; `path` has the segments below `/_matrix/client/v3`."""
        return await self._call("GET", path, None, query, seconds)

    async def put(self, *path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Send an idempotent PUT request."""
        return await self._call("PUT", path, body, {}, SECONDS_MAX)

    async def post(self, *path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Send a POST request."""
        return await self._call("POST", path, body, {}, SECONDS_MAX)

    async def _call(
        self,
        method: str,
        path: tuple[str, ...],
        body: Mapping[str, Any] | None,
        query: Mapping[str, str],
        seconds: float,
    ) -> dict[str, Any]:
        """Make a call, and retry it while the homeserver limits the rate.

        Raises:
            PlatformAway: There is no answer, or the homeserver fails, rejects the token
                or limits the rate for too long.
            CallRefused: The homeserver refuses the call.
        """
        # Segments hold room aliases and emoji: `#team:example.org` would be cut at the `#`.
        parts = "/".join(quote(part, safe="") for part in path)
        address = f"{self.url}/_matrix/client/v3/{parts}"
        # Encoded already: yarl would decode `%2F` and change the path.
        url = URL(f"{address}?{urlencode(query)}" if query else address, encoded=True)
        for _ in range(ATTEMPTS_MAX):
            status, answer, headers = await self._once(method, url, body, seconds)
            # Rate limit: wait as long as the homeserver asks, then repeat the call.
            if status == 429:
                await self.sleep(_pause(answer, headers))
                continue
            if status < 300:
                return answer
            code, message = answer.get("errcode", ""), answer.get("error", "")
            # The operator can replace a token that is refused, so the call is repeated later.
            if status >= 500 or status == 401:
                raise PlatformAway(f"the homeserver answers {status} {code}: {message}")
            raise CallRefused(status, str(code), str(message))
        raise PlatformAway("the homeserver wants fewer requests")

    async def _once(
        self, method: str, url: URL, body: Mapping[str, Any] | None, seconds: float
    ) -> tuple[int, dict[str, Any], Mapping[str, str]]:
        assert self._session is not None
        timeout = aiohttp.ClientTimeout(total=seconds)
        try:
            # Redirects are not followed: one would take the token to another address.
            async with self._session.request(
                method, url, json=body, timeout=timeout, allow_redirects=False
            ) as response:
                try:
                    answer = await response.json(content_type=None)
                except ValueError:
                    answer = None
                status = response.status
                if not isinstance(answer, dict):
                    # A proxy in between answers with HTML pages, even with status 200.
                    status, answer = 502 if status < 400 else status, {}
                return status, answer, response.headers
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            words = str(error) or type(error).__name__
            raise PlatformAway(f"the homeserver does not answer: {words}") from None


def _pause(answer: Mapping[str, Any], headers: Mapping[str, str]) -> float:
    """Return the seconds to wait after a rate-limited call."""
    seconds = retry_after(headers)
    # Homeservers before version 1.10 of the specification have only the field of the body.
    if seconds is None:
        milliseconds = answer.get("retry_after_ms")
        seconds = milliseconds / 1000 if isinstance(milliseconds, int | float) else 1.0
    if seconds > PAUSE_SECONDS_MAX:
        # Longer than a call may hang: it is logged, and tried again later.
        raise PlatformAway(f"the homeserver wants nothing for {seconds:.0f} seconds")
    return max(seconds, 0.01)  # a wish for no pause still yields
