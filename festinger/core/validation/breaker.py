"""The circuit breaker: when too much that people confirmed is reversed, moderators decide.

It opens when, within a day, enough confirmed facts were reversed and they are too large a
share of those that were confirmed or reversed. It closes by itself when its time is over.
Whatever is reversed while it is open can keep it open, with half the share: who has just
been wrong is not believed at once. What opened it once does not open it again.
"""

from __future__ import annotations

from typing import NamedTuple

from festinger.core.validation.policy import ValidationPolicy

DAY_SECONDS = 86_400.0
STAY_SHARE = 0.5
"""Of the share that opens it: so much keeps it open."""


class ReversalBreaker(NamedTuple):
    """The breaker as it stands.

    Attributes:
        open_until: In seconds since the epoch; 0 if it was never open.
        reason: Why it is open; empty once its end was looked at.
    """

    open_until: float = 0.0
    reason: str = ""

    def is_open(self, now: float) -> bool:
        """Whether everything goes to moderators."""
        return now < self.open_until


class Reversals(NamedTuple):
    """What became of confirmed facts over some time.

    Attributes:
        reversed: So many were retracted, replaced, rejected after all, or are disputed.
        at_stake: So many were confirmed or reversed then; at least as many.
    """

    reversed: int
    at_stake: int

    @property
    def share(self) -> float:
        """The share that was reversed, in [0.0, 1.0]."""
        return self.reversed / self.at_stake if self.at_stake else 0.0


def since(breaker: ReversalBreaker, policy: ValidationPolicy, now: float) -> float:
    """From when on reversals count: a day ago, or since it opened last."""
    opened = breaker.open_until - policy.breaker_seconds
    return max(now - DAY_SECONDS, min(opened, now))


def judge(
    breaker: ReversalBreaker, reversals: Reversals, policy: ValidationPolicy, now: float
) -> ReversalBreaker:
    """The breaker as it stands from now on.

    Args:
        reversals: Since the moment that `since` says.
    """
    if breaker.is_open(now):
        return breaker
    is_ending = bool(breaker.reason)
    share_max = policy.reversed_max * (STAY_SHARE if is_ending else 1.0)
    if reversals.reversed >= policy.reversed_min and reversals.share > share_max:
        stays = "still, " if is_ending else ""
        reason = (
            f"{stays}{reversals.reversed} of {reversals.at_stake} facts that people "
            f"confirmed were reversed within a day ({reversals.share:.0%})"
        )
        return ReversalBreaker(now + policy.breaker_seconds, reason)
    return breaker._replace(reason="")
