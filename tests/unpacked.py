"""Programs that a target of make unpacked, without installing them."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.apart import ROOT


@dataclass(frozen=True)
class UnpackedProgram:
    """A program, and the variables by which it finds its libraries."""

    path: Path
    variables: dict[str, str]


def find_program(name: str, folder: str) -> UnpackedProgram | None:
    """Return a program that was unpacked in a folder of the repository, or the machine's own."""
    root = ROOT / folder
    for path in root.glob(f"usr/*bin/{name}"):
        libraries = map(str, root.glob("usr/lib/*-linux-gnu"))
        return UnpackedProgram(path, {"LD_LIBRARY_PATH": ":".join(libraries)})
    own = shutil.which(name)
    return UnpackedProgram(Path(own), {}) if own else None
