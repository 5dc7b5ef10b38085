"""`festinger review extract`: dry run of extracting a file. It stores nothing."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from festinger.cli.application import application
from festinger.cli.listing import JSON, print_json
from festinger.cli.options import CONFIG
from festinger.config import load
from festinger.core.review.chunks import Chunk
from festinger.core.review.extractors import Extractor, builtin, further
from festinger.core.review.findings import (
    ChunkFinding,
    DocumentFindings,
    DocumentPlace,
    divide,
    sweep,
    whole_of,
)
from festinger.core.review.prose import is_prose
from festinger.core.review.queue import confidence
from festinger.core.world.world import World

UNREADABLE = 2
"""The exit code for a file that is binary, too large or broken."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@JSON
@click.option("--project", default="", help="Whose file it is.")
@click.option(
    "--path", default="", help="What it is called; its own name by default (not for -)."
)
@CONFIG
def extract(
    file: Path, as_json: bool, project: str, path: str, config_file: Path | None
) -> None:
    """Show what would be extracted from FILE (- for standard input).

    Exits with 2 if the file is binary, too large or broken.
    """
    # Standard input has no name: the path says what kind of document it is.
    path = path or ("" if file == Path("-") else file.as_posix())
    data = _read(file)
    extractors = _extractors(path, config_file)
    place = DocumentPlace(project, "", path)
    division = divide(place, data, extractors)
    if division.problem:
        click.echo(f"festinger: cannot read {file}: {division.problem}", err=True)
        sys.exit(UNREADABLE)
    swept = sweep(whole_of(place, division.chunks), extractors)
    for shown in _shown(swept, division.chunks, path):
        if as_json:
            print_json(shown)
        else:
            click.echo(_as_line(shown))
    for error in swept.errors:
        click.echo(f"festinger: {file}: {error}", err=True)
    # What was found is printed: one extractor's error leaves the others' findings.
    if swept.errors:
        sys.exit(UNREADABLE)


def _read(file: Path) -> bytes:
    """Return the bytes of a file; exit if it cannot be read."""
    try:
        return sys.stdin.buffer.read() if file == Path("-") else file.read_bytes()
    except OSError as error:
        click.echo(f"festinger: cannot read {file}: {error.strerror}", err=True)
        sys.exit(UNREADABLE)


def _extractors(path: str, config_file: Path | None) -> list[Extractor]:
    """Return all extractors; report those that cannot be loaded."""
    lexicon = None
    if is_prose(path):
        # Loading the dictionary takes a second, and only prose needs it.
        lexicon = World(application("dictionary")(load(config_file).dictionary))
    others, broken = further()
    for each in broken:
        click.echo(f"festinger: extractor {each.name}: {each.reason}", err=True)
    return [*builtin(lexicon), *others]


def _shown(
    swept: DocumentFindings, chunks: Sequence[Chunk], path: str
) -> list[dict[str, Any]]:
    """Return the findings as JSON objects, in the order of the document."""
    by_id = {it.id: it for it in chunks}
    shown = [_as_json(each, by_id[each.chunk_id], path) for each in swept.found]
    return sorted(shown, key=lambda it: it["start"])


def _as_json(swept: ChunkFinding, chunk: Chunk, path: str) -> dict[str, Any]:
    found = swept.found
    return {
        "type": found.type,
        "content": found.content,
        "fact": found.fact,
        "prior": found.prior,
        # As ranked: the place of a file counts as well.
        "confidence": round(confidence(found.prior, path), 4),
        "extractor": swept.extractor,
        "version": swept.version,
        "rule": found.rule,
        # Of the document; the finding has those of its chunk.
        "start": chunk.start + found.span[0],
        "end": chunk.start + found.span[1],
        "headings": list(chunk.headings),
        "chunk": chunk.id,
    }


def _as_line(shown: dict[str, Any]) -> str:
    fact = f"  ⇒ {shown['fact']}" if shown["fact"] else ""
    return (
        f"{shown['type']} {shown['confidence']:.2f}  {shown['content']}"
        f"  [{shown['rule']}]{fact}"
    )
