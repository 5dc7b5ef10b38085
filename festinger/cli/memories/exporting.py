"""Command that exports a memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeAlias

import click

from festinger.api.v1 import line_service_pb2 as pb
from festinger.cli.calls import connected
from festinger.cli.lines import counted
from festinger.cli.memories.writers import graphml, nquads, table, vault
from festinger.cli.options import CONFIG, DATA_DIR, SERVER, TENANT, options
from festinger.cli.recollection.facts import dump
from festinger.client import Client
from festinger.errors import FestingerError

SECONDS: Final = 86_400.0  # a day, since a memory may be of any size
VAULT: Final = "markdown"  # a format of many files, unlike the writers

Lines: TypeAlias = Iterator[pb.MemoryLine]


def _jsonl(lines: Lines) -> Iterator[str]:
    for line in lines:
        yield f"{dump(line)}\n"


WRITERS: Final[Mapping[str, Callable[[Lines], Iterator[str]]]] = {
    "jsonl": _jsonl,
    "nquads": nquads.write,
    "graphml": graphml.write,
    "csv": table.write,
}
"""Formats of one stream, by name."""


@click.command()
@options(CONFIG, DATA_DIR, SERVER, TENANT)
@click.option(
    "--format",
    "form",
    type=click.Choice([*WRITERS, VAULT]),
    default="jsonl",
    show_default=True,
)
@click.option("--project", default="", help="Only what belongs to this project.")
@click.option(
    "--as-of", type=click.DateTime(), help="What was known then, instead of now."
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="A file, instead of standard output; of a vault, an empty folder.",
)
def export(
    form: str, project: str, as_of: datetime | None, output: Path | None, **values: Any
) -> None:
    """Write everything that is known, in one of several formats, of any size.

    `jsonl` has all of it, and can be imported again. `nquads` has what holds, and where it
    comes from (PROV-O). `markdown` is a vault with a page a concept; `graphml` and `csv`
    have the facts.

    \b
    festinger export > memory.jsonl
    festinger export --project shop --as-of 2026-11-01 > shop.jsonl
    festinger export --format markdown --output vault/
    """
    request = pb.ExportLinesRequest(project=project)
    if as_of is not None:
        # `click.DateTime` knows no zones: a time is this machine's, as people mean it.
        request.as_of_time.FromDatetime(as_of.astimezone(UTC))
    if form == VAULT:
        folder = _empty(output)
        with connected(**values, seconds=SECONDS) as client:
            pages = vault.write(_lines(client, request), folder)
        click.echo(f"Written: {counted(pages, 'page')} into {folder}.")
        return
    with connected(**values, seconds=SECONDS) as client:
        parts = WRITERS[form](_lines(client, request))
        if output is None:
            _print(parts)
        else:
            _write(parts, output)


def _print(parts: Iterator[str]) -> None:
    try:
        for part in parts:
            click.echo(part, nl=False)  # parts end their own lines
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has closed the pipe; the rest of the buffer is discarded.
        # Python would flush it at the exit, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write(parts: Iterator[str], output: Path) -> None:
    """Write a file, which is there as a whole or not at all."""
    # Hidden, and in the same folder, so that renaming is one step.
    unfinished = output.with_name(f".{output.name}.part")
    try:
        # Nobody else may read what people said.
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.writelines(parts)
        unfinished.replace(output)
    except OSError as error:
        raise FestingerError(f"{output}: {error.strerror or error}") from None
    finally:
        unfinished.unlink(missing_ok=True)


def _empty(output: Path | None) -> Path:
    """Return a folder for a vault, which it makes."""
    if output is None:
        raise FestingerError("a vault is a folder: name an empty one with --output")
    try:
        output.mkdir(parents=True, exist_ok=True)
        # Files of an earlier export would look like pages of this one.
        if any(output.iterdir()):
            raise FestingerError(f"{output} is not empty: name another folder")
    except OSError as error:
        raise FestingerError(f"{output}: {error.strerror or error}") from None
    return output


def _lines(client: Client, request: pb.ExportLinesRequest) -> Lines:
    for page in client.stream("LineService.ExportLines", request):
        yield from page.lines
