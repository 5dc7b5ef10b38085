"""Kinds of decisions about records, with what each reads and changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from festinger.core.graph.statement import parse_fact
from festinger.core.memories.types import MemoryType, Status
from festinger.core.review import transitions
from festinger.core.review.records import MemoryRecord, RecordEdit, RecordFilter
from festinger.core.review.steps import RecordStep
from festinger.core.review.undo import undo
from festinger.errors import InvalidArgument
from festinger.services.review.decisions import RecordDecision, SingleRecordDecision
from festinger.store.world.batches import Batch, RequestKey
from festinger.store.world.reads import PostgresReads

ALIKE_MAX = 200
"""Maximum number of candidates of the same content in one decision."""


class Promotion(SingleRecordDecision):
    """Decision that makes a candidate active.

    Args:
        supersedes: Number of the active record that it replaces; 0 for none.
    """

    def __init__(
        self,
        record_id: int,
        *,
        principal: str,
        supersedes: int = 0,
        etag: str = "",
        request: RequestKey | None = None,
    ) -> None:
        super().__init__(record_id, principal=principal, etag=etag, request=request)
        self._supersedes = supersedes
        self._old: MemoryRecord | None = None
        self._sole = False

    async def read(self, reads: PostgresReads) -> None:
        """Read the candidate, and the record that it replaces."""
        await super().read(reads)
        self._sole = await _is_sole(reads, [self.record], self._principal)
        if self._supersedes:
            self._old = await reads.record(self._supersedes)

    def steps(self, now: float) -> Sequence[RecordStep]:
        """Return the steps that activate it and supersede the other record."""
        return transitions.promote(
            self.record,
            by=self._principal,
            now=now,
            sole=self._sole,
            supersedes=self._old,
        )


class Dismissal(SingleRecordDecision):
    """Decision that rejects a candidate."""

    def steps(self, now: float) -> Sequence[RecordStep]:
        """Return the step that makes the candidate invalid."""
        return transitions.reject(self.record, by=self._principal)


class Reversal(SingleRecordDecision):
    """Decision that makes an active or rejected record a candidate again."""

    _superseded: Sequence[MemoryRecord] = ()

    async def read(self, reads: PostgresReads) -> None:
        """Read the record, and the superseded records that have no live duplicate."""
        await super().read(reads)
        superseded = await reads.superseded_by(self._record_id)
        taken = await reads.records_by_key(old.key for old in superseded)
        self._superseded = [old for old in superseded if old.key not in taken]

    def steps(self, now: float) -> Sequence[RecordStep]:
        """Return the steps that make it a candidate and reactivate the others."""
        return transitions.revert(self.record, now=now, superseded=self._superseded)


class Correction(SingleRecordDecision):
    """Decision that edits a candidate.

    Args:
        type: New type; None to keep it.
        fact: New relation; None to keep it, empty to remove it.
    """

    def __init__(
        self,
        record_id: int,
        content: str,
        *,
        principal: str,
        type: MemoryType | None = None,
        fact: str | None = None,
        etag: str = "",
        request: RequestKey | None = None,
    ) -> None:
        super().__init__(record_id, principal=principal, etag=etag, request=request)
        self._content = content
        self._type = type
        self._fact = fact

    def steps(self, now: float) -> Sequence[RecordStep]:
        """Return the step that edits the candidate."""
        if self._fact:
            parse_fact(self._fact)
        return transitions.edit(
            self.record, content=self._content, type=self._type, fact=self._fact
        )


class Deferral(SingleRecordDecision):
    """Decision that defers a candidate, or resumes it."""

    def __init__(
        self,
        record_id: int,
        *,
        principal: str,
        resume: bool = False,
        request: RequestKey | None = None,
    ) -> None:
        super().__init__(record_id, principal=principal, request=request)
        self._resume = resume

    def steps(self, now: float) -> Sequence[RecordStep]:
        """Return the step that defers or resumes the candidate."""
        return transitions.defer(self.record, now=now, resume=self._resume)


class Deletion(SingleRecordDecision):
    """Decision that deletes a candidate.

    A memory that graduated into it becomes active again.
    """

    _memory: MemoryRecord | None = None

    async def read(self, reads: PostgresReads) -> None:
        """Read the candidate, and the memory that graduated into it."""
        await super().read(reads)
        source = self.record.graduated_from
        if source:
            self._memory = (await reads.records_by_id([source])).get(source)

    def steps(self, now: float) -> Sequence[RecordStep]:
        """Return the steps that delete the candidate and reactivate the memory."""
        return transitions.delete(self.record, self._memory)


class Graduation(SingleRecordDecision):
    """Decision that turns an active memory into an entity's candidate.

    Args:
        type: Type of the entity; None for that of the memory.
        fact: Relation that the entity states; empty for that of the memory.
    """

    def __init__(
        self,
        record_id: int,
        *,
        principal: str,
        type: MemoryType | None = None,
        fact: str = "",
        etag: str = "",
        request: RequestKey | None = None,
    ) -> None:
        super().__init__(record_id, principal=principal, etag=etag, request=request)
        self._type = type
        self._fact = fact

    def steps(self, now: float) -> Sequence[RecordStep]:
        """Return the steps that add the entity and make the memory a pointer to it."""
        if self._fact:
            parse_fact(self._fact)
        return transitions.graduate(
            self.record, self._next_record, now=now, type=self._type, fact=self._fact
        )


class Refreshment(SingleRecordDecision):
    """Decision that confirms an active memory: its decay starts again from now."""

    def steps(self, now: float) -> Sequence[RecordStep]:
        """Return the step that confirms the memory."""
        return transitions.confirm(self.record, now=now)


class AlikeDecision(SingleRecordDecision):
    """Decision that promotes or rejects all candidates of the same content."""

    def __init__(
        self,
        record_id: int,
        *,
        promote: bool,
        principal: str,
        request: RequestKey | None = None,
    ) -> None:
        super().__init__(record_id, principal=principal, request=request)
        self._promote = promote
        self._alike: list[MemoryRecord] = []
        self._sole = False

    async def read(self, reads: PostgresReads) -> None:
        """Read the candidates.

        Raises:
            InvalidArgument: There are too many.
        """
        await super().read(reads)
        transitions.need_candidate(self.record)
        wanted = RecordFilter(statuses=[Status.CANDIDATE], same_as=self.record.content)
        found = await reads.records(wanted, limit=ALIKE_MAX + 1)
        if len(found) > ALIKE_MAX:
            raise InvalidArgument(
                f"more than {ALIKE_MAX} candidates say this: decide about each, or edit "
                "those that differ",
                field="record_id",
            )
        # The record that the caller named comes first in the answer.
        self._alike = sorted(found, key=lambda each: each.id != self._record_id)
        self._sole = await _is_sole(reads, self._alike, self._principal)

    def decisions(self, now: float) -> Sequence[Sequence[RecordStep]]:
        """Return one decision per candidate."""
        if not self._promote:
            return [
                transitions.reject(each, by=self._principal) for each in self._alike
            ]
        return [
            transitions.promote(each, by=self._principal, now=now, sole=self._sole)
            for each in self._alike
        ]


class Undo(RecordDecision):
    """Undo of a decision: its records become exactly what they were."""

    def __init__(
        self, edit_id: int, *, principal: str, request: RequestKey | None = None
    ) -> None:
        super().__init__(principal=principal, request=request)
        self._edit_id = edit_id
        self._undone: Sequence[RecordEdit] = ()
        self._records: Mapping[int, MemoryRecord] = {}
        self._sole = False

    async def read(self, reads: PostgresReads) -> None:
        """Read the edits of the decision, and its records as they are now."""
        edit = await reads.edit(self._edit_id)
        edits = await reads.edits(decision=edit.decision, limit=ALIKE_MAX)
        # The named edit comes first, the others in the order of their numbers.
        self._undone = sorted(edits, key=lambda it: (it.id != self._edit_id, it.id))
        self._records = await reads.records_by_id({it.record_id for it in edits})
        self._sole = await reads.is_sole(self._principal)

    def decisions(self, now: float) -> Sequence[Sequence[RecordStep]]:
        """Return the steps that restore each record, as one decision."""
        return (undo(self._undone, self._records, by=self._principal, sole=self._sole),)

    def finish(self, batch: Batch) -> None:
        """Mark the edits that are undone."""
        by = self._edits[0].id
        batch.records.undone.update(dict.fromkeys((it.id for it in self._undone), by))


async def _is_sole(
    reads: PostgresReads, records: Iterable[MemoryRecord], principal: str
) -> bool:
    """Return whether one may promote what one wrote, as nobody else decides (E6)."""
    own = [
        record
        for record in records
        if record.proposer == principal and record.origin.hand_authored
    ]
    return bool(own) and await reads.is_sole(principal)
