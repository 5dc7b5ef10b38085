"""Steps of records: a record before and after an action."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from festinger.core.memories.types import MemoryKind, Status
from festinger.core.review.records import Action, MemoryRecord


@dataclass(frozen=True, slots=True)
class RecordStep:
    """MemoryRecord before and after an action; None where it does not exist."""

    action: Action
    before: MemoryRecord | None
    after: MemoryRecord | None

    @property
    def record(self) -> MemoryRecord:
        """The record after the step, or before it if it was deleted."""
        record = self.after or self.before
        assert record is not None, "a step is one of a record"
        return record

    @property
    def enters(self) -> bool:
        """True if the gate has to judge an entity's relation after the step."""
        # Only on the way in or out: an edit of a held relation does not pass the gate again.
        return speaks(self.after) and not speaks(self.before)

    @property
    def leaves(self) -> bool:
        """True if an entity's relation is no longer stated after the step."""
        return speaks(self.before) and not speaks(self.after)


# Memories state nothing to the graph; only entities that a person accepted do.
def speaks(record: MemoryRecord | None) -> bool:
    """Return True for an active entity that states a relation."""
    return (
        record is not None
        and record.kind is MemoryKind.ENTITY
        and record.status is Status.ACTIVE
        and bool(record.fact)
    )


def changed(record: MemoryRecord, **parts: Any) -> MemoryRecord:
    """Return a changed record, with the next version and thus another etag."""
    # Each change of this kind is one version; `seen_again` is none.
    return replace(record, version=record.version + 1, **parts)
