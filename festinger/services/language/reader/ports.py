"""What reading needs from outside: where unread turns are kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol
from uuid import UUID

from festinger.core.language.reader.unread import TurnPart
from festinger.core.system.models import Model, Purpose
from festinger.services.system.model_ports import Form


class UnreadCounts(NamedTuple):
    """How many turns wait in a memory.

    Attributes:
        waiting: All of them, those that are read now included.
        reading: Those that are read now.
        postponed: Those of which reading failed before.
        oldest: When the oldest was said, in seconds since the epoch; 0.0 for none.
    """

    waiting: int
    reading: int = 0
    postponed: int = 0
    oldest: float = 0.0


class NamedModels(Protocol):
    """Asks models, whichever a tenant has chosen for what."""

    async def ask_model(
        self,
        tenant: str,
        model: Model,
        purpose: Purpose,
        *,
        system: str,
        prompt: str,
        form: type[Form],
    ) -> Form:
        """Ask a model; raises `ModelError` if it gives no answer of that form."""


class UnreadStore(Protocol):
    """Where unread turns are kept, of all memories."""

    async def tenants(self) -> list[str]:
        """The memories in which something waits to be read."""

    async def lease(
        self,
        tenant: str,
        lease: UUID,
        seconds: float,
        choose: Callable[[Sequence[TurnPart]], Sequence[TurnPart]],
    ) -> Sequence[TurnPart]:
        """Lease the next turns; nothing while another batch of the memory is read."""

    async def leased(self, tenant: str, lease: UUID) -> list[TurnPart]:
        """What is read under a lease, in the order of its request."""

    async def release(self, tenant: str, lease: UUID) -> None:
        """Give turns back as they were."""

    async def postpone(
        self, tenant: str, lease: UUID, seconds: float, attempts_max: int
    ) -> int:
        """Have turns read again later; how many are given up."""

    async def counts(self, tenant: str) -> UnreadCounts:
        """How many turns wait."""

    async def clear(self, tenant: str) -> None:
        """Forget all that waits."""
