"""Locks of the kernel, which end with the processes that hold them.

Three files beside the cluster carry everything that several processes must agree on:

    change   exclusive, while somebody starts or stops the server
    holders  shared, by everybody who uses the server: the reference count
    server   exclusive, by every process that runs on the cluster, by inheritance

No number is written anywhere, so a kill -9 cannot leave a wrong one behind.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from festinger.errors import ConfigurationError


class FileLock:
    """A lock on a file, never waited for.

    Args:
        path: The file; made if it is missing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    @property
    def descriptor(self) -> int:
        """The open file, for a child to inherit. Only while the lock is taken."""
        assert self._descriptor is not None
        return self._descriptor

    def take(self, *, shared: bool = False) -> bool:
        """Takes the lock, or turns the one that is held into the other kind.

        Returns:
            Whether it was to be had. If not, nothing is held any more.

        Raises:
            ConfigurationError: The file is closed to us, or can carry no lock.
        """
        if self._descriptor is None:
            self._descriptor = self._opened()
        mode = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        try:
            fcntl.flock(self._descriptor, mode | fcntl.LOCK_NB)
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
            return os.open(self._path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise ConfigurationError(
                f"{self._path} cannot be opened: {error.strerror}. Run festinger as the "
                "user that ran it here first, or set data_dir to another directory"
            ) from None

    def release(self) -> None:
        """Gives the lock back, also if a forked child has a copy of it."""
        if self._descriptor is not None:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)
            self.hand_over()

    def hand_over(self) -> None:
        """Leaves the lock to the children that inherited it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


class Share:
    """One holder's part in the reference count.

    Joining and leaving are only sound while `change` is held.

    Args:
        path: The file `holders`.
    """

    def __init__(self, path: Path) -> None:
        self._lock = FileLock(path)
        self.held = False

    def join(self) -> bool:
        """Becomes a holder; tells whether there is no other."""
        alone = self._lock.take()
        self.held = self._lock.take(shared=True)
        return alone

    def leave(self) -> bool:
        """Stops being a holder; tells whether that was the last one."""
        last = self._lock.take()
        self._lock.release()
        self.held = False
        return last
