"""Commands that add and list tenants."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from festinger.cli.application import application
from festinger.cli.listing import JSON, print_json
from festinger.cli.options import CONFIG, DATA_DIR, DSN, options, settings
from festinger.cli.system.supervising import supervised


@click.group()
def tenant() -> None:
    """Add and list memories; each tenant has one of its own."""


@tenant.command()
@click.argument("name")
@options(CONFIG, DATA_DIR, DSN)
def add(name: str, config_file: Path | None, **values: Any) -> None:
    """Make a memory of that NAME."""
    made = supervised(application("add_tenant")(settings(config_file, **values), name))
    click.echo(f"added {name}" if made else f"{name} was there already")


@tenant.command("list")
@options(CONFIG, DATA_DIR, DSN)
@JSON
def list_(config_file: Path | None, as_json: bool, **values: Any) -> None:
    """List the memories."""
    for name in supervised(application("tenants")(settings(config_file, **values))):
        if as_json:
            print_json({"name": name})
        else:
            click.echo(name)
