"""Records of the last requests of sessions: inserted lines, reasons, learnt statements.

The records never show the text of a message.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1.embedding_pb2 import Embedding
from festinger.core.recollection.names import is_quote
from festinger.shim.loops.loopguard import ActiveLoop
from festinger.shim.recollection.jsontext import Path
from festinger.shim.recollection.ledger import (
    Position,
    RequestLayout,
    ToldBlock,
    ToldLine,
)
from festinger.shim.recollection.segments import (
    ParsedPrompt,
    Segment,
    SegmentRole,
    SystemPlace,
    SystemTextCreation,
)

REQUESTS_MAX: Final = 20
"""Maximum number of requests of a session that are kept, the newest."""

BYTES_MAX: Final = 16 * 2**20
"""Maximum size of all records; the least recently used sessions are dropped first."""

GONE: Final = "(forgotten, or changed since)"
"""Placeholder for a quotation that no longer holds."""

# The text is asked about again for explanations, and never shown.
ASKED_CHARACTERS_MAX: Final = 4_000
"""Number of last characters of the user's message that are kept.

A question stands mostly at the end.
"""

# Measured as the growth of a process; a message of protobuf has an arena of its own.
_REQUEST_BYTES = 5000  # size of an account without the memory's answer
_ITEM_BYTES = 500  # size of a line or an outcome without its text


class BlockSpot(NamedTuple):
    """Position of a block in a request, for people.

    Attributes:
        side: `before` the message or `behind` it.
        message: Number of the message, from 1, among the shim's segments; 0 if it was
            created for the block.
    """

    side: str
    message: int
    role: str
    path: str


class LineReplacement(NamedTuple):
    """Replacement of an earlier line that no longer holds.

    Attributes:
        new: Text of the new line; None if the line was removed.
        why: The memory's reason for the new line.
    """

    concept: str
    old: str
    new: str | None
    why: str


@dataclass(slots=True)
class RequestRecord:
    """Record of one request.

    Attributes:
        spot: Position of the new lines, for people.
        position: The same, as a key of the ledger; None if the ledger is not used.
        rewritten: The earlier lines that no longer hold.
        standing: All blocks in the request; emptied when it is added to a history.
        asked: End of the user's message, for explanations; empty for none.
        time: Time of the enrichment in seconds since the epoch.
        result: Value of `X-Festinger-Recollection`.
        missed: Reason for the lack of new lines, if earlier blocks were inserted.
        loops: Loop activations; one may be added while the answer is streamed.
        weight: Approximate size in bytes.
    """

    response: pb.RecollectResponse | None = None
    told: Sequence[ToldLine] = ()
    spot: BlockSpot | None = None
    position: Position | None = None
    rewritten: Sequence[LineReplacement] = ()
    standing: Mapping[Position, ToldBlock] = field(default_factory=dict)
    blocks: int = 0
    asked: str = ""
    embedding: Embedding | None = None
    project: str = ""
    time: float = 0.0
    route: str = ""
    result: str = ""
    missed: str = ""
    milliseconds: float = 0.0
    loops: Sequence[ActiveLoop] = ()
    weight: int = _REQUEST_BYTES

    def record_answer(
        self, request: pb.RecollectRequest, response: pb.RecollectResponse
    ) -> None:
        """Record the memory's answer, and the user's message that ends the query."""
        self.response = response
        # A tool's result is not kept: "what would be told now" is answered for questions only.
        if request.turns and request.turns[-1].role == pb.Turn.ROLE_USER:
            self.asked = request.turns[-1].text[-ASKED_CHARACTERS_MAX:]
            self.weight += len(self.asked) + len(request.embedding.vector)
            if request.HasField("embedding"):
                self.embedding = request.embedding
        # Lines repeat the block's text, hence twice; counting bytes would be slower.
        items = len(response.lines) + len(response.outcomes)
        self.weight += 2 * len(response.block) + _ITEM_BYTES * items
        if not response.changes:
            return
        # A change names its line by the index in the query, hence the query is needed.
        self.rewritten = [
            LineReplacement(
                request.told[change.told_index].concept,
                request.told[change.told_index].text,
                change.line.text if change.HasField("line") else None,
                change.line.why,
            )
            for change in response.changes
        ]

    @property
    def reasons(self) -> dict[tuple[str, str], str]:
        """The memory's reasons for its lines, by concept and text."""
        lines = self.response.lines if self.response else ()
        # By text as well: a concept may have several lines, such as quotations.
        return {(line.concept, line.text): line.why for line in lines}


