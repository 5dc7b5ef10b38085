"""The `gutask` command.

grpc and the messages are imported where they are used: `gutask --help` needs neither.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from dataclasses import dataclass
from functools import wraps
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, NoReturn, ParamSpec

import click

from gutask import __version__
from gutask.errors import Exit, GutaskError

if TYPE_CHECKING:
    from collections.abc import Callable

    from gutask.client import Memory

FACT_HELP = """\
Write: gutask iknowthat '<concept> -isa|-ispart <parent> [in context of <dimension>]'
Example: gutask iknowthat 'gnommoweb -isa repo in context of glitch_university'"""

EPILOG = """\
\b
Exit codes:
  0   the fact is held or corroborated; the concept is known
  1   something unexpected
  2   the command line or the fact cannot be read
  3   the fact contradicts what is held, and is queued for a decision
  4   the fact waits for a person to confirm it
  5   the fact was rejected
  6   nothing is known of the concept
  69  the memory server cannot be reached
  77  permission denied
"""

# A port is demanded because grpc would silently take 443.
_ADDRESS = re.compile(r"(\[[0-9a-fA-F:.%]+\]|[^\s/:\[\]]+):[0-9]{1,5}")

_P = ParamSpec("_P")


@dataclass(frozen=True)
class Options:
    """The options before the command's name."""

    server: str
    tenant: str | None
    token: str | None
    token_file: Path | None
    timeout: float

    def connect(self) -> Memory:
        """Prepares the calls; the connection itself is made by the first one.

        Raises:
            GutaskError: The token's file cannot be read, or an option cannot be sent.
        """
        from gutask.client import Memory

        token = self.token
        if self.token_file is not None:
            try:
                token = self.token_file.read_text(encoding="utf-8").strip()
            except (OSError, UnicodeDecodeError) as error:
                raise GutaskError(
                    f"the token's file cannot be read: {error}",
                    status="INVALID_ARGUMENT",
                ) from error
        return Memory(
            self.server, tenant=self.tenant, token=token, timeout=self.timeout
        )


