"""Commands that ingest documents and list the waves of ingestion."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import click
from google.protobuf.json_format import MessageToDict
from google.protobuf.timestamp_pb2 import Timestamp

from festinger.api.v1 import ingestion_service_pb2 as pb
from festinger.cli.calls import connected, items
from festinger.cli.lines import printable, wave_line
from festinger.cli.listing import JSON, show
from festinger.cli.options import CONFIG, DATA_DIR, NUMBER, SERVER, TENANT, options
from festinger.cli.progress import StepProgress
from festinger.cli.review import files
from festinger.cli.review.files import Listing
from festinger.client import Client

SECONDS = 86_400.0
"""Timeout of a wave's calls in seconds, extraction included."""
OFFERS = 500
"""The maximum number of documents that are offered without content per call."""
SENT_BYTES = 2**20
SENT = 100
"""The maximum size (`SENT_BYTES`) and number of documents with content per call;
a larger document is sent alone."""
SHOWN = 20
"""The maximum number of refused files that are listed."""

_Result = pb.AddDocumentsResponse
_Item = TypeVar("_Item")


# Of this call; a resumed wave counts what earlier calls brought as well.
@dataclass(slots=True)
class _FileCounts:
    """Counts of the processed files.

    Attributes:
        read: The number of files that were read.
        unchanged: The number of files that have not changed.
        problems: The files that could not be read, with the reasons.
        vanished: The number of files that were removed or changed in the meantime.
    """

    read: int = 0
    unchanged: int = 0
    problems: list[tuple[str, str]] = field(default_factory=list)
    vanished: int = 0


def _named(context: click.Context, parameter: click.Parameter, path: str) -> Path:
    """Convert the argument to a path; raise `BadParameter` if it is empty."""
    if not path.strip():
        # `ingest "$DOCS"` with an unset variable.
        raise click.BadParameter("it is empty. Write . for the current folder")
    return Path(path)


@click.command()
@options(CONFIG, DATA_DIR, SERVER, TENANT)
@click.argument("path", type=click.Path(), callback=_named)
@click.option("--project", default="", help="The project that they belong to.")
@click.option(
    "--extract/--no-extract",
    default=True,
    show_default=True,
    help="Have the extractors read what is new.",
)
@click.option("--dry-run", is_flag=True, help="Only list what would be read.")
@click.option("--json", "as_json", is_flag=True, help="Print the wave as JSON.")
def ingest(
    path: Path, project: str, extract: bool, dry_run: bool, as_json: bool, **values: Any
) -> None:
    """Read the documents at or below PATH, and propose what is found in them.

    Of a git checkout what is tracked, else what lies there: Markdown, reStructuredText,
    text, and files whose form says what they mean (compose files, manifests, CODEOWNERS
    and the like). What did not change since the last time is not read again, and what is
    gone is taken out. Whatever is found waits for a person to decide.

    Stopped in the middle, the same command goes on. The exit code is 1 if it could not be
    done, whatever single files were like.
    """
    found = files.listing(path)
    if dry_run:
        for name in found.names:
            click.echo(printable(name))
        return
    tally = _FileCounts(problems=list(found.problems))
    with connected(**values, seconds=SECONDS) as client:
        started = client.call(
            "IngestionService.StartWave",
            pb.StartWaveRequest(
                project=project,
                root=str(found.root),
                scope=found.scope,
                extract=extract,
            ),
        )
        # From here on the wave is open: Ctrl-C leaves it for the next call.
        with _interruptible(started.wave.id), StepProgress(silent=as_json) as steps:
            if started.resumed:
                steps.say(f"Going on with wave {started.wave.id}")
            _read_all(client, started, found, tally, steps)
            wave = _finish(client, started.wave.id, steps)
    if as_json:
        click.echo(json.dumps(_as_dict(wave, tally), indent=2))
    else:
        _say(wave, tally)
    if wave.state == pb.Wave.STATE_FAILED:  # what single files were like is no failure
        raise SystemExit(1)


@click.group(invoke_without_command=True)
@options(CONFIG, DATA_DIR, SERVER, TENANT)
@JSON
@click.pass_context
def ingestions(context: click.Context, /, as_json: bool, **values: Any) -> None:
    """List the waves in which documents were read, newest first."""
    context.obj = values
    if context.invoked_subcommand:
        return
    listed = items(values, pb.ListWavesRequest())
    none = "No documents were read. Read some: festinger ingest PATH"
    show(listed, wave_line, none, as_json=as_json)


@ingestions.command("extract")
@NUMBER
@click.pass_obj
def extract_again(values: dict[str, Any], number: int) -> None:
    """Have today's extractors read what wave NUMBER brought."""
    wave = pb.Wave()
    with connected(**values, seconds=SECONDS) as client, StepProgress() as steps:
        request = pb.ExtractWaveRequest(wave_id=number)
        for told in client.stream("IngestionService.ExtractWave", request):
            wave = told.wave
            steps.step("Extracting", told.done_chunk_count, told.chunk_count)
    click.echo(wave_line(wave))
    if wave.state == pb.Wave.STATE_FAILED:
        raise SystemExit(1)


@contextmanager
def _interruptible(wave_id: int) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        click.echo(
            f"\nstopped in wave {wave_id}: the same command goes on with it", err=True
        )
        raise SystemExit(130) from None  # 128 + SIGINT, as shells expect


