"""What became of a session's last requests: what was told where and why, what was learnt.

It shows concepts, lines, numbers and our own words, and never the text of a message. The
end of what the user asked last is held so that it can be explained, and is not shown.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.core.recollection.names import is_quote
from festinger.shim.loops.loopguard import Activation
from festinger.shim.recollection.jsontext import Path
from festinger.shim.recollection.ledger import Layout, Position, ToldBlock, ToldLine
from festinger.shim.recollection.segments import (
    BodyPlace,
    Creation,
    ParsedPrompt,
    Segment,
    SegmentRole,
    Slot,
)

REQUESTS_MAX: Final = 20
"""Requests of one session that are remembered, the newest."""

BYTES_MAX: Final = 16 * 2**20
"""What all of them may weigh; sessions that are not used go first."""

GONE: Final = "(forgotten, or changed since)"
"""Stands for a quotation that no longer holds."""

ASKED_CHARACTERS_MAX: Final = 4_000
"""Of what the user asked, the last ones: what somebody asks stands at the end."""

_REQUEST_BYTES = 1000  # what an account takes beside the memory's answer
_ITEM_BYTES = 200  # what a line or an outcome does, its text apart


class BlockSpot(NamedTuple):
    """Where a block stands.

    Attributes:
        side: `before` the message or `behind` it.
        message: Its number, from 1, as the shim reads the prompt; 0 if it was made for
            the block.
        role: Who speaks in it.
        path: Leads to it in the request's body.
    """

    side: str
    message: int
    role: str
    path: str


class Rewriting(NamedTuple):
    """A line that was told and no longer holds, and what stands there now."""

    concept: str
    old: str
    new: str | None
    why: str


@dataclass(slots=True)
class Account:
    """What became of a request.

    Attributes:
        response: The memory's answer; None if there was none.
        told: The lines that are new.
        spot: Where they stand.
        position: The same, as the ledger names it; None outside the ledger.
        rewritten: The earlier lines that no longer hold.
        standing: All blocks that stand in the request, while it is a session's newest.
        blocks: How many these are.
        asked: What the user asked, for the memory to explain; empty for nothing.
        project: Where they asked it.
        time: When it was enriched, in seconds since the epoch.
        route: Its path.
        result: What `X-Festinger-Recollection` says.
        missed: Why nothing new could be told, if something stood there all the same.
        milliseconds: How long it was held up.
        loops: What was done about loops; grows while the answer is read.
        weight: What it takes, in bytes, roughly.
    """

    response: pb.RecollectResponse | None = None
    told: Sequence[ToldLine] = ()
    spot: BlockSpot | None = None
    position: Position | None = None
    rewritten: Sequence[Rewriting] = ()
    standing: Mapping[Position, ToldBlock] = field(default_factory=dict)
    blocks: int = 0
    asked: str = ""
    project: str = ""
    time: float = 0.0
    route: str = ""
    result: str = ""
    missed: str = ""
    milliseconds: float = 0.0
    loops: Sequence[Activation] = ()
    weight: int = _REQUEST_BYTES

    def hear(
        self, request: pb.RecollectRequest, response: pb.RecollectResponse
    ) -> None:
        """Notes the memory's answer, and what it was asked last."""
        self.response = response
        if request.turns and request.turns[-1].role == pb.Turn.ROLE_USER:
            self.asked = request.turns[-1].text[-ASKED_CHARACTERS_MAX:]
            self.weight += len(self.asked)
        # The lines say again what the block says. Counting their bytes takes longer.
        items = len(response.lines) + len(response.outcomes)
        self.weight += 2 * len(response.block) + _ITEM_BYTES * items
        if not response.changes:
            return
        self.rewritten = [
            Rewriting(
                request.told[change.told_index].concept,
                request.told[change.told_index].text,
                change.line.text if change.HasField("line") else None,
                change.line.why,
            )
            for change in response.changes
        ]

    def tell(
        self,
        lines: Sequence[ToldLine],
        spot: BlockSpot,
        position: Position | None = None,
    ) -> None:
        """Notes what was told, and where."""
        self.told, self.spot, self.position = lines, spot, position

    @property
    def reasons(self) -> dict[tuple[str, str], str]:
        """Why the memory chose each of its lines."""
        lines = self.response.lines if self.response else ()
        return {(line.concept, line.text): line.why for line in lines}


def spot_of(
    position: Position,
    layout: Layout,
    segments: Sequence[Segment],
    system: BodyPlace | Slot | Creation,
) -> BlockSpot:
    """Where a position is in a request.

    Args:
        system: Where the system text starts, or how it is made.
    """
    if position in layout.ends:
        index = layout.ends.index(position)
        segment = segments[index]
        path = segment.end.path if segment.end else ()
        return BlockSpot("behind", index + 1, segment.role.value, _written(path))
    return head_of(segments, system)


