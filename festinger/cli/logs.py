"""Logging set-up: structured events on standard error, without prompts."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator
from traceback import extract_tb
from typing import Final

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from festinger.cli.output import forgiving
from festinger.config import LogSettings

_WITH_WHAT: Final = re.compile(r"[\n(]")


def set_up(level: int = logging.INFO, settings: LogSettings | None = None) -> None:
    """Set up logging to standard error; failures to write are ignored.

    Args:
        level: The minimum level, unless the settings have one.
        settings: The settings of the log; None for the defaults.
    """
    settings = settings or LogSettings()
    if settings.level is not None:
        level = logging.getLevelNamesMapping()[settings.level.upper()]
    on_terminal = sys.stderr.isatty()
    for_people = settings.format == "console" or (
        settings.format == "auto" and on_terminal
    )
    renderer: Processor = (
        structlog.dev.ConsoleRenderer(colors=on_terminal)
        if for_people
        else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            trace_errors,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(forgiving(sys.stderr)),
        cache_logger_on_first_use=True,
    )
    # Libraries log to the same stream.
    logging.basicConfig(handlers=[_Forwarding()], level=logging.WARNING, force=True)
    # The driver logs a traceback per lost connection; an outage of the database is
    # logged once by Festinger itself.
    logging.getLogger("asyncpg").setLevel(logging.CRITICAL)
    # The web server does so for each malformed request, which any peer can send.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)


# Type and traceback only: an error's message may quote what a user typed.
def trace_errors(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Replace `exc_info` by the error's type and traceback, without its message."""
    info = event.pop("exc_info", None)
    if info is True:
        info = sys.exc_info()
    error = info[1] if isinstance(info, tuple) else info
    if isinstance(error, BaseException):
        event["exception"] = "\n".join(_traced(error))
    return event


def _traced(error: BaseException) -> Iterator[str]:
    seen: set[int] = set()  # causes may form a circle
    reason: BaseException | None = error
    while reason is not None and id(reason) not in seen:
        if seen:
            yield "caused by"
        seen.add(id(reason))
        for frame in extract_tb(reason.__traceback__):
            yield f"  {frame.filename}:{frame.lineno} in {frame.name}"
        yield type(reason).__qualname__
        hidden = None if reason.__suppress_context__ else reason.__context__
        reason = reason.__cause__ or hidden


class _Forwarding(logging.Handler):
    """Handler that forwards the logs of libraries to structlog."""

    def __init__(self) -> None:
        super().__init__()
        self._log = structlog.get_logger()

    def emit(self, record: logging.LogRecord) -> None:
        """Log a record, without the arguments that an error message may contain."""
        event = record.getMessage()
        if record.exc_info:
            # asyncio appends the arguments of the failed callback, and its error.
            event = _WITH_WHAT.split(event, maxsplit=1)[0]
        self._log.log(
            record.levelno, event, logger=record.name, exc_info=record.exc_info
        )
