"""Limits of a server's calls, and of its tenants' requests and lines."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from random import uniform
from time import monotonic
from typing import Final

from festinger.config import ServerSettings
from festinger.errors import LimitExceeded
from festinger.rpc.system.callers import RpcCaller
from festinger.services.world.memory import Memories

FULL_SECONDS: Final = 60.0
"""When to try again what a full memory refused, in seconds: lines may expire."""

BUSY_SECONDS: Final = (0.1, 1.0)
"""Bounds of the time after which to repeat a call that found no room. It is random, so
that those of a burst do not all come back at once."""


class CallLimit:
    """Limit of the calls that a server serves at once."""

    def __init__(self, calls_max: int) -> None:
        self._calls_max = calls_max
        # gRPC's own limit refuses without saying when to try again.
        self._calls: set[asyncio.Task[object]] = set()

    def enter(self) -> None:
        """Count the current task's call until it ends, or raise `LimitExceeded`."""
        # Refused instead of queued: whoever waits here would hold memory without a bound.
        if len(self._calls) >= self._calls_max:
            raise LimitExceeded(
                f"the server has {self._calls_max} calls under way (calls_max), and no "
                "room for another. Try again, or have the operator raise "
                "server.calls_max",
                retry_seconds=uniform(*BUSY_SECONDS),
                limit="calls_max",
            )
        task = asyncio.current_task()
        assert task is not None, "a call is served by a task of its own"
        self._calls.add(task)
        # By the task's end, however the call ends.
        task.add_done_callback(self._calls.discard)


@dataclass(slots=True)
class _Allowance:
    """Requests that a tenant may make now, and the time for which that was reckoned."""

    left: float  # may be a fraction: it grows with time
    time: float


@dataclass(eq=False)
class TenantLimits:
    """The limits of the tenants of a server.

    Args:
        settings: The settings that hold the limits.
        clock: Returns the seconds of a clock that only goes forward.

    Attributes:
        settings: The settings that hold the limits, which may be replaced.
    """

    settings: ServerSettings
    memories: Memories
    clock: Callable[[], float] = monotonic
    _allowances: dict[str, _Allowance] = field(default_factory=dict, init=False)

    def count(self, caller: RpcCaller) -> None:
        """Count a caller's request, or raise `LimitExceeded`."""
        rate = self.settings.limits_of(caller.tenant).requests_per_second
        # Whoever can end a flood must not be locked out by it.
        if not rate or caller.operator:
            return
        # A token bucket of one second; below one request a second it holds one.
        now, most = self.clock(), max(rate, 1.0)
        allowance = self._allowances.setdefault(caller.tenant, _Allowance(most, now))
        passed = now - allowance.time
        allowance.left = min(most, allowance.left + passed * rate)
        allowance.time = now
        if allowance.left < 1:
            raise LimitExceeded(
                f"the memory {caller.tenant!r} takes {rate:g} requests a second "
                "(requests_per_second), and more came. Try again later, or have the "
                "operator raise server.limits or server.tenant_limits",
                # Until the next whole request.
                retry_seconds=(1 - allowance.left) / rate,
                tenant=caller.tenant,
                limit="requests_per_second",
            )
        allowance.left -= 1

    async def require_room(self, caller: RpcCaller) -> None:
        """Require that a memory may hold more; raise `LimitExceeded` if it is full."""
        memory = await self.memories.get(*caller.wanted)
        if memory.is_full:
            raise LimitExceeded(
                f"the memory {caller.tenant!r} holds the {memory.lines_max} lines that it "
                "may (lines_max). Forget some with `festinger forget`, or have the "
                "operator raise server.limits or server.tenant_limits",
                retry_seconds=FULL_SECONDS,
                tenant=caller.tenant,
                limit="lines_max",
            )
