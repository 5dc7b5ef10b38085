"""Commands that list and set predicates."""

from __future__ import annotations

from typing import Any

import click

from festinger.api.v1 import validation_service_pb2 as pb
from festinger.cli.calls import call
from festinger.cli.lines import harmless
from festinger.cli.listing import JSON, print_message
from festinger.cli.options import CONFIG, DATA_DIR, SERVER, TENANT, options
from festinger.mapping import choices_of, word_of

NAME = click.argument("name")  # the URI of a predicate, or a dimension
WORDS_SHOWN = 6
"""The maximum number of a predicate's words that are listed."""


@click.group(invoke_without_command=True)
@options(CONFIG, DATA_DIR, SERVER, TENANT)
@JSON
@click.pass_context
def predicates(context: click.Context, /, as_json: bool, **values: Any) -> None:
    """List the predicates and what is suggested, set one, or dismiss a suggestion.

    Whoever puts a candidate forward names a predicate, as t:joined; the graph has
    dimensions. What recurs and nobody registered is suggested.
    """
    context.obj = values  # for the commands below it
    # `predicates` alone lists, as `predicates list` does.
    if context.invoked_subcommand in (None, "list"):
        _list(values, as_json=as_json)


@predicates.command("list")
def list_() -> None:
    """List the predicates, and those that are suggested."""


@predicates.command("set")
@NAME
@click.argument("dimension", default="")
@click.option(
    "--isa", is_flag=True, help="It says what something is, not what it is in."
)
@click.option(
    "--cardinality",
    type=click.Choice(list(choices_of(pb.Predicate.Cardinality))),
    help="How many values a subject can have at a time.",
)
@click.option(
    "--synonym",
    "synonyms",
    multiple=True,
    metavar="WORDS",
    help="Further words that mean it; may be repeated.",
)
@click.option(
    "--no-synonym",
    "without",
    multiple=True,
    metavar="WORDS",
    help="A synonym of yours that means it no more; may be repeated.",
)
@click.option(
    "--question",
    default="",
    metavar="TEXT",
    help="How it is asked: 'did {subject} join {object}?'",
)
@click.pass_obj
def set_(
    values: dict[str, Any],
    name: str,
    dimension: str,
    isa: bool,
    cardinality: str | None,
    synonyms: tuple[str, ...],
    without: tuple[str, ...],
    question: str,
) -> None:
    """Say what the predicate NAME is: its DIMENSION, how many values, which words.

    NAME is a URI (t:joined) or the name of a dimension (runs-on). What is left out stays
    as it is.
    """
    if isa and not dimension:
        raise click.UsageError("--isa needs the DIMENSION")
    predicate = pb.Predicate(
        uri=name,
        dimension=dimension,
        is_isa=isa,
        question=question,
        # Unspecified keeps what it has.
        cardinality=f"CARDINALITY_{(cardinality or 'unspecified').upper()}",
        synonyms=synonyms,
    )
    answer = _set(
        values, pb.SetPredicateRequest(predicate=predicate, remove_synonyms=without)
    )
    click.echo(_line(answer.predicate))


@predicates.command()
@click.argument("uri")
@click.pass_obj
def dismiss(values: dict[str, Any], uri: str) -> None:
    """Suggest the predicate URI no more."""
    _set(values, pb.SetPredicateRequest(predicate=pb.Predicate(uri=uri), dismiss=True))
    click.echo(f"{harmless(uri)} is suggested no more")


def _list(values: dict[str, Any], *, as_json: bool) -> None:
    listed = call(values, pb.ListPredicatesRequest())
    if as_json:
        print_message(listed)
        return
    for predicate in listed.predicates:
        click.echo(_line(predicate))
    for suggestion in listed.suggestions:
        click.echo(
            harmless(
                f"suggested: {suggestion.uri}  met {suggestion.count} times, as in "
                + "; ".join(suggestion.examples)
            )
        )


def _set(values: dict[str, Any], request: pb.SetPredicateRequest) -> Any:
    return call(
        values,
        request,  # a predicate is in force when the call returns
    )


def _line(predicate: pb.Predicate) -> str:
    """Format a predicate: `t:joined  [joined] single ispart  did {subject} …?`."""
    flavour = "isa" if predicate.is_isa else "ispart"
    if predicate.cardinality:
        flavour = (
            f"{word_of(pb.Predicate.Cardinality, predicate.cardinality)} {flavour}"
        )
    notes = [
        note
        for note, holds in (
            ("built in", predicate.built_in),
            ("people are asked", predicate.pilot),
        )
        if holds
    ]
    tail = f"  ({', '.join(notes)})" if notes else ""
    question = f"  {predicate.question}" if predicate.question else ""
    # The memory's own before those of the product.
    words = [*predicate.synonyms, *predicate.words]
    shown = ", ".join(words[:WORDS_SHOWN])
    if len(words) > WORDS_SHOWN:
        shown += f", and {len(words) - WORDS_SHOWN} more"
    return harmless(
        f"{predicate.uri}  [{predicate.dimension}] {flavour}{question}{tail}"
    ) + (f"\n    {harmless(shown)}" if shown else "")
