"""The commands that change the memory: `iknowthat` and `forget`."""

from __future__ import annotations

import re
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
from gutask.errors import Exit, GutaskError

if TYPE_CHECKING:
    from gutask._api.line_service_pb2 import SayResponse
    from gutask.client import MemoryConnection
    from gutask.options import Options

# Such a refusal may be of plain words, which another call reads.
_NOT_STRICT = ("FACT_SYNTAX", "NOT_A_TOKEN")
# Whoever writes `gnommoweb -isa` means the strict form, and is told what is wrong in it.
_FLAG = re.compile(r"(?:^|\s)-(?:isa|ispart|not)\b", re.IGNORECASE)

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
    """State a fact, and say how it was understood and what became of it.

    \b
    gutask iknowthat 'gnommoweb -isa repo in context of glitch_university'
    gutask iknowthat 'gnommoweb -ispart glitch_university'
    gutask iknowthat 'gnommoweb is a repo'
    gutask iknowthat 'the stock file from Kassel arrives at 05:40'

    -isa classifies, -ispart contains; -not before it denies. Without `in context of`
    the dimension is `type` or `membership`. The quotes may be left out. Plain words that
    state no fact are kept as they were said.
    """
    statement = fact_of(fact, command="iknowthat")
    with options.connect() as memory:
        try:
            # The strict form first: only it says exactly what is to be held.
            response = memory.state(statement)
        except GutaskError as error:
            understood = _in_plain_words(memory, statement, error)
            return _tell_understood(understood, as_json=as_json)

    from gutask import render

    if as_json:
        print_json(render.outcome_json(response))
    else:
        print_lines([render.outcome_line(response.outcome)])
    verdict = render.verdict_name(response.outcome.verdict)
    return _EXIT_BY_VERDICT.get(verdict, Exit.ERROR)


def _in_plain_words(
    memory: MemoryConnection, text: str, error: GutaskError
) -> SayResponse:
    """Tell the memory what is no fact in the strict form. Raises `GutaskError`."""
    if error.reason not in _NOT_STRICT or _FLAG.search(text):
        raise error
    try:
        return memory.say(text)
    except GutaskError as refusal:
        # Not understood, or by an older server: the first error says how to write it.
        if refusal.status in ("INVALID_ARGUMENT", "UNIMPLEMENTED"):
            raise error from refusal
        raise


def _tell_understood(understood: SayResponse, *, as_json: bool) -> Exit:
    from gutask import render

    if as_json:
        print_json(render.understood_json(understood))
    else:
        print_lines(render.understood_lines(understood))
    codes = [
        _EXIT_BY_VERDICT.get(render.verdict_name(each.verdict), Exit.ERROR)
        for each in understood.outcomes
    ]
    # The worst of several statements: refused before waiting, and waiting before held.
    return max(codes, default=Exit.OK)


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

    # Imported where it is used, as it imports the messages.
    from gutask import render

    if as_json:
        print_json(render.forgotten_json(response))
    else:
        print_lines(render.forgotten_lines(response))
    return Exit.OK
