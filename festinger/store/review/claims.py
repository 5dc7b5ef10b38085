"""Reads and writes of claims: typed memories and entities."""

from __future__ import annotations

import json
from collections.abc import Iterable

from festinger.core.graph.proposal import Triple
from festinger.core.memories.types import Status, normalised
from festinger.core.review.claims import (
    STALE_SECONDS,
    Claim,
    ClaimChanges,
    ClaimEdit,
    ClaimFilter,
    Key,
)
from festinger.core.review.passage import Passage
from festinger.core.review.queue import Cycle, FacetCount, QueueStanding
from festinger.core.review.sweeping import Whole
from festinger.errors import ClaimNotFound, EditNotFound
from festinger.store.graph.rows import to_seconds, to_time
from festinger.store.review.claimrows import (
    claim_row,
    edit_row,
    indexed,
    of_chunk,
    of_interaction,
    to_claim,
    to_edit,
    to_whole,
)
from festinger.store.system.pool import Connection
from festinger.store.system.queries import sql


class ClaimReads:
    """Reads of one tenant's claims."""

    _connection: Connection
    _tenant: str

    async def claim(self, claim_id: int) -> Claim:
        """Return a claim.

        Raises:
            ClaimNotFound: There is no such claim.
        """
        found = await self.claims_by_id([claim_id])
        if claim_id not in found:
            raise ClaimNotFound(
                f"there is no memory and no entity #{claim_id}", claim_id=str(claim_id)
            )
        return found[claim_id]

    async def claims(
        self, wanted: ClaimFilter, *, after: int = 0, limit: int = 50
    ) -> list[Claim]:
        """Return claims with numbers above `after`, oldest first."""
        rows = await self._connection.fetch(
            sql("claims"),
            self._tenant,
            after,
            wanted.kind or "",
            list(wanted.types),
            list(wanted.statuses),
            wanted.project,
            wanted.subject,
            wanted.extractor,
            wanted.contains,
            indexed(normalised(wanted.same_as)),
            wanted.deferred,
            wanted.confidence_min,
            wanted.visible_to,
            limit,
        )
        return [to_claim(row) for row in rows]

    async def claims_by_id(self, ids: Iterable[int]) -> dict[int, Claim]:
        """Return the claims with these numbers that exist, by number."""
        if not (asked := list(ids)):
            return {}
        rows = await self._connection.fetch(sql("claims_by_id"), self._tenant, asked)
        return {row["id"]: to_claim(row) for row in rows}

    async def claims_by_key(self, keys: Iterable[Key]) -> dict[Key, Claim]:
        """Return the claims that a new one with one of these keys would duplicate."""
        found_by = {key._replace(content=indexed(key.content)) for key in keys}
        if not found_by:
            return {}
        columns = [list(column) for column in zip(*found_by, strict=True)]
        rows = await self._connection.fetch(
            sql("claims_by_key"), self._tenant, *columns
        )
        return {claim.key: claim for claim in map(to_claim, rows)}

    async def superseded_by(self, claim_id: int) -> list[Claim]:
        """Return the claims that a claim supersedes."""
        rows = await self._connection.fetch(
            sql("superseded_by"), self._tenant, claim_id
        )
        return [to_claim(row) for row in rows]

    async def overflow(self, limit: int) -> list[Claim]:
        """Return the claims that wait for the next review cycle, the best first."""
        rows = await self._connection.fetch(sql("overflow"), self._tenant, limit)
        return [to_claim(row) for row in rows]

    async def cycle(self) -> Cycle:
        """Return the current review cycle."""
        row = await self._connection.fetchrow(sql("cycle"), self._tenant)
        return Cycle(row["number"], row["written"], row["open"]) if row else Cycle()

    async def standing(self, *, project: str, now: float) -> QueueStanding:
        """Return counts of the review queue, optionally of one project."""
        row = await self._connection.fetchrow(
            sql("review_standing"),
            self._tenant,
            project,
            to_time(now),
            to_time(now - STALE_SECONDS),
        )
        assert row is not None, "there is always one row"
        return QueueStanding(
            Cycle(row["number"], row["written"], row["open"]),
            row["deferred"],
            row["pending"],
            row["stale"],
            row["overflow"],
            to_seconds(row["oldest"]) if row["oldest"] else None,
            [FacetCount(*each) for each in json.loads(row["facets"])],
        )

    async def edit(self, edit_id: int) -> ClaimEdit:
        """Return an edit of a claim.

        Raises:
            EditNotFound: There is no such edit.
        """
        row = await self._connection.fetchrow(sql("edit"), self._tenant, edit_id)
        if row is None:
            raise EditNotFound(f"there is no edit #{edit_id}", edit_id=str(edit_id))
        return to_edit(row)

    async def edits(
        self,
        *,
        claim_id: int = 0,
        decision: int = 0,
        before: int = 0,
        limit: int = 50,
    ) -> list[ClaimEdit]:
        """Return edits with numbers below `before`, newest first; 0 for all."""
        rows = await self._connection.fetch(
            sql("edits"), self._tenant, claim_id, decision, before, limit
        )
        return [to_edit(row) for row in rows]

    async def unused(self, kind: str) -> int:
        """Return the next unused number of a kind; the write lock keeps it unused."""
        number: int = await self._connection.fetchval(sql("unused"), self._tenant, kind)
        return number

    async def is_sole(self, principal: str) -> bool:
        """Return whether no other principal has made a decision in this memory."""
        others: bool = await self._connection.fetchval(
            sql("decided_by_others"), self._tenant, principal
        )
        return not others

    async def restated(self, triple: Triple) -> dict[str, int]:
        """Return the last ledger row that makes a statement, by dimension.

        Rows of entities and of decisions are ignored.
        """
        rows = await self._connection.fetch(
            sql("restated"), self._tenant, *_in_any_dimension(triple)
        )
        return {row["dimension"]: row["id"] for row in rows}

    async def stating(self, triple: Triple) -> dict[int, str]:
        """Return the active entities that make a statement, with its dimension."""
        rows = await self._connection.fetch(
            sql("stating"), self._tenant, *_in_any_dimension(triple)
        )
        return {row["id"]: row["dimension"] for row in rows}

    async def passage(self, claim: Claim) -> Passage | None:
        """Return the text that a claim was found in; None if it no longer exists."""
        origin = claim.origin
        if origin.chunk_id:
            row = await self._connection.fetchrow(
                sql("chunk"), self._tenant, origin.chunk_id
            )
            return of_chunk(row) if row else None
        if origin.interaction_id:
            row = await self._connection.fetchrow(
                sql("claimed_interaction"), self._tenant, origin.interaction_id
            )
            return of_interaction(row) if row else None
        return None

    async def document(self, chunk_id: str) -> Whole | None:
        """Return the document with a chunk; None if it no longer contains it."""
        row = await self._connection.fetchrow(
            sql("document_of_chunk"), self._tenant, chunk_id
        )
        if row is None:
            return None
        parts = await self._connection.fetch(
            sql("chunks_of_document"), self._tenant, row["id"]
        )
        return to_whole(row, parts, chunk_id)


