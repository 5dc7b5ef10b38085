"""Dry runs of tokens and cues on a file. They store nothing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from festinger import _fast
from festinger.cli.application import application
from festinger.cli.listing import JSON, print_json
from festinger.cli.options import CONFIG
from festinger.config import load
from festinger.core.graph.tokens import blank_own_blocks, tokenise
from festinger.core.language.cues import Cue, CueVerdict, find_cues
from festinger.core.world.world import World
from festinger.errors import InvalidArgument

# Standard input by default, for pipes.
FILE = click.argument("file", default="-", type=click.Path(path_type=Path))

# As a diff marks what comes and what goes.
_MARKS = {CueVerdict.HELD: "+", CueVerdict.CANDIDATE: "?", CueVerdict.DROPPED: "-"}


@click.command()
@FILE
@JSON
def tokens(file: Path, as_json: bool) -> None:
    """Show the tokens of FILE (- for standard input)."""
    # As the server reads prompts: our own blocks are no text of anybody (B7).
    for token in tokenise(blank_own_blocks(text_of(file))):
        if as_json:
            print_json(
                {
                    "token": token.text,
                    "start": token.start,
                    "end": token.end,
                    "concept": token.concept,
                }
            )
        else:
            click.echo(token.text)


@click.command()
@FILE
@JSON
@CONFIG
def cues(file: Path, as_json: bool, config_file: Path | None) -> None:
    """Show the statements of FILE (- for standard input), for an empty memory.

    Marked + would be held, ? would wait for people, - is dropped.
    """
    # Everyday words are no concepts (B4a), so that their list decides what is found.
    world = World(application("dictionary")(load(config_file).dictionary))
    for cue in find_cues(_fast.scan(blank_own_blocks(text_of(file))), world):
        if as_json:
            print_json(_as_json(cue))
        else:
            why = f"  ({cue.reason})" if cue.reason else ""
            click.echo(f"{_MARKS[cue.verdict]} {cue.triple}  [{cue.rule}]{why}")


def text_of(file: Path) -> str:
    """Return the text of a file, `-` for standard input, or raise `InvalidArgument`."""
    try:
        data = sys.stdin.buffer.read() if file == Path("-") else file.read_bytes()
        # Without the mark that editors of Windows put before a text.
        return data.decode("utf-8-sig")
    except OSError as error:
        raise InvalidArgument(f"cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InvalidArgument(
            f"{file} is not UTF-8 text: byte {error.start} is {error.object[error.start]:#04x}"
        ) from None


def _as_json(cue: Cue) -> dict[str, Any]:
    triple = cue.triple
    return {
        "concept": triple.concept,
        "parent": triple.parent,
        "dimension": triple.dimension,
        "is_isa": triple.is_isa,
        "negated": triple.negated,
        "rule": cue.rule,
        "prior": cue.confidence,
        "verdict": cue.verdict,
        "reason": cue.reason,
        "start": cue.start,
        "end": cue.end,
    }
