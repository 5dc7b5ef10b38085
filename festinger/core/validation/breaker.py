"""Circuit breaker: moderators decide once too many confirmed facts are reversed.

It closes by itself after a fixed time. It is judged when somebody looks, so that no task
has to run for it.
"""

from __future__ import annotations

from typing import NamedTuple

from festinger.core.graph.values.dates import DAY
from festinger.core.validation.policy import ValidationPolicy

STAY_SHARE = 0.5
"""Factor of the share that opens it, for the share that keeps it open."""


class ReversalBreaker(NamedTuple):
    """State of the circuit breaker.

    Attributes:
        open_until: End of its open time, in seconds since the epoch; 0 if it was never
            open.
        reason: Why it is open; empty once it was judged after its open time.
    """

    open_until: float = 0.0
    reason: str = ""

    def is_open(self, now: float) -> bool:
        """Return whether the breaker is open: all questions go to moderators."""
        return now < self.open_until


class ReversalCounts(NamedTuple):
    """Counts of confirmed facts and their reversals over a period.

    Attributes:
        reversed: Number of facts that were retracted, replaced, rejected after all, or
            are disputed.
        at_stake: Number of facts that were confirmed or reversed; at least `reversed`.
    """

    reversed: int
    at_stake: int

    @property
    def share(self) -> float:
        """The share that was reversed, in [0.0, 1.0]."""
        return self.reversed / self.at_stake if self.at_stake else 0.0


def since(breaker: ReversalBreaker, policy: ValidationPolicy, now: float) -> float:
    """Return the start of the counted period: a day ago, or the last opening."""
    # Reversals that opened it are not counted again, else it would open for ever.
    opened = breaker.open_until - policy.breaker_seconds
    # With another setting of `breaker_seconds`, the opening may compute as in the future.
    return max(now - DAY, min(opened, now))


def judge(
    breaker: ReversalBreaker,
    reversals: ReversalCounts,
    policy: ValidationPolicy,
    now: float,
) -> ReversalBreaker:
    """Return the next state of the breaker.

    Args:
        reversals: The counts since the time that `since` returns.
    """
    if breaker.is_open(now):
        return breaker
    # `reason` outlives the open time until it is judged once.
    is_ending = bool(breaker.reason)
    # Reversals while it was open keep it open already at half of the share.
    share_max = policy.reversed_max * (STAY_SHARE if is_ending else 1.0)
    # Both: one of one reversed is no trend, and ten of a thousand are few.
    if reversals.reversed >= policy.reversed_min and reversals.share > share_max:
        stays = "still, " if is_ending else ""
        reason = (
            f"{stays}{reversals.reversed} of {reversals.at_stake} facts that people "
            f"confirmed were reversed within a day ({reversals.share:.0%})"
        )
        return ReversalBreaker(now + policy.breaker_seconds, reason)
    return breaker._replace(reason="")