async def write(connection: Connection, tenant: str, changes: ClaimChanges) -> None:
    """Write claims and their edits, in a batch's transaction."""
    if changes.deleted:
        await connection.execute(sql("delete_claims"), tenant, list(changes.deleted))
    if changes.written:
        # Superseded claims are written first, because their successors may have the
        # same unique key.
        claims = sorted(
            changes.written.values(),
            key=lambda claim: (claim.status is not Status.SUPERSEDED, claim.id),
        )
        rows = [claim_row(tenant, claim) for claim in claims]
        await connection.executemany(sql("write_claim"), rows)
        await connection.execute(
            sql("use_up"), tenant, "claim", max(changes.written) + 1
        )
    if changes.edits:
        edits = [edit_row(tenant, edit) for edit in changes.edits]
        await connection.executemany(sql("add_edit"), edits)
        await connection.execute(
            sql("use_up"), tenant, "edit", changes.edits[-1].id + 1
        )
    if changes.undone:
        await connection.execute(
            sql("mark_undone"),
            tenant,
            list(changes.undone),
            list(changes.undone.values()),
        )
    if changes.cycle:
        await connection.execute(sql("set_cycle"), tenant, *changes.cycle)


def _in_any_dimension(triple: Triple) -> tuple[str, str, bool, bool]:
    return triple.concept, triple.parent, triple.is_isa, triple.negated
