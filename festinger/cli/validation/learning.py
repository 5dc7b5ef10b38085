"""Commands for raters, calibrations and labelled examples."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

import click

from festinger.api.v1 import validation_service_pb2 as pb
from festinger.cli.calls import call, connected
from festinger.cli.lines import counted, harmless, moment
from festinger.cli.listing import JSON, print_message, show
from festinger.cli.options import CONFIG, DATA_DIR, SERVER, TENANT, options
from festinger.errors import ConfigurationError
from festinger.private import replacing

SECONDS = 600.0
"""Timeout of learning in seconds: the longest that a server allows."""
EXPORT_SECONDS = 86_400.0  # every decision, with its votes
BAR = 40
"""The width of the plot in characters."""


@click.group(invoke_without_command=True)
@options(CONFIG, DATA_DIR, SERVER, TENANT)
@JSON
@click.pass_context
def raters(context: click.Context, /, as_json: bool, **values: Any) -> None:
    """List those who answer, and how good they are at yes and at no.

    It is learnt each night. Karma is shown and weighs nothing.
    """
    context.obj = values
    if context.invoked_subcommand:
        return
    known = call(values, pb.ListRatersRequest())
    none = "Nobody has answered anything that could be learnt from."
    show(known.raters, _rater_line, none, as_json=as_json)
    if not as_json and known.HasField("fit_time"):  # unset before the first night
        click.echo(f"learnt at {moment(known.fit_time)}")


@raters.command()
@JSON
@click.pass_obj
def calibration(values: dict[str, Any], as_json: bool) -> None:
    """Show how far machines' confidence is right: the reliability plot of each."""
    found = call(values, pb.GetValidationMetricsRequest())
    none = "Nothing was decided yet that could be learnt from."
    show(found.calibrations, _calibration_plot, none, as_json=as_json)


@click.command()
@options(CONFIG, DATA_DIR, SERVER, TENANT)
@JSON
def learn(*, as_json: bool, **values: Any) -> None:
    """Learn from everything that was answered now, and not at night.

    Then say how good machines' confidence is, and whether what rules hold without asking
    is denied more often than before.
    """
    learnt = call(values, pb.LearnRequest(), seconds=SECONDS)
    if as_json:
        print_message(learnt)
        return
    click.echo(
        f"learnt from {counted(learnt.vote_count, 'vote')} of "
        f"{counted(learnt.rater_count, 'person', 'people')}"
    )
    for each in learnt.calibrations:
        click.echo(_calibration_line(each))
    for line in _drift_lines(learnt.drift):
        click.echo(line)


@click.group()
def labels() -> None:
    """Export what people decided as examples that a model can be taught with."""


@labels.command()
@options(CONFIG, DATA_DIR, SERVER, TENANT)
@click.argument("file", metavar="FILE.jsonl", type=click.Path(path_type=Path))
@click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]),
    help="Only what was decided since then, in UTC.",
)
@click.option("--named", is_flag=True, help="Call those who voted by their names.")
@click.option("--sensitive", is_flag=True, help="Also what holds something private.")
def export(
    *, file: Path, since: datetime | None, named: bool, sensitive: bool, **values: Any
) -> None:
    """Write what people decided, a JSON object a line (- for standard output).

    The file is written anew, all at once, and only you can read it. A pipe or a device is
    written into.
    """
    request = pb.ExportLabelsRequest(named=named, sensitive=sensitive)
    if since:
        request.since_time.FromDatetime(since.replace(tzinfo=UTC))  # as the help says
    count = 0
    with (
        _opened(file) as stream,
        connected(**values, seconds=EXPORT_SECONDS) as client,
    ):
        for each in client.stream("ValidationService.ExportLabels", request):
            stream.write(each.json + "\n")
            count += 1
    if str(file) != "-":
        click.echo(f"{counted(count, 'example')} in {file}")


@contextmanager
def _opened(file: Path) -> Iterator[TextIO]:
    if str(file) == "-":
        yield sys.stdout
        return
    # A link is kept, and its target is written.
    target = Path(os.path.realpath(file))
    # A pipe or a device cannot be replaced by a file.
    into = target.exists() and not target.is_file()
    try:
        with (
            target.open("w", encoding="utf-8")
            if into
            else replacing(target, durable=True)
        ) as stream:
            yield stream
    except OSError as error:  # of the connection and of the file
        raise ConfigurationError(f"cannot write {file}: {error.strerror}") from None


def _rater_line(rater: pb.Rater) -> str:
    remarks = []
    if rater.bloc != rater.principal:  # a bloc is named by its first account
        remarks.append(f"errs together with {rater.bloc}: their answers count as one")
    if rater.opted_out:
        remarks.append("does not want to be asked")
    return harmless(
        f"{rater.principal}  yes {rater.yes_skill:.2f}, no {rater.no_skill:.2f}, "
        f"{rater.judged_count} judged, karma {rater.karma:.1f}"
        + (f"  ({'; '.join(remarks)})" if remarks else "")
    )


def _calibration_line(calibration: pb.Calibration) -> str:
    line = f"{calibration.extractor}: {counted(calibration.label_count, 'label')}, "
    if calibration.method == "none":
        line += f"as it is (squared error {calibration.brier_before:.3f})"
    else:
        line += (
            f"{calibration.method} (squared error {calibration.brier_before:.3f}, "
            f"then {calibration.brier_after:.3f})"
        )
    return harmless(line)


def _calibration_plot(calibration: pb.Calibration) -> str:
    """Format the plot: bars are confirmed shares, and `|` marks the confidence."""
    lines = [_calibration_line(calibration)]
    for each in calibration.bins:
        bar = "█" * round(each.confirmed * BAR)
        said = min(BAR - 1, round(each.confidence * BAR))  # the last column at most
        cells = list(bar.ljust(BAR, "·"))
        cells[said] = "|"
        lines.append(
            f"    said {each.confidence:.2f}  {''.join(cells)}  "
            f"confirmed {each.confirmed:.2f} of {each.count}"
        )
    return "\n".join(lines)


def _drift_lines(drift: pb.Drift) -> Iterator[str]:
    if not drift.compared_count:
        yield "nothing that rules held was said again or denied lately"
        return
    share = drift.agreed_count / drift.compared_count
    yield (
        f"of what rules held {drift.compared_count} were said again or denied lately; "
        f"{share:.0%} agree, before {drift.agreed_before:.0%}"
    )
    yield from (harmless(f"    {rule}") for rule in drift.rules)
    if drift.drifting:
        yield "this is more than chance explains: see what changed in the texts"
