"""How validation goes: the numbers of its eighth section, and when to look at them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from festinger.core.graph.candidates import Priority
from festinger.core.validation.breaker import ReversalBreaker
from festinger.core.validation.calibration import Calibration
from festinger.core.validation.drift import Drift

HOURS, HOURS_MAX = 24, 24 * 366
BY_HOUR_MAX = 24 * 7
"""For how long it is told hour by hour."""
ENDED_MIN = 10
EXPIRED_MAX = 0.5
"""The share of candidates that may end without an answer, of so many at least."""
OPTED_OUT_MIN = 3
OPT_OUT_MAX = 0.1
"""The share of those who are asked that may opt out, and how many at least."""


class AlertName(StrEnum):
    """What an operator should look at."""

    TTL_BREACH = "ttl_breach"
    HIGH_EXPIRED_RATE = "high_expired_rate"
    PROMPT_SPAM = "prompt_spam"
    OPT_OUTS = "opt_outs"
    BREAKER_OPEN = "breaker_open"
    DRIFT = "drift"


@dataclass(frozen=True, slots=True)
class Alert:
    """Something that an operator should look at.

    Attributes:
        message: What is wrong and what to do.
    """

    name: AlertName
    message: str
    critical: bool = False


@dataclass(frozen=True, slots=True)
class OfPriority:
    """Candidates of one priority.

    Attributes:
        proposed: So many were put forward.
        resolved: … were decided by people.
        resolution_seconds: The median from the first question to the decision; 0 if
            there is none.
        breached: … were not decided in time.
        pending: … wait now.
    """

    proposed: int = 0
    resolved: int = 0
    resolution_seconds: float = 0.0
    breached: int = 0
    pending: int = 0


class Hour(NamedTuple):
    """What happened within an hour: questions were posted, and answers received.

    `began` is in seconds since the epoch.
    """

    began: float
    posted: int
    answered: int


@dataclass(frozen=True, slots=True)
class ValidationMetrics:
    """How validation went over some hours until now.

    Attributes:
        posted: Questions that were posted, and `waiting` those that are still to be.
        answered: Answers that were received.
        confirmed: Candidates that were; as `rejected`, `expired` and `beliefs`, which
            are among the confirmed.
        messages: In which something was stated.
        asked: People who were asked, each by themselves.
        asked_each: Questions that were put to them.
        opted_out: People who said that they are not to be asked.
        crowded: Days on which a person or a channel got more questions than allowed.
        by_hour: The oldest first, the one that lasts last; empty for more than a week.
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
    by_hour: tuple[Hour, ...] = ()

    @property
    def labels(self) -> int:
        """Examples that were labelled."""
        return self.confirmed + self.rejected

    @property
    def labels_per_thousand(self) -> float:
        """The same for a thousand messages; of no message 0."""
        return 1000.0 * self.labels / self.messages if self.messages else 0.0

    @property
    def questions_per_person_day(self) -> float:
        """Questions a person who was asked, a day."""
        days = self.hours / 24.0
        return self.asked_each / self.asked / days if self.asked else 0.0

    @property
    def opt_out_share(self) -> float:
        """The share of those who were asked, or opted out, that opted out."""
        people = self.asked + self.opted_out
        return self.opted_out / people if people else 0.0

    @property
    def expired_share(self) -> float:
        """The share of candidates that ended without a decision."""
        ended = self.labels + self.expired
        return self.expired / ended if ended else 0.0

    def of(self, priority: Priority) -> OfPriority:
        """The candidates of a priority."""
        return self.priorities.get(priority, OfPriority())


def alerts(metrics: ValidationMetrics) -> list[Alert]:
    """What an operator should look at, the urgent first."""
    found = [*_late(metrics), *_shunned(metrics), *_wrong(metrics)]
    return sorted(found, key=lambda it: not it.critical)


def _late(metrics: ValidationMetrics) -> Iterator[Alert]:
    """Too late, or never."""
    for priority in Priority:
        if breached := metrics.of(priority).breached:
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
    """Too many questions."""
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
    """What was decided, or read, is wrong too often."""
    if metrics.breaker_open:
        yield Alert(
            AlertName.BREAKER_OPEN,
            f"everything goes to moderators: {metrics.breaker.reason}. See who "
            "confirmed them: festinger raters",
            critical=True,
        )
    if metrics.drift.drifting:
        names = ", ".join(metrics.drift.drifting)
        yield Alert(
            AlertName.DRIFT,
            f"what rules hold without asking is denied more often than before ({names}):"
            " see festinger learn, and what changed in the texts",
        )
