"""What reading documents reads and writes, as values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from festinger.core.review.chunks import Chunk


@dataclass(frozen=True, slots=True)
class Opening:
    """What is asked for at the beginning of a wave."""

    project: str
    root: str
    scope: str
    extract: bool
    principal: str
    operator: bool


@dataclass(frozen=True, slots=True)
class OfferedDocument:
    """A document as a client offers it.

    Attributes:
        digest: The SHA-256 of its bytes; empty if they were not read.
        modified: When it was changed last, in seconds since the epoch; None if unknown.
        content: None to ask whether it is wanted.
        problem: Why it could not be read where it lies.
    """

    path: str
    digest: bytes = b""
    size: int = 0
    modified: float | None = None
    content: bytes | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Read:
    """A document that was read, or refused for a reason, to be written."""

    path: str
    digest: bytes
    size: int
    modified: float | None
    chunks: Sequence[Chunk] = ()
    problem: str = ""


class Added(StrEnum):
    """What became of a document that was offered."""

    UNCHANGED = "unchanged"
    WANTED = "wanted"
    READ = "read"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class DocumentVerdict:
    """What became of a document.

    Attributes:
        problem: Why it was refused.
        chunks_new: How many of its chunks are new.
    """

    added: Added
    problem: str = ""
    chunks_new: int = 0


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """A document as it was read last, and is still there.

    Attributes:
        problem: Why it was refused; empty if it was not.
    """

    digest: bytes
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ExtractedChunks:
    """Chunks that were extracted from, for a batch to write."""

    wave_id: int
    chunk_ids: Sequence[str]


@dataclass(frozen=True, slots=True)
class Sight:
    """Where something was found: names a claim within its wave."""

    chunk_id: str
    extractor: str
    rule: str
    start: int
    end: int
    content: str
