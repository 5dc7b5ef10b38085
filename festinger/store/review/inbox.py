"""Reads and writes of the inbox: what waits for people, and what they decided."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from uuid import UUID

import asyncpg

from festinger.core.graph.candidates import Candidate
from festinger.core.graph.resolution import Conflict
from festinger.core.memories.feedback import LineFeedback
from festinger.core.memories.types import normalised
from festinger.core.review.inbox import (
    InboxFilter,
    InboxItem,
    InboxKind,
    InboxMark,
    InboxPlace,
    InboxRef,
    InboxSubject,
    SettledAgain,
    spellings,
    statement_of,
    text_of,
)
from festinger.core.review.itemmarks import ITEM_MARKS
from festinger.core.review.queue import FacetCount
from festinger.core.review.records import MemoryRecord
from festinger.store.graph.rows import time_or_none, to_seconds, to_triple
from festinger.store.review.recordrows import indexed
from festinger.store.system.queries import fields_of, sql, value_of
from festinger.store.system.tenancy import TenantReads


class InboxTable(NamedTuple):
    """Table with items, which has a view of its name.

    Attributes:
        kinds: Kinds that its items can have.
        marks: Marks that they can have.
    """

    name: str
    kinds: frozenset[InboxKind]
    marks: frozenset[str]


_TABLES: Final = (
    InboxTable(
        "conflicts",
        frozenset((InboxKind.CONFLICT,)),
        frozenset(("contradicts", "urgent")),
    ),
    InboxTable(
        "candidates",
        frozenset((InboxKind.QUESTION, InboxKind.STATEMENT, InboxKind.FLAGGED)),
        # `gone` (the document does not say it any longer) is known of records only.
        frozenset(ITEM_MARKS) - {"gone"},
    ),
    InboxTable(
        "records",
        frozenset((InboxKind.MEMORY, InboxKind.ENTITY)),
        frozenset(("contradicts", "likely", "unlikely", "gone")),
    ),
    InboxTable("settled", frozenset((InboxKind.SETTLED,)), frozenset()),
    InboxTable("feedback", frozenset((InboxKind.FEEDBACK,)), frozenset(("urgent",))),
)


@dataclass(frozen=True, slots=True)
class DecidedItem:
    """Item as a decision left it.

    Attributes:
        edit: Edit of a record, by which it is undone; 0 for none.
        count: How often a settled statement had been stated again.
        flag: Whether only the flag of a decided candidate was taken down.
        undone: Whether the decision about it is undone.
    """

    ref: InboxRef
    edit: int = 0
    count: int = 0
    flag: bool = False
    undone: bool = False


@dataclass(frozen=True, slots=True)
class InboxDecisionRecord:
    """A decision of the inbox.

    Attributes:
        action: `accept`, `reject`, `defer` or `resume`.
        items: What was decided, the named item first.
        created: Seconds since the epoch.
        undone_by: Who undid all of it; empty if nobody did.
    """

    id: UUID
    principal: str
    action: str
    items: Sequence[DecidedItem]
    created: float
    undone_by: str = ""


def _tables(wanted: InboxFilter) -> tuple[str, ...]:
    """Return the tables that can have items of a filter; the others need no search."""
    return tuple(
        table.name
        for table in _TABLES
        # No kinds stand for all of them.
        if (not wanted.kinds or not table.kinds.isdisjoint(wanted.kinds))
        and (not wanted.mark or wanted.mark in table.marks)
        # Candidates have no project; only they and records are for others than moderators.
        and not (wanted.project and table.name == "candidates")
        and (
            wanted.answerer in ("", "moderator")
            or table.name in ("candidates", "records")
        )
    )


@cache
def _page(tables: tuple[str, ...]) -> str:
    """Return the statement for a page: each table's first items, and of these the first."""
    # All of them at once would be sorted before the page is cut off.
    first = sql("inbox_page")
    # Each table has a view of its own, such as `inbox_candidates`.
    parts = (first.replace("from inbox\n", f"from inbox_{it}\n") for it in tables)
    found = "\nunion all\n".join(
        f"({part.strip().removesuffix(';')})" for part in parts
    )
    return (
        f"select * from ({found}) as found order by cost desc, number, place limit $15"
    )


