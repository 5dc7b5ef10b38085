"""A document through the pipeline: cut into chunks as it arrives, swept afterwards.

Bytes are cut when they come, so that what is stored is what was read. The extractors
sweep a whole wave later. Those that want whole files get the chunks put together again:
a file that only they read is one chunk, and is exactly what it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b, sha256
from itertools import accumulate

from festinger.core.review.chunks import Chunk, chunks
from festinger.core.review.decoding import BYTES_MAX, NotText, decode
from festinger.core.review.extractors import (
    ExtractionSource,
    Extractor,
    ExtractorFinding,
    attempt,
)


@dataclass(frozen=True, slots=True)
class DocumentPlace:
    """Where a document is.

    Attributes:
        root: What its path is relative to.
    """

    project: str
    root: str
    path: str


@dataclass(frozen=True, slots=True)
class Division:
    """What a document's bytes are.

    Attributes:
        digest: Their SHA-256.
        problem: Why they are no document; empty if they are one.
    """

    digest: bytes
    chunks: Sequence[Chunk] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk that is stored.

    Attributes:
        fresh: Whether it is to be swept; else it is only there to be put together.
    """

    id: str
    headings: tuple[str, ...]
    text: str
    fresh: bool = True


@dataclass(frozen=True, slots=True)
class Whole:
    """A document that is stored.

    Attributes:
        modified: When it was changed last, in seconds since the epoch; None if unknown.
        parts: In their order.
    """

    id: int
    path: str
    project: str
    modified: float | None
    parts: Sequence[StoredChunk]


@dataclass(frozen=True, slots=True)
class Swept:
    """What an extractor found in a chunk; the span is within the chunk."""

    chunk_id: str
    extractor: str
    version: str
    found: ExtractorFinding


@dataclass(frozen=True, slots=True)
class Sweep:
    """What all extractors found in a document.

    Attributes:
        errors: A line for each text that an extractor could not read.
    """

    found: Sequence[Swept] = ()
    errors: Sequence[str] = ()


def divide(
    place: DocumentPlace,
    data: bytes,
    extractors: Sequence[Extractor],
    *,
    bytes_max: int = BYTES_MAX,
) -> Division:
    """Cuts a document into chunks, or says why it is none."""
    digest = sha256(data).digest()
    decoded = decode(data, limit=bytes_max)
    if isinstance(decoded, NotText):
        return Division(digest, problem=decoded.reason)
    wanted = [each for each in extractors if each.wants(place.path)]
    # Two roots may hold the same, and each has its own.
    named = f"{place.root}\n{place.path}"
    if wanted and all(each.whole for each in wanted):
        return Division(digest, _undivided(decoded.text, place.project, named))
    return Division(digest, chunks(decoded.text, project=place.project, path=named))


def sweep(document: Whole, extractors: Sequence[Extractor]) -> Sweep:
    """Has the extractors read what is fresh of a document."""
    found: list[Swept] = []
    errors: list[str] = []
    for each in extractors:
        if not each.wants(document.path):
            continue
        read = _read_whole if each.whole else _read_parts
        more, wrong = read(document, each)
        found += more
        errors += wrong
    return Sweep(found, errors)


def _undivided(text: str, project: str, named: str) -> list[Chunk]:
    if not text.strip():
        return []
    name = blake2b("\0".join((project, named, text)).encode(), digest_size=16)
    return [Chunk(name.hexdigest(), 0, (), 0, len(text), text)]


def _read_parts(document: Whole, extractor: Extractor) -> tuple[list[Swept], list[str]]:
    found: list[Swept] = []
    errors: list[str] = []
    for part in document.parts:
        if not part.fresh:
            continue
        reading = attempt(
            extractor,
            ExtractionSource(part.text, document.path, part.headings, document.project),
        )
        found += [
            Swept(part.id, extractor.name, extractor.version, each)
            for each in reading.found
        ]
        if reading.error:
            errors.append(f"{document.path}: {reading.error}")
    return found, errors


def _read_whole(document: Whole, extractor: Extractor) -> tuple[list[Swept], list[str]]:
    """Reads the chunks as one text; what is found belongs to where it begins."""
    texts = [_ended(part.text) for part in document.parts[:-1]]
    texts += [part.text for part in document.parts[-1:]]
    begins = [0, *accumulate(map(len, texts))]
    reading = attempt(
        extractor, ExtractionSource("".join(texts), document.path, (), document.project)
    )
    found: list[Swept] = []
    for each in reading.found:
        start, end = each.span
        at = max(number for number in range(len(texts)) if begins[number] <= start)
        part, begin = document.parts[at], begins[at]
        if part.fresh:
            stop = min(end - begin, len(part.text))
            span = (min(start - begin, stop), stop)
            found.append(
                Swept(
                    part.id,
                    extractor.name,
                    extractor.version,
                    replace(each, span=span),
                )
            )
    errors = [f"{document.path}: {reading.error}"] if reading.error else []
    return found, errors


def _ended(text: str) -> str:
    """A chunk that was the last once may have lost the end of its line."""
    return text if text.endswith(("\n", "\r")) else f"{text}\n"
