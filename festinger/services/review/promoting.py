"""What people decide about claims: which they need, and what becomes of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from festinger.core.graph.statement import parse_fact
from festinger.core.memories.types import MemoryType, Status
from festinger.core.review import transitions
from festinger.core.review.claims import Claim, ClaimEdit, ClaimFilter
from festinger.core.review.steps import ClaimStep
from festinger.core.review.undoing import undo
from festinger.errors import InvalidArgument
from festinger.services.review.deciding import Deciding, DecidingOne
from festinger.store.world.batches import Batch, RequestKey
from festinger.store.world.reads import PostgresReads

ALIKE_MAX = 200
"""Candidates of the same content that one decision is about, at most."""


class Promotion(DecidingOne):
    """A candidate becomes active.

    Args:
        supersedes: The active claim whose place it takes; 0 for none.
    """

    def __init__(
        self,
        claim_id: int,
        *,
        principal: str,
        supersedes: int = 0,
        etag: str = "",
        request: RequestKey | None = None,
    ) -> None:
        super().__init__(claim_id, principal=principal, etag=etag, request=request)
        self._supersedes = supersedes
        self._old: Claim | None = None
        self._sole = False

    async def read(self, reads: PostgresReads) -> None:
        """Reads both."""
        await super().read(reads)
        self._sole = await _is_sole(reads, [self.claim], self._principal)
        if self._supersedes:
            self._old = await reads.claim(self._supersedes)

    def steps(self, now: float) -> Sequence[ClaimStep]:
        """The one is active, the other superseded."""
        return transitions.promote(
            self.claim,
            by=self._principal,
            now=now,
            sole=self._sole,
            supersedes=self._old,
        )


class Dismissal(DecidingOne):
    """A candidate is rejected."""

    def steps(self, now: float) -> Sequence[ClaimStep]:
        """It is invalid."""
        return transitions.reject(self.claim, by=self._principal)


class Reversal(DecidingOne):
    """An active or rejected claim becomes a candidate again."""

    _superseded: Sequence[Claim] = ()

    async def read(self, reads: PostgresReads) -> None:
        """Reads it, and those in whose place it is, as far as there is room for them."""
        await super().read(reads)
        superseded = await reads.superseded_by(self._claim_id)
        taken = await reads.claims_by_key(old.key for old in superseded)
        self._superseded = [old for old in superseded if old.key not in taken]

    def steps(self, now: float) -> Sequence[ClaimStep]:
        """It is a candidate, and those it superseded are active."""
        return transitions.revert(self.claim, now=now, superseded=self._superseded)


class Correction(DecidingOne):
    """A candidate says something else.

    Args:
        type: None for the same.
        fact: None for the same, empty for none.
    """

    def __init__(
        self,
        claim_id: int,
        content: str,
        *,
        principal: str,
        type: MemoryType | None = None,
        fact: str | None = None,
        etag: str = "",
        request: RequestKey | None = None,
    ) -> None:
        super().__init__(claim_id, principal=principal, etag=etag, request=request)
        self._content = content
        self._type = type
        self._fact = fact

    def steps(self, now: float) -> Sequence[ClaimStep]:
        """It says that."""
        if self._fact:
            parse_fact(self._fact)
        return transitions.edit(
            self.claim, content=self._content, type=self._type, fact=self._fact
        )


class Deferral(DecidingOne):
    """A candidate is put aside, or taken up again."""

    def __init__(
        self,
        claim_id: int,
        *,
        principal: str,
        resume: bool = False,
        request: RequestKey | None = None,
    ) -> None:
        super().__init__(claim_id, principal=principal, request=request)
        self._resume = resume

    def steps(self, now: float) -> Sequence[ClaimStep]:
        """It waits somewhere else."""
        return transitions.defer(self.claim, now=now, resume=self._resume)


class Deletion(DecidingOne):
    """A candidate goes; a memory that graduated into it is active again."""

    _memory: Claim | None = None

    async def read(self, reads: PostgresReads) -> None:
        """Reads both."""
        await super().read(reads)
        source = self.claim.graduated_from
        if source:
            self._memory = (await reads.claims_by_id([source])).get(source)

    def steps(self, now: float) -> Sequence[ClaimStep]:
        """The one is gone, the other active."""
        return transitions.delete(self.claim, self._memory)


class Graduation(DecidingOne):
    """An active memory becomes an entity's candidate.

    Args:
        type: What the entity says; None for the same.
        fact: The relation that it states; empty for the memory's own.
    """

    def __init__(
        self,
        claim_id: int,
        *,
        principal: str,
        type: MemoryType | None = None,
        fact: str = "",
        etag: str = "",
        request: RequestKey | None = None,
    ) -> None:
        super().__init__(claim_id, principal=principal, etag=etag, request=request)
        self._type = type
        self._fact = fact

    def steps(self, now: float) -> Sequence[ClaimStep]:
        """The entity, and the memory that points to it."""
        if self._fact:
            parse_fact(self._fact)
        return transitions.graduate(
            self.claim, self._next_claim, now=now, type=self._type, fact=self._fact
        )


class Refreshment(DecidingOne):
    """An active memory is confirmed: its weight is that of today."""

    def steps(self, now: float) -> Sequence[ClaimStep]:
        """It is as sure as on its first day."""
        return transitions.confirm(self.claim, now=now)


class AlikeDecision(DecidingOne):
    """All candidates of the same content are promoted, or rejected."""

    def __init__(
        self,
        claim_id: int,
        *,
        promote: bool,
        principal: str,
        request: RequestKey | None = None,
    ) -> None:
        super().__init__(claim_id, principal=principal, request=request)
        self._promote = promote
        self._alike: list[Claim] = []
        self._sole = False

    async def read(self, reads: PostgresReads) -> None:
        """Reads them all.

        Raises:
            InvalidArgument: There are too many.
        """
        await super().read(reads)
        transitions.need_candidate(self.claim)
        wanted = ClaimFilter(statuses=[Status.CANDIDATE], same_as=self.claim.content)
        found = await reads.claims(wanted, limit=ALIKE_MAX + 1)
        if len(found) > ALIKE_MAX:
            raise InvalidArgument(
                f"more than {ALIKE_MAX} candidates say this: decide about each, or edit "
                "those that differ",
                field="claim_id",
            )
        # The one that was meant comes first in the answer.
        self._alike = sorted(found, key=lambda each: each.id != self._claim_id)
        self._sole = await _is_sole(reads, self._alike, self._principal)

    def decisions(self, now: float) -> Sequence[Sequence[ClaimStep]]:
        """One decision a claim."""
        if not self._promote:
            return [
                transitions.reject(each, by=self._principal) for each in self._alike
            ]
        return [
            transitions.promote(each, by=self._principal, now=now, sole=self._sole)
            for each in self._alike
        ]


class Undo(Deciding):
    """A decision is taken back: its claims are exactly what they were."""

    def __init__(
        self, edit_id: int, *, principal: str, request: RequestKey | None = None
    ) -> None:
        super().__init__(principal=principal, request=request)
        self._edit_id = edit_id
        self._undone: Sequence[ClaimEdit] = ()
        self._claims: Mapping[int, Claim] = {}
        self._sole = False

    async def read(self, reads: PostgresReads) -> None:
        """Reads what was decided, and what its claims are now."""
        edit = await reads.edit(self._edit_id)
        edits = await reads.edits(decision=edit.decision, limit=ALIKE_MAX)
        # The one that was named comes first, the others as they were written.
        self._undone = sorted(edits, key=lambda it: (it.id != self._edit_id, it.id))
        self._claims = await reads.claims_by_id({it.claim_id for it in edits})
        self._sole = await reads.is_sole(self._principal)

    def decisions(self, now: float) -> Sequence[Sequence[ClaimStep]]:
        """Each claim is what it was before."""
        return (undo(self._undone, self._claims, by=self._principal, sole=self._sole),)

    def finish(self, batch: Batch) -> None:
        """Marks what is taken back."""
        by = self._edits[0].id
        batch.claims.undone.update(dict.fromkeys((it.id for it in self._undone), by))


async def _is_sole(
    reads: PostgresReads, claims: Iterable[Claim], principal: str
) -> bool:
    """Whether somebody may promote what they wrote themselves: nobody else could (E6)."""
    own = [
        claim
        for claim in claims
        if claim.proposer == principal and claim.origin.hand_authored
    ]
    return bool(own) and await reads.is_sole(principal)
