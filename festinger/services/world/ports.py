"""What the flows need from outside: promises that an adapter keeps."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import AbstractAsyncContextManager
from typing import Protocol
from uuid import UUID

from festinger.core.graph.candidates import Factoid, FactoidState
from festinger.core.graph.changes import Retraction
from festinger.core.graph.history import Event, Mark
from festinger.core.graph.outcome import Fact, Outcome
from festinger.core.graph.predicates import Registry
from festinger.core.graph.proposal import Triple
from festinger.core.graph.resolution import Conflict, ConflictState
from festinger.core.memories.memory import Memory
from festinger.core.review.claims import (
    Claim,
    ClaimFilter,
    Edit,
    Key,
)
from festinger.core.review.passage import Passage
from festinger.core.review.queue import Cycle, Standing
from festinger.core.review.state import StateItem
from festinger.core.review.sweeping import Whole
from festinger.core.system.preferences import Preferences
from festinger.core.validation.events import ValidationEvent
from festinger.core.world.draft import Witness
from festinger.core.world.publishing import News
from festinger.core.world.undoing import Effects
from festinger.core.world.world import World
from festinger.services.provenance.trail_ports import TrailReads
from festinger.services.recollection.line_ports import LineReads
from festinger.store.world.batches import (
    Answered,
    Asked,
    Batch,
    Committed,
    Deltas,
    Rated,
    RequestKey,
    SegmentKey,
)


class Reads(LineReads, TrailReads, Protocol):
    """What is read of a tenant's memory beside the world."""

    async def witnesses(self, asked: Iterable[Witness]) -> set[Witness]:
        """Which of these statements their principals made before."""

    async def judged(self, keys: Iterable[SegmentKey]) -> set[SegmentKey]:
        """Which of these statements of prompts are in the ledger already."""

    async def answered(
        self, keys: Iterable[RequestKey]
    ) -> dict[tuple[str, str], tuple[RequestKey, Answered]]:
        """Which of these calls were answered, by principal and id."""

    async def outcome(self, assertion_id: int) -> Outcome:
        """What became of a statement, from the ledger."""

    async def retraction(self, assertion_id: int) -> Retraction:
        """A retraction, from the ledger."""

    async def conflict(self, conflict_id: int) -> Conflict:
        """A conflict.

        Raises:
            ConflictNotFound: There is no such conflict.
        """

    async def conflicts(
        self,
        *,
        states: Collection[ConflictState] = (),
        concept: str = "",
        unmet: bool = False,
        after: int = 0,
        limit: int = 50,
    ) -> list[Conflict]:
        """Conflicts with numbers above `after`, oldest first; empty asks for any.

        Args:
            unmet: Only those that may wait for facts about other concepts: statements,
                not denials, in whose place nothing is held, or that belong elsewhere.
        """

    async def dimensions(self) -> dict[str, str]:
        """The dimensions, and the question that each answers; may be empty."""

    async def effects(self, conflict_id: int) -> Effects | None:
        """What the decision about a conflict changed; None if that is not known."""

    async def is_extracting(self, interaction_id: int, lease: UUID) -> bool:
        """Whether an interaction is still whose lease this is, until the transaction ends."""

    async def is_dreaming(self, item_id: int, lease: UUID) -> bool:
        """Whether an item is still whose lease this is, until the transaction ends."""

    async def memories_known(self, subject: str) -> list[Memory]:
        """Everything that is or was remembered of a subject, in whatever status."""

    async def old_turns(self, before: float, limit: int) -> list[int]:
        """The numbers of turns that were said before a moment, the oldest first."""

    async def reads_under(self, lease: UUID) -> set[bytes]:
        """The digests of the turns that are read under a lease, until the transaction ends."""

    async def speakers(self, statements: Collection[int]) -> dict[int, str]:
        """Who made statements of the ledger, by their number."""

    async def factoid(self, factoid_id: int) -> Factoid:
        """A candidate.

        Raises:
            FactoidNotFound: There is no such candidate.
        """

    async def factoid_by_cid(self, cid: str) -> Factoid:
        """The candidate of a content identifier.

        Raises:
            FactoidNotFound: There is no such candidate.
        """

    async def factoid_by_external_id(self, external_id: str) -> Factoid | None:
        """The candidate that a client calls so; None if there is none."""

    async def pending_factoids(
        self, triples: Collection[Triple]
    ) -> dict[Triple, Factoid]:
        """The candidates of these statements that wait."""

    async def factoids_over(self, now: float, limit: int) -> list[Factoid]:
        """Candidates whose time is over and that nobody decided, oldest first."""

    async def events(self, factoid_id: int) -> list[ValidationEvent]:
        """What was answered about a candidate, oldest first."""

    async def event_of_delivery(
        self, bot_id: str, delivery: str
    ) -> ValidationEvent | None:
        """The answer that a platform delivered under a name; None for none."""

    async def breaker_until(self) -> float:
        """Until when only moderators decide, in seconds since the epoch; 0.0 for never."""

    async def rated(self) -> Rated:
        """What is known of those who answer, and until when only moderators decide."""

    async def question_asked(self, question_id: int) -> Asked:
        """What an answer to a question must know of it.

        Raises:
            QuestionNotFound: There is no such question.
        """

    async def is_stated_since(self, factoid: Factoid) -> bool:
        """Whether others have stated what a candidate's confirmation made."""

    async def factoids(
        self,
        *,
        states: Collection[FactoidState] = (),
        after: int = 0,
        limit: int = 50,
        newest: bool = False,
        flagged: bool = False,
    ) -> list[Factoid]:
        """Candidates behind `after`, oldest or newest first.

        Args:
            flagged: Only those that a moderator should look at.
        """

    async def claim(self, claim_id: int) -> Claim:
        """A memory or an entity.

        Raises:
            ClaimNotFound: There is no such claim.
        """

    async def claims(
        self, wanted: ClaimFilter, *, after: int = 0, limit: int = 50
    ) -> list[Claim]:
        """Claims with numbers above `after`, oldest first."""

    async def claims_by_id(self, ids: Iterable[int]) -> dict[int, Claim]:
        """Those of these claims that there are, by number."""

    async def claims_by_key(self, keys: Iterable[Key]) -> dict[Key, Claim]:
        """Those claims that keep the same from being written a second time."""

    async def superseded_by(self, claim_id: int) -> list[Claim]:
        """The claims in whose place another one is."""

    async def overflow(self, limit: int) -> list[Claim]:
        """What did not fit into the cycle of reviews, the best first."""

    async def cycle(self) -> Cycle:
        """The cycle of reviews of now."""

    async def standing(self, *, project: str, now: float) -> Standing:
        """How the review queue stands, of one project if it is named."""

    async def edit(self, edit_id: int) -> Edit:
        """What was done to a claim.

        Raises:
            EditNotFound: There is no such edit.
        """

    async def edits(
        self,
        *,
        claim_id: int = 0,
        decision: int = 0,
        before: int = 0,
        limit: int = 50,
    ) -> list[Edit]:
        """What was done, newest first, with numbers below `before`; 0 asks for any."""

    async def unused(self, kind: str) -> int:
        """The first number of a kind that nobody has; the pen keeps it so."""

    async def is_sole(self, principal: str) -> bool:
        """Whether nobody else has decided anything here."""

    async def restated(self, triple: Triple) -> dict[str, int]:
        """When a statement was made last in each dimension, but by entities.

        As rows of the ledger; a decision that only moved it did not make it.
        """

    async def stating(self, triple: Triple) -> dict[int, str]:
        """The active entities that state this, and in which dimension."""

    async def passage(self, claim: Claim) -> Passage | None:
        """The text that a claim was found in; None if it is not there any more."""

    async def document(self, chunk_id: str) -> Whole | None:
        """The document that a chunk is still in; None if it is not.

        Of its chunks only this one is fresh.
        """

    async def state(
        self,
        *,
        project: str = "",
        after: tuple[str, str] = ("", ""),
        limit: int = 50,
        removed: bool = False,
    ) -> list[StateItem]:
        """What people wrote down of projects, by project and key, after one.

        Args:
            removed: Whether items that were removed are listed, too.
        """

    async def state_item(self, project: str, key: str) -> StateItem | None:
        """One item of a project's state; None if it was never written."""

    async def concepts(
        self, *, prefix: str, placed: bool, parent: str, after: str, limit: int
    ) -> list[str]:
        """Tokens after one, in order; `parent` asks for those that it holds."""

    async def history(
        self,
        token: str,
        concept_id: int,
        *,
        dimension: str,
        after: Mark,
        limit: int,
        private: bool = True,
    ) -> list[Event]:
        """What happened to a concept after a mark, oldest first.

        Args:
            private: Whether candidates that hold what is private are told of.
        """

    async def as_of(
        self, concept_id: int, when: float
    ) -> tuple[list[Fact], list[Triple], list[int]]:
        """What placed a concept at a moment, what was denied, which conflicts waited."""


