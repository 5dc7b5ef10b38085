"""Reports of waves, a folder each, in the data directory."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

FOLDER = "extraction-reports"
_DEFAULT = "default"  # the tenant whose folders have no prefix


class ReportFolders:
    """Store of reports in files of the data directory."""

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / FOLDER

    async def keep(
        self, tenant: str, wave_id: int, part: int, lines: Sequence[Mapping[str, Any]]
    ) -> None:
        """Save the result of a part until the report is written."""
        # Kept beside the report until all parts are done, so that a restart repeats none of them.
        file = self._parts(tenant, wave_id) / f"{part}.ndjson"
        await asyncio.to_thread(self._make)
        await asyncio.to_thread(_replace, file, lines)

    async def parts(self, tenant: str, wave_id: int) -> list[int]:
        """Return the numbers of the saved parts in ascending order."""
        return await asyncio.to_thread(_numbers, self._parts(tenant, wave_id))

    async def part(
        self, tenant: str, wave_id: int, part: int
    ) -> list[Mapping[str, Any]]:
        """Return the saved result of a part."""
        file = self._parts(tenant, wave_id) / f"{part}.ndjson"
        return await asyncio.to_thread(_read, file)

    async def add(
        self, tenant: str, wave_id: int, lines: Mapping[str, Sequence[str]]
    ) -> None:
        """Append lines to the files of an unpublished report."""
        await asyncio.to_thread(self._make)
        await asyncio.to_thread(_append, self._draft(tenant, wave_id), lines)

    async def publish(self, tenant: str, wave_id: int) -> str:
        """Publish the report atomically; return its path."""
        place = self._folder / self._name(tenant, wave_id)
        await asyncio.to_thread(_publish, self._draft(tenant, wave_id), place)
        return str(place)

    async def clear(self, tenant: str, wave_id: int, *, parts: bool) -> None:
        """Delete the unpublished report, and optionally the saved parts."""
        folders = [self._draft(tenant, wave_id)]
        if parts:
            folders.append(self._parts(tenant, wave_id))
        for folder in folders:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def prune(self, days: int, now: float) -> int:
        """Delete the reports that were published more than some days ago; count them."""
        return await asyncio.to_thread(_prune, self._folder, now - days * 86_400)

    def place(self, tenant: str, wave_id: int) -> str:
        """Return the path of a report."""
        return str(self._folder / self._name(tenant, wave_id))

    def _make(self) -> None:
        # Reports quote the documents, and others may enter the data directory: see `made_open`.
        self._folder.mkdir(mode=0o700, exist_ok=True)

    def _name(self, tenant: str, wave_id: int) -> str:
        return str(wave_id) if tenant == _DEFAULT else f"{tenant}-{wave_id}"

    def _parts(self, tenant: str, wave_id: int) -> Path:
        # A dot in front: neither people nor `_prune` take it for a report.
        return self._folder / f".{self._name(tenant, wave_id)}.parts"

    def _draft(self, tenant: str, wave_id: int) -> Path:
        return self._folder / f".{self._name(tenant, wave_id)}.draft"


def _prune(folder: Path, before: float) -> int:
    old = [
        each
        # Without those that begin with a dot.
        for each in folder.glob("[!.]*")
        if each.is_dir() and each.stat().st_mtime < before
    ]
    for each in old:
        shutil.rmtree(each, ignore_errors=True)
    return len(old)


def _replace(file: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    # Renamed when it is complete, so that an interruption leaves no half of a part.
    draft = file.with_suffix(".draft")
    text = "".join(json.dumps(line) + "\n" for line in lines)
    draft.write_text(text, encoding="utf-8")
    draft.replace(file)


def _numbers(folder: Path) -> list[int]:
    # A half-written part ends in `.draft` and is not found.
    return sorted(int(file.stem) for file in folder.glob("*.ndjson"))


def _read(file: Path) -> list[Mapping[str, Any]]:
    text = file.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _append(folder: Path, lines: Mapping[str, Sequence[str]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, more in lines.items():
        with (folder / name).open("a", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in more)


def _publish(draft: Path, place: Path) -> None:
    # On the disk before it has its name: else a power failure may leave empty files.
    for file in draft.iterdir():
        with file.open("rb+") as written:
            os.fsync(written.fileno())
    old = draft.with_suffix(".old")
    shutil.rmtree(old, ignore_errors=True)
    # A wave that is extracted again has a report already, which cannot be overwritten: a folder
    # is only renamed to a free name.
    if place.exists():
        place.rename(old)
    draft.rename(place)
    shutil.rmtree(old, ignore_errors=True)
