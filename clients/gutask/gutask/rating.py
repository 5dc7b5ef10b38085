"""The commands that say what a told line was worth: `helped` and `wrong`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gutask.answering import answers, json_option, print_json, print_lines, utf8
from gutask.errors import Exit

if TYPE_CHECKING:
    from collections.abc import Callable

    from gutask.options import Options

_LINE = click.argument("line", metavar="LINE")
_PROMPT = click.option(
    "--prompt",
    default="",
    metavar="TEXT",
    help="The prompt that was told it, for the record; at most 4,000 characters.",
)


def _rated(command: Callable[..., Exit]) -> Callable[..., None]:
    # The decorators that both commands share; the innermost is applied first.
    return _LINE(_PROMPT(json_option(click.pass_obj(answers(command)))))


@click.command()
@_rated
def helped(options: Options, /, *, line: str, prompt: str, as_json: bool) -> Exit:
    """Says that a line helped, so that it is ranked higher.

    \b
    gutask helped said-12.0 --prompt 'when does the stock file come?'

    LINE is a name, as `gutask whatis WORDS --json` and the console give it.
    """
    return _rate(options, line, wrong=False, prompt=prompt, as_json=as_json)


@click.command()
@_rated
def wrong(options: Options, /, *, line: str, prompt: str, as_json: bool) -> Exit:
    """Says that a line is wrong, so that no prompt is told it any more.

    \b
    gutask wrong said-12.0

    A person is asked about it, and can have it told again. LINE is as for `helped`.
    """
    return _rate(options, line, wrong=True, prompt=prompt, as_json=as_json)


# `helped` and `wrong` differ only in the verdict.
def _rate(
    options: Options, line: str, *, wrong: bool, prompt: str, as_json: bool
) -> Exit:
    with options.connect() as memory:
        response = memory.rate(utf8(line), wrong=wrong, prompt=utf8(prompt))

    from gutask.wording import clean

    if as_json:
        shown = {"name": response.line.name, "text": response.line.text}
        print_json({"line": shown, "verdict": "wrong" if wrong else "helped"})
    else:
        told = "is told no longer" if wrong else "is ranked higher"
        # With its text, so that a person sees whether it was the line that they meant.
        print_lines([f"{told}: {clean(response.line.text)}"])
    return Exit.OK
