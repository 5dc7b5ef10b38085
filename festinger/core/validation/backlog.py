"""Backlog of rejected and undecided candidates, and the nights that process it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any
from uuid import UUID

from festinger.core.graph.candidates import Priority
from festinger.core.system.runs import RunState

ATTEMPTS_MAX = 5
"""Number of failures after which an item is given up."""


class BacklogState(StrEnum):
    """State of a backlog item."""

    WAITING = "waiting"
    """It waits to be leased."""
    LEASED = "leased"
    """A worker processes it, until the lease expires."""
    DONE = "done"
    """It was processed, with or without findings."""
    FAILED = "failed"
    """Processing failed too often."""


class BacklogReason(StrEnum):
    """Reason why a candidate is in the backlog."""

    REJECTED = "rejected"
    """People rejected it."""
    EXPIRED = "expired"
    """It was not decided in time."""
    REQUESTED = "requested"
    """A moderator requested it."""


@dataclass(frozen=True, slots=True)
class BacklogResult:
    """Result of a statement that a model found.

    Attributes:
        fact: The statement, in the syntax of `gutask`.
        outcome: The gate's verdict; `rejected` if it was not proposed.
        reason: Code of the reason why it is not held; empty if it is held.
        predicate: The URI of its predicate; empty if it was stated by dimension.
    """

    fact: str
    outcome: str
    reason: str = ""
    predicate: str = ""


@dataclass(frozen=True, slots=True)
class BacklogItem:
    """A candidate that is to be processed. Times are in seconds since the epoch.

    Attributes:
        because: The reason why it is in the backlog.
        due: Earliest time of the next attempt, unless it is requested before.
        lease: Id of the lease; None if it is not leased.
        lessee: Readable name of the worker that holds the lease.
        leased_until: Time when the lease expires.
        findings: The results of the statements that were found.
        dream_run: Id of the last night that processed it; 0 if none did.
        done: Time when it was done or given up.
    """

    id: int
    candidate_id: int
    candidate_cid: str
    because: BacklogReason  # no error is stored yet
    priority: Priority
    created: float
    due: float
    # A lease instead of a flag: a worker that died gives its item back by the clock.
    state: BacklogState = BacklogState.WAITING
    attempts: int = 0
    last_error: str = ""
    lease: UUID | None = None
    lessee: str = ""
    leased_until: float | None = None
    findings: Sequence[BacklogResult] = ()
    dream_run: int = 0
    done: float | None = None

    def given_back(self) -> BacklogItem:
        """Return the item as waiting again, without counting a failure."""
        return replace(self, state=BacklogState.WAITING)

    def set_back(
        self, why: str, attempts: int, due: float | None, now: float
    ) -> BacklogItem:
        """Return the item after a failure.

        Args:
            attempts: Number of failures, including this one.
            due: Earliest time of the next attempt; None to give the item up.
        """
        # The error is shown to the model at the next attempt ("your last answer failed").
        item = replace(self, attempts=attempts, last_error=why)
        if due is None:
            return replace(item, state=BacklogState.FAILED, done=now)
        return replace(item, state=BacklogState.WAITING, due=due)


@dataclass(slots=True)
class DreamReport:
    """Counts of the findings of a night.

    Attributes:
        rejected: Number of rejected statements by reason.
        predicates: Number of other statements by unregistered predicate.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    predicates: Counter[str] = field(default_factory=Counter)

    def count(
        self, findings: Iterable[BacklogResult], registered: Iterable[str]
    ) -> None:
        """Count the findings of an item."""
        # "" is a statement by dimension, which needs no predicate.
        known = {*registered, ""}
        for each in findings:
            self.outcomes[each.outcome] += 1
            # What was rejected suggests no new predicate: often nobody said it.
            if each.outcome == "rejected":
                self.rejected[each.reason] += 1
            elif each.predicate not in known:
                self.predicates[each.predicate] += 1

    def as_json(self) -> dict[str, dict[str, int]]:
        """Return the report as JSON values, as it is stored."""
        # Keys are stored (`of_json`): renaming one loses the counts of earlier nights.
        return {it.name: dict(getattr(self, it.name)) for it in fields(self)}

    @classmethod
    def of_json(cls, kept: Mapping[str, Any]) -> DreamReport:
        """Return the report of stored JSON values."""
        return cls(*(Counter(kept.get(it.name, {})) for it in fields(cls)))


@dataclass(slots=True)
class DreamRun:
    """A run of dreaming, which processes backlog items.

    Attributes:
        principal: The principal who requested it.
        started: Start time, in seconds since the epoch.
        due: The scheduled time that it runs for; None if a person requested it.
        items_max: Maximum number of items to process; 0 for all that wait.
        total: Number of items to process at the start.
        asserted: Number of statements that are held because of it.
        ended: End time, in seconds since the epoch; None while it is running.
        error: The error that stopped it; empty if none did.
    """

    id: int
    principal: str
    started: float
    due: float | None = None
    items_max: int = 0
    state: RunState = RunState.RUNNING
    total: int = 0
    items: int = 0
    asserted: int = 0
    failed: int = 0
    report: DreamReport = field(default_factory=DreamReport)
    ended: float | None = None
    error: str = ""

    @property
    def done(self) -> int:
        """The number of items that it has tried, failed ones included."""
        return self.items + self.failed

    @property
    def cause(self) -> str:
        """The cause of the run: `schedule` or `manual`."""
        return "manual" if self.due is None else "schedule"

    def count(self, item: BacklogItem, registered: Iterable[str]) -> None:
        """Count an item that it has tried."""
        if item.state is not BacklogState.DONE:
            self.failed += 1
            return
        self.items += 1
        self.report.count(item.findings, registered)
        # Only "held" is news; what is "corroborated" was known before.
        self.asserted = self.report.outcomes["held"]

    def recount(self, items: Sequence[BacklogItem], registered: Iterable[str]) -> None:
        """Count all items anew; a night that another server finishes reports the same."""
        registered = set(registered)
        self.items = self.failed = self.asserted = 0
        self.report = DreamReport()
        for item in items:
            self.count(item, registered)

    def said(self) -> str:
        """Return the report as text, with a line for each count."""
        outcomes = self.report.outcomes
        lines = [
            f"items: {self.items} worked through, {self.failed} failed, of {self.total}",
            f"held: {outcomes['held']}",
            f"known already: {outcomes['corroborated']}",
            f"candidates: {outcomes['candidate']}",
            f"conflicts: {outcomes['conflicted']}",
            f"rejected: {outcomes['rejected']}{_listed(self.report.rejected)}",
        ]
        if self.report.predicates:
            lines.append(f"new predicates:{_listed(self.report.predicates)}")
        if self.error:
            lines.append(f"it could not go on: {self.error}")
        return "\n".join(lines)


def _listed(counts: Counter[str]) -> str:
    """Return counts with their names as text, the most frequent first."""
    # Names break ties, so that equal nights have equal reports.
    ordered = sorted(counts.items(), key=lambda it: (-it[1], it[0]))
    return "".join(f" · {name} {count}" for name, count in ordered)