def newest_of(prompt: ParsedPrompt) -> BlockSpot | None:
    """Where a block before the newest user message stands."""
    newest = prompt.newest_user
    if newest is None or newest.place is None:
        return None
    number = 1 + max(n for n, it in enumerate(prompt.segments) if it is newest)
    return BlockSpot("before", number, newest.role.value, _written(newest.place.path))


def head_of(
    segments: Sequence[Segment], system: BodyPlace | Slot | Creation
) -> BlockSpot:
    """Where a block before the system text stands."""
    role = SegmentRole.SYSTEM.value
    if isinstance(system, Creation):
        return BlockSpot("before", 0, role, system.field or "messages.0")
    places = (s.place.path if s.place else None for s in segments)
    number = next((n for n, path in enumerate(places, 1) if path == system.path), 0)
    return BlockSpot("before", number, role, _written(system.path))


@dataclass(slots=True)
class History:
    """What a session was told, as far as it is remembered.

    Attributes:
        session: Its name.
        requests: The newest last.
        standing: The blocks of the newest.
        reasons: Why each line that stands was chosen.
        spots: Where each block that stands was told.
    """

    session: str
    requests: deque[Account] = field(default_factory=lambda: deque(maxlen=REQUESTS_MAX))
    standing: Mapping[Position, ToldBlock] = field(default_factory=dict)
    reasons: dict[tuple[str, str], str] = field(default_factory=dict)
    spots: dict[Position, BlockSpot] = field(default_factory=dict)

    def add(self, account: Account) -> None:
        """Notes a request."""
        self.requests.append(account)
        self._forget(
            {
                it.old
                for it in account.rewritten
                if it.new is None and is_quote(it.concept)
            }
        )
        # Only those of the newest are of interest, and a ledger may hold a lot.
        self.standing, account.standing = account.standing, {}
        if account.position and account.spot:
            self.spots[account.position] = account.spot
        if account.told or account.rewritten:
            self.reasons |= account.reasons
            self.reasons |= {
                (it.concept, it.new or ""): it.why for it in account.rewritten
            }
            said = {it[:2] for block in self.standing.values() for it in block.lines}
            self.reasons = {it: why for it, why in self.reasons.items() if it in said}
            self.spots = {
                at: it for at, it in self.spots.items() if at in self.standing
            }

    def _forget(self, quotes: Collection[str]) -> None:
        """Keep nothing of quotations that no longer hold: they may be forgotten ones."""
        if not quotes:
            return
        for account in self.requests:
            account.told = [
                line._replace(text=GONE) if line.text in quotes else line
                for line in account.told
            ]
            account.rewritten = [
                it._replace(
                    old=GONE if it.old in quotes else it.old,
                    new=GONE if it.new in quotes else it.new,
                )
                for it in account.rewritten
            ]

    @property
    def weight(self) -> int:
        """What it takes, in bytes, roughly."""
        return sum(account.weight for account in self.requests)


class SessionAccounts:
    """The accounts of the recent sessions, each for whoever leads it.

    Args:
        bytes_max: What all may weigh.
        clock: Gives the time in seconds since the epoch.
    """

    def __init__(
        self, bytes_max: int = BYTES_MAX, clock: Callable[[], float] = time.time
    ) -> None:
        self._bytes_max = bytes_max
        self._clock = clock
        self._sessions: OrderedDict[tuple[str, str], History] = OrderedDict()
        self._weight = 0

    def add(self, principal: str, session: str, account: Account) -> None:
        """Notes what became of a request."""
        account.time = self._clock()
        key = (principal, session)
        history = self._sessions.setdefault(key, History(session))
        self._sessions.move_to_end(key)
        if len(history.requests) == REQUESTS_MAX:
            self._weight -= history.requests[0].weight
        history.add(account)
        self._weight += account.weight
        while self._weight > self._bytes_max and len(self._sessions) > 1:
            _, oldest = self._sessions.popitem(last=False)
            self._weight -= oldest.weight

    def of(self, principal: str, session: str) -> History | None:
        """What a session of a principal was told; None if it is not known."""
        return self._sessions.get((principal, session))

    def sessions(self, principal: str) -> list[History]:
        """The sessions of a principal, the last used first."""
        return [
            history
            for (who, _), history in reversed(self._sessions.items())
            if who == principal
        ]


def _written(path: Path) -> str:
    return ".".join(map(str, path))
