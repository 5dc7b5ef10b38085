"""A disk that is full when a test says so."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from festinger.store.embedded import binaries

FAULT = Path(__file__).with_name("enospc.c")


@dataclass
class Disk:
    """A directory with a disk of its own."""

    base: Path

    @staticmethod
    def can_be_full() -> bool:
        """Return whether the fault can be preloaded, which takes Linux and gcc."""
        return sys.platform == "linux" and shutil.which("gcc") is not None

    @property
    def data_dir(self) -> Path:
        """The directory of the data."""
        return self.base / "data"

    def fill(self) -> None:
        """Take the last byte that was free."""
        (self.base / "full").touch()

    def free(self) -> None:
        """Make room again."""
        (self.base / "full").unlink(missing_ok=True)

    def programs(self) -> Path:
        """Return the folder of PostgreSQL's programs that notice when there is no room."""
        library = self.base / "enospc.so"
        subprocess.run(
            ["gcc", "-O1", "-shared", "-fPIC", "-o", library, FAULT], check=True
        )
        found = binaries.choose(None, self.base)
        (self.base / "bin").mkdir()
        for name in binaries.PROGRAMS:
            program = self.base / "bin" / name
            program.write_text(
                "#!/bin/sh\n"
                f"export LD_PRELOAD={library} ENOSPC_BELOW={self.data_dir}/ "
                f"ENOSPC_WHILE={self.base}/full\n"
                f'exec {shlex.quote(str(found.program(name)))} "$@"\n'
            )
            program.chmod(0o755)
        return self.base / "bin"
