"""What reading documents needs from outside: promises that adapters keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from festinger.core.review.chunks import Chunk
from festinger.core.review.sweeping import Division, Place, Sweep, Whole
from festinger.core.review.waves import Report, Tally, Wave


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
class Offered:
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
class Verdict:
    """What became of a document.

    Attributes:
        problem: Why it was refused.
        chunks_new: How many of its chunks are new.
    """

    added: Added
    problem: str = ""
    chunks_new: int = 0


@dataclass(frozen=True, slots=True)
class Known:
    """A document as it was read last, and is still there.

    Attributes:
        problem: Why it was refused; empty if it was not.
    """

    digest: bytes
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Extracted:
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


class Documents(Protocol):
    """Keeps waves, the documents that they read, and their chunks.

    Every method may raise `DatabaseUnavailable`, or `Overloaded` if no connection is free.
    """

    async def start(
        self, tenant: str, opening: Opening, now: float
    ) -> tuple[Wave, bool]:
        """A new wave, or the one of the same project and root that runs.

        Returns:
            The wave, and whether it ran before.

        Raises:
            PermissionDenied: The documents of that root are somebody else's.
        """

    async def wave(self, tenant: str, wave_id: int) -> Wave:
        """A wave.

        Raises:
            WaveNotFound: There is no such wave.
        """

    async def waves(self, tenant: str, *, before: int, limit: int) -> list[Wave]:
        """Waves with numbers below `before`, newest first; 0 for all."""

    async def tally(self, tenant: str, wave_id: int) -> Tally:
        """What a wave has met so far."""

    async def see(
        self, tenant: str, wave: Wave, documents: Sequence[Offered]
    ) -> Mapping[str, Known]:
        """Notes that documents are there as they were; returns those, by path.

        Raises:
            WaveClosed: It runs no more.
        """

    async def write(
        self, tenant: str, wave: Wave, documents: Sequence[Read]
    ) -> Mapping[str, int]:
        """Writes what was read; returns how many chunks are new, by path.

        Raises:
            WaveClosed: It runs no more.
        """

    async def finish(self, tenant: str, wave_id: int, now: float) -> Wave:
        """Ends the reading, marks what was not seen as removed, and counts.

        Raises:
            WaveNotFound: There is no such wave.
        """


class Sweeps(Protocol):
    """Keeps how far the extraction of each wave is, and says who extracts.

    Every method may raise `DatabaseUnavailable`, or `Overloaded` if no connection is free.
    """

    async def extract_again(self, tenant: str, wave_id: int, now: float) -> Wave:
        """Has all that a wave brought extracted from again.

        Raises:
            WaveNotFound: There is no such wave.
            WaveClosed: Its documents are still read.
        """

    async def extracting(self) -> list[tuple[str, int]]:
        """The waves to extract from, with their tenants, oldest first."""

    async def to_extract(self, tenant: str, wave_id: int) -> int:
        """How many chunks are to be extracted from."""

    async def next_part(
        self,
        tenant: str,
        wave_id: int,
        *,
        after: int,
        documents_max: int,
        bytes_max: int,
    ) -> list[Whole]:
        """Documents with something to extract from, by number; one at least.

        Args:
            after: Those behind this one.
        """

    async def contents(self, tenant: str, project: str, limit: int) -> list[str]:
        """What claims of a project say, the newest first."""

    async def claimed(
        self, tenant: str, wave_id: int, sights: Sequence[Sight]
    ) -> Mapping[Sight, str]:
        """The status of the claims that this extraction found there."""

    async def end(
        self,
        tenant: str,
        wave_id: int,
        *,
        report: Report | None,
        error: str,
        now: float,
    ) -> None:
        """Writes how the extraction ended: done, or failed with an error."""

    async def take_lease(self, tenant: str, seconds: float) -> bool:
        """Takes or extends the right to extract; False if another process has it."""

    async def drop_lease(self, tenant: str) -> None:
        """Gives the right to extract back."""


class Reader(Protocol):
    """Cuts and sweeps documents where that disturbs nobody."""

    async def divide(
        self, documents: Sequence[tuple[Place, bytes]], bytes_max: int
    ) -> list[Division]:
        """The chunks of documents, or why they are none."""

    async def sweep(self, documents: Sequence[Whole]) -> list[Sweep]:
        """What the extractors find; what they cannot read is told, not raised."""

    async def broken(self) -> list[str]:
        """A line for each extractor of another package that cannot be used."""


class Reports(Protocol):
    """Keeps the reports of waves, in files.

    Every method may raise `OSError`: the disk is full, or the folder not writable.
    """

    async def keep(
        self, tenant: str, wave_id: int, part: int, lines: Sequence[Mapping[str, Any]]
    ) -> None:
        """Keeps what came of a part until the report is written.

        Args:
            part: What was kept under the same number is replaced.
        """

    async def parts(self, tenant: str, wave_id: int) -> list[int]:
        """The parts that are kept, in order."""

    async def part(
        self, tenant: str, wave_id: int, part: int
    ) -> list[Mapping[str, Any]]:
        """What was kept of a part."""

    async def add(
        self, tenant: str, wave_id: int, lines: Mapping[str, Sequence[str]]
    ) -> None:
        """Adds lines to the files of a report that nobody sees yet."""

    async def publish(self, tenant: str, wave_id: int) -> str:
        """Puts the report in its place, all at once.

        Returns:
            Its folder.
        """

    async def clear(self, tenant: str, wave_id: int, *, parts: bool) -> None:
        """Forgets what was added to a report that nobody sees yet.

        Args:
            parts: Whether to forget the parts as well.
        """

    def place(self, tenant: str, wave_id: int) -> str:
        """Where a report is put."""
