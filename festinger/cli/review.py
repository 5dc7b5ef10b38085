"""What waits for a person: conflicts and candidates."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import grpc

from festinger.api.v1 import (
    conflict_pb2,
    conflict_service_pb2,
    conflict_service_pb2_grpc,
    factoid_pb2,
    factoid_service_pb2,
    factoid_service_pb2_grpc,
    memory_service_pb2,
    memory_service_pb2_grpc,
    outcome_pb2,
    triple_pb2,
)
from festinger.cli.options import CONFIG, DATA_DIR, SERVER, TENANT, options, settings
from festinger.config import Settings
from festinger.credentials import OPERATOR, read_token, token_file
from festinger.errors import FestingerError

SECONDS = 10.0
Metadata = tuple[tuple[str, str], ...]

CONNECTION = options(CONFIG, DATA_DIR, SERVER, TENANT)
ALL = click.option("--all", "show_all", is_flag=True, help="The decided ones too.")


@click.group(invoke_without_command=True)
@CONNECTION
@ALL
@click.pass_context
def conflicts(context: click.Context, /, show_all: bool, **values: Any) -> None:
    """List the contradictions that wait for a decision."""
    context.obj = values
    if context.invoked_subcommand:
        return
    states = [] if show_all else [conflict_pb2.Conflict.STATE_PENDING]
    with _connected(**values) as (channel, metadata):
        stub = conflict_service_pb2_grpc.ConflictServiceStub(channel)
        found = _pages(
            lambda token: stub.ListConflicts(
                conflict_service_pb2.ListConflictsRequest(
                    states=states, page_token=token
                ),
                metadata=metadata,
                timeout=SECONDS,
            ),
            lambda page: page.conflicts,
        )
        _print_all(map(_conflict_line, found), "No conflict waits.")


@conflicts.command()
@click.argument("number", type=int)
@click.option("--because", default="", help="Why, for the record.")
@click.pass_obj
def update(values: dict[str, Any], number: int, because: str) -> None:
    """Let the refused statement replace the fact."""
    _settle(values, number, conflict_pb2.Conflict.DECISION_UPDATE, because)


@conflicts.command()
@click.argument("number", type=int)
@click.option("--because", default="", help="Why, for the record.")
@click.pass_obj
def dismiss(values: dict[str, Any], number: int, because: str) -> None:
    """Drop the refused statement; the fact stands."""
    _settle(values, number, conflict_pb2.Conflict.DECISION_DISMISS, because)


@click.group(invoke_without_command=True)
@CONNECTION
@ALL
@click.pass_context
def candidates(context: click.Context, /, show_all: bool, **values: Any) -> None:
    """List the doubtful statements that wait for a person."""
    context.obj = values
    if context.invoked_subcommand:
        return
    states = [] if show_all else [factoid_pb2.Factoid.STATE_PENDING_VALIDATION]
    with _connected(**values) as (channel, metadata):
        stub = factoid_service_pb2_grpc.FactoidServiceStub(channel)
        found = _pages(
            lambda token: stub.ListFactoids(
                factoid_service_pb2.ListFactoidsRequest(
                    states=states, page_token=token
                ),
                metadata=metadata,
                timeout=SECONDS,
            ),
            lambda page: page.factoids,
        )
        _print_all(map(_factoid_line, found), "No candidate waits.")


@candidates.command()
@click.argument("number", type=int)
@click.pass_obj
def confirm(values: dict[str, Any], number: int) -> None:
    """Confirm a statement; it may still conflict with what is held."""
    with _connected(**values) as (channel, metadata):
        stub = factoid_service_pb2_grpc.FactoidServiceStub(channel)
        response = stub.ConfirmFactoid(
            factoid_service_pb2.ConfirmFactoidRequest(
                factoid_id=number, request_id=str(uuid.uuid4())
            ),
            metadata=metadata,
            timeout=SECONDS,
        )
    outcome = response.outcome
    verdict = outcome_pb2.Outcome.Verdict.Name(outcome.verdict)
    word = verdict.removeprefix("VERDICT_").lower()
    queued = f" as conflict #{outcome.conflict_id}" if outcome.conflict_id else ""
    click.echo(f"confirmed #{number}: {_statement(outcome.triple)} — {word}{queued}")


@candidates.command()
@click.argument("number", type=int)
@click.pass_obj
def reject(values: dict[str, Any], number: int) -> None:
    """Reject a statement."""
    with _connected(**values) as (channel, metadata):
        stub = factoid_service_pb2_grpc.FactoidServiceStub(channel)
        response = stub.RejectFactoid(
            factoid_service_pb2.RejectFactoidRequest(
                factoid_id=number, request_id=str(uuid.uuid4())
            ),
            metadata=metadata,
            timeout=SECONDS,
        )
    click.echo(f"rejected #{number}: {_statement(response.factoid.triple)}")


def _settle(
    values: dict[str, Any],
    number: int,
    decision: conflict_pb2.Conflict.Decision,
    reasoning: str,
) -> None:
    with _connected(**values) as (channel, metadata):
        stub = memory_service_pb2_grpc.MemoryServiceStub(channel)
        response = stub.Resolve(
            memory_service_pb2.ResolveRequest(
                conflict_id=number,
                decision=decision,
                reasoning=reasoning,
                request_id=str(uuid.uuid4()),
            ),
            metadata=metadata,
            timeout=SECONDS,
        )
    click.echo(_conflict_line(response.conflict))


@contextmanager
def _connected(
    config_file: Path | None, data_dir: Path | None, server: str | None, tenant: str
) -> Iterator[tuple[grpc.Channel, Metadata]]:
    """A channel to the server, and the operator's credential.

    Raises:
        FestingerError: The call failed; the message is the server's.
    """
    chosen = settings(config_file, data_dir=data_dir, server=server)
    metadata: Metadata = (("festinger-tenant", tenant),)
    if token := read_token(chosen.data_dir, OPERATOR):
        metadata = (*metadata, ("authorization", f"Bearer {token}"))
    try:
        with grpc.insecure_channel(chosen.server.address) as channel:
            yield channel, metadata
    except grpc.RpcError as error:
        raise FestingerError(_explain(error, chosen, bool(token))) from None


def _explain(error: grpc.RpcError, chosen: Settings, has_token: bool) -> str:
    code, details = error.code(), error.details() or ""
    if code is grpc.StatusCode.UNAVAILABLE and "connect" in details.lower():
        return (
            f"no memory server at {chosen.server.address}. Start one with `make run` or "
            "`festinger up`, or name it with --server"
        )
    if code is grpc.StatusCode.PERMISSION_DENIED and not has_token:
        return (
            f"deciding needs the operator's token, {token_file(chosen.data_dir, OPERATOR)},"
            " which is not there or not yours to read. Name the server's data directory "
            "with --data-dir"
        )
    return details


def _pages(
    get: Callable[[str], Any], items: Callable[[Any], Iterable[Any]]
) -> Iterator[Any]:
    token = ""
    while True:
        page = get(token)
        yield from items(page)
        token = page.next_page_token
        if not token:
            return


def _print_all(lines: Iterable[str], none: str) -> None:
    empty = True
    for line in lines:
        click.echo(line)
        empty = False
    if empty:
        click.echo(none)


def _statement(triple: triple_pb2.Triple) -> str:
    denial = "not " if triple.negated else ""
    return f"{triple.concept}: [{triple.dimension}] {denial}{triple.parent}"


def _conflict_line(conflict: conflict_pb2.Conflict) -> str:
    state = conflict_pb2.Conflict.State.Name(conflict.state).removeprefix("STATE_")
    kind = conflict_pb2.Conflict.Type.Name(conflict.type).removeprefix("TYPE_")
    held = conflict.existing.parent or "nothing"
    incoming = conflict.incoming
    denial = "not " if incoming.negated else ""
    times = (
        f", {conflict.statement_count} times" if conflict.statement_count > 1 else ""
    )
    what = f"{denial}{incoming.parent}"
    both = (
        f"held {held}, refused {what}"
        if conflict.state == conflict_pb2.Conflict.STATE_PENDING
        else f"held {held} now; in question was {what}"
    )
    lines = [
        f"#{conflict.id} {state.lower()}  {incoming.concept} [{incoming.dimension}]: "
        f"{both}  ({kind.lower()}, by {conflict.incoming_principal}{times})"
    ]
    if conflict.evidence:
        lines.append(f"    “{conflict.evidence}”")
    if conflict.HasField("resolution"):
        because = conflict.resolution.reasoning
        lines.append(
            f"    decided by {conflict.resolution.principal}"
            + (f": {because}" if because else "")
        )
    return "\n".join(lines)


def _factoid_line(factoid: factoid_pb2.Factoid) -> str:
    state = factoid_pb2.Factoid.State.Name(factoid.state).removeprefix("STATE_")
    times = f", {factoid.statement_count} times" if factoid.statement_count > 1 else ""
    line = (
        f"#{factoid.id} {state.lower()}  {_statement(factoid.triple)}  "
        f"({factoid.reason}, confidence {factoid.confidence:.2f}, by {factoid.author}"
        f"{times})"
    )
    return f"{line}\n    “{factoid.evidence}”" if factoid.evidence else line
