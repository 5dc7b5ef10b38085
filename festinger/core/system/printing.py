"""Sanitise texts of unknown origin for display and storage."""

from __future__ import annotations

from datetime import UTC, datetime


def printable(text: str) -> str:
    """Return a text on one line, with spaces instead of unprintable characters."""
    # Line ends and escape sequences would let a text forge other lines of a terminal or log.
    return "".join(each if each.isprintable() else " " for each in text)


def done_by(done: str, by: str, at: float | None) -> str:
    """Return who decided what and when: `was accepted by bob on 2026-11-26 21:05 UTC`.

    Args:
        at: Seconds since the epoch; None if it is unknown.
    """
    if at is None:
        return f"was {done} by {by}"
    return f"was {done} by {by} on {datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"
