"""What the flows need from outside: promises that an adapter keeps."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from festinger.core.candidates import Factoid, FactoidState
from festinger.core.conflicts import Clash
from festinger.core.draft import Changes, Entry, Witness
from festinger.core.outcome import Outcome
from festinger.core.preferences import Preferences
from festinger.core.resolution import Conflict, ConflictState, Decision
from festinger.core.world import World

SegmentKey = tuple[bytes, int]
"""A turn's digest, and which of its statements."""
Deltas = Sequence[tuple[int, int, float]]
"""(concept, encounters to add, last seen in seconds since the epoch), by concept."""


@dataclass(frozen=True, slots=True)
class RequestKey:
    """What names a call that must not change anything twice.

    Attributes:
        payload: A hash of what was asked: the same id with another payload is wrong.
    """

    principal: str
    id: str
    method: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class Answered:
    """What a call led to: from this its answer is read again."""

    assertion_id: int = 0
    conflict_id: int = 0
    factoid_id: int = 0
    version: int = 0


@dataclass(frozen=True, slots=True)
class Settlement:
    """A decision about a conflict."""

    conflict_id: int
    state: ConflictState
    decision: Decision
    principal: str
    reasoning: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision about a candidate."""

    factoid_id: int
    state: FactoidState
    principal: str


@dataclass(slots=True)
class Batch:
    """Everything that one transaction writes."""

    changes: Changes
    settlements: list[Settlement] = field(default_factory=list)
    rulings: list[Ruling] = field(default_factory=list)
    requests: list[tuple[RequestKey, Entry | None, Answered]] = field(
        default_factory=list
    )
    now: float = 0.0


@dataclass(frozen=True, slots=True)
class Committed:
    """What a transaction gave out.

    Attributes:
        version: The tenant's version after it.
        conflicts: The numbers of the queue items, new and counted.
        factoids: The numbers of the candidates, by ledger row.
    """

    version: int
    conflicts: dict[Clash, int]
    factoids: dict[int, int]


class RaceLost(Exception):
    """Another server was first: take over what it wrote, and judge again.

    Attributes:
        concepts: Tokens that have another number by now.
        places: Concepts whose edges are not what the draft believed.
    """

    def __init__(
        self, *, concepts: dict[str, int] | None = None, places: Collection[int] = ()
    ) -> None:
        super().__init__("another server was first")
        self.concepts = concepts or {}
        self.places = places


class Store(Protocol):
    """Where memories are kept. Every method may raise `DatabaseUnavailable`."""

    async def load(self, tenant: str) -> World:
        """The whole memory of a tenant.

        Raises:
            TenantNotFound: There is no such tenant.
        """

    async def preferences(self, tenant: str) -> tuple[Preferences, list[str]]:
        """A tenant's settings, and a sentence for each that cannot be used."""

    async def reserve(self, tenant: str, kind: str, count: int) -> range:
        """A block of unused numbers of a kind: `concept` or `assertion`."""

    async def witnesses(self, tenant: str, asked: Iterable[Witness]) -> set[Witness]:
        """Which of these statements their principals made before."""

    async def judged(self, tenant: str, keys: Iterable[SegmentKey]) -> set[SegmentKey]:
        """Which of these statements of prompts are in the ledger already."""

    async def answered(
        self, tenant: str, keys: Iterable[RequestKey]
    ) -> dict[tuple[str, str], tuple[RequestKey, Answered]]:
        """Which of these calls were answered, by principal and id."""

    async def commit(self, tenant: str, batch: Batch) -> Committed:
        """Writes a batch, all or nothing.

        Raises:
            RaceLost: Another server was first; nothing was written.
        """

    async def take_over(self, tenant: str, world: World, race: RaceLost) -> None:
        """Brings a world to what another server wrote."""

    async def flush(
        self, tenant: str, concepts: dict[int, str], deltas: Deltas, sequence: int
    ) -> None:
        """Adds counters, and rows for concepts without one; once per sequence.

        Raises:
            RaceLost: A concept has another number by now; nothing was written.
        """

    async def outcome(self, tenant: str, assertion_id: int) -> Outcome:
        """What became of a statement, from the ledger."""

    async def conflict(self, tenant: str, conflict_id: int) -> Conflict:
        """A conflict.

        Raises:
            ConflictNotFound: There is no such conflict.
        """

    async def conflicts(
        self,
        tenant: str,
        *,
        states: Collection[ConflictState],
        concept: str,
        after: int,
        limit: int,
    ) -> list[Conflict]:
        """Conflicts with numbers above `after`, oldest first."""

    async def factoid(self, tenant: str, factoid_id: int) -> Factoid:
        """A candidate.

        Raises:
            FactoidNotFound: There is no such candidate.
        """

    async def factoids(
        self, tenant: str, *, states: Collection[FactoidState], after: int, limit: int
    ) -> list[Factoid]:
        """Candidates with numbers above `after`, oldest first."""

    async def concepts(
        self, tenant: str, *, prefix: str, placed: bool, after: str, limit: int
    ) -> list[str]:
        """Tokens after one, in order."""
