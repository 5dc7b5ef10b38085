"""Runs our commands as forks of processes that have imported them: a tenth of the cost.

A fork gets what a process of its own would have: words, environment, folder, standard
streams. That the program starts by itself, with nothing imported, is said by the tests
that start it.
"""

from __future__ import annotations

import asyncio
import atexit
import gc
import os
import pickle
import signal
import socket
import struct
import sys
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from selectors import EVENT_READ, DefaultSelector
from typing import IO, NamedTuple, NoReturn

from festinger.cli.commands import COMMANDS

ROOT = Path(__file__).parents[1]
SECONDS_MAX = 120.0

# Imported when they are run, which a test should not wait for, either.
SERVERS = ("festinger.programs.server", "festinger.programs.shim")

# Of a process: its id, and later its exit code.
NUMBER = struct.Struct("i")


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
        streams = read, printed, printed if together else complained
        files = [it.fileno() for it in streams]
        ours = stack.enter_context(_fork(program, words, environment, files))
        _, code = _number(ours), _number(ours)
        return Ended(code, _content(printed), _content(complained))


class ForkedProcess:
    """A forked program that runs, with what tests use of asyncio's `Process`."""

    def __init__(self, told: socket.socket) -> None:
        self.pid = _number(told)
        self._told = told
        loop = asyncio.get_running_loop()
        self._code: asyncio.Future[int] = loop.create_future()
        loop.add_reader(told, self._note_end)

    @property
    def returncode(self) -> int | None:
        """Exit code, or a signal's number, negative; None while it runs."""
        return self._code.result() if self._code.done() else None

    async def wait(self) -> int:
        """Wait until it has ended, and return its exit code."""
        # Whoever gives up waiting must not cancel it for others.
        return await asyncio.shield(self._code)

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended: its id may be another's by now."""
        if not self._code.done():
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it as the kernel does."""
        self.send_signal(signal.SIGKILL)

    def _note_end(self) -> None:
        asyncio.get_running_loop().remove_reader(self._told)
        self._code.set_result(_number(self._told))
        self._told.close()


def start(
    *words: str, environment: Mapping[str, str], output: int, program: str = "festinger"
) -> ForkedProcess:
    """Start a program that reads nothing.

    Args:
        environment: All of its environment.
        output: File descriptor that it prints and complains to.
        program: `festinger`, or a module with a `main` of its own.
    """
    with open(os.devnull, "rb") as nothing:
        files = [nothing.fileno(), output, output]
        return ForkedProcess(_fork(program, words, environment, files))


def _fork(
    program: str,
    words: Sequence[str | bytes],
    environment: Mapping[str, str],
    streams: Sequence[int],
) -> socket.socket:
    """Fork a program; return the socket that tells its process's id and exit code."""
    ours, its = socket.socketpair()
    with its:
        socket.send_fds(_parent(program), [b"!"], [*streams, its.fileno()])
    ours.settimeout(SECONDS_MAX)
    given_words = [os.fsdecode(word) for word in words]
    ours.sendall(pickle.dumps((given_words, dict(environment), os.getcwd())))
    ours.shutdown(socket.SHUT_WR)
    return ours


def _number(told: socket.socket) -> int:
    number: int = NUMBER.unpack(told.recv(NUMBER.size))[0]
    return number


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
                    # Whoever asked may have gone.
                    with suppress(BrokenPipeError):
                        os.write(asker, NUMBER.pack(code))
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
                with suppress(BrokenPipeError):
                    os.write(asker, NUMBER.pack(pid))
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
        import_module(_main_module(program)).main()
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


def _main_module(program: str) -> str:
    return program if "." in program else f"{program}.cli"


def _import_all(program: str) -> None:
    modules = [_main_module(program)]
    if program != "gutask":
        entries = (entry for room in COMMANDS.values() for entry in room.values())
        modules += [f"festinger.cli.{it.target.partition(':')[0]}" for it in entries]
        modules += SERVERS
    else:
        package = import_module(program)
        found = walk_packages(package.__path__, f"{program}.")
        modules += [it.name for it in found if not it.name.endswith("__main__")]
    for module in modules:
        import_module(module)
    # Who looks at an object for garbage copies its page.
    gc.freeze()


if __name__ == "__main__":
    _import_all(sys.argv[1])
    _serve(sys.argv[1])
