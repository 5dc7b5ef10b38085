"""A wave: one run of reading documents, and what came of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

PLACE_BYTES_MAX = 1000
"""A root, a scope or a path has at most so many bytes."""

_SLASHES = re.compile(r"[/\\]")


class WaveState(StrEnum):
    """Where a wave stands."""

    RUNNING = "running"
    """Documents come in; whoever began it may go on with it."""
    EXTRACTING = "extracting"
    """The extractors read, or their process ended and another will go on."""
    DONE = "done"
    FAILED = "failed"
    """It could not go on, or another one took its place."""


@dataclass(frozen=True, slots=True)
class WaveTally:
    """What a wave met.

    Attributes:
        files: Offered, those refused among them.
        removed: There at an earlier wave, and no more.
    """

    files: int = 0
    unchanged: int = 0
    refused: int = 0
    removed: int = 0
    chunks_new: int = 0
    chunks_kept: int = 0


@dataclass(frozen=True, slots=True)
class WaveReport:
    """What the extractors made of a wave.

    Attributes:
        chunks: Read.
        found: In them.
        candidates: Of these, written for this review cycle;
        overflow: … waiting for a later one;
        duplicates: … proposed before;
        dropped: … dropped, by reason.
        errors: What an extractor could not read.
        rules: What was found, by rule.
        path: Where the report lies; empty if it could not be written.
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
    """One run of reading documents.

    Attributes:
        root: Where they lie.
        scope: What of the root is read; empty for all of it.
        extract: Whether the extractors read what it brings.
        started: Seconds since the epoch.
        ended: Seconds since the epoch; None while it is under way.
        report: None until the extractors are done.
        error: Why it failed.
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
    """Why a path is none within a root, in a clause; empty if it is one."""
    if not path:
        return "it is empty"
    if len(path.encode(errors="replace")) > PLACE_BYTES_MAX:
        return f"it has more than {PLACE_BYTES_MAX} bytes"
    if "\0" in path:
        return "it holds a NUL character"
    if re.match(r"[/\\]|[A-Za-z]:[/\\]", path):
        return "it is absolute"
    parts: Sequence[str] = _SLASHES.split(path)
    if any(part in {"", ".", ".."} for part in parts):
        return "a part of it is empty, . or .."
    return ""