class InboxReads(TenantReads):
    """Reads of one tenant's inbox."""

    # Both are set by `PostgresReads`.
    # The other classes of `PostgresReads` have these, which mypy cannot see from here.
    if TYPE_CHECKING:

        async def conflicts_by_id(self, ids: Collection[int]) -> dict[int, Conflict]:
            """See `PostgresReads`."""

        async def candidates_by_id(self, ids: Collection[int]) -> dict[int, Candidate]:
            """See `PostgresReads`."""

        async def feedback_by_id(self, ids: Collection[int]) -> dict[int, LineFeedback]:
            """See `FeedbackReads`."""

        async def records_by_id(self, ids: Collection[int]) -> dict[int, MemoryRecord]:
            """See `RecordReads`."""

    async def inbox(
        self, wanted: InboxFilter, *, after: InboxMark | None = None, limit: int = 50
    ) -> list[InboxItem]:
        """Return waiting items behind a mark, the costliest mistakes first."""
        # In front of the costliest item.
        mark = after or InboxMark(float("inf"), 0, 0)
        tables = _tables(wanted)
        if not tables:
            return []
        rows = await self._connection.fetch(
            _page(tables),
            self._tenant,
            wanted.deferred,
            list(wanted.kinds),
            *fields_of(wanted, "project answerer rule source type mark"),
            time_or_none(wanted.before),
            wanted.said,
            *mark,
            limit,
        )
        return await self._items(rows)

    async def inbox_item(self, ref: InboxRef) -> InboxItem | None:
        """Return an item; None if it does not wait."""
        rows = await self._rows("inbox_item", *ref)
        items = await self._items(rows)
        return items[0] if items else None

    async def inbox_counts(self) -> tuple[list[FacetCount], int]:
        """Return counts of what waits by kind, project and answerer, and of deferred."""
        rows = await self._rows("inbox_counts")
        counts: dict[tuple[str, str], int] = {}
        for row in rows:
            # Each group counts once for each of its three properties.
            for name in ("kind", "project", "answerer"):
                # Not every item has a project.
                if not row["deferred"] and row[name]:
                    key = name, row[name]
                    counts[key] = counts.get(key, 0) + row["count"]
        deferred = sum(row["count"] for row in rows if row["deferred"])
        return [FacetCount(*key, counts[key]) for key in sorted(counts)], deferred

    async def inbox_size(self, maximum: int) -> int:
        """Return how many items wait and are not deferred, counted up to a maximum."""
        size: int = await self._value("inbox_size", maximum)
        return size

    async def alike(
        self, item: InboxItem, limit: int, *, content: str = ""
    ) -> list[InboxRef]:
        """Return other waiting items that make the same statement or say the same.

        Args:
            content: What a record says; empty for its own content.
        """
        triple = statement_of(item.subject)
        # Only records have a content.
        content = content or getattr(item.subject, "content", "")
        rows = await self._rows(
            "alike",
            *((*triple[:3], triple.negated) if triple else ("", "", "", False)),
            [indexed(normalised(content))] if content else [],
            spellings(triple) if triple else [],
            # The item itself is among what is found.
            limit + 1,
        )
        found = [InboxRef(InboxPlace(row["place"]), row["number"]) for row in rows]
        return [ref for ref in found if ref != item.ref][:limit]

    async def inbox_decision(self, number: UUID) -> InboxDecisionRecord | None:
        """Return a decision of the inbox; None if there is none."""
        row = await self._row("inbox_decision", number)
        return _to_decision(row) if row else None

    async def last_inbox_decision(self, principal: str) -> InboxDecisionRecord | None:
        """Return somebody's latest decision that is not undone; None for none."""
        row = await self._row("last_inbox_decision", principal)
        return _to_decision(row) if row else None

    async def inbox_decision_about(self, ref: InboxRef) -> InboxDecisionRecord | None:
        """Return the latest decision about an item; None for none."""
        row = await self._row(
            "inbox_decision_about",
            # Finds a decision by any of its items: `@>` compares with a part of the JSON.
            json.dumps([{"item": str(ref)}]),
        )
        return _to_decision(row) if row else None

    async def inbox_decisions(
        self, *, before: tuple[float, UUID] | None, limit: int
    ) -> list[InboxDecisionRecord]:
        """Return decisions before a mark, the latest first."""
        time, number = before or (None, None)  # none for the latest
        rows = await self._rows("inbox_decisions", time_or_none(time), number, limit)
        return [_to_decision(row) for row in rows]

    async def texts(self, refs: Collection[InboxRef]) -> dict[InboxRef, str]:
        """Return what items say, in a line, decided or not; what was deleted is missing."""
        found = await self._subjects(refs)
        texts = {ref: text_of(subject) for ref, subject in found.items()}
        # A settled statement that waits no more is in the ledger only.
        # The number of a settled item is the row of the statement that made it wait.
        places = {ref.number: ref for ref in refs if ref.place is InboxPlace.SETTLED}
        rows = await self._rows("stated_triples", list(places))
        return texts | {places[row["id"]]: str(to_triple(row)) for row in rows}

    async def _items(self, rows: Sequence[asyncpg.Record]) -> list[InboxItem]:
        """Return the items of rows of the view, with what is to be decided."""
        refs = [InboxRef(InboxPlace(row["place"]), row["number"]) for row in rows]
        subjects = await self._subjects(refs)
        return [
            value_of(
                InboxItem, row, ref=ref, subject=subjects[ref], is_gone=row["gone"]
            )
            for ref, row in zip(refs, rows, strict=True)
        ]

    async def _subjects(
        self, refs: Collection[InboxRef]
    ) -> dict[InboxRef, InboxSubject]:
        """Return what is or was to be decided about items."""
        # One query for each table, however many items a page has of it.
        wanted: dict[InboxPlace, list[int]] = {place: [] for place in InboxPlace}
        for ref in refs:
            wanted[ref.place].append(ref.number)
        found: dict[InboxPlace, Mapping[int, InboxSubject]] = {
            InboxPlace.CONFLICT: await self.conflicts_by_id(
                wanted[InboxPlace.CONFLICT]
            ),
            InboxPlace.CANDIDATE: await self.candidates_by_id(
                wanted[InboxPlace.CANDIDATE]
            ),
            InboxPlace.RECORD: await self.records_by_id(wanted[InboxPlace.RECORD]),
            InboxPlace.FEEDBACK: await self.feedback_by_id(wanted[InboxPlace.FEEDBACK]),
            InboxPlace.SETTLED: await self._settled_again(wanted[InboxPlace.SETTLED]),
        }
        return {
            InboxRef(place, number): subject
            for place, subjects in found.items()
            for number, subject in subjects.items()
        }

    async def _settled_again(self, ids: Collection[int]) -> dict[int, SettledAgain]:
        if not ids:
            return {}
        rows = await self._rows("settled_again", list(ids))
        return {
            row["id"]: value_of(
                SettledAgain,
                row,
                triple=to_triple(row),
                conflict_id=row["closed_id"],
                statements=row["again_count"],
            )
            for row in rows
        }


def _to_decision(row: asyncpg.Record) -> InboxDecisionRecord:
    items: list[dict[str, Any]] = json.loads(row["items"])
    return InboxDecisionRecord(
        row["id"],
        row["principal"],
        row["action"],
        [
            DecidedItem(
                InboxRef.parse(it["item"]),
                it["edit"],
                it["count"],
                # Decisions of earlier versions have no flag.
                it.get("flag", False),
                # Written only with those that are.
                it.get("undone", False),
            )
            for it in items
        ],
        to_seconds(row["created_at"]),
        row["undone_by"] or "",
    )
