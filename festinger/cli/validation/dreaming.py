"""`festinger validation dream`: run dreaming on the backlog now instead of at night."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from festinger.api.v1 import validation_pb2 as messages
from festinger.api.v1 import validation_service_pb2 as pb
from festinger.cli.calls import call, connected, pages
from festinger.cli.lines import harmless, moment
from festinger.cli.listing import JSON, print_message, show
from festinger.cli.options import CONFIG, DATA_DIR, SERVER, TENANT, options
from festinger.mapping import word_of

SECONDS = 86_400.0
"""Timeout of watching a night in seconds."""


@click.command()
@options(CONFIG, DATA_DIR, SERVER, TENANT)
@click.option("--progress", is_flag=True, help="Tell of each item as it is done.")
@click.option(
    "--items", type=click.IntRange(0), default=0, help="At most so many; 0 for all."
)
@click.option("--last", is_flag=True, help="Only show the last night's report.")
@click.option("--waiting", is_flag=True, help="Only list what waits, or failed.")
@JSON
def dream(
    *,
    progress: bool,
    items: int,
    last: bool,
    waiting: bool,
    as_json: bool,
    **values: Any,
) -> None:
    """Have the model of dream_model_id look into what people rejected or left.

    A night that is under way is watched instead; it goes on when you stop watching. The
    exit code is 1 if the night could not go on.
    """
    if last:
        _say_last(values, as_json=as_json)
        return
    if waiting:
        show(_waiting(values), _item, "Nothing waits.", as_json=as_json)
        return
    # Stopping to watch ends the stream; the night belongs to the server.
    with connected(**values, seconds=SECONDS) as client:
        stream = client.stream(
            "ValidationService.Dream", pb.DreamRequest(item_count_max=items)
        )
        dream_run = pb.DreamRun()
        for told in stream:
            dream_run = told.dream_run
            if as_json:
                print_message(told)
            elif progress and told.HasField("item"):
                # Failed ones are done as well.
                done = dream_run.item_count + dream_run.failed_count
                click.echo(f"{done}/{dream_run.total_count}  {_item(told.item)}")
    if not as_json:
        click.echo(_report(dream_run))
    # An open night could not go on.
    if dream_run.error or not dream_run.HasField("end_time"):
        raise SystemExit(1)


def _say_last(values: dict[str, Any], *, as_json: bool) -> None:
    # The runs are told with any page.
    page = call(values, pb.ListBacklogRequest(page_size=1))
    if as_json:
        for each in page.dream_runs[:1]:
            print_message(each)
        return
    if page.dream_runs:
        click.echo(_report(page.dream_runs[0]))
    else:
        click.echo("Nobody dreamt yet.")
    if page.resting:
        click.echo(f"resting: {harmless(page.resting)}")
    else:
        coming = moment(page.next_time) if page.HasField("next_time") else "never"
        click.echo(f"next night: {coming}")


def _waiting(values: dict[str, Any]) -> Iterator[messages.BacklogItem]:
    """Yield the items that wait, are under way or failed."""
    item = messages.BacklogItem
    # DONE is in the report.
    states = [item.STATE_WAITING, item.STATE_LEASED, item.STATE_FAILED]
    for page in pages(values, pb.ListBacklogRequest(states=states)):
        yield from page.items


def _report(dream_run: pb.DreamRun) -> str:
    """Format a night with its report."""
    ended = (
        f"until {moment(dream_run.end_time)}"
        if dream_run.HasField("end_time")
        else "and goes on by itself"
    )
    first = f"night {dream_run.id} ({dream_run.cause}) since {moment(dream_run.start_time)} {ended}"
    return harmless(
        "\n".join([first, *(f"  {it}" for it in dream_run.report.split("\n"))])
    )


def _item(item: messages.BacklogItem) -> str:
    """Format a backlog item with its findings and errors."""
    state = word_of(messages.BacklogItem.State, item.state)
    priority = word_of(messages.Priority, item.priority)
    lines = [
        f"#{item.id} {state}  candidate {item.candidate_id}, {item.reason} ({priority})"
    ]
    if item.last_error:
        lines.append(f"    failed {item.attempts} times: {item.last_error}")
    for finding in item.findings:
        why = f" ({finding.reason})" if finding.reason else ""
        lines.append(f"    {finding.outcome}{why}: {finding.fact}")
    return harmless("\n".join(lines))
