"""Programs run as another user, and the search for the processes of a server."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from festinger.store.embedded.place import PostgresUser

PROC = Path("/proc")

# Our environment is not inherited: PGDATA or PGPORT would affect the program.
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C"}  # messages in English


async def run(
    command: Sequence[str | Path],
    *,
    owner: PostgresUser,
    directory: Path,
    inherit: Sequence[int] = (),
) -> tuple[int, str]:
    """Run a program until it exits, detached from the terminal's Ctrl-C.

    Args:
        directory: Its working directory. `owner` may not be able to enter ours.
        inherit: File descriptors that it and its children inherit.

    Returns:
        The exit code and the output, stdout and stderr combined.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=directory,
        env=ENVIRONMENT,
        pass_fds=inherit,
        # Ctrl-C reaches all of a terminal's session; the server is to end after its clients.
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        **owner.spawn_options(),
    )
    try:
        output, _ = await process.communicate()
    except asyncio.CancelledError:
        with contextlib.suppress(ProcessLookupError):  # it has just ended
            process.kill()
        await process.wait()
        raise
    return process.returncode or 0, output.decode(errors="replace").strip()


def arguments(pid: int) -> list[str]:
    """Return the arguments of a process; empty if it is gone or a zombie."""
    if not PROC.joinpath("self").exists():
        return next((found for other, found in _listed(pid) if other == pid), [])
    try:
        raw = PROC.joinpath(str(pid), "cmdline").read_bytes()
    except OSError:
        return []
    # Arguments are separated by NUL; a zombie has none.
    return raw.decode(errors="replace").rstrip("\0").split("\0") if raw else []


def may_serve(pid: int, cluster: Path) -> bool:
    """Return whether a process may be a Postgres on this cluster, ours or not."""
    # An empty name for a process that is gone.
    first, *_ = *arguments(pid), ""
    # A child's title is such as `postgres: festinger-1a2b: checkpointer`.
    if Path(first.partition(":")[0]).name not in {"postgres", "postmaster"}:
        return False
    process = PROC / str(pid)
    try:
        # Postgres uses its data directory as its working directory.
        return os.path.samefile(process / "cwd", cluster)
    except PermissionError:
        # Postgres only accepts a data directory of its own user.
        return process.stat().st_uid == cluster.stat().st_uid
    except OSError:
        # Gone, or no `/proc`: rather refuse to start than serve a cluster twice.
        return True


def is_postmaster(pid: int, name: str) -> bool:
    """Return whether a process is the postmaster of the server with that name."""
    # A server's `cluster_name` is in its arguments. A process id alone is not sufficient: after
    # a restart of a container the same small numbers belong to other programs.
    return f"cluster_name={name}" in arguments(pid)


def of_server(name: str) -> list[int]:
    """Return all processes of the server with that name, including the postmaster."""
    title = f"postgres: {name}: "
    return [
        pid
        for pid, found in _all()
        # Children replace their arguments by a title.
        if f"cluster_name={name}" in found or " ".join(found).startswith(title)
    ]


def end_at_once(pids: Sequence[int]) -> None:
    """Send SIGQUIT to processes of Postgres, which then exit without a checkpoint."""
    for pid in pids:
        send(pid, signal.SIGQUIT)


def send(pid: int, number: signal.Signals) -> None:
    """Send a signal to a process that may be gone."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def reap(pid: int) -> None:
    """Reap an exiting process of Postgres, if it is a child of this process."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def reap_dead() -> None:
    """Reap the zombies of a crashed server that are children of this process."""
    # The init process of a container inherits every orphan, and is often this process.
    for status in PROC.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            pid, _, rest = status.read_text().partition(" ")
            # The fields of `stat`: name, state and parent.
            if rest.startswith(f"(postgres) Z {os.getpid()} "):
                reap(int(pid))


def _all() -> Iterator[tuple[int, list[str]]]:
    if not PROC.joinpath("self").exists():
        yield from _listed()
        return
    for entry in os.listdir(PROC):
        if entry.isdigit():
            yield int(entry), arguments(int(entry))


def _listed(pid: int | None = None) -> Iterator[tuple[int, list[str]]]:
    """Yield processes and their arguments from `ps`, for systems without /proc."""
    which = ["-A"] if pid is None else ["-p", str(pid)]
    listing = subprocess.run(
        ["ps", "-ww", "-o", "pid=,command=", *which],
        capture_output=True,  # no columns' titles
        text=True,
        check=False,
    )
    for line in listing.stdout.splitlines():
        number, _, command = line.strip().partition(" ")
        yield int(number), command.split()
