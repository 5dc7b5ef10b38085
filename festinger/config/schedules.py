"""Checks of schedules: cron expressions and time zones."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

NEVER: Final = "never"
"""Value in place of an expression if jobs run on request only."""
_FIELDS: Final = 5  # minute, hour, day of the month, month, day of the week


def check_cron(text: str) -> str:
    """Return a cron expression, or `never`, unchanged if it is valid.

    Raises:
        ValueError: It is invalid; the message says why.
    """
    if text != NEVER:
        try:
            # A sixth field would be seconds.
            if len(text.split()) != _FIELDS:
                raise CronSimError("wrong number of fields")
            # The date does not matter: it is parsed only.
            CronSim(text, datetime(2000, 1, 1))
        except CronSimError as error:
            raise ValueError(
                f"{text[:80]!r} is no cron expression ({error}). Write five fields, as "
                f"in '0 2 * * *', or {NEVER!r}"
            ) from error
    return text


def check_timezone(text: str) -> str:
    """Return the name of a time zone unchanged if it exists.

    Raises:
        ValueError: There is no such time zone.
    """
    try:
        ZoneInfo(text)
    except (KeyError, ValueError, OSError) as error:
        raise ValueError(
            f"there is no time zone {text[:80]!r}. Write an IANA name, as Europe/Berlin"
        ) from error
    return text
