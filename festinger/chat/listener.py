"""HTTP listener that receives the answers of Slack and the webhook."""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import structlog
from aiohttp import web

from festinger.listening import HttpListener

log = structlog.get_logger(__name__)

BODY_BYTES_MAX: Final = 2**19  # far more than an answer has
_CLOSE_SECONDS: Final = 2.0  # what is cut off then is sent again by the platform

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class WebhookListener(HttpListener):
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
        app = web.Application(client_max_size=BODY_BYTES_MAX, middlewares=[_as_json])
        app.add_routes(routes)
        super().__init__(
            address,
            app,
            encryption,
            failure="the bots cannot listen on",
            setting="chat.address (FESTINGER_CHAT__ADDRESS)",
            close_seconds=_CLOSE_SECONDS,
        )


def problem(status: int, message: str) -> web.Response:
    """Return a JSON response with an error message."""
    return web.json_response({"error": message}, status=status)


@web.middleware
async def _as_json(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        return await handler(request)
    # Also for requests of nobody we know: a sentence in JSON, no page and no traceback.
    except web.HTTPException as error:
        return problem(error.status, error.reason)
    except Exception:
        # Nothing was acknowledged, so that the platform sends it again.
        log.exception("request_failed", path=request.path)
        return problem(500, "the bot failed; its log says why. Send it again")
