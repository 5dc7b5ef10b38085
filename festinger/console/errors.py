"""What a request of the console can end in, beside an answer."""

from __future__ import annotations

from festinger.errors import FestingerError


class PageRefused(FestingerError):
    """A request is not answered as it was meant.

    Args:
        status: The HTTP status.
        message: What was wrong and what to do.
        reason: One word for programs; empty if there is none.
    """

    reason = "REFUSED"

    def __init__(self, status: int, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.word = reason
