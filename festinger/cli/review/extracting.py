"""`festinger review extract`: dry run of extracting a file. It stores nothing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from festinger.cli.application import application
from festinger.cli.listing import JSON, print_json
from festinger.cli.options import CONFIG
from festinger.config import load
from festinger.core.review import ranking
from festinger.core.review.decoding import NotText, decode
from festinger.core.review.documents import DocumentFinding, extract_document
from festinger.core.review.extractors import Extractor, builtin, further
from festinger.core.review.prose import is_prose
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
    text = _text(file)
    extractors = _extractors(path, config_file)
    extraction = extract_document(text, extractors, path=path, project=project)
    for each in extraction.extracted:
        shown = _as_json(each, path)
        if as_json:
            print_json(shown)
        else:
            click.echo(_as_line(each, shown["confidence"]))
    for error in extraction.errors:
        click.echo(f"festinger: {file}: {error}", err=True)
    # What was found is printed: one extractor's error leaves the others' findings.
    if extraction.errors:
        sys.exit(UNREADABLE)


def _text(file: Path) -> str:
    """Return the text of a file; exit if it cannot be read or decoded."""
    try:
        data = sys.stdin.buffer.read() if file == Path("-") else file.read_bytes()
    except OSError as error:
        click.echo(f"festinger: cannot read {file}: {error.strerror}", err=True)
        sys.exit(UNREADABLE)
    decoded = decode(data)
    if isinstance(decoded, NotText):
        click.echo(f"festinger: cannot read {file}: {decoded.reason}", err=True)
        sys.exit(UNREADABLE)
    return decoded.text


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


def _as_json(extracted: DocumentFinding, path: str) -> dict[str, Any]:
    found = extracted.found
    return {
        "type": found.type,
        "content": found.content,
        "fact": found.fact,
        "prior": found.prior,
        # As ranked: the place of a file counts as well.
        "confidence": round(ranking.confidence(found.prior, path), 4),
        "extractor": extracted.extractor,
        "version": extracted.version,
        "rule": found.rule,
        "start": extracted.start,
        "end": extracted.end,
        "headings": list(extracted.chunk.headings),
        "chunk": extracted.chunk.id,
    }


def _as_line(extracted: DocumentFinding, confidence: float) -> str:
    found = extracted.found
    fact = f"  ⇒ {found.fact}" if found.fact else ""
    return f"{found.type} {confidence:.2f}  {found.content}  [{found.rule}]{fact}"
