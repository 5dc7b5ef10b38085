"""Upstream pool: selection, failover, health checks and limits of concurrency."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from time import monotonic
from typing import Final

import aiohttp
import structlog
from aiohttp import web

from festinger.config import ShimSettings, UpstreamSettings
from festinger.lifetimes import cancel_all
from festinger.shim.proxy.answer import OutgoingRequest, UpstreamAnswer
from festinger.shim.proxy.breaker import UpstreamChoice, UpstreamState
from festinger.shim.proxy.guard import IncomingBody, RequestRefused
from festinger.shim.proxy.proxy import Upstream, UpstreamUnreachable

log = structlog.get_logger(__name__)

PROBE_SECONDS: Final = 2.0
"""Interval in seconds of the health checks of several upstreams."""

PROBE_SECONDS_MAX: Final = 5.0
"""Timeout of a health check in seconds."""


class Upstreams:
    """Pool of the configured upstreams.

    Attributes:
        queue: The prompts in progress and those that wait.
    """

    def __init__(self, settings: ShimSettings) -> None:
        # URL of each member, to find it again when the configuration changes.
        self._urls: dict[UpstreamState[Upstream], str] = {}
        self._choice = UpstreamChoice(self._configured(settings))
        self.queue = _Queue(settings.requests_max, settings.queue_max)
        self._probing: asyncio.Task[None] | None = None
        # Pools of removed upstreams that are being closed; a task needs a reference.
        self._closing: set[asyncio.Task[None]] = set()

    @property
    def members(self) -> Sequence[UpstreamState[Upstream]]:
        """All upstreams, in the order of the configuration."""
        return self._choice.members

    @property
    def first(self) -> Upstream:
        """Best available upstream, for queries about models."""
        usable = self._choice.candidates(None, monotonic())
        # If all breakers refuse, the first is asked all the same.
        return (usable or self.members)[0].target

    def state(self, member: UpstreamState[Upstream]) -> str:
        """Return the state of an upstream's breaker: `closed`, `open` or `half-open`."""
        return member.breaker.state(monotonic())

    def apply(self, settings: ShimSettings) -> None:
        """Apply changed limits and upstreams.

        Remaining upstreams keep their connections, sessions and breakers; requests in
        progress at a removed one are completed there.
        """
        self.queue.limit(settings.requests_max, settings.queue_max)
        before = self.members
        self._choice.replace(self._configured(settings))
        for member in self.members:
            if member not in before:
                member.target.start()
        # A removed upstream with requests in progress is closed by the last of them.
        for member in before:
            self._close_if_gone(member)

    def start(self) -> None:
        """Open the connection pools, and start the health checks."""
        for member in self.members:
            member.target.start()
        self._probing = asyncio.create_task(self._probe())

    async def stop(self) -> None:
        """Stop the health checks, and close the connection pools."""
        await cancel_all([self._probing])
        await asyncio.gather(*self._closing)
        for member in self.members:
            await member.target.stop()

    @asynccontextmanager
    async def open(
        self, request: web.Request, sent: OutgoingRequest
    ) -> AsyncIterator[UpstreamAnswer]:
        """Forward a request, and yield the answer once it begins.

        Raises:
            RequestRefused: No upstream answers, the queue is full, or the client's body
                could not be read.
        """
        # Only prompts are limited, as they keep a model busy: their body is bytes.
        place = self.queue.place() if isinstance(sent.body, bytes) else nullcontext()
        async with place:
            member, response = await self._open(request, sent)
            try:
                yield UpstreamAnswer(request, sent, response)
            finally:
                # Unless it was read to its end, this closes the connection, so that the
                # upstream stops generating.
                response.close()
                self._leave(member)

    async def _open(
        self, request: web.Request, sent: OutgoingRequest
    ) -> tuple[UpstreamState[Upstream], aiohttp.ClientResponse]:
        """Return the first upstream that answers, and its answer.

        The request is counted as in progress there.
        """
        # The error of the last attempt is what the client gets.
        failure: RequestRefused | None = None
        for member in self._choice.candidates(sent.session, monotonic()):
            if member not in self.members:
                continue  # it was removed while another one was tried
            member.breaker.begin()
            member.under_way += 1
            try:
                answer = await member.target.open(request, sent)
            except UpstreamUnreachable as refusal:
                self._leave(member)
                member.breaker.fail(monotonic())
                failure = refusal
                # It may have been received, or the upload is consumed: a repeat could do it twice.
                if refusal.connected or isinstance(sent.body, IncomingBody):
                    break
            # The client has left or its body is refused, which says nothing of the upstream.
            except BaseException:
                self._leave(member)
                member.breaker.give_up()
                raise
            else:
                member.breaker.succeed()
                # Only now, since its cache has the prompt from now on.
                self._choice.stick(sent.session, member)
                return member, answer
        raise failure or RequestRefused(
            503, "none of the configured Ollamas answers; try again in some seconds"
        )

    def _leave(self, member: UpstreamState[Upstream]) -> None:
        """Record the end of a request at an upstream."""
        member.under_way -= 1
        self._close_if_gone(member)

    def _close_if_gone(self, member: UpstreamState[Upstream]) -> None:
        """Close the pool of a removed upstream that has no requests in progress."""
        if member.under_way or member in self.members:
            return
        closing = asyncio.create_task(member.target.stop())
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    def _configured(self, settings: ShimSettings) -> list[UpstreamState[Upstream]]:
        """Return the members of a configuration; existing ones are reused by URL."""
        there = {url: member for member, url in self._urls.items()}
        self._urls = {}
        limits = settings.connect_seconds_max, settings.answer_seconds_max
        first = UpstreamSettings(url=settings.upstream)
        for each in (first, *settings.upstreams):
            # Two entries with one URL are two members: `pop` gives the existing one to the first.
            member = there.pop(each.url, None) or UpstreamState(
                Upstream(each.url, *limits)
            )
            member.priority = each.priority
            member.target.limit(*limits)
            self._urls[member] = each.url
        return list(self._urls)

    async def _probe(self) -> None:
        """Check several upstreams' health periodically, to update their breakers."""
        while True:
            await asyncio.sleep(PROBE_SECONDS)
            # A single upstream is used whatever its breaker says.
            if len(self.members) > 1:
                await asyncio.gather(*map(self._probe_one, self.members))

    async def _probe_one(self, member: UpstreamState[Upstream]) -> None:
        before = self.state(member)
        try:
            # TimeoutError is an OSError, so it counts as a failure below.
            async with asyncio.timeout(PROBE_SECONDS_MAX):
                await member.target.ask("/api/version")
        except (aiohttp.ClientError, OSError, ValueError):
            member.breaker.fail(monotonic())
        else:
            member.breaker.succeed()
        after = self.state(member)
        # Only changes, as probes come every two seconds.
        if after != before:
            log.warning("upstream_breaker", url=member.target.url, state=after)


