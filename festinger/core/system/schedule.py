"""When the schedule lets something run: a cron expression in a time zone.

Where summer time begins or ends, what is to happen at certain hours happens once: at the
first of two times, or when the hour that is left out would be over. What is to happen
every so often, with a `*` as minute or hour, goes on as time does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from math import floor
from typing import Self
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

NEVER = "never"
"""What is written instead of an expression to run by hand only."""
_FIELDS = 5
_SET_BACK_SECONDS_MAX = 3 * 3600
"""More than clocks are ever set back at once."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """A cron expression in a time zone.

    Attributes:
        cron: Five fields: minute, hour, day of the month, month, day of the week. Or
            `never`.
        timezone: An IANA name. Example: `Europe/Berlin`.
    """

    cron: str
    timezone: str

    @classmethod
    def checked(cls, cron: str, timezone: str) -> Self:
        """A schedule that can be asked.

        Raises:
            ValueError: It cannot; says why.
        """
        check_cron(cron)
        check_timezone(timezone)
        return cls(cron, timezone)

    def next(self, after: float) -> float | None:
        """The first moment after another one; both in seconds since the epoch.

        Returns:
            None if there is none within the next 50 years: no month has a fifth Monday
            on its first day.
        """
        for moment in self._moments(floor(after)):
            # What is repeated when clocks are set back is named by its first time,
            # which may be over.
            if moment > after:
                return moment
        return None

    def latest(self, since: float, until: float) -> float | None:
        """The last moment in (since, until]; None if there is none.

        What was missed several times is caught up with once.
        """
        if until <= since:
            return None
        # The way back begins before the moment that it is given, and further ahead for
        # the same reason.
        for moment in self._moments(floor(until) + _SET_BACK_SECONDS_MAX, back=True):
            if moment <= until:
                return moment if moment > since else None
        return None

    def _moments(self, start: int, *, back: bool = False) -> Iterator[float]:
        """The moments from another one on, or back."""
        if self.cron == NEVER:
            return
        at = datetime.fromtimestamp(start, ZoneInfo(self.timezone))
        for moment in CronSim(self.cron, at, reverse=back):
            yield moment.timestamp()


def check_cron(text: str) -> str:
    """A cron expression that can be read, or `never`.

    Raises:
        ValueError: It cannot; says why.
    """
    if text != NEVER:
        try:
            # A sixth field would be seconds.
            if len(text.split()) != _FIELDS:
                raise CronSimError("wrong number of fields")
            CronSim(text, datetime(2000, 1, 1))
        except CronSimError as error:
            raise ValueError(
                f"{text[:80]!r} is no cron expression ({error}). Write five fields, as "
                f"in '0 2 * * *', or {NEVER!r}"
            ) from error
    return text


def check_timezone(text: str) -> str:
    """The name of a time zone.

    Raises:
        ValueError: There is none of that name.
    """
    try:
        ZoneInfo(text)
    except (KeyError, ValueError, OSError) as error:
        raise ValueError(
            f"there is no time zone {text[:80]!r}. Write an IANA name, as Europe/Berlin"
        ) from error
    return text
