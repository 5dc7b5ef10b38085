"""The command that serves the memory to clients of the Model Context Protocol."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import click

from festinger.cli import logs
from festinger.cli.application import application
from festinger.cli.calls import located
from festinger.cli.options import CONFIG, DATA_DIR, SERVER, TENANT, options, settings


@click.command()
@options(CONFIG, DATA_DIR, SERVER, TENANT)
@click.option(
    "--project",
    default="",
    envvar="FESTINGER_PROJECT",
    help="The project of the session (FESTINGER_PROJECT).",
)
@click.option("--as", "person", default="", help="On behalf of this person.")
@click.option(
    "--reference",
    is_flag=True,
    help="The tools of @modelcontextprotocol/server-memory.",
)
@click.option(
    "--memory-file",
    type=click.Path(path_type=Path, dir_okay=False),
    envvar="MEMORY_FILE_PATH",
    help="Its file, which is read and written (MEMORY_FILE_PATH).",
)
@click.option(
    "--http",
    metavar="HOST:PORT",
    help="Serve many clients over HTTP, each with its token; on loopback only.",
)
def mcp(
    config_file: Path | None,
    data_dir: Path | None,
    server: str | None,
    tenant: str,
    project: str,
    person: str,
    reference: bool,
    memory_file: Path | None,
    http: str | None,
) -> None:
    """Serve the memory as tools of the Model Context Protocol.

    A client starts this command and speaks to it over standard input and output. It
    calls the memory server, which `festinger up` runs.

    \b
    festinger mcp --project shop
    festinger mcp --http 127.0.0.1:11437
    festinger mcp --reference
    """
    # The server that `up` started, if none is named.
    chosen = located(settings(config_file, data_dir=data_dir, server=server))
    # Standard output belongs to the protocol.
    logs.set_up(logging.WARNING, chosen.log)
    if memory_file and (http or not reference):
        raise click.UsageError(
            "--memory-file (MEMORY_FILE_PATH) is for --reference without --http."
        )
    if http:
        # Options would be the same for all clients, whatever their tokens say.
        if tenant != "default" or project or person:
            raise click.UsageError(
                "Over HTTP each client says itself who it is: by its token, "
                "X-Festinger-Tenant and X-Festinger-Project."
            )
        run_http = application("mcp_http")
        asyncio.run(run_http(chosen, address=http, reference=reference, say=_say))
        return
    run = application("mcp")
    asyncio.run(
        run(
            chosen,
            tenant=tenant,
            person=person,
            project=project,
            reference=reference,
            memory_file=memory_file,
        )
    )


def _say(url: str) -> None:
    # Standard output is the protocol's.
    click.echo(f"The tools are served at {url}", err=True)
