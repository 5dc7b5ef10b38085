"""The files that arguments of a command name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

LOGS: Final = (".jsonl", ".json")


def files_of(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield files and vaults; of a folder with logs its files, in their order."""
    for path in paths:
        logs = (
            sorted(it for it in path.rglob("*") if it.suffix in LOGS and it.is_file())
            if path.is_dir()
            else ()
        )
        if logs and not any(path.rglob("*.md")):
            yield from logs
        else:
            yield path
