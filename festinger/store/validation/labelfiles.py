"""The weekly export of labelled examples: a file for each memory, below the data directory.

It holds all that was decided so far, since votes may still change what was. It quotes what
people said, so other users of the machine cannot read it.
"""

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
"""Lines that are written at once, beside everything else."""


class LabelFolder:
    """Keeps examples in files.

    Args:
        data_dir: Where everything is kept.
    """

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / FOLDER

    def place(self, tenant: str) -> Path:
        """Where a memory's examples are."""
        return self._folder / f"{tenant}.jsonl"

    async def written(self, tenant: str) -> float | None:
        """When a memory's was written last; None if never."""
        try:
            return self.place(tenant).stat().st_mtime
        except FileNotFoundError:
            return None

    async def write(
        self, tenant: str, examples: AsyncIterator[dict[str, Any]], now: float
    ) -> int:
        """Writes it anew, all at once; how many examples it has."""
        # The data directory may be one that others can enter.
        self._folder.mkdir(mode=0o700, exist_ok=True)
        file, count = self.place(tenant), 0
        with replacing(file, durable=True) as stream:
            batch: list[dict[str, Any]] = []
            async for example in examples:
                batch.append(example)
                if len(batch) == _BATCH:
                    await asyncio.to_thread(_add, stream, batch)
                    batch = []
                count += 1
            await asyncio.to_thread(_add, stream, batch)
        # Whether it is time for the next one is read here.
        os.utime(file, (now, now))
        return count


def _add(stream: TextIO, examples: Sequence[dict[str, Any]]) -> None:
    stream.writelines(json.dumps(each, ensure_ascii=False) + "\n" for each in examples)