def _address(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> str | None:
    if value is not None and not _ADDRESS.fullmatch(value):
        raise click.BadParameter(
            f"{value!r} is not of the form HOST:PORT, as in 127.0.0.1:7700."
        )
    return value


@click.group(epilog=EPILOG, context_settings={"max_content_width": 88})
@click.option(
    "--server",
    envvar="FESTINGER_SERVER",
    default="127.0.0.1:7700",
    show_default=True,
    show_envvar=True,
    metavar="HOST:PORT",
    callback=_address,
    help="The memory server.",
)
@click.option(
    "--tenant",
    envvar="FESTINGER_TENANT",
    show_envvar=True,
    metavar="NAME",
    help="The memory to use, if not the server's default.",
)
@click.option(
    "--token",
    envvar="FESTINGER_TOKEN",
    show_envvar=True,
    metavar="TOKEN",
    help="The bearer token. Others on this machine can see it in the command line.",
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    help="A file that holds the token. Takes the place of --token.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="How long a call may take, with all its tries.",
)
@click.version_option(__version__, prog_name="gutask")
@click.pass_context
def cli(context: click.Context, /, **options: Any) -> None:
    """Tells Festinger's memory a fact, and asks it what it knows.

    Options that name the server stand before the command.
    """
    context.obj = Options(**options)


def _answers(
    command: Callable[Concatenate[Options, _P], Exit],
) -> Callable[Concatenate[Options, _P], None]:
    """Ends a command with its exit code, and says why if it fails."""

    @wraps(command)
    def run(options: Options, /, *args: _P.args, **kwargs: _P.kwargs) -> None:
        try:
            code = command(options, *args, **kwargs)
        except GutaskError as error:
            _fail(error, as_json=bool(kwargs.get("as_json")))
        click.get_current_context().exit(code)

    return run


def _json_option(command: Callable[..., None]) -> Callable[..., None]:
    return click.option(
        "--json", "as_json", is_flag=True, help="Print one JSON object."
    )(command)


# A fact's -isa and -ispart are words, not options.
@cli.command(context_settings={"ignore_unknown_options": True})
@click.argument("fact", nargs=-1, type=click.UNPROCESSED)
@_json_option
@click.pass_obj
@_answers
def iknowthat(options: Options, /, *, fact: tuple[str, ...], as_json: bool) -> Exit:
    """States a fact, and says what became of it.

    \b
    gutask iknowthat 'gnommoweb -isa repo in context of glitch_university'
    gutask iknowthat 'gnommoweb -ispart glitch_university'

    -isa classifies, -ispart contains. Without `in context of` the dimension is `type`
    or `membership`. The quotes may be left out.
    """
    statement = _text(fact)
    if not statement.strip():
        raise GutaskError(
            f"the fact is empty\n{FACT_HELP}",
            status="INVALID_ARGUMENT",
            reason="FACT_SYNTAX",
        )

    with options.connect() as memory:
        response = memory.state(statement)

    from gutask import render

    if as_json:
        _print_json(render.outcome_json(response))
    else:
        click.echo(render.outcome_line(response.outcome))
    return {
        "held": Exit.OK,
        "corroborated": Exit.OK,
        "conflicted": Exit.CONFLICT,
        "candidate": Exit.CANDIDATE,
        "rejected": Exit.REJECTED,
    }.get(render.verdict_name(response.outcome), Exit.ERROR)


@cli.command()
@click.argument("concept", nargs=-1, required=True)
@_json_option
@click.pass_obj
@_answers
def whatis(options: Options, /, *, concept: tuple[str, ...], as_json: bool) -> Exit:
    """Says what is known of a concept.

    \b
    gutask whatis gnommoweb
    gutask whatis Glitch University
    """
    name = _text(concept)
    try:
        with options.connect() as memory:
            found = memory.concept(name)
    except GutaskError as error:
        if error.exit_code is Exit.NOT_FOUND:
            error.message += f"\n{_store_hint(name)}"
        raise

    from gutask import render

    lines = render.concept_lines(found)
    if as_json:
        _print_json(render.concept_json(found))
    elif lines:
        click.echo("\n".join(lines))
    if lines:
        return Exit.OK
    _complain(f"nothing is known of {name}, though it was met\n{_store_hint(name)}")
    return Exit.NOT_FOUND


def main() -> None:
    """Runs the command line."""
    # grpc logs every refused connection; what matters is said by us.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A name outside the terminal's encoding is shown escaped.
            stream.reconfigure(errors="backslashreplace")
    cli(prog_name="gutask")


def _text(words: tuple[str, ...]) -> str:
    """Joins the words of a command line.

    Raises:
        GutaskError: They are not UTF-8.
    """
    for word in words:
        # -isa and its like pass; `--server` after the command would become a word.
        if word.startswith("--"):
            raise click.NoSuchOption(
                word,
                f"No such option here: {word}. Options that name the server stand "
                "before the command.",
            )
    text = " ".join(words)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise GutaskError(
            "the words are not valid UTF-8", status="INVALID_ARGUMENT"
        ) from error
    return text


def _store_hint(name: str) -> str:
    fact = shlex.quote(f"{name} -isa <parent> in context of <dimension>")
    return f"If it is not a typo, store it: gutask iknowthat {fact}"


def _print_json(value: dict[str, Any]) -> None:
    # ASCII: an escaped control character cannot steer a terminal.
    click.echo(json.dumps(value))


def _complain(message: str) -> None:
    from gutask.render import clean_lines

    click.echo(f"gutask: {clean_lines(message)}", err=True)


def _fail(error: GutaskError, *, as_json: bool) -> NoReturn:
    if as_json:
        described = {"status": error.status, "reason": error.reason}
        _print_json({"error": {**described, "message": error.message}})
    _complain(error.message)
    click.get_current_context().exit(error.exit_code)
