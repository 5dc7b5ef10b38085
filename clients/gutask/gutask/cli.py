"""The `gutask` command."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import Any

import click

from gutask import __version__
from gutask.asking import whatis
from gutask.completing import completion
from gutask.options import Options, options
from gutask.rating import helped, wrong
from gutask.telling import forget, iknowthat

# For scripts: the codes of `errors.Exit`, the same for every command.
EPILOG = """\
\b
Exit codes:
  0   the fact is held, corroborated or forgotten; the concept is known
  1   something unexpected
  2   the command line or the fact cannot be read
  3   the fact contradicts what is held, and is queued for a decision
  4   the fact waits for a person to confirm it
  5   the fact was rejected
  6   nothing is known of the concept; the fact to forget is not held
  69  the memory server cannot be reached
  77  permission denied
"""


@click.group(epilog=EPILOG, context_settings={"max_content_width": 88})
@options
@click.version_option(__version__, prog_name="gutask")
@click.pass_context
def cli(context: click.Context, /, **values: Any) -> None:
    """Tells Festinger's memory a fact, and asks it what it knows.

    Options that name the server stand before the command.
    """
    context.obj = Options(**values)


# Their modules import grpc and the messages where they call: `gutask --help` needs neither.
cli.add_command(iknowthat)
cli.add_command(forget)
cli.add_command(whatis)
cli.add_command(helped)
cli.add_command(wrong)
cli.add_command(completion)


def main() -> None:
    """Runs the command line."""
    # grpc logs every refused connection; what matters is said by us. Before its import.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A name outside the terminal's encoding is shown escaped.
            stream.reconfigure(errors="backslashreplace")
    cli(prog_name="gutask")
