"""Weekly export of labelled examples: a file for each memory, in the data directory."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from festinger.private import replacing

FOLDER = "labels"
_BATCH = 200
"""The number of lines that are written at once."""


class LabelFolder:
    """Store of examples in files of the data directory."""

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / FOLDER

    def place(self, tenant: str) -> Path:
        """Return the path of a memory's file."""
        return self._folder / f"{tenant}.jsonl"

    async def written(self, tenant: str) -> float | None:
        """Return the time of a memory's last export; None if there is none."""
        try:
            return self.place(tenant).stat().st_mtime
        except FileNotFoundError:
            return None

    async def write(
        self, tenant: str, examples: AsyncIterator[dict[str, Any]], now: float
    ) -> int:
        """Replace a memory's file atomically; return the number of examples."""
        # The file quotes people, and other users may be able to enter the data directory.
        self._folder.mkdir(mode=0o700, exist_ok=True)
        file, count = self.place(tenant), 0
        # Written anew with all decisions so far, since votes may still change earlier ones.
        with replacing(file, durable=True) as stream:
            batch: list[dict[str, Any]] = []
            async for example in examples:
                batch.append(example)
                if len(batch) == _BATCH:
                    # In a thread: a disk may take its time.
                    await asyncio.to_thread(_add, stream, batch)
                    batch = []
                count += 1
            await asyncio.to_thread(_add, stream, batch)
        # `written` reads this time to decide when the next export is due.
        os.utime(file, (now, now))
        return count


def _add(stream: TextIO, examples: Sequence[dict[str, Any]]) -> None:
    stream.writelines(json.dumps(each, ensure_ascii=False) + "\n" for each in examples)
