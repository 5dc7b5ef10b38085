"""What predicates are in the graph."""

from __future__ import annotations

from typing import Any

import click

from festinger.api.v1 import validation_service_pb2 as pb
from festinger.api.v1 import validation_service_pb2_grpc
from festinger.cli.calls import call
from festinger.cli.lines import harmless
from festinger.cli.options import CONFIG, DATA_DIR, SERVER, TENANT, options

URI = click.argument("uri")


@click.group(invoke_without_command=True)
@options(CONFIG, DATA_DIR, SERVER, TENANT)
@click.pass_context
def predicates(context: click.Context, /, **values: Any) -> None:
    """List the predicates and what is suggested, set one, or dismiss a suggestion.

    Whoever puts a candidate forward names a predicate, as t:joined; the graph has
    dimensions. What recurs and nobody registered is suggested.
    """
    context.obj = values
    if context.invoked_subcommand in (None, "list"):
        _list(values)


@predicates.command("list")
def list_() -> None:
    """List the predicates, and those that are suggested."""


@predicates.command("set")
@URI
@click.argument("dimension")
@click.option(
    "--isa", is_flag=True, help="It says what something is, not what it is in."
)
@click.option(
    "--question",
    default="",
    metavar="TEXT",
    help="How it is asked: 'did {subject} join {object}?'",
)
@click.pass_obj
def set_(
    values: dict[str, Any], uri: str, dimension: str, isa: bool, question: str
) -> None:
    """Let the predicate URI be DIMENSION."""
    predicate = pb.Predicate(
        uri=uri, dimension=dimension, is_isa=isa, question=question
    )
    answer = _set(values, pb.SetPredicateRequest(predicate=predicate))
    click.echo(_line(answer.predicate))


@predicates.command()
@URI
@click.pass_obj
def dismiss(values: dict[str, Any], uri: str) -> None:
    """Suggest the predicate URI no more."""
    request = pb.SetPredicateRequest(predicate=pb.Predicate(uri=uri), dismiss=True)
    _set(values, request)
    click.echo(f"{harmless(uri)} is suggested no more")


def _list(values: dict[str, Any]) -> None:
    listed = call(
        values,
        lambda channel: (
            validation_service_pb2_grpc.ValidationServiceStub(channel).ListPredicates
        ),
        pb.ListPredicatesRequest(),
    )
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
        lambda channel: (
            validation_service_pb2_grpc.ValidationServiceStub(channel).SetPredicate
        ),
        request,
    )


def _line(predicate: pb.Predicate) -> str:
    """A predicate: `t:joined  [joined] is part of  did {subject} join {object}?`."""
    flavour = "isa" if predicate.is_isa else "ispart"
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
    return harmless(
        f"{predicate.uri}  [{predicate.dimension}] {flavour}{question}{tail}"
    )
