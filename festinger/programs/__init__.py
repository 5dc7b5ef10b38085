"""Programs: the memory server, the shim and the bots, each wired as configured.

Each is imported when it is run: without the server's part, the shim starts in half the
time.
"""

from __future__ import annotations

import errno
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import structlog

from festinger.config import Settings, host_and_port
from festinger.errors import AddressInUse, ConfigurationError

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class RunningServices:
    """The running services and their addresses.

    Attributes:
        metrics: Address of the server's metrics; empty if they are not served.
        platforms: Platforms on which bots ask people.
        chat: Address on which the bots receive answers; empty if they do not listen.
        apply: Applies those changes of a configuration that need no restart.
    """

    server: str = ""
    shim: str = ""
    metrics: str = ""
    platforms: Sequence[str] = ()
    chat: str = ""
    apply: Callable[[Settings], None] = lambda settings: None


@dataclass(frozen=True, slots=True)
class StartProgress:
    """Callbacks that report the progress of a start.

    Attributes:
        say: Receives a message for people.
        dictionary: Receives the share of the dictionary that is loaded, in [0.0, 1.0].
    """

    say: Callable[[str], None] = lambda message: None
    dictionary: Callable[[float], None] = lambda share: None


SILENT = StartProgress()
"""Callbacks that report nothing."""


def require_free(name: str, address: str) -> None:
    """Check that an address is free, before a database is started in vain.

    Raises:
        AddressInUse: Another program listens there already.
        ConfigurationError: It is not an address of this machine.
    """
    host, port = host_and_port(address)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        # As listeners do: a port that was just left is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            option = f"--{name} or FESTINGER_{name.upper()}"
            if error.errno == errno.EADDRINUSE:
                raise AddressInUse(
                    f"another program listens on {address}, where the {name} should. "
                    f"Stop it, or choose another address with {option}"
                ) from None
            # Such as an address of another machine.
            raise ConfigurationError(
                f"the {name} cannot listen on {address}: {error.strerror or error}. "
                f"Choose an address of this machine with {option}"
            ) from None


def now() -> float:
    """Return the seconds since the epoch, at the microsecond precision of Postgres."""
    # What Postgres stores equals what memory holds.
    return time.time_ns() // 1000 / 1e6


def complaints(event: str) -> Callable[[str], None]:
    """Return a function that logs a message as the problem of an event."""
    return lambda message: log.warning(event, problem=message)