class _Queue:
    """FIFO queue that limits the prompts in progress."""

    def __init__(self, requests_max: int, queue_max: int) -> None:
        self.limit(requests_max, queue_max)
        self.under_way = 0
        self.waiting: deque[asyncio.Future[None]] = deque()

    def limit(self, requests_max: int, queue_max: int) -> None:
        """Set the limits."""
        self._requests_max = requests_max
        self._queue_max = queue_max

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Hold a slot for a prompt while the context is active, in order of arrival.

        Raises:
            RequestRefused: The queue is full.
        """
        # Nobody overtakes those that wait.
        if self.under_way < self._requests_max and not self.waiting:
            self.under_way += 1
        else:
            await self._wait()
        try:
            yield
        finally:
            self._leave()

    async def _wait(self) -> None:
        """Wait until `_leave` hands over a slot, which it has counted already."""
        if len(self.waiting) >= self._queue_max:
            raise RequestRefused(
                503,
                f"{self._requests_max} prompts are under way and {self._queue_max} "
                "wait, which is all that shim.requests_max and shim.queue_max permit; "
                "try again",
            )
        turn = asyncio.get_running_loop().create_future()
        self.waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            # The client left while it waited.
            if turn.cancelled():
                with suppress(ValueError):
                    self.waiting.remove(turn)
            else:
                # It was given the slot in the same moment: the next one gets it.
                self._leave()
            raise

    def _leave(self) -> None:
        self.under_way -= 1
        while self.waiting and self.under_way < self._requests_max:
            turn = self.waiting.popleft()
            if not turn.done():
                self.under_way += 1
                turn.set_result(None)
