"""Live page: which lines prompts got, where and why, without the prompts themselves."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from aiohttp import web

from festinger.console.context import HEADERS, PathRoute, RequestContext
from festinger.console.errors import PageRefused

HOUR_SECONDS: Final = 3600
HOURS_MAX: Final = 48
"""The number of hours whose prompts are counted, the latest ones."""
SHOWN_MAX: Final = 50
"""The maximum number of requests that are kept, the newest ones."""
WATCHERS_MAX: Final = 32
"""The maximum number of concurrent event streams."""
QUIET_SECONDS: Final = 15.0
"""Seconds between keep-alive comments on an idle stream."""

_NUMBER: Final = re.compile(r"[0-9]{0,18}")
_Told = Callable[[], Mapping[str, Any]]


class ToldHour(NamedTuple):
    """Prompts of an hour.

    Attributes:
        began: Its start, in seconds since the epoch.
        told: Prompts that were told something new.
        skipped: Prompts that nothing new was told to.
    """

    began: float
    told: int
    skipped: int


class PromptLog:
    """Log of the newest enriched prompts, and its event streams."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        # Prompts by hour since the epoch: told, and not told.
        self._hours: dict[int, list[int]] = {}
        # With ascending numbers. Details are made when somebody looks, not for each prompt.
        self._newest: deque[tuple[int, _Told]] = deque(maxlen=SHOWN_MAX)
        self._count = 0
        self._happened = asyncio.Event()
        self._closed = False
        self._watchers = 0

    @property
    def routes(self) -> tuple[PathRoute, ...]:
        """The routes of the page and of its event stream."""
        return (
            PathRoute("GET", "/admin/live", self.shown),
            PathRoute("GET", "/admin/live/events", self.events),
        )

    def newest(self) -> list[Mapping[str, Any]]:
        """Return the newest requests, in descending order."""
        return [told() for _, told in reversed(self._newest)]

    def hours(self) -> list[ToldHour]:
        """Return the latest hours, oldest first; empty before the first prompt."""
        if not self._hours:
            return []
        last = int(self._now() // HOUR_SECONDS)
        # Hours without prompts are listed as well, for the plot's axis.
        first = max(min(self._hours), last - HOURS_MAX + 1)
        return [
            ToldHour(hour * HOUR_SECONDS, *self._hours.get(hour, (0, 0)))
            for hour in range(first, last + 1)
        ]

    def note(self, told: _Told, *, told_anything: bool) -> None:
        """Add a request, count it, and wake the streams."""
        hour = int(self._now() // HOUR_SECONDS)
        if hour not in self._hours:
            while len(self._hours) >= HOURS_MAX:
                del self._hours[min(self._hours)]
            self._hours[hour] = [0, 0]
        self._hours[hour][0 if told_anything else 1] += 1
        self._count += 1
        self._newest.append((self._count, told))
        self._wake()

    def close(self) -> None:
        """End all streams, including future ones."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        # Streams wait on the event that they took, so that none misses this one.
        happened, self._happened = self._happened, asyncio.Event()
        happened.set()

    async def shown(self, context: RequestContext) -> web.Response:
        """Show the newest requests, in descending order."""
        return context.page("live.html", accounts=self.newest(), count=self._count)

    async def events(self, context: RequestContext) -> web.StreamResponse:
        """Stream new requests as server-sent events with rendered HTML."""
        if self._watchers >= WATCHERS_MAX:
            raise PageRefused(503, "too many pages watch already. Close one")
        # Browsers send this header when they reconnect: the stream continues from there.
        asked = context.request.headers.get("Last-Event-ID") or context.query("after")
        if not _NUMBER.fullmatch(asked):
            raise PageRefused(400, "after must be the number of a request")
        # Without a number only what happens from now on; the page has the rest.
        after = int(asked or self._count)
        response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream", **HEADERS}
        )
        await response.prepare(context.request)
        self._watchers += 1
        try:
            await self._send(context, response, after)
        finally:
            self._watchers -= 1
        return response

    async def _send(
        self, context: RequestContext, response: web.StreamResponse, after: int
    ) -> None:
        # A comment sends the headers, so that the browser knows that it is connected.
        await response.write(b": here\n\n")
        while not self._closed:
            # Taken before looking: what is added while lines are sent sets this event.
            happened = self._happened
            for number, told in list(self._newest):  # writes give way to `note`
                if number > after:
                    after = number
                    text = context.render("parts/account.html", account=told())
                    await response.write(_event(number, text))
            try:
                async with asyncio.timeout(QUIET_SECONDS):
                    await happened.wait()
            except TimeoutError:
                # Writing is how a closed connection is noticed.
                await response.write(b": still here\n\n")
        await response.write_eof()


def _event(number: int, text: str) -> bytes:
    # A line break ends a field of an event, so that each line is a field of its own.
    lines = "".join(f"data: {line}\n" for line in text.splitlines())
    return f"id: {number}\n{lines}\n".encode()
