"""The reports of waves: a folder each, below the data directory.

What came of the parts is kept beside it until all are done. Nobody sees half a report: it
is written under another name first. They quote the documents, so other users of the
machine cannot read them.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

FOLDER = "extraction-reports"
_DEFAULT = "default"


class ReportFolders:
    """Keeps reports in files.

    Args:
        data_dir: Where everything is kept.
    """

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / FOLDER

    async def keep(
        self, tenant: str, wave_id: int, part: int, lines: Sequence[Mapping[str, Any]]
    ) -> None:
        """Keeps what came of a part until the report is written."""
        file = self._parts(tenant, wave_id) / f"{part}.ndjson"
        await asyncio.to_thread(self._make)
        await asyncio.to_thread(_replace, file, lines)

    async def parts(self, tenant: str, wave_id: int) -> list[int]:
        """The parts that are kept, in order."""
        folder = self._parts(tenant, wave_id)
        return sorted(int(file.stem) for file in folder.glob("*.ndjson"))

    async def part(
        self, tenant: str, wave_id: int, part: int
    ) -> list[Mapping[str, Any]]:
        """What was kept of a part."""
        file = self._parts(tenant, wave_id) / f"{part}.ndjson"
        return await asyncio.to_thread(_read, file)

    async def add(
        self, tenant: str, wave_id: int, lines: Mapping[str, Sequence[str]]
    ) -> None:
        """Adds lines to the files of a report that nobody sees yet."""
        await asyncio.to_thread(self._make)
        await asyncio.to_thread(_append, self._draft(tenant, wave_id), lines)

    async def publish(self, tenant: str, wave_id: int) -> str:
        """Puts the report in its place, all at once."""
        place = self._folder / self._name(tenant, wave_id)
        await asyncio.to_thread(_publish, self._draft(tenant, wave_id), place)
        return str(place)

    async def clear(self, tenant: str, wave_id: int, *, parts: bool) -> None:
        """Forgets what was added to a report that nobody sees yet."""
        folders = [self._draft(tenant, wave_id)]
        if parts:
            folders.append(self._parts(tenant, wave_id))
        for folder in folders:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    def place(self, tenant: str, wave_id: int) -> str:
        """Where a report is put."""
        return str(self._folder / self._name(tenant, wave_id))

    def _make(self) -> None:
        # The data directory may be one that others can enter: see `made_open`.
        self._folder.mkdir(mode=0o700, exist_ok=True)

    def _name(self, tenant: str, wave_id: int) -> str:
        return str(wave_id) if tenant == _DEFAULT else f"{tenant}-{wave_id}"

    def _parts(self, tenant: str, wave_id: int) -> Path:
        return self._folder / f".{self._name(tenant, wave_id)}.parts"

    def _draft(self, tenant: str, wave_id: int) -> Path:
        return self._folder / f".{self._name(tenant, wave_id)}.draft"


def _replace(file: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_suffix(".draft")
    text = "".join(json.dumps(line) + "\n" for line in lines)
    draft.write_text(text, encoding="utf-8")
    draft.replace(file)


def _read(file: Path) -> list[Mapping[str, Any]]:
    text = file.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _append(folder: Path, lines: Mapping[str, Sequence[str]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, more in lines.items():
        with (folder / name).open("a", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in more)


def _publish(draft: Path, place: Path) -> None:
    for file in draft.iterdir():
        with file.open("rb+") as written:
            os.fsync(written.fileno())
    old = draft.with_suffix(".old")
    shutil.rmtree(old, ignore_errors=True)
    if place.exists():
        place.rename(old)
    draft.rename(place)
    shutil.rmtree(old, ignore_errors=True)
