"""The `festinger` command.

festinger up           server, shim and a Postgres of its own, on this machine
festinger serve        the memory server alone
festinger shim         the Ollama shim alone
festinger bots         the bots that ask people on Matrix, Slack or by a webhook
festinger check        the configuration that is in force
festinger demo         a scripted conversation with a stand-in for Ollama
festinger facts        what is known: lines by any word
festinger forget       forgets what people said, everywhere
festinger export       everything that is known, a JSON object a line
festinger evaluate     what would be kept and told of conversations of your own
festinger conflicts    the contradictions that wait, and deciding about them
festinger resolve      has a model settle the contradictions now
festinger review       the memories and entities that wait, one by one, by key
festinger memories     the typed memories
festinger entities     the entities
festinger state        a project's trusted state, and writing it
festinger ingest       reads documents, and proposes what is found in them
festinger waves        the waves in which documents were read
festinger interactions what is kept of conversations, and reading memories out of it
festinger rejections   what a model read there and was not stored, and why
festinger candidates   the doubtful statements that wait, and deciding about them
festinger dream        has a model look into what people rejected or left, now
festinger predicates   what predicates are in the graph, and what is suggested
festinger trace        where a fact comes from: candidate, message, answers
festinger verify       whether it does, computed again by whoever wants to know
festinger raters       those who answer, and how far machines' confidence is right
festinger learn        learns from what people answered now, instead of at night
festinger labels       what people decided, as examples to teach a model with
festinger models       the language models that work in the background
festinger config       what a memory has set, and changing it
festinger tenant       the memories
festinger reload       has a running server load a memory anew
festinger tokens       dry run: the tokens of a file
festinger cues         dry run: the statements of a file
festinger ground       dry run: how well texts support claims
festinger extract      dry run: what would be extracted from a file
festinger aggregate    dry run: what votes decide, and what voters are worth
"""

from __future__ import annotations

import errno
import os
import sys
from importlib import import_module
from typing import NoReturn

import click

from festinger.cli.output import forgiving
from festinger.errors import FestingerError

COMMANDS = {
    "up": "system.start:up",
    "serve": "system.start:serve",
    "shim": "system.start:shim",
    "bots": "system.start:bots",
    "check": "system.check:check",
    "demo": "system.start:demo",
    "facts": "recollection.facts:facts",
    "forget": "recollection.facts:forget",
    "export": "recollection.facts:export",
    "evaluate": "language.evaluating:evaluate",
    "conflicts": "review.review:conflicts",
    "resolve": "graph.resolving:resolve",
    "review": "review.reviewing:review",
    "memories": "review.claims:memories",
    "entities": "review.claims:entities",
    "state": "review.claims:state",
    "ingest": "review.ingesting:ingest",
    "waves": "review.ingesting:waves",
    "interactions": "memories.conversations:interactions",
    "rejections": "memories.conversations:rejections",
    "candidates": "review.review:candidates",
    "dream": "validation.dreaming:dream",
    "predicates": "graph.predicates:predicates",
    "trace": "provenance.tracing:trace",
    "verify": "provenance.verifying:verify_chain",
    "raters": "validation.learning:raters",
    "learn": "validation.learning:learn",
    "labels": "validation.learning:labels",
    "models": "system.models:models",
    "config": "system.preferences:config",
    "tenant": "system.tenants:tenant",
    "reload": "system.reloading:reload",
    "tokens": "language.dryrun:tokens",
    "cues": "language.dryrun:cues",
    "ground": "language.grounding:ground_claims",
    "extract": "review.extracting:extract",
    "aggregate": "validation.aggregating:aggregate_votes",
}


class Commands(click.Group):
    """Imports a command when it is asked for: a dry run needs no gRPC."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, the first ones first."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command; None if there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name].split(":")
        command: click.Command = getattr(import_module(f"festinger.cli.{module}"), name)
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="festinger", prog_name="festinger")
def cli() -> None:
    """A shared memory for LLM agents that cannot hold a contradiction."""


def main() -> None:
    """Runs the command; what goes wrong on purpose is one sentence and exit code 1."""
    # gRPC's C core writes to standard error what we say in a sentence of our own.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        cli()
    except FestingerError as error:
        from festinger.cli.lines import harmless

        _fail(harmless(error.message))
    except UnicodeEncodeError as error:
        # Python keeps what is no text as surrogates, which no message can carry.
        if error.reason != "surrogates not allowed":
            raise
        _fail("the words are not valid UTF-8")
    except OSError as error:
        # Nothing but output is written without a name.
        if error.errno != errno.ENOSPC or error.filename is not None:
            raise
        # What is left in the buffer would fail once more at the process's end.
        forgiving(sys.stdout).flush()
        _fail("the output cannot be written: there is no room left")


def _fail(why: str) -> NoReturn:
    click.echo(f"festinger: {why}", err=True)
    sys.exit(1)
