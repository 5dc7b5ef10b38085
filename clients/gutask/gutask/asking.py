"""The command that asks the memory: `whatis`."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, TypeVar

import click

from gutask.answering import (
    answers,
    complain,
    joined,
    json_option,
    print_json,
    print_lines,
    utf8,
)
from gutask.errors import Exit, GutaskError
from gutask.moments import moment_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from gutask.client import MemoryConnection
    from gutask.options import Options

LINES_MAX = 8
"""Lines that are told of words that name no concept."""
# Words that name no concept are searched for among the lines.
_NO_CONCEPT = ("CONCEPT_NOT_FOUND", "NOT_A_TOKEN")

_Answer = TypeVar("_Answer")


def _moment(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> datetime | None:
    try:
        return None if value is None else moment_of(value)
    except ValueError:
        raise click.BadParameter(
            f"{value!r} is no time. Write a date or a date-time of ISO 8601, as "
            "2026-01-05, 2026-01-05T14:30 or 2026-01-05T14:30:00Z."
        ) from None


@click.command()
@click.argument("concept", nargs=-1, required=True)
@click.option("--history", is_flag=True, help="Tell all that happened to it instead.")
@click.option(
    "--dimension",
    metavar="NAME",
    help="With --history: only what happened in this dimension.",
)
@click.option(
    "--as-of",
    metavar="TIME",
    callback=_moment,
    help="Tell what was known at that time.",
)
@json_option
@click.pass_obj
@answers
def whatis(
    options: Options,
    /,
    *,
    concept: tuple[str, ...],
    history: bool,
    dimension: str | None,
    as_of: datetime | None,
    as_json: bool,
) -> Exit:
    """Says what is known of a concept, or what was.

    \b
    gutask whatis gnommoweb
    gutask whatis Glitch University
    gutask whatis stock file
    gutask whatis gnommoweb --history --dimension type
    gutask whatis gnommoweb --as-of 2026-01-05

    A history has an event in each line, oldest first, in local time; long words in
    quotes are shortened, and whole with --json.

    TIME is a date or a date-time of ISO 8601, in local time unless it names an offset.
    A date means the end of that day, and a time without a fraction the end of that
    second: a time from a history shows what was known after it.
    """
    if dimension is not None and not history:
        raise click.UsageError("--dimension belongs to --history.")
    if history and as_of is not None:
        raise click.UsageError("--history tells of all times, --as-of of one: choose.")
    name = joined(concept)
    # Options are checked before anything is sent.
    if history:
        where = utf8(dimension or "")
        return _tell_history(options, name, dimension=where, as_json=as_json)
    return _tell_facts(options, name, as_of=as_of, as_json=as_json)


def _tell_facts(
    options: Options, name: str, *, as_of: datetime | None, as_json: bool
) -> Exit:
    try:
        found = _ask(options, name, lambda memory: memory.concept(name, as_of=as_of))
    except GutaskError as error:
        # Lines of an earlier moment cannot be searched.
        if as_of is not None or error.reason not in _NO_CONCEPT:
            raise
        return _tell_lines(options, name, error, as_json=as_json)

    # Imported where it is used, as it imports the messages.
    from gutask import render

    lines = render.concept_lines(found.concept)
    if as_json:
        print_json(render.concept_json(found))
    else:
        print_lines(lines)
    # On standard error, so that what is printed stays the answer.
    if found.stale:
        complain("the server has not heard from its database: this may be old")
    if lines:
        return Exit.OK
    if as_of is not None:
        complain(f"nothing was known of {name} then")
    else:
        # Met, as a word of somebody's prompt: nothing was stated of it.
        complain(f"nothing is known of {name}, though it was met\n{_store_hint(name)}")
    return Exit.NOT_FOUND


def _tell_lines(
    options: Options, words: str, error: GutaskError, *, as_json: bool
) -> Exit:
    """Tell what fits some words that name no concept. Raises `GutaskError` if nothing."""
    try:
        with options.connect() as memory:
            lines = memory.search(words, most=LINES_MAX).lines
    except GutaskError as refusal:
        if refusal.status != "UNIMPLEMENTED":
            raise
        # An older server knows no lines: what was asked first is the answer.
        raise error from None
    if not lines:
        raise error  # with what to do: how to store it
    if as_json:
        print_json({"lines": [{"name": it.name, "text": it.text} for it in lines]})
    else:
        from gutask.wording import clean

        print_lines([clean(it.text) for it in lines])
    return Exit.OK


def _tell_history(
    options: Options, name: str, *, dimension: str, as_json: bool
) -> Exit:
    events = _ask(
        options, name, lambda memory: memory.history(name, dimension=dimension)
    )

    from gutask.history import event_json, event_line

    if as_json:
        print_json({"events": [event_json(event) for event in events]})
    else:
        print_lines([event_line(event) for event in events])
    if events:
        return Exit.OK
    where = f" in {dimension}" if dimension else ""
    complain(f"nothing ever happened to {name}{where}")
    return Exit.NOT_FOUND


def _ask(
    options: Options, name: str, question: Callable[[MemoryConnection], _Answer]
) -> _Answer:
    """Ask about a concept, and say how to store it if it was never met."""
    try:
        with options.connect() as memory:
            return question(memory)
    except GutaskError as error:
        if error.exit_code is Exit.NOT_FOUND:
            error.message += f"\n{_store_hint(name)}"
        raise


def _store_hint(name: str) -> str:
    # Quoted for a shell, as the name may hold any characters.
    fact = shlex.quote(f"{name} -isa <parent> in context of <dimension>")
    return f"If it is not a typo, store it: gutask iknowthat {fact}"
