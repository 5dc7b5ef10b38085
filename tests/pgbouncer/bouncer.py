"""A real PgBouncer in transaction mode, before the tests' Postgres."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tests.unpacked import UnpackedProgram, find_program

START_SECONDS = 10.0
# Fewer sessions than clients, so that every client has several of them.
CONFIGURATION = """
[databases]
* = host={host} port={port} user={user}
[pgbouncer]
listen_addr =
unix_socket_dir = {directory}
listen_port = 6432
auth_type = any
pool_mode = transaction
default_pool_size = {sessions}
max_client_conn = 200
logfile = {directory}/log
pidfile = {directory}/pid
"""


def program() -> UnpackedProgram | None:
    """Return the PgBouncer that `make test-pgbouncer` unpacked, or the machine's own."""
    return find_program("pgbouncer", ".venv-pgbouncer")


class Bouncer:
    """
    A PgBouncer before a database's server.

    Attributes:
        database: The DSN of the database itself.
        dsn: The DSN that leads to it through the PgBouncer.
    """

    def __init__(self, database: str, *, sessions: int = 3) -> None:
        self.database = database
        self.directory = Path(tempfile.mkdtemp(prefix="bouncer-", dir="/tmp"))
        self.directory.chmod(0o755)
        parts = urlsplit(database)
        asked = parse_qs(parts.query)
        self.dsn = f"postgresql://{parts.username}@{parts.path}?host={self.directory}"
        self.dsn += "&port=6432"
        self._process: subprocess.Popen[bytes] | None = None
        # It refuses to be root, and the embedded server's sockets are its owner's.
        self._owner = Path(asked["host"][0]).stat()
        (self.directory / "pgbouncer.ini").write_text(
            CONFIGURATION.format(
                host=asked["host"][0],
                port=asked.get("port", ["5432"])[0],
                user=parts.username,
                directory=self.directory,
                sessions=sessions,
            )
        )

    def __enter__(self) -> Bouncer:
        """Start it."""
        self.start()
        return self

    def __exit__(self, *raised: object) -> None:
        """Stop it, and removes its directory."""
        self.stop()
        shutil.rmtree(self.directory)

    def start(self) -> None:
        """Start it, and wait until it listens."""
        found = program()
        assert found is not None, "there is no PgBouncer"
        root = os.geteuid() == 0
        if root:
            os.chown(self.directory, self._owner.st_uid, self._owner.st_gid)
        self._process = subprocess.Popen(
            [found.path, "--quiet", self.directory / "pgbouncer.ini"],
            env={**os.environ, **found.variables},
            user=self._owner.st_uid if root else None,
            group=self._owner.st_gid if root else None,
            extra_groups=[] if root else None,
        )
        self._wait()

    def stop(self) -> None:
        """End it, with all connections."""
        if self._process:
            self._process.terminate()
            self._process.wait()

    def _wait(self) -> None:
        assert self._process is not None
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until and self._process.poll() is None:
            with suppress(OSError), socket.socket(socket.AF_UNIX) as client:
                client.connect(str(self.directory / ".s.PGSQL.6432"))
                return
            time.sleep(0.02)
        raise RuntimeError(f"PgBouncer did not start: {self.directory / 'log'}")
