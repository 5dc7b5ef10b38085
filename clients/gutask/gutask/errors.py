"""Expected errors, and the exit code for each outcome."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of `gutask`, the same for every command."""

    OK = 0
    """The fact is held, corroborated or forgotten; the concept is known."""
    ERROR = 1
    """Something unexpected."""
    USAGE = 2
    """The command line or the fact cannot be read."""
    CONFLICT = 3
    """The fact contradicts what is held and is queued."""
    CANDIDATE = 4
    """The fact waits for a person to confirm it."""
    REJECTED = 5
    """The fact was refused."""
    NOT_FOUND = 6
    """Nothing is known of the concept; the fact to forget is not held."""
    UNAVAILABLE = 69
    """The memory server cannot be reached or is too busy."""
    PERMISSION = 77
    """The credential is missing, unknown or too weak."""


# 69 and 77 are those of sysexits.h: a script may try again, or must get a token.
_EXIT_BY_STATUS = {
    "INVALID_ARGUMENT": Exit.USAGE,
    "NOT_FOUND": Exit.NOT_FOUND,
    "UNAVAILABLE": Exit.UNAVAILABLE,
    "DEADLINE_EXCEEDED": Exit.UNAVAILABLE,
    "RESOURCE_EXHAUSTED": Exit.UNAVAILABLE,
    "UNAUTHENTICATED": Exit.PERMISSION,
    "PERMISSION_DENIED": Exit.PERMISSION,
}


class GutaskError(Exception):
    """Call that gave no answer.

    Args:
        message: What was wrong, and what to do.
        status: The name of a gRPC status code.
        reason: The name of an `ErrorReason` without its prefix; empty if the server
            did not name one.
    """

    def __init__(self, message: str, *, status: str, reason: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.reason = reason

    @property
    def exit_code(self) -> Exit:
        """The exit code of the command."""
        # To a caller, 6 means "teach it this concept"; a mistyped tenant does not.
        if self.reason == "TENANT_NOT_FOUND":
            return Exit.USAGE
        return _EXIT_BY_STATUS.get(self.status, Exit.ERROR)
