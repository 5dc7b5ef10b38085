"""Output of what a command found: a line each for people, or JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import click

JSON = click.option("--json", "as_json", is_flag=True, help="A JSON object a line.")


def show(
    found: Iterable[Any], line: Callable[[Any], str], none: str, *, as_json: bool
) -> None:
    """Print messages, one a line.

    Args:
        line: Formats a message for people.
        none: What people are told if there is none.
        as_json: Whether to print JSON objects.
    """
    # Printed one by one: a list may have thousands of pages.
    empty = True
    for each in found:
        empty = False
        if as_json:
            print_message(each)
        else:
            click.echo(line(each))
    if empty and not as_json:  # no line is a valid answer for programs
        click.echo(none)


def print_message(message: Any) -> None:
    """Print an API message as a line of JSON."""
    # Imported here: protobuf is slow to import, and dry runs need none of it.
    from festinger.mapping import to_object

    print_json(to_object(message, {}))


def print_json(value: dict[str, Any]) -> None:
    """Print a value as a line of JSON."""
    # Names of all scripts stay readable.
    click.echo(json.dumps(value, ensure_ascii=False))
