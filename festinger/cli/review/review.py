"""Commands that list and decide pending conflicts and candidates."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click
import grpc

from festinger.api.v1 import (
    candidate_pb2,
    candidate_service_pb2,
    candidate_service_pb2_grpc,
    conflict_pb2,
    conflict_service_pb2,
    conflict_service_pb2_grpc,
    memory_service_pb2,
    memory_service_pb2_grpc,
)
from festinger.cli.calls import Method, call, items
from festinger.cli.lines import candidate_line, confirmed_line, conflict_line, statement
from festinger.cli.listing import JSON, show
from festinger.cli.options import CONFIG, DATA_DIR, NUMBER, SERVER, TENANT, options

CONNECTION = options(CONFIG, DATA_DIR, SERVER, TENANT)
ALL = click.option("--all", "show_all", is_flag=True, help="The decided ones too.")
BECAUSE = click.option("--because", default="", help="Why, for the record.")
INCOMING = click.option(
    "--incoming",
    required=True,
    metavar="DIMENSION",
    help="Where the refused statement belongs.",
)
EXISTING = click.option(
    "--existing",
    required=True,
    metavar="DIMENSION",
    help="Where the fact belongs; its present dimension lets it stand.",
)


@dataclass(frozen=True, slots=True)
class WaitingList:
    """List of items that wait for a person.

    Attributes:
        method: Returns the list method from a channel.
        request: The type of the list request.
        field: The field of the response that has the items.
        waiting: The state of pending items.
        line: Formats an item.
        none: The message for an empty list.
    """

    method: Method
    request: Callable[..., Any]
    field: str
    waiting: int
    line: Callable[[Any], str]
    none: str

    def show(self, values: dict[str, Any], *, show_all: bool, as_json: bool) -> None:
        """Print the pending items, or all items."""
        request = self.request(states=[] if show_all else [self.waiting])
        found = items(values, self.method, request, self.field)
        show(found, self.line, self.none, as_json=as_json)


CONFLICTS = WaitingList(
    lambda channel: (
        conflict_service_pb2_grpc.ConflictServiceStub(channel).ListConflicts
    ),
    conflict_service_pb2.ListConflictsRequest,
    "conflicts",
    conflict_pb2.Conflict.STATE_PENDING,
    conflict_line,
    "No conflict waits.",
)
CANDIDATES = WaitingList(
    lambda channel: (
        candidate_service_pb2_grpc.CandidateServiceStub(channel).ListCandidates
    ),
    candidate_service_pb2.ListCandidatesRequest,
    "candidates",
    candidate_pb2.Candidate.STATE_PENDING_VALIDATION,
    candidate_line,
    "No candidate waits.",
)


@click.group(invoke_without_command=True)
@CONNECTION
@ALL
@JSON
@click.pass_context
def conflicts(
    context: click.Context, /, show_all: bool, as_json: bool, **values: Any
) -> None:
    """List the contradictions that wait for a decision."""
    context.obj = values
    if not context.invoked_subcommand:
        CONFLICTS.show(values, show_all=show_all, as_json=as_json)


@conflicts.command()
@options(NUMBER, BECAUSE)
@click.pass_obj
def update(values: dict[str, Any], /, **decided: Any) -> None:
    """Let the refused statement replace the fact."""
    _settle(values, conflict_pb2.Conflict.DECISION_UPDATE, **decided)


@conflicts.command()
@options(NUMBER, BECAUSE)
@click.pass_obj
def dismiss(values: dict[str, Any], /, **decided: Any) -> None:
    """Drop the refused statement; the fact stands."""
    _settle(values, conflict_pb2.Conflict.DECISION_DISMISS, **decided)


@conflicts.command()
@options(NUMBER, EXISTING, INCOMING, BECAUSE)
@click.pass_obj
def decompose(values: dict[str, Any], /, **decided: Any) -> None:
    """Hold both, each in a dimension of its own."""
    _settle(values, conflict_pb2.Conflict.DECISION_DECOMPOSE, **decided)


@conflicts.command()
@options(NUMBER, INCOMING, BECAUSE)
@click.pass_obj
def reclassify(values: dict[str, Any], /, **decided: Any) -> None:
    """Hold the refused statement in another dimension; the fact stands."""
    _settle(values, conflict_pb2.Conflict.DECISION_RECLASSIFY, **decided)


@conflicts.command()
@options(NUMBER, BECAUSE)
@click.pass_obj
def undo(values: dict[str, Any], /, number: int, because: str) -> None:
    """Take a decision back: all is as it was before, and the conflict pending."""
    response = call(
        values,
        lambda channel: conflict_service_pb2_grpc.ConflictServiceStub(channel).Undo,
        conflict_service_pb2.UndoRequest(
            conflict_id=number, reasoning=because, request_id=str(uuid.uuid4())
        ),
    )
    click.echo(conflict_line(response.conflict))


def _settle(
    values: dict[str, Any],
    decision: conflict_pb2.Conflict.Decision,
    *,
    number: int,
    because: str,
    incoming: str = "",
    existing: str = "",
) -> None:
    request = memory_service_pb2.ResolveRequest(
        conflict_id=number,
        decision=decision,
        reasoning=because,
        request_id=str(uuid.uuid4()),
        incoming_dimension=incoming,
        existing_dimension=existing,
    )
    response = call(
        values,
        lambda channel: memory_service_pb2_grpc.MemoryServiceStub(channel).Resolve,
        request,
    )
    click.echo(conflict_line(response.conflict))


@click.group(invoke_without_command=True)
@CONNECTION
@ALL
@JSON
@click.pass_context
def candidates(
    context: click.Context, /, show_all: bool, as_json: bool, **values: Any
) -> None:
    """List the doubtful statements that wait for a person."""
    context.obj = values
    if not context.invoked_subcommand:
        CANDIDATES.show(values, show_all=show_all, as_json=as_json)


@candidates.command()
@NUMBER
@click.pass_obj
def confirm(values: dict[str, Any], number: int) -> None:
    """Confirm a statement; it may still conflict with what is held."""
    response = _decide(
        values,
        lambda candidates: candidates.ConfirmCandidate,
        candidate_service_pb2.ConfirmCandidateRequest(candidate_id=number),
    )
    click.echo(confirmed_line(number, response.outcome))


@candidates.command()
@NUMBER
@click.pass_obj
def reject(values: dict[str, Any], number: int) -> None:
    """Reject a statement."""
    response = _decide(
        values,
        lambda candidates: candidates.RejectCandidate,
        candidate_service_pb2.RejectCandidateRequest(candidate_id=number),
    )
    click.echo(f"rejected #{number}: {statement(response.candidate.triple)}")


def _decide(
    values: dict[str, Any],
    method: Callable[[candidate_service_pb2_grpc.CandidateServiceStub], Any],
    request: Any,
) -> Any:
    request.request_id = str(uuid.uuid4())

    def found(channel: grpc.Channel) -> Any:
        return method(candidate_service_pb2_grpc.CandidateServiceStub(channel))

    return call(values, found, request)
