"""The promotion graph once more, as plainly as it can be said: what the machine expects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from festinger.core.memories.types import MemoryKind, Status, normalised
from festinger.core.review.queue import choose

CANDIDATE, ACTIVE, INVALID = Status.CANDIDATE, Status.ACTIVE, Status.INVALID
OVERFLOW, GRADUATED, SUPERSEDED = (
    Status.OVERFLOW,
    Status.GRADUATED,
    Status.SUPERSEDED,
)


class Refused(Exception):
    """Refusal of an action."""


@dataclass(frozen=True)
class Row:
    """State of a record in the machine."""

    kind: MemoryKind
    content: str
    proposer: str
    by_hand: bool
    status: Status
    rank: float = 0.0
    cycle: int = 0
    pending: float | None = None
    deferred: float | None = None
    graduated_from: int = 0
    graduated_to: int = 0
    superseded_by: int = 0
    decider: str = ""
    sole: bool = False
    original: str = ""
    confidence: float = 0.5
    seen: int = 0

    @property
    def key(self):
        """The key that is unique among those that are not superseded."""
        return self.kind, normalised(self.content)


class Waiting(NamedTuple):
    """A record of the overflow, or a new row without a number."""

    rank: float
    content: str
    number: int = 0
    row: Row | None = None


Changes = dict[int, tuple[Row | None, Row | None]]
"""By record, what it was and what it is."""


@dataclass
class Model:
    """All records, what was decided, and the cycle of reviews."""

    size: int
    rows: dict[int, Row] = field(default_factory=dict)
    number: int = 0
    written: int = 0
    now: float = 0.0
    deciders: set[str] = field(default_factory=set)
    next_id: int = 1

    # The queue

    def open(self) -> int:
        """Candidates of the cycle that wait."""
        return sum(
            row.status is CANDIDATE and row.cycle == self.number > 0
            for row in self.rows.values()
        )

    def best(self) -> list[int]:
        """Return the overflow, the best first."""
        waiting = [n for n, row in self.rows.items() if row.status is OVERFLOW]
        return sorted(waiting, key=lambda n: (-self.rows[n].rank, n))

    def begin(self) -> None:
        """The next cycle, with what overflowed."""
        self.number, self.written = self.number + 1, 0
        for each in choose(self._waiting(), self.size)[0]:
            self._move_up(each.number)

    def _waiting(self) -> list[Waiting]:
        rows = [(number, self.rows[number]) for number in self.best()]
        return [Waiting(row.rank, row.content, number) for number, row in rows]

    def _move_up(self, number: int) -> None:
        self.rows[number] = replace(
            self.rows[number], status=CANDIDATE, cycle=self.number, pending=self.now
        )
        self.written += 1

    def offer(self, offered: list[Row], contradicts: int = 0) -> list[Changes]:
        """Rows that are offered at once; each that is new may contradict a record."""
        fresh: dict[object, Row] = {}
        again: Counter[int] = Counter()
        for row in offered:
            known = self.live(row.key) or self.first_worded(row)
            if known:
                again[known] += 1
            elif first := fresh.get(row.key):
                fresh[row.key] = replace(first, seen=first.seen + 1)
            else:
                fresh[row.key] = row
        for number, times in again.items():
            self.rows[number] = replace(
                self.rows[number], seen=self.rows[number].seen + times
            )
        capped = [row for row in fresh.values() if self._is_capped(row, contradicts)]
        waiting: list[Waiting] = []
        if self.open() == 0 and (capped or self.best()):
            # The best of both get in: what overflowed is there to compare with.
            self.number, self.written = self.number + 1, 0
            waiting = self._waiting()
        waiting += [Waiting(row.rank, row.content, row=row) for row in capped]
        chosen, _ = choose(waiting, self.size - self.written)
        let_in = {each.row.key for each in chosen if each.row}
        for each in chosen:
            if each.row is None:
                self._move_up(each.number)
            else:
                self.written += 1
        decisions = []
        known_before = set(self.rows)
        for row in fresh.values():
            number, self.next_id = self.next_id, self.next_id + 1
            if self._is_capped(row, contradicts):
                row = (
                    replace(row, cycle=self.number)
                    if row.key in let_in
                    else replace(row, status=OVERFLOW)
                )
            if row.status is CANDIDATE:
                row = replace(row, pending=self.now)
            changes: Changes = {number: (None, row)}
            if contradicts in known_before:
                old = self.rows[contradicts]
                less = max(0.0, old.confidence - 0.25)
                changes[contradicts] = (old, replace(old, confidence=less))
            self._apply(changes)
            decisions.append(changes)
        return decisions

    def _is_capped(self, row: Row, contradicts: int) -> bool:
        return row.status is CANDIDATE and not row.by_hand and not contradicts

    # Decisions

    def promote(self, number: int, by: str, supersedes: int = 0) -> Changes:
        """Return a candidate is active, maybe in the place of another."""
        row = self._need(number, CANDIDATE)
        own = row.proposer == by
        if own and not (row.by_hand and self.deciders <= {by}):
            raise Refused
        changes: Changes = {
            number: (
                row,
                replace(
                    row,
                    status=ACTIVE,
                    pending=None,
                    deferred=None,
                    decider=by,
                    sole=own,
                ),
            )
        }
        if supersedes:
            old = self._need(supersedes, ACTIVE)
            if old.kind is not row.kind:
                raise Refused
            changes[supersedes] = (
                old,
                replace(old, status=SUPERSEDED, superseded_by=number),
            )
        return self.decide(changes, by)

    def reject(self, number: int, by: str) -> Changes:
        """Return a candidate is invalid."""
        row = self._need(number, CANDIDATE)
        after = replace(row, status=INVALID, pending=None, deferred=None, decider=by)
        return self.decide({number: (row, after)}, by)

    def revert(self, number: int, by: str) -> Changes:
        """Return an active or invalid one is a candidate, what it superseded is active."""
        row = self._need(number, ACTIVE, INVALID)
        after = replace(row, status=CANDIDATE, pending=self.now, decider="", sole=False)
        changes: Changes = {number: (row, after)}
        for other, old in self.rows.items():
            if old.superseded_by == number and not self.live(old.key):
                changes[other] = (old, replace(old, status=ACTIVE, superseded_by=0))
        return self.decide(changes, by)

    def edit(self, number: int, by: str, content: str) -> Changes:
        """Return a candidate says something else."""
        row = self._need(number, CANDIDATE)
        changed = content != row.content
        original = row.original or (row.content if changed else "")
        after = replace(row, content=content, original=original)
        return self.decide({number: (row, after)}, by)

    def defer(self, number: int, by: str, resume: bool) -> Changes:
        """Return a candidate is put aside, or taken up."""
        row = self._need(number, CANDIDATE)
        if (row.deferred is not None) != resume:
            raise Refused
        after = replace(row, deferred=None if resume else self.now)
        return self.decide({number: (row, after)}, by)

    def delete(self, number: int, by: str) -> Changes:
        """Return a candidate goes, its memory comes back."""
        row = self._need(number, CANDIDATE)
        changes: Changes = {number: (row, None)}
        memory = self.rows.get(row.graduated_from)
        if memory and memory.graduated_to == number:
            changes[row.graduated_from] = (
                memory,
                replace(memory, status=ACTIVE, graduated_to=0),
            )
        return self.decide(changes, by)

    def graduate(self, number: int, by: str) -> Changes:
        """Return an active memory points to a new entity."""
        row = self._need(number, ACTIVE)
        if row.kind is not MemoryKind.MEMORY:
            raise Refused
        entity = replace(
            row,
            kind=MemoryKind.ENTITY,
            status=CANDIDATE,
            cycle=0,
            pending=self.now,
            graduated_from=number,
            decider="",
            sole=False,
            original="",
            seen=0,
        )
        frozen = replace(row, status=GRADUATED, graduated_to=self.next_id)
        changes = self.decide({self.next_id: (None, entity), number: (row, frozen)}, by)
        self.next_id += 1
        return changes

    def confirm(self, number: int, by: str) -> Changes:
        """Return an active memory is confirmed: nothing that is seen here."""
        row = self._need(number, ACTIVE)
        if row.kind is not MemoryKind.MEMORY:
            raise Refused
        return self.decide({number: (row, row)}, by)

    def undo(self, changes: Changes, by: str) -> Changes:
        """Return a decision is taken back, if all is as it left it."""
        back: Changes = {}
        for number, (before, after) in changes.items():
            now = self.rows.get(number)
            if _settled(now) != _settled(after):
                raise Refused
            if before and now:
                before = replace(before, seen=now.seen)
            unapproved = now is None or now.status in (CANDIDATE, INVALID)
            if before and before.status is ACTIVE and unapproved:
                lone = before.sole and self.deciders <= {by}
                if before.proposer == by and not lone:
                    raise Refused
            back[number] = (now, before)
        return self.decide(back, by)

    def decide(self, changes: Changes, by: str) -> Changes:
        """Return everything changes at once, or nothing does."""
        for number, (_, after) in changes.items():
            if after and after.status is not SUPERSEDED:
                twin = self.live(after.key, but=changes)
                twins = [
                    other
                    for other, (_, it) in changes.items()
                    if it and it.key == after.key and it.status is not SUPERSEDED
                ]
                if twin or twins != [number]:
                    raise Refused
        open_before = self.open()
        self._apply(changes)
        self.deciders.add(by)
        if open_before and not self.open() and self.best():
            self.begin()
        return changes

    def live(self, key: object, but: Iterable[int] = ()) -> int:
        """Return the record that keeps another of the same from being there; 0 for none."""
        found = [
            number
            for number, row in self.rows.items()
            if row.key == key and row.status is not SUPERSEDED and number not in but
        ]
        return found[0] if found else 0

    def first_worded(self, row: Row) -> int:
        """The record that was worded like this before somebody edited it; 0 for none."""
        found = [
            number
            for number, each in self.rows.items()
            if each.original
            and replace(each, content=each.original).key == row.key
            and each.status is not SUPERSEDED
        ]
        return min(found, default=0)

    def _apply(self, changes: Changes) -> None:
        for number, (_, after) in changes.items():
            if after is None:
                del self.rows[number]
            else:
                self.rows[number] = after

    def _need(self, number: int, *statuses: Status) -> Row:
        row = self.rows.get(number)
        if row is None or row.status not in statuses:
            raise Refused
        return row


def _settled(row: Row | None) -> Row | None:
    return replace(row, seen=0) if row else None
