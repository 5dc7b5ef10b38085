"""Starting programs as another user, and finding the processes of one server.

A server is recognised by its `cluster_name`, which is in the postmaster's arguments
and in the title of each of its children. A process id alone proves nothing: after a
restart of a container the same small numbers belong to other programs.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from festinger.store.embedded.place import Owner

PROC = Path("/proc")

# Nothing of ours is passed on: a PGDATA or a PGPORT would change what is started.
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C"}


async def run(
    command: Sequence[str | Path],
    *,
    owner: Owner,
    directory: Path,
    inherit: Sequence[int] = (),
) -> tuple[int, str]:
    """Runs a program to its end, out of reach of the terminal's Ctrl-C.

    Args:
        command: The program and its arguments.
        owner: The user to run it as.
        directory: Where to run it. The own one may be closed to `owner`.
        inherit: Open files that it, and what it starts, keeps.

    Returns:
        Its exit code and all it printed.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=directory,
        env=ENVIRONMENT,
        pass_fds=inherit,
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
    """The arguments of a process; none if it is gone, or dead and not yet reaped."""
    if not PROC.joinpath("self").exists():
        return next((found for other, found in _listed(pid) if other == pid), [])
    try:
        raw = PROC.joinpath(str(pid), "cmdline").read_bytes()
    except OSError:
        return []
    return raw.decode(errors="replace").rstrip("\0").split("\0") if raw else []


def may_serve(pid: int, cluster: Path) -> bool:
    """Whether a process, whoever started it, may be a Postgres on this cluster."""
    first, *_ = *arguments(pid), ""
    if Path(first.partition(":")[0]).name not in {"postgres", "postmaster"}:
        return False
    process = PROC / str(pid)
    try:
        # Postgres works in its data directory.
        return os.path.samefile(process / "cwd", cluster)
    except PermissionError:
        # It serves none but its own user's.
        return process.stat().st_uid == cluster.stat().st_uid
    except OSError:
        return True


def is_postmaster(pid: int, name: str) -> bool:
    """Whether this is the postmaster of the server of that name."""
    return f"cluster_name={name}" in arguments(pid)


def of_server(name: str) -> list[int]:
    """All processes of the server of that name, the postmaster among them."""
    title = f"postgres: {name}: "
    return [
        pid
        for pid, found in _all()
        if f"cluster_name={name}" in found or " ".join(found).startswith(title)
    ]


def end_at_once(pids: Sequence[int]) -> None:
    """Makes processes of Postgres quit without a checkpoint."""
    for pid in pids:
        send(pid, signal.SIGQUIT)


def send(pid: int, number: signal.Signals) -> None:
    """Sends a signal, to a process that may be gone."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def reap(pid: int) -> None:
    """Buries a dying process of Postgres, if it fell to us."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def reap_dead() -> None:
    """Buries what a crashed server left, if it fell to us.

    The first process of a container inherits every orphan, and is often we.
    """
    for status in PROC.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            pid, _, rest = status.read_text().partition(" ")
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
    """What `ps` knows, for systems without /proc."""
    which = ["-A"] if pid is None else ["-p", str(pid)]
    listing = subprocess.run(
        ["ps", "-ww", "-o", "pid=,command=", *which],
        capture_output=True,
        text=True,
        check=False,
    )
    for line in listing.stdout.splitlines():
        number, _, command = line.strip().partition(" ")
        yield int(number), command.split()
