"""Runs our commands as forks of processes that have imported them: a tenth of the cost.

A fork gets what a process of its own would have: words, environment, folder, standard
streams. That the program starts by itself, with nothing imported, is said by the tests
that start it.
"""

from __future__ import annotations

import atexit
import gc
import os
import pickle
import socket
import sys
import threading
import time
import traceback
from collections.abc import Mapping
from contextlib import ExitStack
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from selectors import EVENT_READ, DefaultSelector
from typing import IO, NamedTuple, NoReturn

from festinger.cli.commands import COMMANDS

ROOT = Path(__file__).parents[1]
SECONDS_MAX = 120.0


class Ended(NamedTuple):
    """Exit code and output of a command."""

    code: int
    printed: str
    complained: str


def run(
    *words: str | bytes,
    environment: Mapping[str, str],
    given: str = "",
    together: bool = False,
    program: str = "festinger",
) -> Ended:
    """Run a command to its end.

    Args:
        environment: All of its environment.
        given: What it can read.
        together: Whether it complains where it prints.
        program: `festinger` or `gutask`.
    """
    with ExitStack() as stack:
        # In memory: nobody has to read while the command writes.
        read, printed, complained = (
            stack.enter_context(os.fdopen(os.memfd_create(name), "w+b", buffering=0))
            for name in ("stdin", "stdout", "stderr")
        )
        read.write(given.encode())
        read.seek(0)
        ours, its = map(stack.enter_context, socket.socketpair())
        passed = (read, printed, printed if together else complained, its)
        socket.send_fds(_parent(program), [b"!"], [it.fileno() for it in passed])
        its.close()
        ours.settimeout(SECONDS_MAX)
        given_words = [os.fsdecode(word) for word in words]
        ours.sendall(pickle.dumps((given_words, dict(environment), os.getcwd())))
        ours.shutdown(socket.SHUT_WR)
        code = int(ours.recv(16))
        return Ended(code, _content(printed), _content(complained))


def _content(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode()


@cache
def _parent(program: str) -> socket.socket:
    """Start the process that is forked, and return the way to it; it ends with ours."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        os.posix_spawn(
            sys.executable,
            [sys.executable, "-W", "error", "-m", "tests.forks", program],
            # What grpc logs is decided when it is imported.
            os.environ | {"PYTHONPATH": str(ROOT), "GRPC_VERBOSITY": "NONE"},
            file_actions=[(os.POSIX_SPAWN_DUP2, its.fileno(), 0)],
        )
    atexit.register(ours.close)
    return ours


def _serve(program: str) -> None:
    """Fork for each command, until nobody is left to ask; tell who asked how it ended."""
    channel = socket.socket(fileno=os.dup(0))
    with DefaultSelector() as selector:
        selector.register(channel, EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj is not channel:
                    selector.unregister(key.fd)
                    pid, asker = key.data
                    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                    os.write(asker, str(code).encode())
                    os.close(asker)
                    os.close(key.fd)
                    continue
                asked, passed, _, _ = socket.recv_fds(
                    channel, 1, 4, socket.MSG_CMSG_CLOEXEC
                )
                if not asked:
                    return
                *streams, asker = passed
                if not (pid := os.fork()):
                    _become(program, streams, socket.socket(fileno=asker))
                for stream in streams:
                    os.close(stream)
                selector.register(os.pidfd_open(pid), EVENT_READ, (pid, asker))


def _become(program: str, streams: list[int], asker: socket.socket) -> NoReturn:
    """Run the command that is asked for, and end as Python does."""
    code = 1
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        with asker.makefile("rb") as request:
            words, environment, folder = pickle.load(request)
        os.environ.clear()
        os.environ.update(environment)
        time.tzset()
        os.chdir(folder)
        sys.argv = [program, *words]
        import_module(f"{program}.cli").main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        for thread in threading.enumerate():
            if not thread.daemon and thread is not threading.main_thread():
                thread.join()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        # Tidying up all that was imported would take most of the time.
        os._exit(code)


def _import_all(program: str) -> None:
    if program == "festinger":
        entries = (entry for room in COMMANDS.values() for entry in room.values())
        modules = [f"festinger.cli.{it.target.partition(':')[0]}" for it in entries]
    else:
        package = import_module(program)
        found = walk_packages(package.__path__, f"{program}.")
        modules = [it.name for it in found if not it.name.endswith("__main__")]
    for module in modules:
        import_module(module)
    # Who looks at an object for garbage copies its page.
    gc.freeze()


if __name__ == "__main__":
    _import_all(sys.argv[1])
    _serve(sys.argv[1])
