"""File locks, which the kernel releases when the processes that hold them end.

Three files beside the cluster hold all state that several processes share:

    change   exclusive, held while a process starts or stops the server
    holders  shared, held by each process that uses the server: the reference count
    server   exclusive, inherited by every process that runs on the cluster

No process id or count is stored in a file, so a kill -9 cannot leave a stale one.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from festinger.errors import ConfigurationError


class FileLock:
    """A non-blocking lock on a file, which is created if it is missing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    @property
    def descriptor(self) -> int:
        """The file descriptor, for a child to inherit; only valid while locked."""
        assert self._descriptor is not None
        return self._descriptor

    def take(self, *, shared: bool = False) -> bool:
        """Acquire the lock, or convert a held lock to the other mode.

        Returns:
            Whether the lock was acquired. If not, a lock held before is released.

        Raises:
            ConfigurationError: The file cannot be opened, or its file system has no
                locks.
        """
        # A held lock is converted on its descriptor, since a second one would conflict with it.
        if self._descriptor is None:
            self._descriptor = self._opened()
        mode = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        try:
            # Not blocking, since the event loop would stand still.
            fcntl.flock(self._descriptor, mode | fcntl.LOCK_NB)
        # The kernel drops the old lock before it tries the new one.
        except BlockingIOError:
            self.hand_over()
            return False
        except OSError as error:
            self.hand_over()
            raise ConfigurationError(
                f"the file system of {self._path} has no locks ({error.strerror}). "
                "Put the data directory on a local disk"
            ) from None
        return True

    def _opened(self) -> int:
        try:
            # `O_CLOEXEC`: only children that are told to inherit it keep the lock.
            return os.open(self._path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise ConfigurationError(
                f"{self._path} cannot be opened: {error.strerror}. Run festinger as the "
                "user that ran it here first, or set data_dir to another directory"
            ) from None

    def release(self) -> None:
        """Release the lock, even if a forked child inherited the descriptor."""
        if self._descriptor is not None:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)
            self.hand_over()

    def hand_over(self) -> None:
        """Close the descriptor; child processes that inherited it keep the lock."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


class ServerShare:
    """A holder's share in the reference count of the server.

    `join` and `leave` are only race-free while the lock `change` is held.
    """

    def __init__(self, path: Path) -> None:
        self._lock = FileLock(path)
        self.held = False

    def join(self) -> bool:
        """Become a holder; return whether it is the only one."""
        # An exclusive lock can be had by the only holder alone; then it is shared with later ones.
        alone = self._lock.take()
        self.held = self._lock.take(shared=True)
        return alone

    def leave(self) -> bool:
        """Stop being a holder; return whether it was the last one."""
        # As in `join`: it succeeds if nobody else holds a share.
        last = self._lock.take()
        self._lock.release()
        self.held = False
        return last
