"""One document through all extractors: chunks, and what was found in each."""

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


@dataclass(frozen=True, slots=True)
class DocumentFinding:
    """Something that was found in a document, and all that tells where it comes from.

    Attributes:
        extractor: The name of what found it.
        version: Its `EXTRACTOR_VERSION`.
        chunk: The part of the document in which it begins.
        start: Where it stands in the document, in characters.
        end: The offset behind it.
    """

    found: ExtractorFinding
    extractor: str
    version: str
    chunk: Chunk
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class DocumentExtraction:
    """What came of a document.

    Attributes:
        errors: What went wrong in which extractor, each once.
    """

    chunks: tuple[Chunk, ...] = ()
    extracted: tuple[DocumentFinding, ...] = ()
    errors: tuple[str, ...] = ()


def extract_document(
    text: str, extractors: Sequence[Extractor], *, path: str = "", project: str = ""
) -> DocumentExtraction:
    """Lets all extractors that want it read a document.

    Args:
        path: Relative, with `/`.
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
    """The same for a document whose chunks are known.

    Args:
        only: The ids of the chunks to look at, those that are new; None for all.
            A whole file is looked at if any of its chunks is.
    """
    chosen = {part.id for part in parts} if only is None else set(only)
    if not any(part.id in chosen for part in parts):
        return DocumentExtraction(tuple(parts))
    found: list[DocumentFinding] = []
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
    """What an extractor reads, and where that begins in the document."""
    if extractor.whole:
        yield ExtractionSource(text, path, (), project), 0
        return
    for part in parts:
        if part.id in chosen:
            # Its own heading stands in its text; those above it do not.
            yield ExtractionSource(part.text, path, part.headings, project), part.start


def _placed(
    found: ExtractorFinding, extractor: Extractor, parts: Sequence[Chunk], offset: int
) -> DocumentFinding:
    start, end = found.span[0] + offset, found.span[1] + offset
    at = bisect_right(parts, start, key=lambda it: it.start) - 1
    chunk = parts[max(0, at)]
    return DocumentFinding(found, extractor.name, extractor.version, chunk, start, end)
