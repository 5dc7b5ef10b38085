"""Which upstream a request goes to: by priority, by session, and past what is down.

Nothing here waits or looks at a clock: moments are given, in seconds.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

FAILURES_MAX: Final = 5
"""Failures in a row after which an upstream is left alone."""

OPEN_SECONDS: Final = 30.0
"""How long; then one request may try."""

SESSIONS_MAX: Final = 10_000
"""Sessions whose upstream is remembered, the newest."""

Target = TypeVar("Target")


@dataclass(slots=True)
class UpstreamBreaker:
    """Keeps requests from an upstream that does not answer.

    Closed, it lets everything pass. After five failures in a row it is open for 30
    seconds, and then half-open: one request at a time may try.
    """

    _failures: int = 0
    _open_until: float = 0.0
    _trying: bool = False

    def state(self, now: float) -> str:
        """`closed`, `open` or `half-open`."""
        if self._failures < FAILURES_MAX:
            return "closed"
        return "open" if now < self._open_until else "half-open"

    def lets(self, now: float) -> bool:
        """Whether a request may go there."""
        state = self.state(now)
        return state == "closed" or (state == "half-open" and not self._trying)

    def begin(self) -> None:
        """A request goes there."""
        self._trying = True

    def succeed(self) -> None:
        """It was answered, whatever the answer says."""
        self._failures, self._trying = 0, False

    def fail(self, now: float) -> None:
        """It was not."""
        self._failures, self._trying = self._failures + 1, False
        self._open_until = now + OPEN_SECONDS

    def give_up(self) -> None:
        """The client left before anybody could know."""
        self._trying = False


@dataclass(slots=True, eq=False)
class Member(Generic[Target]):
    """One of several upstreams.

    Attributes:
        priority: Those with the lowest number are preferred.
        under_way: Requests that it works on.
    """

    target: Target
    priority: int = 0
    breaker: UpstreamBreaker = field(default_factory=UpstreamBreaker)
    under_way: int = 0


class UpstreamChoice(Generic[Target]):
    """Where sessions go.

    Args:
        members: At least one, in the order of the configuration.
    """

    def __init__(self, members: Sequence[Member[Target]]) -> None:
        self.members = tuple(members)
        self._sessions: OrderedDict[str, Member[Target]] = OrderedDict()

    def replace(self, members: Sequence[Member[Target]]) -> None:
        """Takes other members; sessions stay with those that are among them."""
        self.members = tuple(members)
        for session, member in list(self._sessions.items()):
            if member not in self.members:
                del self._sessions[session]

    def candidates(self, session: str | None, now: float) -> list[Member[Target]]:
        """Where a request may go, the best first; empty if nothing answers.

        A session stays where its prefix is cached, while that upstream is as good as
        any other. An only upstream is always tried: there is nothing to spare it for.
        """
        if len(self.members) == 1:
            return list(self.members)
        usable = [it for it in self.members if it.breaker.lets(now)]
        usable.sort(key=lambda it: (it.priority, it.under_way))
        stuck = self._sessions.get(session) if session else None
        if stuck in usable and stuck.priority == usable[0].priority:
            usable.remove(stuck)
            usable.insert(0, stuck)
        return usable

    def stick(self, session: str | None, member: Member[Target]) -> None:
        """Notes where a session's request was answered."""
        if session is None:
            return
        self._sessions[session] = member
        self._sessions.move_to_end(session)
        if len(self._sessions) > SESSIONS_MAX:
            self._sessions.popitem(last=False)
