"""What people decide about claims: one decision, one transaction, one line in the log.

Each job here says which claims it needs and what becomes of them; the rest is the same
for all: nothing is written twice, relations go through the gate, the cycle of reviews
goes on, and all of it can be taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from festinger.core.changes import Entry
from festinger.core.draft import Draft
from festinger.core.memories.types import MemoryType, Status
from festinger.core.outcome import Outcome
from festinger.core.promotion import transitions
from festinger.core.promotion.claims import (
    LIVE,
    Claim,
    ClaimFilter,
    Edit,
    Key,
)
from festinger.core.promotion.transitions import Step, check_etag, name
from festinger.core.proposal import Proposal
from festinger.core.statement import parse_fact
from festinger.errors import ClaimExists, InvalidArgument
from festinger.flows.editing import Editing, Queue
from festinger.flows.jobs import Job, numbered
from festinger.flows.ports import Answered, Batch, Committed, Reads, RequestKey
from festinger.flows.relations import Relations

ALIKE_MAX = 200
"""Candidates of the same content that one decision is about, at most."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What a decision led to.

    Attributes:
        claims: The claims as they are now, first the one that it was about; None for one
            that is gone.
        edits: What was done to each of them.
        outcome: What the gate made of the first relation; None if there was none.
    """

    claims: tuple[Claim | None, ...]
    edits: tuple[int, ...]
    outcome: Outcome | None = None


class Deciding(Job[Decided]):
    """A decision about claims."""

    alone = True

    def __init__(self, *, principal: str, request: RequestKey | None) -> None:
        super().__init__(request)
        self._principal = principal
        self._queue = Queue()
        self._relations = Relations()
        self._edits: list[Edit] = []
        self._next_claim = self._next_edit = 0
        self._entry: Entry | None = None

    async def read(self, reads: Reads) -> None:
        """Reads the claims that it is about."""
        raise NotImplementedError

    def decisions(self, now: float) -> Sequence[Sequence[Step]]:
        """What becomes of them; each decision is taken back for itself.

        Raises:
            FestingerError: That cannot be.
        """
        raise NotImplementedError

    def finish(self, batch: Batch) -> None:
        """Adds what the batch must write besides."""

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The relations that it may put through the gate."""
        return self._relations.proposals

    async def load(self, reads: Reads) -> None:
        """Reads what the decision needs, and whether it is possible at all."""
        await self.read(reads)
        self._next_claim = await reads.unused("claim")
        self._next_edit = await reads.unused("edit")
        steps = [step for each in self.decisions(0.0) for step in each]
        await _check_alone(reads, steps)
        self._queue = await Queue.read(reads)
        self._relations = await Relations.read(reads, steps, by=self._principal)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Writes what becomes of the claims, and of what they state."""
        editing = Editing(batch, self._principal, self._next_edit, draft.now)
        decisions = self.decisions(draft.now)
        steps = [step for each in decisions for step in each]
        judged = iter(self._relations.judge(steps, draft, by=self._principal))
        self._edits = []
        for each in decisions:
            self._edits += editing.apply([next(judged) for _ in each])
        self.finish(batch)
        self._entry = next(iter(self._relations.entries.values()), None)
        editing.refill(self._queue)
        answered = Answered(
            claims=[edit.claim_id for edit in self._edits],
            edits=[edit.id for edit in self._edits],
        )
        self.remember(batch, self._entry, answered)

    def answer(self, committed: Committed) -> Decided:
        """The claims as they are now."""
        return Decided(
            tuple(edit.after for edit in self._edits),
            tuple(edit.id for edit in self._edits),
            numbered(self._entry, committed) if self._entry else None,
        )

    async def replay(self, reads: Reads, answered: Answered) -> Decided:
        """The claims as they are now, and the first outcome."""
        claims = await reads.claims_by_id(answered.claims)
        return Decided(
            tuple(claims.get(each) for each in answered.claims),
            tuple(answered.edits),
            await reads.outcome(answered.assertion_id)
            if answered.assertion_id
            else None,
        )


class DecidingOne(Deciding):
    """A decision about one claim.

    Args:
        etag: The claim as the caller read it; empty if they do not care.
    """

    def __init__(
        self,
        claim_id: int,
        *,
        principal: str,
        etag: str = "",
        request: RequestKey | None = None,
    ) -> None:
        super().__init__(principal=principal, request=request)
        self._claim_id = claim_id
        self._etag = etag
        self._claim: Claim | None = None

    @property
    def claim(self) -> Claim:
        """The claim that it is about."""
        assert self._claim is not None, "a decision follows a load"
        return self._claim

    async def read(self, reads: Reads) -> None:
        """Reads the claim.

        Raises:
            ClaimNotFound: There is no such claim.
            EtagMismatch: It changed since it was read.
        """
        self._claim = await reads.claim(self._claim_id)
        check_etag(self._claim, self._etag)

    def decisions(self, now: float) -> Sequence[Sequence[Step]]:
        """The one decision."""
        return (self.steps(now),)

    def steps(self, now: float) -> Sequence[Step]:
        """What becomes of the claim, and of those that it takes along."""
        raise NotImplementedError


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

    async def read(self, reads: Reads) -> None:
        """Reads both."""
        await super().read(reads)
        self._sole = await _is_sole(reads, [self.claim], self._principal)
        if self._supersedes:
            self._old = await reads.claim(self._supersedes)

    def steps(self, now: float) -> Sequence[Step]:
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

    def steps(self, now: float) -> Sequence[Step]:
        """It is invalid."""
        return transitions.reject(self.claim, by=self._principal)


class Reversal(DecidingOne):
    """An active or rejected claim becomes a candidate again."""

    _superseded: Sequence[Claim] = ()

    async def read(self, reads: Reads) -> None:
        """Reads it, and those in whose place it is, as far as there is room for them."""
        await super().read(reads)
        superseded = await reads.superseded_by(self._claim_id)
        taken = await reads.claims_by_key(old.key for old in superseded)
        self._superseded = [old for old in superseded if old.key not in taken]

    def steps(self, now: float) -> Sequence[Step]:
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

    def steps(self, now: float) -> Sequence[Step]:
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

    def steps(self, now: float) -> Sequence[Step]:
        """It waits somewhere else."""
        return transitions.defer(self.claim, now=now, resume=self._resume)


class Deletion(DecidingOne):
    """A candidate goes; a memory that graduated into it is active again."""

    _memory: Claim | None = None

    async def read(self, reads: Reads) -> None:
        """Reads both."""
        await super().read(reads)
        source = self.claim.graduated_from
        if source:
            self._memory = (await reads.claims_by_id([source])).get(source)

    def steps(self, now: float) -> Sequence[Step]:
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

    def steps(self, now: float) -> Sequence[Step]:
        """The entity, and the memory that points to it."""
        if self._fact:
            parse_fact(self._fact)
        return transitions.graduate(
            self.claim, self._next_claim, now=now, type=self._type, fact=self._fact
        )


class Refreshment(DecidingOne):
    """An active memory is confirmed: its weight is that of today."""

    def steps(self, now: float) -> Sequence[Step]:
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

    async def read(self, reads: Reads) -> None:
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

    def decisions(self, now: float) -> Sequence[Sequence[Step]]:
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
        self._undone: Sequence[Edit] = ()
        self._claims: Mapping[int, Claim] = {}
        self._sole = False

    async def read(self, reads: Reads) -> None:
        """Reads what was decided, and what its claims are now."""
        edit = await reads.edit(self._edit_id)
        edits = await reads.edits(decision=edit.decision, limit=ALIKE_MAX)
        # The one that was named comes first, the others as they were written.
        self._undone = sorted(edits, key=lambda it: (it.id != self._edit_id, it.id))
        self._claims = await reads.claims_by_id({it.claim_id for it in edits})
        self._sole = await reads.is_sole(self._principal)

    def decisions(self, now: float) -> Sequence[Sequence[Step]]:
        """Each claim is what it was before."""
        steps = transitions.undo(
            self._undone, self._claims, by=self._principal, sole=self._sole
        )
        return (steps,)

    def finish(self, batch: Batch) -> None:
        """Marks what is taken back."""
        by = self._edits[0].id
        batch.claims.undone.update(dict.fromkeys((it.id for it in self._undone), by))


async def _is_sole(reads: Reads, claims: Iterable[Claim], principal: str) -> bool:
    """Whether somebody may promote what they wrote themselves: nobody else could (E6)."""
    own = [
        claim
        for claim in claims
        if claim.proposer == principal and claim.origin.hand_authored
    ]
    return bool(own) and await reads.is_sole(principal)


async def _check_alone(reads: Reads, steps: Sequence[Step]) -> None:
    """Raises `ClaimExists` if something would be there twice."""
    changed = {step.claim.id for step in steps}
    wanted: dict[Key, Claim] = {}
    for step in steps:
        if step.after and step.after.status in LIVE:
            other = wanted.setdefault(step.after.key, step.after)
            if other.id != step.after.id:
                raise _exists(other)
    for key, other in (await reads.claims_by_key(wanted)).items():
        if other.id not in changed and other.id != wanted[key].id:
            raise _exists(other)


def _exists(other: Claim) -> ClaimExists:
    return ClaimExists(
        f"{name(other)} says the same and is {other.status}",
        claim_id=str(other.id),
        status=other.status,
    )
