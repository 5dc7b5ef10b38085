"""How often people are asked: three times a person and ten times a channel, in a day (I4a).

A day is one of the policy's time zone, from midnight to midnight, however many hours it
has. A digest counts as one question. What is critical is not held back by it, and counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from festinger.core.validation.policy import ValidationPolicy
from festinger.core.validation.questions import QuestionTarget


@dataclass(slots=True)
class DailyAllowance:
    """How many questions may still be asked on a day.

    Attributes:
        spent: How many were, by where they went.
    """

    person_max: int
    channel_max: int
    spent: Counter[QuestionTarget] = field(default_factory=Counter)

    @classmethod
    def of(
        cls, policy: ValidationPolicy, spent: Counter[QuestionTarget]
    ) -> DailyAllowance:
        """What a policy allows beside what was asked."""
        return cls(policy.person_questions_max, policy.channel_questions_max, spent)

    def left(self, spot: QuestionTarget) -> int:
        """How many more may be asked there."""
        most = self.person_max if spot.recipient else self.channel_max
        return max(most - self.spent[spot], 0)

    def take(self, spot: QuestionTarget, *, critical: bool = False) -> bool:
        """Asks one there; false if that is too many."""
        if not critical and not self.left(spot):
            return False
        self.spent[spot] += 1
        return True


class WaitingPosting(NamedTuple):
    """A question that waits to be posted.

    Attributes:
        digest_id: Those of one are one message; 0 for one of its own.
    """

    id: int
    spot: QuestionTarget
    digest_id: int = 0
    critical: bool = False


def choose(
    waiting: Iterable[WaitingPosting], allowance: DailyAllowance, most: int
) -> Sequence[int]:
    """The questions that may be posted now.

    Args:
        waiting: In the order in which they should be.
        allowance: Spent by what is chosen.
        most: How many; a digest is never torn apart by it, so the first one may be longer.
    """
    messages: dict[tuple[int, int], list[WaitingPosting]] = {}
    for each in waiting:
        key = (each.digest_id, 0) if each.digest_id else (0, each.id)
        messages.setdefault(key, []).append(each)
    chosen: list[int] = []
    for message in messages.values():
        if chosen and len(chosen) + len(message) > most:
            continue
        critical = any(each.critical for each in message)
        if allowance.take(message[0].spot, critical=critical):
            chosen += (each.id for each in message)
        if len(chosen) >= most:
            break
    return chosen


def day_of(now: float, timezone: str) -> tuple[float, float]:
    """When the day began, and when the next one does, in seconds since the epoch."""
    zone = ZoneInfo(timezone)
    today = datetime.fromtimestamp(now, zone).date()
    begin, end = (
        datetime(day.year, day.month, day.day, tzinfo=zone).timestamp()
        for day in (today, today + timedelta(days=1))
    )
    return begin, end
