"""Extraction from a document: its chunks, and the findings in each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from festinger.core.review.chunks import Chunk, chunks
from festinger.core.review.extractors import (
    ExtractionSource,
    Extractor,
    ExtractorFinding,
    attempt,
)
from festinger.core.review.standing import is_set_aside


@dataclass(frozen=True, slots=True)
class DocumentFinding:
    """Finding in a document, with its origin.

    Attributes:
        version: The extractor's `EXTRACTOR_VERSION`.
        chunk: The chunk in which it begins.
        start: Offset in the document, in characters.
        end: Offset after it.
    """

    found: ExtractorFinding
    extractor: str
    version: str
    chunk: Chunk
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class DocumentExtraction:
    """Result of the extraction from a document.

    Attributes:
        errors: Distinct errors, each with the extractor's name.
    """

    chunks: tuple[Chunk, ...] = ()
    extracted: tuple[DocumentFinding, ...] = ()
    errors: tuple[str, ...] = ()


def extract_document(
    text: str, extractors: Sequence[Extractor], *, path: str = "", project: str = ""
) -> DocumentExtraction:
    """Run all extractors that accept the path on a document.

    Args:
        path: Relative path, with `/`.
    """
    parts = chunks(text, project=project, path=path)
    return extract_chunks(text, parts, extractors, path=path, project=project)


def extract_chunks(
    text: str,
    parts: Sequence[Chunk],
    extractors: Sequence[Extractor],
    *,
    path: str = "",
    project: str = "",
    only: Iterable[str] | None = None,
) -> DocumentExtraction:
    """Run all extractors that accept the path on a document with known chunks.

    Args:
        only: Ids of the chunks to read, such as the new ones; None for all. Extractors
            of whole files read the file if any of its chunks is among them.
    """
    # Often only new chunks: the rest was read in an earlier wave.
    chosen = {part.id for part in parts} if only is None else set(only)
    texts = [part.text for part in parts]
    if not any(part.id in chosen for part in parts) or is_set_aside(path, texts):
        # Nothing to read, or a superseded decision.
        return DocumentExtraction(tuple(parts))
    found: list[DocumentFinding] = []
    # A dict as an ordered set: an extractor that fails in every chunk fails once.
    errors: dict[str, None] = {}
    for extractor in extractors:
        if not extractor.wants(path):
            continue
        for source, offset in _sources(text, parts, extractor, chosen, path, project):
            reading = attempt(extractor, source)
            if reading.error:
                errors[reading.error] = None
            found.extend(
                _placed(each, extractor, parts, offset) for each in reading.found
            )
    # Chunks and extractors are interleaved: sort by place, as people read.
    found.sort(key=lambda it: it.start)
    return DocumentExtraction(tuple(parts), tuple(found), tuple(errors))


def _sources(
    text: str,
    parts: Sequence[Chunk],
    extractor: Extractor,
    chosen: set[str],
    path: str,
    project: str,
) -> Iterator[tuple[ExtractionSource, int]]:
    """Yield the texts for an extractor, each with its offset in the document."""
    # Manifests are parsed as a whole; half a YAML file is no YAML.
    if extractor.whole:
        yield ExtractionSource(text, path, (), project), 0
        return
    for part in parts:
        if part.id in chosen:
            # Its text contains its own heading, but not those above.
            yield ExtractionSource(part.text, path, part.headings, project), part.start


def _placed(
    found: ExtractorFinding, extractor: Extractor, parts: Sequence[Chunk], offset: int
) -> DocumentFinding:
    start, end = found.span[0] + offset, found.span[1] + offset
    # The chunk in which the finding begins, even if it ends in another one.
    at = bisect_right(parts, start, key=lambda it: it.start) - 1
    chunk = parts[max(0, at)]
    return DocumentFinding(found, extractor.name, extractor.version, chunk, start, end)
