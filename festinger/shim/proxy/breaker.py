"""Choice of an upstream: by priority, session affinity and circuit breaker.

This module does not wait or read a clock: times are passed in, in seconds.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

FAILURES_MAX: Final = 5
"""Consecutive failures that open an upstream's breaker."""

OPEN_SECONDS: Final = 30.0
"""Time in seconds that a breaker is open; then one request may try."""

# Losing one costs a miss of the prefix cache.
SESSIONS_MAX: Final = 10_000
"""Maximum number of sessions whose upstream is remembered, the newest."""

Target = TypeVar("Target")


@dataclass(slots=True)
class UpstreamBreaker:
    """Circuit breaker of an upstream.

    Closed, it permits every request. After five consecutive failures it is open for 30
    seconds, and then half-open: one request at a time may try.
    """

    _failures: int = 0
    _open_until: float = 0.0
    _trying: bool = False

    def state(self, now: float) -> str:
        """Return the state: `closed`, `open` or `half-open`."""
        if self._failures < FAILURES_MAX:
            return "closed"
        return "open" if now < self._open_until else "half-open"

    def lets(self, now: float) -> bool:
        """Return whether a request is permitted."""
        state = self.state(now)
        # Half-open: one request tries, the others go elsewhere until it is known.
        return state == "closed" or (state == "half-open" and not self._trying)

    def begin(self) -> None:
        """Record that a request begins."""
        self._trying = True

    def succeed(self) -> None:
        """Record that a request was answered, with any status."""
        # Any status shows that the upstream is there.
        self._failures, self._trying = 0, False

    def fail(self, now: float) -> None:
        """Record that a request was not answered."""
        self._failures, self._trying = self._failures + 1, False
        # Each further failure opens it anew.
        self._open_until = now + OPEN_SECONDS

    def give_up(self) -> None:
        """Record that a request was cancelled before its result was known."""
        self._trying = False


@dataclass(slots=True, eq=False)
class UpstreamState(Generic[Target]):
    """An upstream with its state.

    Attributes:
        priority: Priority; upstreams with the lowest number are preferred.
    """

    target: Target
    priority: int = 0
    breaker: UpstreamBreaker = field(default_factory=UpstreamBreaker)
    under_way: int = 0


class UpstreamChoice(Generic[Target]):
    """Selector of upstreams, which remembers the upstream of each session."""

    def __init__(self, members: Sequence[UpstreamState[Target]]) -> None:
        self.members = tuple(members)
        self._sessions: OrderedDict[str, UpstreamState[Target]] = OrderedDict()

    def replace(self, members: Sequence[UpstreamState[Target]]) -> None:
        """Replace the members; sessions of the remaining ones are kept."""
        self.members = tuple(members)
        for session, member in list(self._sessions.items()):
            if member not in self.members:
                del self._sessions[session]

    def candidates(
        self, session: str | None, now: float
    ) -> list[UpstreamState[Target]]:
        """Return the members that a request may be sent to, the best first.

        The list is empty if all breakers refuse.
        """
        # With nobody else to ask, an attempt costs less than a certain refusal.
        if len(self.members) == 1:
            return list(self.members)
        usable = [it for it in self.members if it.breaker.lets(now)]
        # Among equals the one with the fewest requests.
        usable.sort(key=lambda it: (it.priority, it.under_way))
        stuck = self._sessions.get(session) if session else None
        # The prefix cache is there; but a better upstream that has returned takes precedence.
        if stuck in usable and stuck.priority == usable[0].priority:
            usable.remove(stuck)
            usable.insert(0, stuck)
        return usable

    def stick(self, session: str | None, member: UpstreamState[Target]) -> None:
        """Record the member that answered a session's request."""
        if session is None:
            return
        self._sessions[session] = member
        self._sessions.move_to_end(session)
        if len(self._sessions) > SESSIONS_MAX:
            self._sessions.popitem(last=False)
