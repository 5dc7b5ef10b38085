"""Processing of a document: division into chunks on arrival, extraction afterwards."""

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
from festinger.core.review.standing import is_set_aside


@dataclass(frozen=True, slots=True)
class DocumentPlace:
    """Location of a document."""

    project: str
    root: str
    path: str


@dataclass(frozen=True, slots=True)
class DividedDocument:
    """Result of dividing a document's bytes.

    Attributes:
        digest: SHA-256 of the bytes.
        problem: Why the bytes are no document; empty if they are one.
    """

    digest: bytes
    chunks: Sequence[Chunk] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """Chunk that is stored.

    Attributes:
        fresh: Whether it is to be swept; otherwise it only completes the whole file.
    """

    id: str
    headings: tuple[str, ...]
    text: str
    fresh: bool = True


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """Document that is stored.

    Attributes:
        modified: When it last changed, in seconds since the epoch; None if unknown.
        parts: Its chunks, in order.
    """

    id: int
    path: str
    project: str
    modified: float | None
    parts: Sequence[StoredChunk]


@dataclass(frozen=True, slots=True)
class ChunkFinding:
    """Finding of an extractor in a chunk; its span is relative to the chunk."""

    chunk_id: str
    extractor: str
    version: str
    found: ExtractorFinding


@dataclass(frozen=True, slots=True)
class DocumentFindings:
    """Findings of all extractors in a document.

    Attributes:
        errors: Distinct errors, each with the extractor's name.
    """

    found: Sequence[ChunkFinding] = ()
    errors: Sequence[str] = ()


# Divided when it arrives, so that the stored text is exactly the text that is read.
def divide(
    place: DocumentPlace,
    data: bytes,
    extractors: Sequence[Extractor],
    *,
    bytes_max: int = BYTES_MAX,
) -> DividedDocument:
    """Divide a document into chunks, or return why it is not one."""
    digest = sha256(data).digest()
    decoded = decode(data, limit=bytes_max)
    if isinstance(decoded, NotText):
        return DividedDocument(digest, problem=decoded.reason)
    wanted = [each for each in extractors if each.wants(place.path)]
    # Equal documents of two roots have chunks of their own.
    named = f"{place.root}\n{place.path}"
    # Manifests are one chunk: joining chunks gives back the text, and spans stay right.
    if wanted and all(each.whole for each in wanted):
        return DividedDocument(digest, _undivided(decoded.text, place.project, named))
    return DividedDocument(
        digest, chunks(decoded.text, project=place.project, path=named)
    )


def whole_of(
    place: DocumentPlace, parts: Sequence[Chunk], *, id: int = 0
) -> StoredDocument:
    """Return a document that was just divided, with all of its chunks to be swept."""
    stored = [StoredChunk(it.id, it.headings, it.text) for it in parts]
    return StoredDocument(id, place.path, place.project, None, stored)


def sweep(
    document: StoredDocument, extractors: Sequence[Extractor]
) -> DocumentFindings:
    """Run the extractors on the fresh chunks of a document that holds."""
    found: list[ChunkFinding] = []
    errors: list[str] = []
    # A superseded decision holds no more: nobody should be asked about it.
    if is_set_aside(document.path, [it.text for it in document.parts]):
        return DocumentFindings()
    for each in extractors:
        if not each.wants(document.path):
            continue
        read = _read_whole if each.whole else _read_parts
        more, wrong = read(document, each)
        found += more
        errors += wrong
    # An extractor that fails in every chunk fails once.
    return DocumentFindings(_once(found), list(dict.fromkeys(errors)))


def _once(found: Sequence[ChunkFinding]) -> list[ChunkFinding]:
    """Return the findings without those that say in a chunk what another does."""
    # A decision is also a rule ("we decided that X must …"); the first extractor reads it best.
    kept: dict[tuple[str, str], ChunkFinding] = {}
    for each in found:
        kept.setdefault((each.chunk_id, each.found.content), each)
    return list(kept.values())


def _undivided(text: str, project: str, named: str) -> list[Chunk]:
    if not text.strip():
        return []
    # Named like a chunk (`chunks`): the same text in the same place keeps its name.
    name = blake2b("\0".join((project, named, text)).encode(), digest_size=16)
    return [Chunk(name.hexdigest(), 0, (), 0, len(text), text)]


def _read_parts(
    document: StoredDocument, extractor: Extractor
) -> tuple[list[ChunkFinding], list[str]]:
    found: list[ChunkFinding] = []
    errors: list[str] = []
    for part in document.parts:
        if not part.fresh:  # read in an earlier wave
            continue
        reading = attempt(
            extractor,
            ExtractionSource(part.text, document.path, part.headings, document.project),
        )
        found += [
            ChunkFinding(part.id, extractor.name, extractor.version, each)
            for each in reading.found
        ]
        if reading.error:
            errors.append(reading.error)
    return found, errors


def _read_whole(
    document: StoredDocument, extractor: Extractor
) -> tuple[list[ChunkFinding], list[str]]:
    """Run an extractor on the joined chunks; only findings in fresh ones are kept."""
    # The last chunk may lack the line end that another one has got behind it since.
    texts = [_ended(part.text) for part in document.parts[:-1]]
    texts += [part.text for part in document.parts[-1:]]
    begins = [0, *accumulate(map(len, texts))]
    reading = attempt(
        extractor, ExtractionSource("".join(texts), document.path, (), document.project)
    )
    found: list[ChunkFinding] = []
    for each in reading.found:
        start, end = each.span
        # A finding belongs to the chunk in which it begins; its end is cut to that chunk.
        at = max(number for number in range(len(texts)) if begins[number] <= start)
        part, begin = document.parts[at], begins[at]
        if part.fresh:
            stop = min(end - begin, len(part.text))
            span = (min(start - begin, stop), stop)
            found.append(
                ChunkFinding(
                    part.id, extractor.name, extractor.version, replace(each, span=span)
                )
            )
    return found, [reading.error] if reading.error else []


def _ended(text: str) -> str:
    """Add the line end that a chunk may lack if it used to be the last one."""
    return text if text.endswith(("\n", "\r")) else f"{text}\n"
