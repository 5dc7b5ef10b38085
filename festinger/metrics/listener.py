"""HTTP listener for GET /metrics."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from typing import Final

import structlog
from aiohttp import web
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from festinger.config import host_and_port
from festinger.errors import AddressInUse, FestingerError

log = structlog.get_logger(__name__)

_CLOSE_SECONDS: Final = 1.0


class MetricsListener:
    """Server of metrics in the event loop of the measured process.

    Args:
        address: HOST:PORT.
        registry: The metrics to serve.
        check: Raises a `FestingerError` for a request that is to be refused.
        encryption: Context of the connections; None for plain text.
    """

    def __init__(
        self,
        address: str,
        registry: CollectorRegistry,
        check: Callable[[web.BaseRequest], None],
        encryption: ssl.SSLContext | None = None,
    ) -> None:
        self._encryption = encryption
        self._address = address
        self._registry = registry
        self._check = check
        app = web.Application()
        app.router.add_get("/metrics", self._answer)
        self._runner = web.AppRunner(app, shutdown_timeout=_CLOSE_SECONDS)

    async def start(self) -> str:
        """Start to listen; return the address.

        Raises:
            AddressInUse: Another process listens there, or the address is unusable.
        """
        host, port = host_and_port(self._address)
        await self._runner.setup()
        try:
            site = web.TCPSite(self._runner, host, port, ssl_context=self._encryption)
            await site.start()
        except OSError as error:
            await self._runner.cleanup()
            raise AddressInUse(
                f"cannot serve metrics on {self._address}: {error.strerror}. Choose "
                "another address with server.metrics_address "
                "(FESTINGER_SERVER__METRICS_ADDRESS)"
            ) from None
        host, port = self._runner.addresses[0][:2]
        address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        log.info("metrics_ready", address=address)
        return address

    async def stop(self) -> None:
        """Stop listening."""
        await self._runner.cleanup()

    async def _answer(self, request: web.Request) -> web.Response:
        try:
            self._check(request)
        except FestingerError as error:
            return web.json_response({"error": error.message}, status=403)
        return web.Response(
            body=generate_latest(self._registry),
            headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4},
        )