def _read_all(
    client: Client,
    started: pb.StartWaveResponse,
    found: Listing,
    tally: _FileCounts,
    steps: StepProgress,
) -> None:
    done = 0
    # First the digests of many files: most are unchanged, and their contents stay here.
    for names in _batches(found.names, OFFERS):
        wanted: list[str] = []
        offered = [
            each
            for name in names
            if (each := _offer(found, name, started, tally, with_content=False))
        ]
        for document, added in _add(client, started, offered, tally):
            # New, or changed since the last wave.
            if added.result == _Result.RESULT_WANTED:
                wanted.append(document.path)
        done += len(names) - len(wanted)
        steps.step("Reading", done, len(found.names))
        for documents in _loads(found, wanted, started, tally):
            for _, added in _add(client, started, documents, tally):
                if added.result == _Result.RESULT_WANTED:
                    tally.vanished += 1  # it exists, but changes constantly
            done += len(documents)
            steps.step("Reading", done, len(found.names))


def _offer(
    found: Listing,
    name: str,
    started: pb.StartWaveResponse,
    tally: _FileCounts,
    *,
    with_content: bool,
) -> pb.Document | None:
    """Return the message for a document, or None if the file is gone."""
    try:
        data, status = files.read(found.root, name, started.document_bytes_max)
    except FileNotFoundError:
        tally.vanished += 1
        return None  # other than a problem: the server takes it out
    except OSError as error:
        return pb.Document(path=name, problem=error.strerror or str(error))
    moment = found.changed_at(name, status)
    changed = Timestamp()
    # Times before 1970 are the epoch.
    changed.FromMicroseconds(int(max(0.0, moment or 0.0) * 1e6))
    return pb.Document(
        path=name,
        # Size and digest are of what is sent, which may be newer than the status.
        size=status.st_size if data is None else len(data),
        modify_time=None if moment is None else changed,
        digest=b"" if data is None else sha256(data).digest(),
        content=data if with_content else None,
    )


def _loads(
    found: Listing,
    names: Sequence[str],
    started: pb.StartWaveResponse,
    tally: _FileCounts,
) -> Iterator[list[pb.Document]]:
    """Yield batches of documents with content, one for each call."""
    load: list[pb.Document] = []
    size = 0
    # Below the server's limit, and small enough to show progress.
    most = min(SENT_BYTES, started.call_bytes_max)
    for name in names:
        document = _offer(found, name, started, tally, with_content=True)
        if document is None:
            continue
        # A document larger than that goes alone: it is below `document_bytes_max`.
        if load and (size + len(document.content) > most or len(load) == SENT):
            yield load
            load, size = [], 0
        load.append(document)
        size += len(document.content)
    if load:
        yield load


def _add(
    client: Client,
    started: pb.StartWaveResponse,
    documents: Sequence[pb.Document],
    tally: _FileCounts,
) -> Iterator[tuple[pb.Document, pb.AddDocumentsResponse.Added]]:
    """Send documents, count the results and yield them."""
    if not documents:
        return
    request = pb.AddDocumentsRequest(wave_id=started.wave.id, documents=documents)
    answer = client.call("IngestionService.AddDocuments", request)
    # One answer for each, in their order.
    for document, added in zip(documents, answer.added, strict=True):
        match added.result:
            case _Result.RESULT_READ:
                tally.read += 1
            case _Result.RESULT_UNCHANGED:
                tally.unchanged += 1
            case _Result.RESULT_REFUSED:
                tally.problems.append((printable(document.path), added.problem))
        yield document, added


def _finish(client: Client, wave_id: int, steps: StepProgress) -> pb.Wave:
    wave = pb.Wave()
    for told in client.stream(
        "IngestionService.FinishWave", pb.FinishWaveRequest(wave_id=wave_id)
    ):
        wave = told.wave
        steps.step("Extracting", told.done_chunk_count, told.chunk_count)
    return wave


def _say(wave: pb.Wave, tally: _FileCounts) -> None:
    click.echo(wave_line(wave))
    if tally.vanished:
        click.echo(f"{tally.vanished} files were gone when it was their turn")
    for name, why in tally.problems[:SHOWN]:
        click.echo(f"not read: {name}: {why}")
    if len(tally.problems) > SHOWN:
        click.echo(f"… and {len(tally.problems) - SHOWN} more")
    if not (tally.read or tally.vanished or wave.removed_count):
        click.echo("Nothing has changed.")
    if wave.report.overflow_count:
        click.echo(
            "What is for later reviews comes up as what waits is decided: "
            "festinger inbox"
        )


def _as_dict(wave: pb.Wave, tally: _FileCounts) -> dict[str, Any]:
    return {
        "wave": MessageToDict(
            wave,
            preserving_proto_field_name=True,
            # Programs need not know which fields protobuf leaves out.
            always_print_fields_with_no_presence=True,
        ),
        "read_count": tally.read,
        "vanished_count": tally.vanished,
        "problems": [{"path": name, "problem": why} for name, why in tally.problems],
    }


def _batches(these: Sequence[_Item], size: int) -> Iterator[list[_Item]]:
    iterator = iter(these)
    while batch := list(islice(iterator, size)):
        yield batch
