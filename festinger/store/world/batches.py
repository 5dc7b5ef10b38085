"""Batches: the writes of one transaction, each of an aggregate by its own writer."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar, cast
from uuid import UUID, uuid4

from festinger.core.graph.changes import LedgerEntry
from festinger.core.world.world import World
from festinger.errors import Overloaded, RequestIdReused
from festinger.store.system.pool import Connection
from festinger.store.system.queries import fields_of, sql
from festinger.store.system.statement_batch import JoiningConnection

# The same statement of a resent turn is recognised by it.
SegmentKey = tuple[bytes, int]
"""A turn's digest, and the ordinal of a statement in it."""
Deltas = Sequence[tuple[int, int, float]]
"""(concept, encounters to add, last seen in seconds since the epoch), by concept."""


@dataclass(frozen=True, slots=True)
class RequestKey:
    """Idempotency key of a call.

    Attributes:
        payload: A hash of the request: the same id with another payload is an error.
    """

    principal: str
    id: str
    method: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class CallResult:
    """Result of a call, from which its answer is rebuilt on repetition.

    Attributes:
        added: How many items were added, or lines were forgotten.
        ended: How many statements ended with forgotten lines.
        statements: The ledger rows of several statements.
        records: The records that were written or changed.
        overflow: The records that exceeded the capacity of the review cycle.
        again: The records that were found again.
        edits: The edits of the records.
        state: Project and key of the item of trusted state that was written.
        event: The content identifier of the recorded answer; the name of a rated line, or
            the number of an undone decision.
    """

    assertion_id: int = 0
    conflict_id: int = 0
    candidate_id: int = 0
    model_id: int = 0
    interaction_id: int = 0
    added: int = 0
    ended: int = 0
    version: int = 0
    settled: Sequence[int] = ()
    statements: Sequence[int] = ()
    records: Sequence[int] = ()
    overflow: Sequence[int] = ()
    again: Sequence[int] = ()
    edits: Sequence[int] = ()
    state: Sequence[str] = ()
    event: str = ""


@dataclass(slots=True)
class ChangeLogLine:
    """Changes that other servers reload after a batch.

    Attributes:
        places: The concepts whose content changed.
        subjects: The subjects whose memories changed.
        turns: The numbers of turns that were written, changed or removed.
        notes: Whether entities, items of trusted state, ratings or predicates changed.
    """

    places: set[int] = field(default_factory=set)
    subjects: set[str] = field(default_factory=set)
    turns: set[int] = field(default_factory=set)
    notes: bool = False


@dataclass(frozen=True, slots=True)
class BatchTransaction:
    """The transaction that a batch is written in, with the tenant's write lock.

    Attributes:
        joining: Its connection, which can keep statements back.
        now: Time of the batch.
        dictionary: Everyday words.
        log: Line of the change log, which each writer completes.
    """

    joining: JoiningConnection
    tenant: str
    now: datetime
    dictionary: Collection[str]
    log: ChangeLogLine = field(default_factory=ChangeLogLine)

    @property
    def connection(self) -> Connection:
        """Its connection, for statements that are sent at once."""
        # `JoiningConnection` passes on what it does not define.
        return cast("Connection", self.joining)


class AggregateWrites:
    """The writes of one aggregate in a batch.

    Each step is done for all aggregates, in the order of their first use, before the
    next one.
    """

    # Such as concepts, conflicts and candidates, whose numbers are in the ledger's rows.
    async def prepare(self, transaction: BatchTransaction) -> None:
        """Write what the ledger refers to."""

    # Such as edges, turns and answers.
    async def write(self, transaction: BatchTransaction) -> None:
        """Write what may refer to the ledger."""

    # Such as erasing the copies of a sentence, once all of them are written.
    async def finish(self, transaction: BatchTransaction) -> None:
        """Write what depends on the writes of other aggregates."""

    # Such as circles through facts of another server.
    async def verify(self, transaction: BatchTransaction) -> None:
        """Check what was written, before the commit."""

    def publish(self, world: World, version: int) -> None:
        """Apply the committed writes to the world, which then has the given version."""


AnyWrites = TypeVar("AnyWrites", bound=AggregateWrites)


class Batch:
    """All writes of one transaction, and the calls that it answers.

    Args:
        writes: The writes to begin with; others are added on first use.
        now: Time of the batch, in seconds since the epoch.

    Attributes:
        requests: The answered calls, with the ledger row of their statement.
        id: Identifies the batch, so that the outcome of an unanswered COMMIT can be
            determined.
    """

    def __init__(self, *writes: AggregateWrites, now: float) -> None:
        # By class, so that jobs of a batch share writes; a dict keeps the order of first use.
        self._writes: dict[type[Any], AggregateWrites] = {type(it): it for it in writes}
        self.requests: list[tuple[RequestKey, LedgerEntry | None, CallResult]] = []
        self.now = now
        # The change log stores it.
        self.id: UUID = uuid4()

    @property
    def writes(self) -> Sequence[AggregateWrites]:
        """The writes, in the order of their first use."""
        return tuple(self._writes.values())

    def of(self, aggregate: type[AnyWrites]) -> AnyWrites:
        """Return the writes of an aggregate, created on first use."""
        found = self._writes.get(aggregate)
        if found is None:
            found = self._writes[aggregate] = aggregate()
        assert isinstance(found, aggregate), "writes are filed under their own class"
        return found

    def publish(self, world: World, version: int) -> None:
        """Apply the committed writes to the world, the graph's first."""
        # The graph's are the first: the batch is made with them.
        for each in self._writes.values():
            each.publish(world, version)


class RaceLost(Exception):
    """Lost race against another server: load its changes and judge again.

    Attributes:
        concepts: Tokens whose concept has another number, with that number.
        places: Concepts whose content differs from what the draft assumed.
        tokens: Tokens whose number is to be looked up, since it may be another one.
    """

    def __init__(
        self,
        *,
        concepts: dict[str, int] | None = None,
        places: Collection[int] = (),
        tokens: Collection[str] = (),
    ) -> None:
        super().__init__("another server was first")
        self.concepts = concepts or {}
        self.places = places
        self.tokens = tokens


class RacesLost(Overloaded):
    """A batch lost every race: a job has a defect, as no server wins so often."""


class TooFarBehind(Exception):
    """The change log does not reach back far enough: load the memory again."""


async def answered_before(
    connection: Connection,
    tenant: str,
    request: RequestKey,
    answer: Mapping[str, object],
) -> dict[str, Any] | None:
    """Return the answer of a repeated call; store it and return None for a first call.

    Args:
        answer: The parts of `Answered` to store if this call is the first.

    Raises:
        RequestIdReused: The id was used for another request.
    """
    # If the same call is under way in another transaction, this waits for its end.
    claimed = await connection.fetchval(
        sql("claim_request"),
        tenant,
        *fields_of(request, "principal id method payload"),
        json.dumps(answer),
    )
    if claimed is not None:
        return None
    row = await connection.fetchrow(
        sql("answered"), tenant, [request.principal], [request.id]
    )
    assert row is not None, "a request that is claimed is there"
    # A client that reuses an id by mistake must not get the answer to another question.
    if (row["method"], row["payload_hash"]) != (request.method, request.payload):
        raise request_reused(request)
    before: dict[str, Any] = json.loads(row["response"])
    return before


def request_reused(request: RequestKey) -> RequestIdReused:
    """Return the error of a call whose request id came with another request."""
    return RequestIdReused(
        f"the request_id {request.id!r} came with another request before; use a "
        "new one for each call",
        request_id=request.id,
    )
