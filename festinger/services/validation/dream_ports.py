"""What dreaming needs of the database: promises that the store keeps."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol
from uuid import UUID

from festinger.core.graph.candidates import Factoid
from festinger.core.graph.predicates import Predicate, Registry
from festinger.core.system.models import Purpose
from festinger.core.validation.backlog import (
    BacklogItem,
    BacklogState,
    Finding,
    Night,
)
from festinger.core.validation.events import ValidationEvent
from festinger.services.system.run_ports import Kept


@dataclass(frozen=True, slots=True)
class Dreamt:
    """That an item was looked into, and what became of what was found.

    Attributes:
        night: In which that was; 0 if it was somebody else's work.
    """

    item_id: int
    lease: UUID
    findings: Sequence[Finding]
    night: int = 0


@dataclass(frozen=True, slots=True)
class Said:
    """Something that was said around a candidate, as it is kept.

    Attributes:
        role: Whose turn it stood in; empty for a part of a document, and where nobody
            knows.
        reason: Why what was stated there could only be proposed, if it could.
        chunk_id: The part of a document that it is; empty if it is none.
    """

    text: str
    role: str = ""
    reason: str = ""
    chunk_id: str = ""


class NamingModels(Protocol):
    """Knows what models are called, and how often they were asked."""

    async def named(self, tenant: str, model_id: int) -> str:
        """A model's provider and name; empty if there is none of that number."""

    async def asked(self, tenant: str, purpose: Purpose, day: date) -> int:
        """How often all models together answered for a purpose on a day."""


class Backlog(Protocol):
    """Keeps what people rejected or left, and says who looks into it.

    Every method may raise `DatabaseUnavailable`, or `Overloaded` if no connection is free.
    """

    async def due(self, tenant: str, now: float | None, limit: int) -> list[int]:
        """What nobody looks into, the most urgent first, then the oldest.

        Args:
            now: What is due by then; None for all that waits.
        """

    async def lease(
        self, tenant: str, ids: Collection[int], lessee: str, seconds: float
    ) -> list[BacklogItem]:
        """Those of these that nobody has, in that order, for so long nobody else's."""

    async def extend(
        self, tenant: str, item_id: int, lease: UUID, seconds: float
    ) -> bool:
        """Extends a lease; False if it is another's by now."""

    async def give_back(
        self, tenant: str, item: BacklogItem, lease: UUID, night: int = 0
    ) -> bool:
        """Ends a lease and writes the item as it is now; False if it is another's."""

    async def get(self, tenant: str, item_id: int) -> BacklogItem:
        """An item.

        Raises:
            InvalidArgument: There is none.
        """

    async def said_around(self, tenant: str, factoid: Factoid) -> list[Said]:
        """What is kept of what was said around a candidate, in order."""

    async def list(
        self,
        tenant: str,
        *,
        states: Collection[BacklogState] = (),
        after: int = 0,
        limit: int = 50,
    ) -> list[BacklogItem]:
        """Items with numbers above `after`, in their order."""

    async def events(
        self, tenant: str, factoids: Collection[int]
    ) -> dict[int, Sequence[ValidationEvent]]:
        """What people answered about candidates, oldest first, by candidate."""


class Nights(Kept[Night], Protocol):
    """Keeps the runs of dreaming."""

    async def begin(
        self,
        tenant: str,
        principal: str,
        *,
        now: float,
        due: float | None,
        items_max: int,
    ) -> Night | None:
        """A new night; None if that moment of the schedule had one."""

    async def items(self, tenant: str, night: int) -> list[BacklogItem]:
        """What a night has looked into."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A predicate that recurs and that nobody registered.

    Attributes:
        count: How often it was met.
        examples: Statements that it was met in.
    """

    uri: str
    count: int
    examples: Sequence[str]


class Predicates(Protocol):
    """Keeps what predicates are in the graph.

    Every method may raise `DatabaseUnavailable`, or `Overloaded` if no connection is free.
    """

    async def load(self, tenant: str) -> tuple[Registry, list[str]]:
        """A tenant's predicates, and a sentence for each that cannot be used."""

    async def set(
        self, tenant: str, predicate: Predicate, principal: str, now: float
    ) -> None:
        """Registers a predicate, or says anew what it is."""

    async def suggested(
        self, tenant: str, registered: Collection[str], now: float
    ) -> list[Suggestion]:
        """What is suggested, the most frequent first.

        Args:
            registered: The URIs that need no suggestion.
        """

    async def dismiss(self, tenant: str, uri: str, now: float) -> bool:
        """Suggests a predicate no more; False if nobody did."""