def spot_of(
    position: Position,
    layout: RequestLayout,
    segments: Sequence[Segment],
    system: SystemPlace,
) -> BlockSpot:
    """Return the spot of a ledger position in a request."""
    # Positions are digests; people get the number and the path of the message.
    if position in layout.ends:
        index = layout.ends.index(position)
        segment = segments[index]
        path = segment.end.path if segment.end else ()
        return BlockSpot("behind", index + 1, segment.role.value, _written(path))
    return head_of(segments, system)


def newest_of(prompt: ParsedPrompt) -> BlockSpot | None:
    """Return the spot before the newest user message; None if there is none."""
    newest = prompt.newest_user
    if newest is None or newest.place is None:
        return None
    # Searched by identity, since two messages may be equal.
    number = 1 + max(n for n, it in enumerate(prompt.segments) if it is newest)
    return BlockSpot("before", number, newest.role.value, _written(newest.place.path))


def head_of(segments: Sequence[Segment], system: SystemPlace) -> BlockSpot:
    """Return the spot before the system text."""
    role = SegmentRole.SYSTEM.value
    if isinstance(system, SystemTextCreation):
        # 0: the message does not exist in the client's request. Its path is the new first one.
        return BlockSpot("before", 0, role, system.field or "messages.0")
    places = (s.place.path if s.place else None for s in segments)
    number = next((n for n, path in enumerate(places, 1) if path == system.path), 0)
    return BlockSpot("before", number, role, _written(system.path))


@dataclass(slots=True)
class SessionRequests:
    """The remembered requests of a session.

    Attributes:
        requests: Records of its requests, the newest last.
        standing: The blocks in the newest request.
        reasons: Reasons for the lines in these blocks, by concept and text.
        spots: Spots of these blocks, by ledger position.
    """

    session: str
    requests: deque[RequestRecord] = field(
        default_factory=lambda: deque(maxlen=REQUESTS_MAX)
    )
    standing: Mapping[Position, ToldBlock] = field(default_factory=dict)
    reasons: dict[tuple[str, str], str] = field(default_factory=dict)
    spots: dict[Position, BlockSpot] = field(default_factory=dict)

    def add(self, account: RequestRecord) -> None:
        """Add the record of a request."""
        self.requests.append(account)
        # A quotation that was removed may have been forgotten on request: erase it here too.
        self._forget(
            {
                it.old
                for it in account.rewritten
                if it.new is None and is_quote(it.concept)
            }
        )
        # Only the newest request's blocks are shown, and a ledger may be large.
        self.standing, account.standing = account.standing, {}
        if account.position and account.spot:
            self.spots[account.position] = account.spot
        if account.told or account.rewritten:
            self.reasons |= account.reasons
            self.reasons |= {
                (it.concept, it.new or ""): it.why for it in account.rewritten
            }
            # Reasons and spots are kept only as long as their lines stand in the conversation.
            said = {it[:2] for block in self.standing.values() for it in block.lines}
            self.reasons = {it: why for it, why in self.reasons.items() if it in said}
            self.spots = {
                at: it for at, it in self.spots.items() if at in self.standing
            }

    def _forget(self, quotes: Collection[str]) -> None:
        """Erase quotations that no longer hold: the memory may have erased them."""
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
        """Approximate size in bytes."""
        return sum(account.weight for account in self.requests)


class SessionAccounts:
    """Histories of the recent sessions, by principal and session."""

    def __init__(self, bytes_max: int = BYTES_MAX) -> None:
        self._bytes_max = bytes_max
        self._sessions: OrderedDict[tuple[str, str], SessionRequests] = OrderedDict()
        self._weight = 0

    def add(self, principal: str, session: str, account: RequestRecord) -> None:
        """Add the record of a request; drop the oldest sessions beyond the limit."""
        account.time = time.time()
        key = (principal, session)
        history = self._sessions.setdefault(key, SessionRequests(session))
        self._sessions.move_to_end(key)
        # The bounded deque is about to drop its oldest record.
        if len(history.requests) == REQUESTS_MAX:
            self._weight -= history.requests[0].weight
        history.add(account)
        self._weight += account.weight
        # The newest session stays even if it is too large by itself.
        while self._weight > self._bytes_max and len(self._sessions) > 1:
            _, oldest = self._sessions.popitem(last=False)
            self._weight -= oldest.weight

    # The key holds the principal, so nobody can ask for somebody else's session.
    def of(self, principal: str, session: str) -> SessionRequests | None:
        """Return the history of a principal's session; None if it is not known."""
        return self._sessions.get((principal, session))

    def sessions(self, principal: str) -> list[SessionRequests]:
        """Return the histories of a principal's sessions, the last used first."""
        return [
            history
            for (who, _), history in reversed(self._sessions.items())
            if who == principal
        ]


def _written(path: Path) -> str:
    return ".".join(map(str, path))
