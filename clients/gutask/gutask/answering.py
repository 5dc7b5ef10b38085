"""Common parts of the commands: words, output and exit."""

from __future__ import annotations

import json
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, NoReturn, ParamSpec

import click

from gutask.errors import Exit, GutaskError

if TYPE_CHECKING:
    from collections.abc import Callable

    from gutask.options import Options

# Ends every message about a fact that cannot be read.
FACT_HELP = """\
Write: gutask {command} '<concept> -isa|-ispart <parent> [in context of <dimension>]'
Example: gutask {command} 'gnommoweb -isa repo in context of glitch_university'"""

# A fact's -isa and -ispart are words, not options.
FACT_SETTINGS = {"ignore_unknown_options": True}

_P = ParamSpec("_P")


def answers(
    command: Callable[Concatenate[Options, _P], Exit],
) -> Callable[Concatenate[Options, _P], None]:
    """Return a command that ends with its exit code, and says why if it fails."""

    @wraps(command)
    def run(options: Options, /, *args: _P.args, **kwargs: _P.kwargs) -> None:
        """Run the command and exit with its code; print a GutaskError."""
        try:
            code = command(options, *args, **kwargs)
        except GutaskError as error:
            _fail(error, as_json=bool(kwargs.get("as_json")))
        # Through click, which closes the context first.
        click.get_current_context().exit(code)

    return run


def json_option(command: Callable[..., None]) -> Callable[..., None]:
    """Add --json to a command."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print one JSON object."
    )(command)


def fact_of(words: tuple[str, ...], *, command: str) -> str:
    """Join the words of a fact. Raises `GutaskError` if there are none."""
    fact = joined(words)
    if not fact.strip():
        raise GutaskError(
            f"the fact is empty\n{FACT_HELP.format(command=command)}",
            status="INVALID_ARGUMENT",
            reason="FACT_SYNTAX",
        )
    return fact


def joined(words: tuple[str, ...]) -> str:
    """Join the words of a command line. Raises `GutaskError` if they are not UTF-8."""
    for word in words:
        # -isa and its like pass; `--server` after the command would become a word.
        if word.startswith("--"):
            raise click.NoSuchOption(
                word,
                f"No such option here: {word}. Options that name the server stand "
                "before the command.",
            )
    return utf8(" ".join(words))


def utf8(text: str) -> str:
    """Return a text if it can be sent. Raises `GutaskError` if it is not UTF-8."""
    # Arguments that are no UTF-8 come as lone surrogates, which protobuf refuses.
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise GutaskError(
            "the words are not valid UTF-8", status="INVALID_ARGUMENT"
        ) from error
    return text


def print_lines(lines: list[str]) -> None:
    """Print lines, if there are any."""
    if lines:  # an empty string would be an empty line
        click.echo("\n".join(lines))


def print_json(value: dict[str, Any]) -> None:
    """Print an object in a line of its own."""
    # ASCII: an escaped control character cannot steer a terminal.
    click.echo(json.dumps(value))


def complain(message: str) -> None:
    """Print on standard error what is wrong."""
    # Imported here, since it imports protobuf.
    from gutask.wording import clean_lines

    click.echo(f"gutask: {clean_lines(message)}", err=True)


def _fail(error: GutaskError, *, as_json: bool) -> NoReturn:
    # Programs read the error from standard output, as they do an answer.
    if as_json:
        described = {"status": error.status, "reason": error.reason}
        print_json({"error": {**described, "message": error.message}})
    complain(error.message)
    click.get_current_context().exit(error.exit_code)
