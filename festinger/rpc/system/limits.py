"""Limits of tenants: how many requests they make, and how much their memories hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Final

from festinger.config import ServerSettings
from festinger.errors import LimitExceeded
from festinger.rpc.system.callers import RpcCaller
from festinger.services.world.memory import Memories

FULL_SECONDS: Final = 60.0
"""When to try again what a full memory refused, in seconds: lines may expire."""


@dataclass(slots=True)
class _Allowance:
    """Requests that a tenant may make now, and the time for which that was reckoned."""

    left: float
    time: float


class TenantLimits:
    """The limits of the tenants of a server.

    Args:
        settings: The settings that hold the limits.
        memories: The memories of the tenants.
        clock: Returns the seconds of a clock that only goes forward.
    """

    def __init__(
        self,
        settings: ServerSettings,
        memories: Memories,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._settings = settings
        self._memories = memories
        self._clock = clock
        self._allowances: dict[str, _Allowance] = {}

    def count(self, caller: RpcCaller) -> None:
        """Count a request of a caller, whose credential holds the tenant.

        Raises:
            LimitExceeded: The tenant makes too many.
        """
        rate = self._settings.limits_of(caller.tenant).requests_per_second
        if not rate or caller.operator:
            return
        now, most = self._clock(), max(rate, 1.0)
        allowance = self._allowances.setdefault(caller.tenant, _Allowance(most, now))
        passed = now - allowance.time
        allowance.left = min(most, allowance.left + passed * rate)
        allowance.time = now
        if allowance.left < 1:
            raise LimitExceeded(
                f"the memory {caller.tenant!r} takes {rate:g} requests a second "
                "(requests_per_second), and more came. Try again later, or have the "
                "operator raise server.limits or server.tenant_limits",
                retry_seconds=(1 - allowance.left) / rate,
                tenant=caller.tenant,
                limit="requests_per_second",
            )
        allowance.left -= 1

    async def require_room(self, caller: RpcCaller) -> None:
        """Require that a caller's memory may hold more than it does.

        Raises:
            LimitExceeded: It is full.
            FestingerError: The memory cannot be loaded.
        """
        memory = await self._memories.get(*caller.wanted)
        if memory.is_full:
            raise LimitExceeded(
                f"the memory {caller.tenant!r} holds the {memory.lines_max} lines that it "
                "may (lines_max). Forget some with `festinger forget`, or have the "
                "operator raise server.limits or server.tenant_limits",
                retry_seconds=FULL_SECONDS,
                tenant=caller.tenant,
                limit="lines_max",
            )
