"""Daily limits of questions: by default three to a person and ten in a channel (I4a)."""

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
    """Limits of questions on a day, and the number asked so far."""

    person_max: int
    channel_max: int
    spent: Counter[QuestionTarget] = field(default_factory=Counter)

    @classmethod
    def of(
        cls, policy: ValidationPolicy, spent: Counter[QuestionTarget]
    ) -> DailyAllowance:
        """Return the allowance of a policy, after the questions that were asked."""
        return cls(policy.person_questions_max, policy.channel_questions_max, spent)

    def left(self, spot: QuestionTarget) -> int:
        """Return the number of questions that may still be asked at a target."""
        most = self.person_max if spot.recipient else self.channel_max
        return max(most - self.spent[spot], 0)

    def take(self, spot: QuestionTarget, *, critical: bool = False) -> bool:
        """Count a question at a target; return False if it would exceed the limit."""
        # Critical questions are counted but not limited.
        if not critical and not self.left(spot):
            return False
        self.spent[spot] += 1
        return True


class WaitingPosting(NamedTuple):
    """A question that waits to be posted.

    Attributes:
        digest_id: Id of its digest, whose questions are one message; 0 if it is a
            message of its own.
        critical: Whether it is exempt from the limits.
    """

    id: int
    spot: QuestionTarget
    digest_id: int = 0
    critical: bool = False


def choose(
    waiting: Iterable[WaitingPosting], allowance: DailyAllowance, most: int
) -> Sequence[int]:
    """Return the ids of the questions that may be posted now.

    Args:
        waiting: The questions, in order of precedence.
        allowance: The allowance; the chosen questions are counted in it.
        most: Maximum number of questions. A digest is never split, so it is exceeded if
            the first digest is longer.
    """
    # A digest is one message, however many questions; others have a key of their own.
    messages: dict[tuple[int, int], list[WaitingPosting]] = {}
    for each in waiting:
        key = (each.digest_id, 0) if each.digest_id else (0, each.id)
        messages.setdefault(key, []).append(each)
    chosen: list[int] = []
    for message in messages.values():
        # Does not fit, but a smaller message behind it may.
        if chosen and len(chosen) + len(message) > most:
            continue
        # A digest with one critical question goes out as a whole.
        critical = any(each.critical for each in message)
        if allowance.take(message[0].spot, critical=critical):
            chosen += (each.id for each in message)
        if len(chosen) >= most:
            break
    return chosen


def day_of(now: float, timezone: str) -> tuple[float, float]:
    """Return the start and the end of the current day, in seconds since the epoch."""
    zone = ZoneInfo(timezone)
    today = datetime.fromtimestamp(now, zone).date()
    # By date and not by 86,400 s: days have 23 or 25 hours when clocks change.
    begin, end = (
        datetime(day.year, day.month, day.day, tzinfo=zone).timestamp()
        for day in (today, today + timedelta(days=1))
    )
    return begin, end
