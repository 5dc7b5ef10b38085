"""Review inbox: the selected candidates, and their facets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.api.v1.memory_record_pb2 import MemoryRecord
from festinger.console.facets import (
    FacetChoice,
    PropertyFacet,
    choice_of,
    grade,
    loaded,
    narrowed,
)
from festinger.console.visit import Visit
from festinger.console.words import record_kind, record_type

DAY: Final = 86_400.0

NOWHERE: Final = "(none)"
BY_HAND: Final = "(by hand)"

VIEWS: Final[Mapping[str, str]] = {
    "": "Waiting",
    "deferred": "Deferred",
    "stale": "Stale",
}
FACETS: Final = (
    "kind", "type", "project", "extractor", "subject", "conflict", "age", "confidence",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Inbox:
    """Selected candidates of the review queue.

    Attributes:
        choice: The selected view and filters.
        records: The selected candidates, oldest first.
        facets: The facets with their options.
        count: The number of candidates in each view, regardless of the filters.
        more: Whether there are candidates that were not loaded.
    """

    choice: FacetChoice
    records: Sequence[Any]
    facets: Sequence[PropertyFacet]
    count: Mapping[str, int]
    more: bool

    def focus(self, at: int) -> int | None:
        """Return the index of a record, or else of the next; None if there is none."""
        numbers = [record.id for record in self.records]
        if at in numbers:
            return numbers.index(at)
        behind = [place for place, number in enumerate(numbers) if number > at]
        return (behind or [0])[0] if numbers else None


def chosen(visit: Visit) -> FacetChoice:
    """Return the selection of a request's query."""
    return choice_of(visit, VIEWS, FACETS)


async def opened(visit: Visit) -> Inbox:
    """Load the inbox of a request's query. Raises `PageRefused`."""
    choice = chosen(visit)
    request = pb.ListRecordsRequest(
        statuses=[MemoryRecord.STATUS_CANDIDATE], deferred=True
    )
    records, more = await loaded(visit, "promotion.ListRecords", request, "records")
    now = visit.pages.now()
    views: dict[str, list[Any]] = {
        "": [it for it in records if not it.HasField("defer_time")],
        "deferred": [it for it in records if it.HasField("defer_time")],
        "stale": [it for it in records if it.stale],
    }
    shown, facets = narrowed(
        views[choice.view], lambda it: _values(it, now), choice, FACETS
    )
    return Inbox(
        choice,
        shown,
        facets,
        {view: len(those) for view, those in views.items()},
        more,
    )


def _values(record: Any, now: float) -> dict[str, str]:
    """Return a record's value of each facet."""
    days = (now - record.pending_time.seconds) / DAY
    return {
        "kind": record_kind(record.kind),
        "type": record_type(record.type),
        "project": record.project or NOWHERE,
        "extractor": record.origin.extractor or BY_HAND,
        "subject": record.subject or NOWHERE,
        "conflict": "yes" if record.contradicts else "no",
        "age": "today" if days < 1 else "week" if days < 7 else "older",
        "confidence": grade(record.confidence),
    }
