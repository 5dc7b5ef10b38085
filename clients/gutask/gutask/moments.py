"""Moments, as people write and read them: in local time."""

from __future__ import annotations

from datetime import UTC, date, datetime, time


def moment_of(text: str) -> datetime:
    """Parse a date or date-time of ISO 8601. Raises `ValueError`."""
    # What is left out is taken to its end: whatever happened on a day, or in a second
    # that a history shows, belongs to it. Without an offset it is local time.
    try:
        moment = datetime.combine(date.fromisoformat(text), time.max)
    except ValueError:
        moment = datetime.fromisoformat(text)
        if not moment.microsecond:
            moment = moment.replace(microsecond=time.max.microsecond)
    try:
        return moment.astimezone(UTC)
    except (OverflowError, OSError) as error:  # the first and the last days
        raise ValueError(f"{text} is too far away") from error


def local(moment: datetime) -> str:
    """Return a moment of UTC in local time, to the second."""
    # Without an offset, so that it can be given to --as-of as it is shown.
    there = moment.replace(tzinfo=UTC).astimezone()
    return there.replace(tzinfo=None).isoformat(" ", "seconds")
