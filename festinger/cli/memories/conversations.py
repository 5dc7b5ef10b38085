"""Commands for interactions and for the rejections of their extraction."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import click

from festinger.api.v1 import extraction_service_pb2 as pb
from festinger.api.v1 import memory_record_pb2
from festinger.api.v1 import memory_service_pb2 as memory_pb
from festinger.cli.calls import call, items, pages
from festinger.cli.lines import harmless, moment
from festinger.cli.listing import JSON, print_message
from festinger.cli.listing import show as show_each
from festinger.cli.options import CONFIG, DATA_DIR, NUMBER, SERVER, TENANT, options
from festinger.errors import FestingerError
from festinger.mapping import word_of

# The states that do not change by themselves.
ENDED = (
    pb.Interaction.STATE_EXTRACTED,
    pb.Interaction.STATE_FAILED,
    pb.Interaction.STATE_FORGOTTEN,
)
EXTRACT_SECONDS = 600.0
"""Timeout of an extraction in seconds: the longest that a server allows."""
LOOK_SECONDS = 1.0
"""Seconds between two polls of an extraction that takes longer."""


@click.group(invoke_without_command=True)
@options(CONFIG, DATA_DIR, SERVER, TENANT)
@click.option("--subject", default="", help="Only those with this person.")
@click.option("--all", "show_all", is_flag=True, help="The extracted ones too.")
@JSON
@click.pass_context
def interactions(
    context: click.Context,
    /,
    subject: str,
    show_all: bool,
    as_json: bool,
    **values: Any,
) -> None:
    """List what is kept of conversations and waits, or failed.

    A conversation that is marked for it is extracted ten minutes after its last turn:
    the model of extract_model_id summarises what the person said and reads memories out
    of that.
    """
    context.obj = values  # for the commands below it
    if context.invoked_subcommand:
        return
    # The states before EXTRACTED are those of waiting; FAILED comes behind it.
    states = [] if show_all else [*range(1, pb.Interaction.STATE_EXTRACTED)]
    if not show_all:
        states.append(pb.Interaction.STATE_FAILED)
    request = pb.ListInteractionsRequest(states=states, subject=subject)
    resting = ""

    def listed() -> Iterator[pb.Interaction]:
        """Yield the conversations of all pages."""
        nonlocal resting  # told with each page, and shown once below the list
        for page in pages(values, request):
            resting = page.resting
            yield from page.interactions

    show_each(listed(), _interaction_line, "No conversation waits.", as_json=as_json)
    if resting and not as_json:
        click.echo(f"resting: {resting}")


@interactions.command()
@NUMBER
@JSON
@click.pass_obj
def show(values: dict[str, Any], number: int, as_json: bool) -> None:
    """Show all that was said, the summary, and what came of it."""
    interaction = _get(values, number)
    if as_json:
        print_message(interaction)
        return
    click.echo(_interaction_line(interaction))
    for turn in interaction.turns:
        click.echo(harmless(f"{word_of(memory_pb.Turn.Role, turn.role)}: {turn.text}"))
    if interaction.summary:
        click.echo(harmless(f"summary: {interaction.summary}"))
    _tell(interaction)


@interactions.command()
@NUMBER
@click.pass_obj
def extract(values: dict[str, Any], number: int) -> None:
    """Have memories read out of an interaction now, whatever became of it before."""
    request = pb.ExtractRequest(interaction_id=number)
    extracted = call(values, request, seconds=EXTRACT_SECONDS)
    interaction = extracted.interaction
    # The server answers before its own limit, and extracts on: look until it is done.
    while interaction.state not in ENDED and not interaction.last_error:
        time.sleep(LOOK_SECONDS)
        interaction = _get(values, number)
    if interaction.last_error:
        raise FestingerError(interaction.last_error)
    _tell(interaction)


@interactions.command()
@NUMBER
@click.pass_obj
def forget(values: dict[str, Any], number: int) -> None:
    """Delete what was said; the memories of it stay, each with what it quotes."""
    left = call(values, pb.ForgetInteractionRequest(interaction_id=number))
    click.echo(_interaction_line(left.interaction))


@click.command()
@options(CONFIG, DATA_DIR, SERVER, TENANT)
@click.option("--subject", default="", help="Only those about this person.")
@click.option("--proposals", is_flag=True, help="Only patterns too weak to be stored.")
@click.option("--report", is_flag=True, help="What became of the last extractions.")
@click.option(
    "--last",
    type=click.IntRange(1, 10_000),
    default=100,
    show_default=True,
    help="How many the report looks at.",
)
@JSON
def rejections(
    *,
    subject: str,
    proposals: bool,
    report: bool,
    last: int,
    as_json: bool,
    **values: Any,
) -> None:
    """List what a model read in conversations and was not stored, and why."""
    if report:
        told = call(values, pb.GetRejectionReportRequest(last_count=last))
        if as_json:
            print_message(told)
        else:
            click.echo("\n".join(told.lines))
        return
    request = pb.ListRejectionsRequest(subject=subject, proposals_only=proposals)
    found = items(values, request)
    show_each(found, _rejection_line, "Nothing was rejected.", as_json=as_json)


def _get(values: dict[str, Any], number: int) -> pb.Interaction:
    request = pb.GetInteractionRequest(interaction_id=number)
    found: pb.Interaction = call(values, request).interaction
    return found


def _tell(interaction: pb.Interaction) -> None:
    for line in interaction.log:
        click.echo(harmless(line))
    for finding in interaction.findings:
        click.echo(f"    {_finding_line(finding)}")


def _interaction_line(interaction: pb.Interaction) -> str:
    """Format an interaction with its state and result."""
    word = word_of(pb.Interaction.State, interaction.state)
    session = f" in {interaction.session}" if interaction.session else ""
    line = (
        f"#{interaction.id} {word}  {interaction.subject}{session}, "
        f"{interaction.turn_count} turns until {moment(interaction.update_time)}"
    )
    # One remark: what came of it, that nothing will, or when it is tried.
    if word == "extracted":
        found, stored = interaction.found_count, interaction.stored_count
        line += f"  ({found} found, {stored} stored)"
    elif word != "forgotten" and not interaction.extract:
        line += "  (not to be extracted)"
    elif interaction.HasField("due_time") and not interaction.last_error:
        line += f"  (to be extracted at {moment(interaction.due_time)})"
    if interaction.last_error:
        again = ""
        if interaction.HasField("due_time"):
            again = f", again at {moment(interaction.due_time)}"
        line += f"\n    failed {interaction.attempts} times{again}: {interaction.last_error}"
    return harmless(line)


def _finding_line(finding: pb.Interaction.Finding) -> str:
    """Format a finding of an interaction with its outcome."""
    record = f" #{finding.record_id}" if finding.record_id else ""
    because = ", ".join(filter(None, (finding.reason, finding.detail)))
    return harmless(
        f"{finding.text}: {finding.outcome}{record} "
        f"({word_of(memory_record_pb2.MemoryRecord.Type, finding.type)}, confidence "
        f"{finding.confidence:.2f}){': ' + because if because else ''}"
    )


def _rejection_line(rejection: pb.Rejection) -> str:
    """Format a rejection with its reason."""
    proposal = "a proposal, " if rejection.proposal else ""
    because = ", ".join(filter(None, (rejection.reason, rejection.detail)))
    line = (
        # The text goes with its conversation.
        f"#{rejection.id} {rejection.text or '(forgotten)'}  ({proposal}"
        f"{word_of(memory_record_pb2.MemoryRecord.Type, rejection.type)} of {rejection.subject}, "
        f"confidence {rejection.confidence:.2f} of {rejection.threshold:.2f})  {because}"
    )
    reason = rejection.validation.reason
    return harmless(f"{line}\n    {reason}" if reason else line)
