"""Metrics of validation, and alerts for operators (4-validation, section 8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from festinger.core.graph.candidates import Priority
from festinger.core.validation.breaker import ReversalBreaker
from festinger.core.validation.calibration import Calibration
from festinger.core.validation.drift import Drift

HOURS, HOURS_MAX = 24, 24 * 366  # default and longest period
BY_HOUR_MAX = 24 * 7
"""Maximum period, in hours, for which counts by hour are returned."""
ENDED_MIN = 10  # fewer are no trend
EXPIRED_MAX = 0.5
"""Share of candidates that expire, of at least `ENDED_MIN`, above which to alert."""
OPTED_OUT_MIN = 3  # fewer may be an accident
OPT_OUT_MAX = 0.1
"""Share of people who opt out, at least `OPTED_OUT_MIN`, above which to alert."""


class AlertName(StrEnum):
    """Name of an alert."""

    TTL_BREACH = "ttl_breach"
    HIGH_EXPIRED_RATE = "high_expired_rate"
    PROMPT_SPAM = "prompt_spam"
    OPT_OUTS = "opt_outs"
    BREAKER_OPEN = "breaker_open"
    DRIFT = "drift"


@dataclass(frozen=True, slots=True)
class Alert:
    """An alert for operators.

    Attributes:
        message: The problem, and the recommended action.
    """

    name: AlertName
    message: str
    critical: bool = False


@dataclass(frozen=True, slots=True)
class OfPriority:
    """Counts of candidates of one priority.

    Attributes:
        resolved: Number of candidates decided by people.
        resolution_seconds: Median time from the first question to the decision; 0 if
            there is none.
        breached: Number of candidates that were not decided in time.
    """

    proposed: int = 0
    resolved: int = 0
    resolution_seconds: float = 0.0
    breached: int = 0
    pending: int = 0


class HourCounts(NamedTuple):
    """Counts of one hour.

    Attributes:
        began: Start of the hour, in seconds since the epoch.
    """

    began: float
    posted: int
    answered: int


@dataclass(frozen=True, slots=True)
class ValidationMetrics:
    """Metrics of validation over the last hours.

    Attributes:
        hours: Length of the period, in hours.
        waiting: Number of questions that wait to be posted.
        confirmed: Number of confirmed candidates, beliefs included.
        beliefs: Number of candidates confirmed as beliefs.
        asked: Number of people who were asked in person.
        asked_each: Number of questions to people in person.
        opted_out: Number of people who opted out.
        crowded: Number of times a person or a channel got more questions in a day than
            allowed.
        backlog: Number of backlog items that wait.
        breaker: State of the circuit breaker.
        by_hour: Counts by hour, oldest first, with the current hour last; empty for a
            period of more than a week.
    """

    hours: int = HOURS
    posted: int = 0
    waiting: int = 0
    answered: int = 0
    priorities: Mapping[Priority, OfPriority] = field(default_factory=dict)
    confirmed: int = 0
    rejected: int = 0
    expired: int = 0
    beliefs: int = 0
    messages: int = 0
    asked: int = 0
    asked_each: int = 0
    opted_out: int = 0
    crowded: int = 0
    backlog: int = 0
    breaker: ReversalBreaker = field(default_factory=ReversalBreaker)
    breaker_open: bool = False
    drift: Drift = field(default_factory=Drift)
    calibrations: tuple[Calibration, ...] = ()
    by_hour: tuple[HourCounts, ...] = ()

    @property
    def labels(self) -> int:
        """The number of labelled examples."""
        return self.confirmed + self.rejected

    @property
    def labels_per_thousand(self) -> float:
        """The number of labels per thousand messages; 0 without messages."""
        return 1000.0 * self.labels / self.messages if self.messages else 0.0

    @property
    def questions_per_person_day(self) -> float:
        """The number of questions per asked person and day; 0 if nobody was asked."""
        days = self.hours / 24.0
        # Of those who were asked: others are not bothered.
        return self.asked_each / self.asked / days if self.asked else 0.0

    @property
    def opt_out_share(self) -> float:
        """The share of people who opted out, of those who were asked or opted out."""
        # Who opted out at once was never asked, but counts.
        people = self.asked + self.opted_out
        return self.opted_out / people if people else 0.0

    @property
    def expired_share(self) -> float:
        """The share of ended candidates that expired without a decision."""
        ended = self.labels + self.expired
        return self.expired / ended if ended else 0.0

    def of(self, priority: Priority) -> OfPriority:
        """Return the counts of a priority."""
        return self.priorities.get(priority, OfPriority())


def alerts(metrics: ValidationMetrics) -> list[Alert]:
    """Return the current alerts, the critical ones first."""
    found = [*_late(metrics), *_shunned(metrics), *_wrong(metrics)]
    # The sort is stable: within each half the checks keep their order.
    return sorted(found, key=lambda it: not it.critical)


def _late(metrics: ValidationMetrics) -> Iterator[Alert]:
    """Yield alerts about late and missing decisions."""
    for priority in Priority:
        if breached := metrics.of(priority).breached:
            # For the others, an expiry is no breach; `HIGH_EXPIRED_RATE` is about them.
            critical = priority is Priority.CRITICAL
            if critical or priority is Priority.HIGH:
                yield Alert(
                    AlertName.TTL_BREACH,
                    f"{breached} candidates of {priority} priority were not decided in "
                    "time: see that a moderator is there, and where moderators are "
                    "asked (validation.moderator_channel)",
                    critical,
                )
    ended = metrics.labels + metrics.expired
    if ended >= ENDED_MIN and metrics.expired_share > EXPIRED_MAX:
        yield Alert(
            AlertName.HIGH_EXPIRED_RATE,
            f"{metrics.expired} of {ended} candidates ended without a decision: ask "
            "about fewer predicates (validation.predicates), ask elsewhere "
            "(validation.channel), or wait longer (validation.normal_seconds)",
        )


def _shunned(metrics: ValidationMetrics) -> Iterator[Alert]:
    """Yield alerts about too many questions."""
    if metrics.crowded:
        yield Alert(
            AlertName.PROMPT_SPAM,
            f"{metrics.crowded} times a person or a channel got more questions in a day "
            "than allowed: lower validation.person_questions_max and "
            "channel_questions_max, and see who proposes so much",
        )
    if metrics.opted_out >= OPTED_OUT_MIN and metrics.opt_out_share > OPT_OUT_MAX:
        yield Alert(
            AlertName.OPT_OUTS,
            f"{metrics.opted_out} people do not want to be asked any more: ask less "
            "often (validation.person_questions_max), or fewer people "
            "(validation.share)",
        )


def _wrong(metrics: ValidationMetrics) -> Iterator[Alert]:
    """Yield alerts about wrong decisions and wrong readings."""
    if metrics.breaker_open:
        yield Alert(
            AlertName.BREAKER_OPEN,
            f"everything goes to moderators: {metrics.breaker.reason}. See who "
            "confirmed them: festinger validation raters",
            critical=True,
        )
    if metrics.drift.drifting:
        names = ", ".join(metrics.drift.drifting)
        yield Alert(
            AlertName.DRIFT,
            f"what rules hold without asking is denied more often than before ({names}):"
            " see festinger validation learn, and what changed in the texts",
        )
