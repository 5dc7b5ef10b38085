"""Creation of a cluster, launch of its server, and reading of the state it left."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

from festinger.errors import ConfigurationError, DatabaseUnavailable, DataDirectoryInUse
from festinger.store.embedded import processes
from festinger.store.embedded.binaries import Binaries, choose, made_reachable
from festinger.store.embedded.place import ServerPaths, make_sockets, remember

# In the cluster's own file, where an operator may change them.
SETTINGS = """
# Festinger's choice; it takes effect at the next start.
max_connections = 50
shared_buffers = 128MB
timezone = 'UTC'
log_timezone = 'UTC'
"""

# Settings that this package, or the guarantee of durability, relies on. They are passed
# as arguments, which override the cluster's files and ALTER SYSTEM.
FIXED = {
    "listen_addresses": "",  # the socket only
    "port": "5432",  # part of the socket's name
    "unix_socket_permissions": "0700",  # the owner's processes only
    "fsync": "on",  # an acknowledged write survives a crash, as by the next two
    "full_page_writes": "on",
    "synchronous_commit": "on",
    "logging_collector": "off",  # `pg_ctl` names the file
    # A server that goes back to a point in time is not ready before it takes writes.
    "hot_standby": "off",
}

LOG_BYTES_MAX = 16 * 2**20  # of the log, before a start begins another one

TAIL_LINES = 12  # of the log, in an error

# One segment of the write-ahead log, without which Postgres does not start.
FREE_BYTES_MIN = 16 * 2**20


@dataclass(frozen=True, slots=True)
class Postmaster:
    """Content of `postmaster.pid`; the process may no longer exist."""

    pid: int
    status: str


def postmaster(place: ServerPaths) -> Postmaster | None:
    """Read `postmaster.pid`; return None if it is missing or incomplete."""
    try:
        lines = place.cluster.joinpath("postmaster.pid").read_text().splitlines()
        # Line 1 is the process id, line 8 the status: `starting`, `ready`, `stopping`.
        return Postmaster(int(lines[0]), lines[7].strip() if len(lines) > 7 else "")
    except (OSError, ValueError, IndexError):
        return None


def programs(place: ServerPaths, system_dir: Path) -> Binaries:
    """Return the programs of the cluster's version, in a place its owner can run them.

    Raises:
        ConfigurationError: No suitable programs are installed, or the directory is not
            a cluster.
    """
    # A new cluster may be of any version from `POSTGRES_MIN` on.
    major = None
    if place.cluster.exists():
        try:
            major = int(place.cluster.joinpath("PG_VERSION").read_text())
        except (OSError, ValueError):
            raise ConfigurationError(
                f"{place.cluster} is not a cluster of PostgreSQL. Move it away and "
                "start again"
            ) from None
    return made_reachable(choose(major, place.cluster), place.owner, system_dir)


async def make(
    place: ServerPaths, data_dir: Path, binaries: Binaries, lock: int
) -> None:
    """Create the cluster atomically: it exists completely or not at all.

    Args:
        data_dir: The data directory; receives a note if the cluster lies elsewhere.
        lock: File descriptor of the lock `server`, which initdb inherits, so that it
            remains held while initdb outlives a killed parent.

    Raises:
        DatabaseUnavailable: initdb failed.
    """
    await asyncio.to_thread(_clear, place)
    command: list[str | Path] = [
        *(binaries.program("initdb"), "--pgdata", place.making.name),
        # Only processes of the owner reach the socket, so that a password would add nothing.
        *("--username=festinger", "--auth=trust", "--encoding=UTF8"),
        # The order of bytes: that of a system's locale may change with its libraries.
        *("--locale=C", "--data-checksums", "--no-instructions"),
    ]
    # The built-in provider, from version 17 on, also knows the case of letters of UTF-8.
    if binaries.major >= 17:
        command += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    code, output = await processes.run(
        command, owner=place.owner, directory=place.making.parent, inherit=[lock]
    )
    if code != 0:
        raise failure(place, "the database could not be made", output)
    await asyncio.to_thread(_finish, place, data_dir)


async def launch(place: ServerPaths, binaries: Binaries, lock: int) -> int:
    """Start the server in its own session, without waiting until it is ready.

    Args:
        lock: File descriptor of the lock `server`, which all server processes inherit.

    Returns:
        The offset of this server's first line in the log, in bytes.
    """
    make_sockets(place)
    for left in (place.socket, place.socket.with_name(f"{place.socket.name}.lock")):
        # Postgres trusts the process id in it, as it does in `postmaster.pid`: see
        # `clear_stale`.
        left.unlink(missing_ok=True)
    begins_at = await asyncio.to_thread(_rotated, place.log)
    settings = {
        **FIXED,
        "unix_socket_directories": str(place.sockets),
        "cluster_name": place.name,
    }
    options = [word for item in settings.items() for word in ("-c", "=".join(item))]
    code, output = await processes.run(
        [
            *(binaries.program("pg_ctl"), "start", "--no-wait", "--silent"),
            # Relative, because pg_ctl hands these two to a shell.
            *("--pgdata", place.cluster.name, "--log", f"{place.cluster.name}/log"),
            *("--options", shlex.join(options)),
        ],
        owner=place.owner,
        directory=place.cluster.parent,
        inherit=[lock],
    )
    if code != 0:
        raise failure(place, "the database could not be started", output)
    return begins_at


def clear_stale(place: ServerPaths) -> bool:
    """Remove the `postmaster.pid` of a server that has no process left.

    Returns:
        Whether there was such a file, which means that the next start runs a recovery.

    Raises:
        DataDirectoryInUse: The process is a server that festinger did not start.
    """
    left = postmaster(place)
    if left is None:
        return False
    if processes.may_serve(left.pid, place.cluster):
        raise DataDirectoryInUse(
            f"a Postgres that festinger did not start (process {left.pid}) serves "
            f"{place.cluster}. Stop it first",
            pid=str(left.pid),
        )
    # A zombie keeps its number until its parent has taken note of its end.
    processes.reap_dead()
    place.cluster.joinpath("postmaster.pid").unlink(missing_ok=True)
    return True


def log_lines(place: ServerPaths, begins_at: int = 0) -> str:
    """Return the last lines of the server's log, from an offset in bytes."""
    try:
        with place.log.open("rb") as log:
            size = log.seek(0, os.SEEK_END)
            # At most 16 KB, since a log may be long.
            log.seek(min(size, max(begins_at, size - 16_384)))
            lines = log.read().decode(errors="replace").splitlines()
    except OSError:
        return ""
    return "\n".join(lines[-TAIL_LINES:])


