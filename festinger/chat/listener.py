"""HTTP listener that receives the answers of Slack and the webhook."""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import structlog
from aiohttp import web

from festinger.config import host_and_port
from festinger.errors import AddressInUse

_LOG = structlog.get_logger(__name__)

BODY_BYTES_MAX: Final = 2**19
_CLOSE_SECONDS: Final = 2.0

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class WebhookListener:
    """HTTP server for the routes of adapters; errors are answered as `{"error": …}`.

    Args:
        address: HOST:PORT.
        routes: The routes to serve.
        encryption: Context of the connections; None for plain text.
    """

    def __init__(
        self,
        address: str,
        routes: Sequence[web.RouteDef],
        encryption: ssl.SSLContext | None = None,
    ) -> None:
        self._address = address
        self._encryption = encryption
        app = web.Application(client_max_size=BODY_BYTES_MAX, middlewares=[_as_json])
        app.add_routes(routes)
        self._runner = web.AppRunner(
            app, access_log=None, shutdown_timeout=_CLOSE_SECONDS
        )

    async def start(self) -> str:
        """Start listening and return the address.

        Raises:
            AddressInUse: The address cannot be listened on.
        """
        host, port = host_and_port(self._address)
        await self._runner.setup()
        try:
            site = web.TCPSite(self._runner, host, port, ssl_context=self._encryption)
            await site.start()
        except OSError as error:
            await self._runner.cleanup()
            raise AddressInUse(
                f"the bots cannot listen on {self._address}: {error.strerror}. Choose "
                "another address with chat.address (FESTINGER_CHAT__ADDRESS)"
            ) from None
        host, port = self._runner.addresses[0][:2]
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

    async def stop(self) -> None:
        """Stop listening."""
        await self._runner.cleanup()


def problem(status: int, message: str) -> web.Response:
    """Return a JSON response with an error message."""
    return web.json_response({"error": message}, status=status)


@web.middleware
async def _as_json(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        return await handler(request)
    except web.HTTPException as error:
        return problem(error.status, error.reason)
    except Exception:
        _LOG.exception("request_failed", path=request.path)
        return problem(500, "the bot failed; its log says why. Send it again")
