"""The files that arguments of a command name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from festinger.cli.memories.formats.source import unpacked_suffix

LOGS: Final = (".jsonl", ".json")
SUBAGENTS: Final = "subagents"
"""Folder of logs in which a model speaks in the person's name."""


def files_of(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield files and vaults; of a folder with logs its files, in their order."""
    for path in paths:
        logs = (
            # Sorted, so that a second run reads, and numbers, the files alike.
            sorted(it for it in path.rglob("*") if _is_log(it.relative_to(path), it))
            if path.is_dir()
            else ()
        )
        # A folder with pages is a vault, which is read as a whole: its links name its pages.
        if logs and not any(path.rglob("*.md")):
            yield from logs
        else:
            yield path


def _is_log(within: Path, file: Path) -> bool:
    return (
        unpacked_suffix(file) in LOGS
        # Such logs stand in a folder of that name, at any depth.
        and SUBAGENTS not in within.parts[:-1]
        and file.is_file()
    )
