"""Values that the reading of documents reads and writes, and rows of waves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import asyncpg

from festinger.core.review.chunks import Chunk
from festinger.core.review.waves import Wave, WaveReport, WaveTally
from festinger.errors import WaveNotFound
from festinger.store.system.queries import value_of


@dataclass(frozen=True, slots=True)
class NewWave:
    """Parameters of a new wave."""

    project: str
    root: str
    scope: str
    extract: bool
    principal: str
    operator: bool


@dataclass(frozen=True, slots=True)
class OfferedDocument:
    """A document offered by a client.

    Attributes:
        digest: The SHA-256 of its content; empty if it was not read.
        modified: Time of its last change, in seconds since the epoch; None if unknown.
        content: Its bytes; None to ask whether they are wanted.
        problem: The reason why the client could not read it; empty if it could.
    """

    path: str
    digest: bytes = b""
    size: int = 0
    modified: float | None = None
    content: bytes | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document that was read or refused, to be written."""

    path: str
    digest: bytes
    size: int
    modified: float | None
    chunks: Sequence[Chunk] = ()
    problem: str = ""


class OfferOutcome(StrEnum):
    """Result of offering a document."""

    UNCHANGED = "unchanged"
    WANTED = "wanted"
    READ = "read"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class DocumentVerdict:
    """Result of offering a document, with details.

    Attributes:
        problem: The reason of a refusal.
        chunks_new: The number of its new chunks.
    """

    added: OfferOutcome
    problem: str = ""
    chunks_new: int = 0


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """A stored document that is unchanged since it was read.

    Attributes:
        problem: The reason of its refusal; empty if it was read.
    """

    digest: bytes
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ExtractedChunks:
    """Chunks whose extraction is done, to be marked by a batch."""

    wave_id: int
    chunk_ids: Sequence[str]


@dataclass(frozen=True, slots=True)
class FindingPlace:
    """Place of a finding in a chunk, which identifies a record in its wave."""

    chunk_id: str
    extractor: str
    rule: str
    start: int
    end: int
    content: str


def not_found(wave_id: int) -> WaveNotFound:
    """Return the error for a missing wave."""
    return WaveNotFound(
        f"there is no wave {wave_id}. Which there are: festinger review ingestions",
        wave_id=str(wave_id),
    )


def to_wave(row: asyncpg.Record) -> Wave:
    """Convert a row to a wave."""
    report = json.loads(row["report"])
    return value_of(
        Wave,
        row,
        tally=value_of(WaveTally, row),
        report=WaveReport(**report) if report else None,  # {} before the end
    )
