"""The memories: adding and listing them."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import click

from festinger.cli.application import application
from festinger.cli.options import CONFIG, DATA_DIR, DSN, options, settings
from festinger.errors import InvalidArgument

_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,62}")


@click.group()
def tenant() -> None:
    """Add and list memories; each tenant has one of its own."""


@tenant.command()
@click.argument("name")
@options(CONFIG, DATA_DIR, DSN)
def add(name: str, config_file: Path | None, **values: Any) -> None:
    """Make a memory of that NAME."""
    if not _NAME.fullmatch(name):
        raise InvalidArgument(
            f"{name!r} cannot be a tenant: 1 to 63 of a-z 0-9 _ . -, beginning with a "
            "letter or digit"
        )
    made = asyncio.run(application("add_tenant")(settings(config_file, **values), name))
    click.echo(f"added {name}" if made else f"{name} was there already")


@tenant.command("list")
@options(CONFIG, DATA_DIR, DSN)
def list_(config_file: Path | None, **values: Any) -> None:
    """List the memories."""
    for name in asyncio.run(application("tenants")(settings(config_file, **values))):
        click.echo(name)
