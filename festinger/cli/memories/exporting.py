"""Command that exports a memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, Final

import click

from festinger.api.v1 import line_service_pb2 as pb
from festinger.api.v1 import line_service_pb2_grpc
from festinger.cli.calls import Call, connected
from festinger.cli.options import CONFIG, DATA_DIR, SERVER, TENANT, options
from festinger.cli.recollection.facts import dump

SECONDS: Final = 86_400.0


@click.command()
@options(CONFIG, DATA_DIR, SERVER, TENANT)
@click.option(
    "--format", "form", type=click.Choice(["jsonl"]), default="jsonl", show_default=True
)
@click.option("--project", default="", help="Only what belongs to this project.")
@click.option(
    "--as-of", type=click.DateTime(), help="What was known then, instead of now."
)
def export(form: str, project: str, as_of: datetime | None, **values: Any) -> None:
    """Write everything that is known, in one of several formats, of any size.

    \b
    festinger export > memory.jsonl
    festinger export --project shop --as-of 2026-11-01 > shop.jsonl
    """
    request = pb.ExportLinesRequest(project=project)
    if as_of is not None:
        request.as_of_time.FromDatetime(as_of.astimezone(UTC))
    try:
        with connected(**values, seconds=SECONDS) as calling:
            for line in _lines(calling, request):
                click.echo(dump(line))
    except BrokenPipeError:
        # The reader has closed the pipe; the rest of the buffer is discarded.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _lines(calling: Call, request: pb.ExportLinesRequest) -> Iterator[pb.MemoryLine]:
    for page in calling(_export_lines, request):
        yield from page.lines


def _export_lines(channel: Any) -> Callable[..., Any]:
    stub = line_service_pb2_grpc.LineServiceStub(channel)
    method: Callable[..., Any] = stub.ExportLines
    return method
