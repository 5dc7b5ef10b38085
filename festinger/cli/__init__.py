"""The `festinger` command.

festinger up           server, shim and a Postgres of its own, on this machine
festinger serve        the memory server alone
festinger shim         the Ollama shim alone
festinger demo         a scripted conversation with a stand-in for Ollama
festinger conflicts    the contradictions that wait, and deciding about them
festinger candidates   the doubtful statements that wait, and deciding about them
festinger tenant       the memories
festinger tokens       dry run: the tokens of a file
festinger cues         dry run: the statements of a file
"""

from __future__ import annotations

import os
import sys

import click

from festinger.errors import FestingerError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="festinger", prog_name="festinger")
def cli() -> None:
    """A shared memory for LLM agents that cannot hold a contradiction."""


def main() -> None:
    """Runs the command; what goes wrong on purpose is one sentence and exit code 1."""
    # gRPC's C core writes to standard error what we say in a sentence of our own.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    from festinger.cli import dryrun, review, start, tenants

    for command in (
        *start.COMMANDS,
        *dryrun.COMMANDS,
        *review.COMMANDS,
        *tenants.COMMANDS,
    ):
        cli.add_command(command)
    try:
        cli()
    except FestingerError as error:
        click.echo(f"festinger: {error.message}", err=True)
        sys.exit(1)
