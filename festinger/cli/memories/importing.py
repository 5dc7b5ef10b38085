"""Command that imports memories and conversations of other systems."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import click

from festinger.api.v1 import line_service_pb2 as pb
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.cli.calls import connected
from festinger.cli.lines import counted, harmless
from festinger.cli.listing import JSON
from festinger.cli.memories.formats.files import files_of
from festinger.cli.memories.formats.items import items_of
from festinger.cli.memories.formats.records import FileRefusal, PlacedRecord
from festinger.cli.memories.formats.registry import NAMES, FileFormat, format_of
from festinger.cli.memories.formats.source import ImportSource
from festinger.cli.options import CONFIG, DATA_DIR, SERVER, TENANT, options
from festinger.cli.progress import StepProgress
from festinger.client import Client
from festinger.errors import FestingerError, UnreadableFile
from festinger.mapping import word_of

SECONDS: Final = 600.0  # of a call: hundreds of texts are read and judged
ITEMS: Final = 200
BYTES: Final = 2**20
"""The number of items in a call, and their size, if they are no single turn."""
SHOWN_MAX: Final = 10
"""The maximum number of refusals that are shown with their place."""


@dataclass(slots=True)
class ImportTally:
    """Counts of what became of a file.

    Attributes:
        items: Number of items that were read.
        kept: Number of sentences and notes that are kept.
        known: Number of items that are known from before.
        secrets: Number of secrets that were cut out.
        verdicts: Numbers of statements by verdict.
        refusals: Numbers of refusals by reason.
        places: The first places that were refused, with their reason.
    """

    items: int = 0
    kept: int = 0
    known: int = 0
    secrets: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    places: list[str] = field(default_factory=list)

    def refuse(self, place: str, reason: str) -> None:
        """Count a refusal."""
        self.refusals[reason] += 1
        if len(self.places) < SHOWN_MAX:
            self.places.append(f"{place}: {reason}")

    def add(self, answer: pb.ImportLinesResponse, places: list[str]) -> None:
        """Count the answer to a call."""
        self.kept += answer.kept_count
        self.known += answer.known_count
        self.secrets += answer.secret_count
        for outcome in answer.outcomes:
            self.verdicts[word_of(Outcome.Verdict, outcome.verdict)] += 1
            if outcome.verdict == Outcome.VERDICT_REJECTED:
                self.refusals[outcome.message or outcome.reason] += 1
        for each in answer.refusals:
            self.refuse(places[each.item_index], each.reason)


@click.command("import")
@options(CONFIG, DATA_DIR, SERVER, TENANT)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice([it.replace("_", "-") for it in NAMES]),
    help="The format, if it is not to be recognised.",
)
@click.option("--project", default="", help="The project, instead of the file's.")
@click.option("--speaker", default="", help="Who said what no speaker is named of.")
@click.option("--dry-run", is_flag=True, help="Only show what would become of it.")
@JSON
def import_files(
    paths: tuple[Path, ...],
    form: str | None,
    project: str,
    speaker: str,
    dry_run: bool,
    as_json: bool,
    **values: Any,
) -> None:
    """Import memories and conversations of other systems.

    Each file's format is recognised by its content. Of conversations, what people typed
    is read as if it had been typed now, with its time; statements pass the gate, and
    contradictions wait for a person. What was imported before stays as it is: stopped in
    the middle, the same command goes on.

    \b
    festinger memories import ~/Downloads/conversations.json --dry-run
    festinger memories import memory.jsonl --project shop
    """
    broken: list[str] = []
    with (
        connected(**values, seconds=SECONDS) as client,
        StepProgress(silent=as_json) as steps,
    ):
        for path in files_of(paths):
            tally, about = ImportTally(), form or ""
            try:
                found = format_of(path, about)
                about = found.name
                _import(client, path, found, tally, steps, project, speaker, dry_run)
            except UnreadableFile as error:
                broken.append(error.message)
            except OSError as error:
                broken.append(f"{path}: {error.strerror or error}")
            if as_json:
                click.echo(json.dumps(_object_of(path, about, tally)))
            # What stood before an error in the file is imported, and counted.
            elif tally.items or tally.refusals:
                click.echo(harmless(_told(path, about, tally, dry_run=dry_run)))
    if broken:
        raise FestingerError(
            "\n".join(broken)
            + (
                ""
                if dry_run
                else "\nWhat stands before that is imported; run it again "
                "when it is mended."
            )
        )


def _import(
    client: Client,
    path: Path,
    form: FileFormat,
    tally: ImportTally,
    steps: StepProgress,
    project: str,
    speaker: str,
    dry_run: bool,
) -> None:
    """Import a file in calls of bounded size."""
    total = path.stat().st_size
    # In KiB: bytes would have too many digits for a bar.
    source = ImportSource(
        path, lambda done: steps.step(path.name, done >> 10, total >> 10)
    )
    placed = _counted(form.read(source), tally)
    items = items_of(placed, path, project=project, speaker=speaker)
    for places, request in _requests(items):
        request.preview = dry_run
        tally.items += len(places)
        tally.add(client.call("LineService.ImportLines", request), places)


def _counted(
    records: Iterator[PlacedRecord], tally: ImportTally
) -> Iterator[PlacedRecord]:
    """Yield records, and count those that are left out."""
    for placed in records:
        if isinstance(placed.record, FileRefusal):
            tally.refuse(placed.place, placed.record.reason)
        else:
            yield placed


# A call has some items: one for each would be slow, and all are more than a message holds.
def _requests(
    items: Iterator[tuple[str, pb.ImportItem]],
) -> Iterator[tuple[list[str], pb.ImportLinesRequest]]:
    """Yield requests with some items each; what precedes an error comes before it."""
    places: list[str] = []
    request = pb.ImportLinesRequest()
    size, turn = 0, b""
    failure: UnreadableFile | None = None
    # `next` by hand: an error must not take along what was read before it.
    while True:
        try:
            place, item = next(items)
        except StopIteration:
            break
        except UnreadableFile as error:
            failure = error
            break
        # Sentences of one turn stay in one call, in which the server puts them together again.
        is_same = bool(turn) and item.line.kept.digest == turn
        if request.items and not is_same and (len(places) >= ITEMS or size >= BYTES):
            yield places, request
            places, request, size = [], pb.ImportLinesRequest(), 0
        places.append(place)
        request.items.append(item)
        size += item.ByteSize()
        turn = item.line.kept.digest  # empty but for sentences of an export
    if request.items:
        yield places, request
    if failure:
        # After the rest was sent.
        raise failure


def _object_of(path: Path, form: str, tally: ImportTally) -> dict[str, Any]:
    return {
        "file": str(path),
        "format": form,
        "items": tally.items,
        "kept": tally.kept,
        "known": tally.known,
        "secrets": tally.secrets,
        "statements": tally.verdicts,
        "refused": tally.refusals,
    }


def _told(path: Path, form: str, tally: ImportTally, *, dry_run: bool) -> str:
    """Format what became of a file."""
    would = "would be " if dry_run else ""
    verdicts = tally.verdicts
    lines = [
        f"{path} ({form}): {counted(tally.items, 'item')}, {tally.known} known before",
        f"  {counted(tally.kept, 'sentence')} {would}kept, "
        f"{counted(tally.secrets, 'secret')} cut out",
        f"  {counted(verdicts['held'], 'fact')} {would}held, "
        f"{verdicts['corroborated']} confirmed, {verdicts['candidate']} for a person to "
        "confirm",
    ]
    if verdicts["conflicted"]:
        lines.append(
            f"  {counted(verdicts['conflicted'], 'contradiction')} {would}queued: see "
            "`festinger inbox`"
        )
    refused = sum(tally.refusals.values())
    if refused:
        lines.append(f"  {refused} left out:")
        lines += [
            f"    {count:>6}  {reason}"
            for reason, count in tally.refusals.most_common(10)
        ]
        lines += [f"    {place}" for place in tally.places[:SHOWN_MAX]]
    return "\n".join(lines)
