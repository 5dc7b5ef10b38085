"""The `festinger` command."""

from __future__ import annotations

import errno
import os
import sys
from typing import NoReturn

import click

from festinger.cli.output import forgiving
from festinger.cli.rooms import CommandGroup
from festinger.errors import FestingerError


@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="festinger", prog_name="festinger")
def cli() -> None:
    """Run a shared memory for LLM agents that cannot hold a contradiction."""


def main() -> None:
    """Run the command; print an expected error as one sentence and exit with 1."""
    # gRPC's C core would log errors that are reported here in a sentence.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    # Pydantic would look for plugins in all packages that are installed.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        cli()
    except FestingerError as error:
        from festinger.cli.lines import harmless

        _fail(harmless(error.message))
    except UnicodeEncodeError as error:
        # Python decodes invalid UTF-8 to surrogates, which no message can carry.
        if error.reason != "surrogates not allowed":
            raise
        _fail("the words are not valid UTF-8")
    except OSError as error:
        # Only an error of the output has no file name.
        if error.errno != errno.ENOSPC or error.filename is not None:
            raise
        # The rest of the buffer would fail again when the process exits.
        forgiving(sys.stdout).flush()
        _fail("the output cannot be written: there is no room left")


def _fail(why: str) -> NoReturn:
    click.echo(f"festinger: {why}", err=True)
    sys.exit(1)
