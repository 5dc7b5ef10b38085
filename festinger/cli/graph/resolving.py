"""`festinger graph resolve`: run the resolver now instead of at night."""

from __future__ import annotations

from typing import Any

import click
from google.protobuf.timestamp_pb2 import Timestamp

from festinger.api.v1 import conflict_service_pb2 as pb
from festinger.cli.calls import call, connected
from festinger.cli.lines import conflict_line, moment
from festinger.cli.listing import JSON, print_message
from festinger.cli.options import CONFIG, DATA_DIR, NUMBER_TYPE, SERVER, TENANT, options

SECONDS = 86_400.0  # a day: watching ends with the run, however long that takes


@click.command()
@options(CONFIG, DATA_DIR, SERVER, TENANT)
@click.argument("numbers", type=NUMBER_TYPE, nargs=-1)
@click.option("--progress", is_flag=True, help="Tell of each conflict as it is done.")
@click.option("--status", is_flag=True, help="Only say how resolving stands.")
@JSON
def resolve(
    numbers: tuple[int, ...], progress: bool, status: bool, as_json: bool, **values: Any
) -> None:
    """Have the model of resolve_model_id settle the conflicts that wait.

    Or only those of these NUMBERS. A run that is under way is watched instead; it goes
    on when you stop watching. The exit code is 1 if the run could not go on.
    """
    if status:
        _say_status(values, as_json=as_json)
        return
    with connected(**values, seconds=SECONDS) as client:
        # Stopping to watch ends the stream only; the run belongs to the server.
        stream = client.stream(
            "ConflictService.Run", pb.RunRequest(conflict_ids=numbers)
        )
        run = pb.Run()  # for the case that the stream is empty
        for told in stream:
            run = told.run
            if as_json:
                print_message(told)
            # The first and the last message tell of the run alone.
            elif progress and told.HasField("conflict"):
                click.echo(f"{run.done_count}/{run.conflict_count}  {_told(told)}")
    if not as_json:
        click.echo(_ended(run))
    if run.state != pb.Run.STATE_DONE:
        raise SystemExit(1)


def _told(told: pb.RunResponse) -> str:
    seconds = told.duration.ToTimedelta().total_seconds()
    failed = f"\n    stays pending: {told.error}" if told.error else ""
    return f"{conflict_line(told.conflict)}  [{seconds:.1f} s]{failed}"


def _ended(run: pb.Run) -> str:
    counts = (
        f"{run.resolved_count} resolved, {run.dismissed_count} dismissed, "
        f"{run.failed_count} still pending of {run.conflict_count}"
    )
    match run.state:
        case pb.Run.STATE_FAILED:
            return f"run {run.id} could not go on: {run.error} ({counts})"
        case pb.Run.STATE_RUNNING:
            return f"run {run.id} pauses, and goes on by itself ({counts})"
        case _:
            return f"run {run.id}: {counts}"


def _say_status(values: dict[str, Any], *, as_json: bool) -> None:
    standing = call(values, pb.GetResolverRequest())
    if as_json:
        print_message(standing)
        return
    people = standing.for_people_count
    waiting = f"{standing.pending_count} pending"
    if people:
        waiting += f", {people} of them for a person"
    if standing.HasField("oldest_pending_time"):  # absent if nothing waits
        waiting += f", the oldest since {_when(standing.oldest_pending_time)}"
    click.echo(waiting)
    if standing.resting:
        click.echo(f"resting: {standing.resting}")
    else:
        click.echo(f"next run: {_when(standing.next_run_time)}")
    for run in standing.runs:
        click.echo(f"{_when(run.start_time)}  by {run.principal}  {_ended(run)}")


def _when(time: Timestamp) -> str:
    return moment(time) if time.seconds > 0 else "never"  # 0: there is no next run
