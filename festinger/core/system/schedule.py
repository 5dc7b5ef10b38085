"""Schedules: a cron expression in a time zone.

At a daylight saving transition, a job at certain hours runs once: at the first of two
equal local times, or when the skipped hour would be over. A job at intervals, with a
`*` as minute or hour, continues by elapsed time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from math import floor
from typing import Self
from zoneinfo import ZoneInfo

from cronsim import CronSim

from festinger.config.schedules import NEVER, check_cron, check_timezone

_SET_BACK_SECONDS_MAX = 3 * 3600
"""Upper bound of the seconds by which clocks are set back at once."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """A cron expression in a time zone.

    Attributes:
        cron: Five fields: minute, hour, day of the month, month, day of the week; or
            `never`.
        timezone: An IANA name. Example: `Europe/Berlin`.
    """

    cron: str
    timezone: str

    @classmethod
    def checked(cls, cron: str, timezone: str) -> Self:
        """Return a schedule after validating both parts."""
        check_cron(cron)
        check_timezone(timezone)
        return cls(cron, timezone)

    def next(self, after: float) -> float | None:
        """Return the first scheduled time after another, in seconds since the epoch.

        Returns:
            None if there is none within the next 50 years: no month has a fifth Monday
            on its first day.
        """
        for moment in self._moments(floor(after)):
            # A local time repeated when clocks are set back yields its first
            # occurrence, which may be in the past.
            if moment > after:
                return moment
        return None

    def latest(self, since: float, until: float) -> float | None:
        """Return the last scheduled time in (since, until]; None if there is none."""
        if until <= since:
            return None
        # One of several missed times is returned, so that one run makes up for them.
        # The reverse iterator excludes its start; the extra hours cover local times
        # that are repeated, as in `next`.
        for moment in self._moments(floor(until) + _SET_BACK_SECONDS_MAX, back=True):
            if moment <= until:
                return moment if moment > since else None
        return None

    def _moments(self, start: int, *, back: bool = False) -> Iterator[float]:
        """Yield the scheduled times from a start, forwards or backwards."""
        if self.cron == NEVER:
            return
        # A local time, as people mean it.
        at = datetime.fromtimestamp(start, ZoneInfo(self.timezone))
        for moment in CronSim(self.cron, at, reverse=back):
            yield moment.timestamp()
