"""What people rejected or left, and the nights in which a model looks into it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any
from uuid import UUID

from festinger.core.graph.candidates import Priority
from festinger.core.system.runs import RunState

ATTEMPTS_MAX = 5
"""After so many failures nobody looks into an item any more."""


class BacklogState(StrEnum):
    """Where an item stands."""

    WAITING = "waiting"
    """Nobody works on it."""
    LEASED = "leased"
    """Somebody does, for as long as the lease holds."""
    DONE = "done"
    """It was worked through; there may have been nothing to find."""
    FAILED = "failed"
    """Working on it failed too often."""


class Because(StrEnum):
    """Why a candidate is looked into."""

    REJECTED = "rejected"
    """People rejected it."""
    EXPIRED = "expired"
    """Nobody decided in time."""
    REQUESTED = "requested"
    """A moderator wants it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of a statement that was found.

    Attributes:
        fact: As `gutask` writes it.
        outcome: The gate's verdict; `rejected` if it never came there.
        reason: Why it is not held, in a word; empty if it is.
        predicate: The URI by which it was put; empty if by its dimension.
    """

    fact: str
    outcome: str
    reason: str = ""
    predicate: str = ""


@dataclass(frozen=True, slots=True)
class BacklogItem:
    """A candidate that is to be looked into.

    Attributes:
        attempts: How often that has failed.
        due: Before then nobody tries, unless somebody wants it now; in seconds since
            the epoch, as the other times.
        lease: Names the right to work on it; None if nobody has it.
        lessee: Whoever has it, for people to read.
        night: The night that looked into it last; 0 if none did.
    """

    id: int
    factoid_id: int
    factoid_cid: str
    because: Because
    priority: Priority
    created: float
    due: float
    state: BacklogState = BacklogState.WAITING
    attempts: int = 0
    last_error: str = ""
    lease: UUID | None = None
    lessee: str = ""
    leased_until: float | None = None
    findings: Sequence[Finding] = ()
    night: int = 0
    done: float | None = None

    def given_back(self) -> BacklogItem:
        """The item as it waits again; nothing was wrong with it."""
        return replace(self, state=BacklogState.WAITING)

    def set_back(
        self, why: str, attempts: int, due: float | None, now: float
    ) -> BacklogItem:
        """The item after a failure.

        Args:
            attempts: How often it has failed by now.
            due: Before then nobody tries again; None if it is given up.
        """
        item = replace(self, attempts=attempts, last_error=why)
        if due is None:
            return replace(item, state=BacklogState.FAILED, done=now)
        return replace(item, state=BacklogState.WAITING, due=due)


@dataclass(slots=True)
class NightReport:
    """What a night found, in numbers.

    Attributes:
        outcomes: How many statements came to each of the gate's verdicts.
        rejected: Of those that were rejected, how many for each reason.
        predicates: How often a predicate was met that nobody registered.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    predicates: Counter[str] = field(default_factory=Counter)

    def count(self, findings: Iterable[Finding], registered: Iterable[str]) -> None:
        """Counts what was found of an item.

        Args:
            registered: The URIs that somebody registered.
        """
        known = {*registered, ""}
        for each in findings:
            self.outcomes[each.outcome] += 1
            if each.outcome == "rejected":
                self.rejected[each.reason] += 1
            elif each.predicate not in known:
                self.predicates[each.predicate] += 1

    def as_json(self) -> dict[str, dict[str, int]]:
        """The report as it is kept."""
        return {
            "outcomes": dict(self.outcomes),
            "rejected": dict(self.rejected),
            "predicates": dict(self.predicates),
        }

    @classmethod
    def of_json(cls, kept: Mapping[str, Any]) -> NightReport:
        """A report that was kept."""
        return cls(
            Counter(kept.get("outcomes", {})),
            Counter(kept.get("rejected", {})),
            Counter(kept.get("predicates", {})),
        )


@dataclass(slots=True)
class Night:
    """A run of dreaming.

    Attributes:
        principal: Who asked for it.
        started: Seconds since the epoch.
        due: The moment of the schedule that it is for; None if a person asked.
        items_max: How many items it looks into, at most; 0 for all that wait.
        total: Items that it was to look into when it began.
        items: Of these it worked so many through,
        failed: … and so many not.
        asserted: Statements that are held by it and were not before.
        ended: Seconds since the epoch; None while it is under way.
        error: Why it could not go on.
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
    report: NightReport = field(default_factory=NightReport)
    ended: float | None = None
    error: str = ""

    @property
    def done(self) -> int:
        """At how many items it has looked."""
        return self.items + self.failed

    @property
    def cause(self) -> str:
        """What began it: `schedule` or `manual`."""
        return "manual" if self.due is None else "schedule"

    def count(self, item: BacklogItem, registered: Iterable[str]) -> None:
        """Counts an item that it has looked into.

        Args:
            registered: The URIs that somebody registered.
        """
        if item.state is not BacklogState.DONE:
            self.failed += 1
            return
        self.items += 1
        self.report.count(item.findings, registered)
        self.asserted = self.report.outcomes["held"]

    def recount(self, items: Sequence[BacklogItem], registered: Iterable[str]) -> None:
        """Counts anew all that it has looked into."""
        registered = set(registered)
        self.items = self.failed = self.asserted = 0
        self.report = NightReport()
        for item in items:
            self.count(item, registered)

    def said(self) -> str:
        """The report, as text: a line for each thing that can be counted."""
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
    """Counts with their names, the most frequent first."""
    ordered = sorted(counts.items(), key=lambda it: (-it[1], it[0]))
    return "".join(f" · {name} {count}" for name, count in ordered)
