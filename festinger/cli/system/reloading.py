"""`festinger system reload`: reload a memory of a running server."""

from __future__ import annotations

from typing import Any

import click

from festinger.api.v1 import admin_service_pb2
from festinger.cli.calls import call
from festinger.cli.listing import JSON, print_message
from festinger.cli.options import CONFIG, DATA_DIR, SERVER, TENANT, options

SECONDS = 600.0
"""Timeout of a reload in seconds: the longest that a server allows."""


@click.command()
@options(CONFIG, DATA_DIR, SERVER, TENANT)
@JSON
def reload(*, as_json: bool, **values: Any) -> None:
    """Load a memory anew from the database, while the old one answers.

    For what wrote to the database past the server, such as a nightly job.
    """
    loaded = call(values, admin_service_pb2.ReloadRequest(), seconds=SECONDS)
    if as_json:
        print_message(loaded)
        return
    seconds = loaded.duration.ToTimedelta().total_seconds()
    click.echo(
        f"loaded {values['tenant']}: {loaded.concept_count} concepts, "
        f"{loaded.edge_count} edges, version {loaded.version}, in {seconds:.1f} s"
    )
