"""The commands that change the memory: `iknowthat` and `forget`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gutask.answering import (
    FACT_SETTINGS,
    answers,
    fact_of,
    json_option,
    print_json,
    print_lines,
    utf8,
)
from gutask.errors import Exit

if TYPE_CHECKING:
    from gutask.options import Options

_EXIT_BY_VERDICT = {
    "held": Exit.OK,
    "corroborated": Exit.OK,
    "conflicted": Exit.CONFLICT,
    "candidate": Exit.CANDIDATE,
    "rejected": Exit.REJECTED,
}


@click.command(context_settings=FACT_SETTINGS)
@click.argument("fact", nargs=-1, type=click.UNPROCESSED)
@json_option
@click.pass_obj
@answers
def iknowthat(options: Options, /, *, fact: tuple[str, ...], as_json: bool) -> Exit:
    """States a fact, and says what became of it.

    \b
    gutask iknowthat 'gnommoweb -isa repo in context of glitch_university'
    gutask iknowthat 'gnommoweb -ispart glitch_university'

    -isa classifies, -ispart contains; -not before it denies. Without `in context of`
    the dimension is `type` or `membership`. The quotes may be left out.
    """
    statement = fact_of(fact, command="iknowthat")
    with options.connect() as memory:
        response = memory.state(statement)

    from gutask import render

    if as_json:
        print_json(render.outcome_json(response))
    else:
        print_lines([render.outcome_line(response.outcome)])
    verdict = render.verdict_name(response.outcome.verdict)
    return _EXIT_BY_VERDICT.get(verdict, Exit.ERROR)


@click.command(context_settings=FACT_SETTINGS)
@click.argument("fact", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--why",
    default="",
    metavar="TEXT",
    help="The reason, for the record; at most 400 characters.",
)
@json_option
@click.pass_obj
@answers
def forget(
    options: Options, /, *, fact: tuple[str, ...], why: str, as_json: bool
) -> Exit:
    """Takes back a fact, and says what is held in its place.

    \b
    gutask forget 'gnommoweb -isa repo in context of glitch_university'
    gutask forget 'gnommoweb -not -isa container' --why 'it is one now'

    The fact is written as it was stated to `iknowthat`; with -not a denial is taken
    back. It does not come back by itself: only `iknowthat` or an operator's decision
    states it anew. A statement that only this fact kept waiting is held now.
    """
    statement, reasoning = fact_of(fact, command="forget"), utf8(why)
    with options.connect() as memory:
        response = memory.forget(statement, why=reasoning)

    from gutask import render

    if as_json:
        print_json(render.forgotten_json(response))
    else:
        print_lines(render.forgotten_lines(response))
    return Exit.OK
