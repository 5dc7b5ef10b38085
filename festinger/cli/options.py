"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import Any, TypeVar

import click

from festinger import config

Command = TypeVar("Command", bound=Callable[..., Any])

CONFIG = click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path, dir_okay=False),
    # Defaults, then the file, the environment, and these.
    help="A YAML file; the environment and the options win over it.",
)
DATA_DIR = click.option(
    "--data-dir",
    type=click.Path(path_type=Path),
    help="Where everything is kept (FESTINGER_DATA_DIR).",
)
UPSTREAM = click.option(
    "--upstream", metavar="URL", help="The Ollama to forward to (FESTINGER_UPSTREAM)."
)
SHIM = click.option(
    "--shim", metavar="HOST:PORT", help="Where the shim listens (FESTINGER_SHIM)."
)
SERVER = click.option(
    "--server", metavar="HOST:PORT", help="The memory server (FESTINGER_SERVER)."
)
DSN = click.option(
    "--dsn", help="A PostgreSQL of your own instead of a started one (FESTINGER_DSN)."
)
TENANT = click.option(
    "--tenant", default="default", show_default=True, help="Which memory."
)

# Ids are 64 bits in the database; larger ones would be an error there.
NUMBER_TYPE = click.IntRange(0, 2**63 - 1)
NUMBER = click.argument("number", type=NUMBER_TYPE)
"""The argument for the ID of an item."""


def options(*chosen: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Combine several options into one decorator, in the order of the help text."""
    # Decorators apply from the last to the first; click lists them in the reverse order again.
    return lambda command: reduce(
        lambda wrapped, option: option(wrapped), reversed(chosen), command
    )


def source(
    config_file: Path | None = None,
    *,
    data_dir: Path | None = None,
    upstream: str | None = None,
    shim: str | None = None,
    server: str | None = None,
    dsn: str | None = None,
) -> config.ConfigSource:
    """Return the source of the configuration, overridden by a command's options."""
    return config.ConfigSource(
        config_file,
        {
            "data_dir": data_dir,
            "shim": {"upstream": upstream, "address": shim},
            "server": {"address": server},
            "database": {"dsn": dsn},
        },
    )


def settings(config_file: Path | None = None, **values: Any) -> config.Settings:
    """Read the configuration with a command's options, or `ConfigurationError`."""
    return source(config_file, **values).read()