def failure(place: ServerPaths, what: str, output: str) -> DatabaseUnavailable:
    """Return the error for a failed call of one of PostgreSQL's programs."""
    said = "\n".join(output.splitlines()[-TAIL_LINES:])
    # A full disk may have kept Postgres from logging the cause.
    free = shutil.disk_usage(place.cluster.parent).free
    if "No space left on device" in output or free < FREE_BYTES_MIN:
        return DatabaseUnavailable(
            f"{what}: the disk of {place.cluster.parent} is full. Free some space and "
            f"start again. PostgreSQL said:\n{said}"
        )
    return DatabaseUnavailable(
        f"{what}. Mend what PostgreSQL complains of and start again; all it said is in "
        f"{place.log}. The last of it:\n{said}"
    )


def _clear(place: ServerPaths) -> None:
    """Create an empty directory for initdb, removing the rest of an interrupted run."""
    shutil.rmtree(place.making, ignore_errors=True)
    place.making.mkdir(mode=0o700)
    place.owner.owns(place.making)


def _finish(place: ServerPaths, data_dir: Path) -> None:
    # Before the directory gets its name, so that a cluster is complete.
    with place.making.joinpath("postgresql.conf").open("a") as file:
        file.write(SETTINGS)
    place.making.rename(place.cluster)
    # The new name is on the disk only once its directory is.
    directory = os.open(place.cluster.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
    remember(data_dir, place)


def _rotated(log: Path) -> int:
    """Rotate the log if it is too long; return the current size in bytes."""
    try:
        size = log.stat().st_size
    except FileNotFoundError:
        return 0
    if size <= LOG_BYTES_MAX:
        return size
    log.replace(log.with_name("log.old"))
    return 0
