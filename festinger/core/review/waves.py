"""Waves: runs of reading documents, with their results."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

PLACE_BYTES_MAX = 1000
"""Maximum length of a root, a scope or a path, in bytes."""

_SLASHES = re.compile(r"[/\\]")


class WaveState(StrEnum):
    """State of a wave."""

    RUNNING = "running"
    """Documents are received; the principal who began it may continue it."""
    EXTRACTING = "extracting"
    """The extractors run, or their process ended and another one will continue."""
    DONE = "done"
    FAILED = "failed"
    """It could not continue, or another wave replaced it."""


@dataclass(frozen=True, slots=True)
class WaveTally:
    """Counts of a wave's documents and chunks.

    Attributes:
        files: Documents that were offered, including refused ones.
        removed: Documents of an earlier wave that no longer exist.
    """

    files: int = 0  # documents, not chunks
    unchanged: int = 0
    refused: int = 0
    removed: int = 0
    chunks_new: int = 0
    chunks_kept: int = 0


@dataclass(frozen=True, slots=True)
class WaveReport:
    """Report of the extractors on a wave.

    Attributes:
        candidates: Findings that were written for the current review cycle.
        overflow: Findings that wait for a later cycle.
        duplicates: Findings that were proposed before.
        dropped: Dropped findings, by reason.
        errors: Number of texts that an extractor could not read.
        path: Location of the full report; empty if it could not be written.
    """

    chunks: int = 0
    found: int = 0
    candidates: int = 0
    overflow: int = 0
    duplicates: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    errors: int = 0
    rules: Mapping[str, int] = field(default_factory=dict)
    path: str = ""


@dataclass(frozen=True, slots=True)
class Wave:
    """Run of reading documents.

    Attributes:
        scope: Part of the root that is read; empty for all of it.
        ended: Seconds since the epoch; None while it runs.
        report: None until the extractors are done.
        error: Why it failed; empty if it did not.
    """

    id: int
    project: str
    root: str
    scope: str
    principal: str
    extract: bool
    state: WaveState
    started: float
    ended: float | None = None
    tally: WaveTally = WaveTally()
    report: WaveReport | None = None
    error: str = ""


def what_is_wrong_with(path: str) -> str:
    """Return why a path is not one within a root, as a clause; empty if it is one."""
    if not path:
        return "it is empty"
    # Surrogates of undecodable file names are counted as one byte, instead of failing.
    if len(path.encode(errors="replace")) > PLACE_BYTES_MAX:
        return f"it has more than {PLACE_BYTES_MAX} bytes"
    if "\0" in path:  # Postgres cannot store it
        return "it holds a NUL character"
    # Windows paths, too: "C:\docs" is not below a root.
    if re.match(r"[/\\]|[A-Za-z]:[/\\]", path):
        return "it is absolute"
    parts: Sequence[str] = _SLASHES.split(path)
    # "a/../../b" would leave the root.
    if any(part in {"", ".", ".."} for part in parts):
        return "a part of it is empty, . or .."
    return ""