class Writing(Reads, Protocol):
    """The pen of a tenant: whoever has it writes, and nobody else does."""

    version: int
    """The tenant's version; it stays so until this ends."""

    async def news(self, since: int, places: Collection[int] = ()) -> News:
        """What was committed after a version, and what is held of these concepts.

        Raises:
            TooFarBehind: The log does not reach back so far.
        """

    async def write(self, batch: Batch) -> Committed:
        """Writes a batch, to be committed when the pen is put down.

        Raises:
            RaceLost: Another server was first; nothing may be committed.
        """


class Store(Protocol):
    """Where memories are kept.

    Every method may raise `DatabaseUnavailable`, or `Overloaded` if no connection is free.
    """

    async def load(self, tenant: str) -> World:
        """The whole memory of a tenant.

        Raises:
            TenantNotFound: There is no such tenant.
            CorruptMemory: A row cannot be part of a memory.
        """

    async def sweep(self, tenant: str) -> list[str]:
        """Sets aside rows that cannot be part of a memory; a sentence for each."""

    async def preferences(self, tenant: str) -> tuple[Preferences, list[str]]:
        """A tenant's settings, and a sentence for each that cannot be used."""

    async def registry(self, tenant: str) -> tuple[Registry, list[str]]:
        """A tenant's predicates, and a sentence for each that cannot be used."""

    async def reserve(self, tenant: str, kind: str, count: int) -> range:
        """A block of unused numbers of a kind: `concept` or `assertion`."""

    def writing(self, tenant: str) -> AbstractAsyncContextManager[Writing]:
        """Takes the pen; commits when it is put down, unless something was raised."""

    def reading(self, tenant: str) -> AbstractAsyncContextManager[Reads]:
        """Reads on one connection."""

    async def heads(self, tenants: Collection[str]) -> dict[str, int]:
        """The newest version of each tenant."""

    async def news(self, tenant: str, since: int, places: Collection[int] = ()) -> News:
        """What was committed after a version, and what is held of these concepts.

        Raises:
            TooFarBehind: The log does not reach back so far.
        """

    async def flush(
        self, tenant: str, concepts: dict[int, str], deltas: Deltas, sequence: int
    ) -> None:
        """Adds counters, and rows for concepts without one; once per sequence.

        Raises:
            RaceLost: A concept has another number by now, or none; nothing was
                written.
        """

    async def with_old_words(self, before: float) -> list[str]:
        """The tenants that keep words that people said before a moment."""

    async def forget_changes(self, tenant: str, before: float) -> None:
        """Shorten the log of changes: who asks for older ones is `TooFarBehind`.

        Args:
            before: In seconds since the epoch.
        """
