"""Errors of the console."""

from __future__ import annotations

from festinger.errors import FestingerError


class PageRefused(FestingerError):
    """The console refuses a request.

    Args:
        status: The HTTP status.
        message: What was wrong and what to do.
        reason: A machine-readable code; empty if there is none.
    """

    reason = "REFUSED"

    def __init__(self, status: int, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.status = status
        # `reason` is the same for all refusals of the console; this is the one of the call.
        self.word = reason

    def as_of_now(self, again: str) -> str:
        """Return the message for a page that shows what there is now.

        Args:
            again: What the person has to do again. Example: `decide`.
        """
        # Somebody changed it after the page was loaded.
        if self.word == "etag_mismatch":
            return f"it has changed meanwhile. This is how it stands now; {again} again"
        return str(self)
