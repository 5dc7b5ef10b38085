"""Moments, as people write and read them: in local time."""

from __future__ import annotations

from datetime import UTC, date, datetime, time


def moment_of(text: str) -> datetime:
    """Reads a date or date-time of ISO 8601; local, unless it names an offset.

    What is left out is taken to its end: a date is the last moment of that day, and a
    time without a fraction the last of that second. So whatever happened on a day, or
    at a time that a history shows, belongs to it.

    Raises:
        ValueError: It is neither, or no clock shows it.
    """
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
    """Shows a moment of UTC in local time, to the second."""
    there = moment.replace(tzinfo=UTC).astimezone()
    return there.replace(tzinfo=None).isoformat(" ", "seconds")
