"""The page of the command line: `festinger` and `gutask`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import click

from festinger.cli import cli as festinger
from gutask.cli import cli as gutask
from tools.reference.markdown import cell, prose, table

_HEAD: Final = """# Commands

`festinger` runs and operates a memory; `gutask` is what agents state and ask with, and
comes in a package of its own. Both tell their options with `--help`. Every command of
`festinger` that asks a running server finds it by `--data-dir` (or `FESTINGER_DATA_DIR`)
and `--server`, and ends with 0, or with 1 and a sentence that says what was wrong; a
command line that cannot be read is 2.

This page is generated from the commands themselves.
"""


def commands_page() -> str:
    """Return the page."""
    parts = [_HEAD]
    for name, command in (("festinger", festinger), ("gutask", gutask)):
        parts.append(f"## {name}\n")
        parts += _described(command, name, None)
    return "\n".join(parts)


def _described(
    command: click.Command, path: str, above: click.Context | None
) -> Iterator[str]:
    """Yield what a command does, its options, and the commands below it."""
    context = click.Context(command, parent=above, info_name=path.split()[-1])
    if above is not None:
        yield f"### {path}\n"
    # What stands behind a \b is laid out by hand.
    text = (command.help or "").replace("\f", "")
    yield _paragraphs(text) + "\n"
    usage = " ".join(command.collect_usage_pieces(context))
    yield f"```text\n{path} {usage}\n```\n"
    options = (it for it in command.params if isinstance(it, click.Option))
    rows = (_option(it, context) for it in options if not it.hidden)
    yield table(("option", "what it does"), rows)
    if command.epilog:
        yield _paragraphs(command.epilog) + "\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield from _described(below, f"{path} {name}", context)


def _option(option: click.Option, context: click.Context) -> tuple[str, str]:
    record = option.get_help_record(context)
    names, text = record if record else (option.opts[0], "")
    return f"`{cell(names)}`", cell(text)


def _paragraphs(text: str) -> str:
    """Return help as Markdown; what was laid out by hand as it stands."""
    parts = []
    for paragraph in re.split(r"\n\s*\n", prose(text)):
        plain = paragraph.removeprefix("\b\n")
        if plain != paragraph:
            parts.append(f"```text\n{plain}\n```")
        elif plain.startswith("Example: "):
            parts.append(f"Example: `{' '.join(plain[9:].split())}`")
        else:
            parts.append(plain)
    return "\n\n".join(parts)
