"""HTTP listener for GET /metrics."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from typing import Final

import structlog
from aiohttp import web
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from festinger.errors import FestingerError
from festinger.listening import HttpListener

log = structlog.get_logger(__name__)

# Scrapers hold connections open; stopping does not wait for them.
_CLOSE_SECONDS: Final = 1.0


class MetricsListener(HttpListener):
    """Server of metrics in the event loop of the measured process.

    Args:
        check: Raises a `FestingerError` for a request that is to be refused.
    """

    def __init__(
        self,
        address: str,
        registry: CollectorRegistry,
        check: Callable[[web.BaseRequest], None],
        encryption: ssl.SSLContext | None = None,
    ) -> None:
        self._registry = registry
        self._check = check
        app = web.Application()
        app.router.add_get("/metrics", self._answer)
        super().__init__(
            address,
            app,
            encryption,
            # For the error about an address that is taken: which setting changes it.
            failure="cannot serve metrics on",
            setting="server.metrics_address (FESTINGER_SERVER__METRICS_ADDRESS)",
            close_seconds=_CLOSE_SECONDS,
        )

    async def start(self) -> str:
        """Start listening, log and return the address."""
        address = await super().start()
        log.info("metrics_ready", address=address)
        return address

    async def _answer(self, request: web.Request) -> web.Response:
        try:
            # Host names and tokens, as the shim checks them.
            self._check(request)
        except FestingerError as error:
            return web.json_response({"error": error.message}, status=403)
        return web.Response(
            body=generate_latest(self._registry),
            headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4},
        )
