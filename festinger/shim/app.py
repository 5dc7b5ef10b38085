"""Composition, start and stop of the shim."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

import structlog
from aiohttp import web

from festinger.certificates import CertificateFiles, encryption_of
from festinger.config import (
    EmbeddingSettings,
    LearningSettings,
    ServerSettings,
    ShimSettings,
    host_and_port,
    is_loopback,
    without_password,
)
from festinger.errors import ConfigurationError
from festinger.lifetimes import Stoppable
from festinger.listening import joined_address
from festinger.shim.dispatch import Dispatcher
from festinger.shim.proxy.answer import drop_additions
from festinger.shim.proxy.listener import listen
from festinger.shim.proxy.tokens import NameOf
from festinger.shim.recollection.memory import MemoryClient
from festinger.shim.site import Site

log = structlog.get_logger(__name__)

# Short: `Shim.stop` has drained the requests before aiohttp waits for them once more.
_CLOSE_SECONDS: Final = 1.0


async def _expect_nothing(_: web.Request) -> None:
    """Do nothing on `Expect: 100-continue`."""
    # aiohttp's default answers `100 Continue` at once, before the guard has checked the
    # request; `Upload` sends it when the body is read.


class Shim(Stoppable):
    """The running shim.

    Args:
        token: Returns the shim's credential for the server; None if it has none.
        site: Handler of further paths in the shim's process; None for none.
        learning: Settings of reading by a loaded model; None disables it.
        embeddings: Settings of embeddings; None disables them.
    """

    def __init__(
        self,
        settings: ShimSettings,
        server: ServerSettings,
        token: Callable[[], str | None] = lambda: None,
        site: Site | None = None,
        learning: LearningSettings | None = None,
        embeddings: EmbeddingSettings | None = None,
        *,
        name_of: NameOf = lambda token: None,
    ) -> None:
        self._name_of = name_of
        self._learning = learning
        self._embeddings = embeddings
        self._settings = settings
        self._site = site
        # Made here and not by the application, so that `apply` works before the start.
        self._memory = MemoryClient(
            server.address,
            token,
            tenant=settings.tenant,
            budget_seconds=settings.memory_milliseconds_max / 1000,
            tls=server.tls,
        )
        self._runner: web.AppRunner | None = None
        self._listening: asyncio.Server | None = None
        self._address = ""
        self._certificates = CertificateFiles(server.tls, "server.tls")
        self._version = self._certificates.version()

    @property
    def address(self) -> str:
        """HOST:PORT that the shim listens on; empty before it is started."""
        return self._address

    @property
    def url(self) -> str:
        """Base URL for agents to use as their Ollama URL."""
        return f"{self._settings.tls.scheme}://{self._address}"

    def apply(
        self,
        settings: ShimSettings,
        learning: LearningSettings | None = None,
        embeddings: EmbeddingSettings | None = None,
    ) -> None:
        """Apply a changed configuration, except for the listening address.

        Raises:
            ConfigurationError: An upstream is the shim itself; nothing is applied.
        """
        # Before the start there is no address yet (the port may be 0); `start` checks then.
        if self._address:
            _check_no_circle(settings, self._address)
        self._settings = settings
        self._memory.budget_seconds = settings.memory_milliseconds_max / 1000
        if self._runner is not None:
            self._dispatcher.apply(settings, learning, embeddings)

    async def start(self) -> str:
        """Start to listen and return the address.

        Raises:
            AddressInUse: Another process listens on the address.
            ConfigurationError: A setting is wrong.
        """
        settings = self._settings
        encryption = encryption_of(
            "shim", settings.address, settings.tls, plain_text=settings.plain_text
        )
        self._dispatcher = Dispatcher(
            settings,
            self._memory,
            self._site,
            self._learning,
            self._embeddings,
            self._name_of,
        )
        app = web.Application()
        # One route for everything; `.` would not match a path with an encoded newline (%0A).
        app.router.add_route(
            "*",
            r"/{path:[\s\S]*}",
            self._dispatcher.handle,
            expect_handler=_expect_nothing,
        )
        app.on_response_prepare.append(drop_additions)
        # The resources need the running loop, so they are opened and closed with it.
        app.on_startup.append(self._dispatcher.start)
        app.on_cleanup.append(self._dispatcher.stop)
        # A client that leaves cancels its handler, which closes the upstream connection: the
        # model would otherwise go on generating for nobody.
        self._runner = web.AppRunner(
            app, handler_cancellation=True, shutdown_timeout=_CLOSE_SECONDS
        )
        try:
            await self._runner.setup()
            assert self._runner.server is not None
            self._listening = await listen(
                self._runner.server,
                settings.address,
                settings.header_seconds_max,
                encryption,
            )
            self._address = joined_address(
                *self._listening.sockets[0].getsockname()[:2]
            )
            # Only now is the port known, as the configured one may be 0 (any free port).
            _check_no_circle(settings, self._address)
        # Cancellation as well: a half-started shim must not keep its port.
        except BaseException:
            await self.stop()
            raise
        log.info("shim_ready", address=self._address)
        return self._address

    async def look_at_certificates(self) -> None:
        """Connect to the memory server anew if the connection's files were replaced.

        Raises:
            ConfigurationError: A file cannot be read; the former connection stays.
        """
        if (version := self._certificates.version()) == self._version:
            return
        # If a new file cannot be read this raises, and the version stays: it is tried again.
        await self._memory.reopen()
        if self._site:
            await self._site.reopen()
        self._version = version

    async def stop(self) -> None:
        """Stop listening, drain requests in progress, and close all resources."""
        # Order: no new connections, no idle ones, then requests in progress, then resources.
        if self._listening:
            self._listening.close()
            self._listening = None
        if self._runner is None:
            return
        runner, self._runner = self._runner, None
        if runner.server:
            runner.server.pre_shutdown()  # closes idle connections
        await self._dispatcher.drain(self._settings.drain_seconds)
        await runner.cleanup()


def _check_no_circle(settings: ShimSettings, address: str) -> None:
    """Refuse an upstream that is the shim itself."""
    host, port = host_and_port(address)
    # `localhost` and `127.0.0.1` name the same listener; other aliases are not resolved.
    own = {host, "localhost"} if is_loopback(host) else {host}
    for url in (settings.upstream, *(each.url for each in settings.upstreams)):
        parts = urlsplit(url)
        if parts.hostname in own and (parts.port or 80) == port:
            raise ConfigurationError(
                f"the upstream {without_password(url)} is the shim itself. Name where "
                "Ollama listens, such as http://127.0.0.1:11434"
            )
