"""How the processes log: fields on standard error, and never a prompt."""

from __future__ import annotations

import logging
import sys

import structlog


def set_up(level: int = logging.INFO) -> None:
    """Logs to standard error: for people on a terminal, else one JSON object a line."""
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer()
        if sys.stderr.isatty()
        else structlog.processors.JSONRenderer()
    )
    # The driver writes a traceback for each connection that it cannot keep; that the
    # database is gone is said once, by us.
    logging.getLogger("asyncpg").setLevel(logging.CRITICAL)
    # So does the web server for each request that is not HTTP, which any peer can send.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
