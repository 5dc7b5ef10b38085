"""Queries to the memory about a request."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.core.system.excerpt import head
from festinger.shim.recollection import sticky
from festinger.shim.recollection.account import Account
from festinger.shim.recollection.jsontext import Body
from festinger.shim.recollection.ledger import Layout
from festinger.shim.recollection.memory import MemoryClient
from festinger.shim.recollection.present import Present, printable
from festinger.shim.recollection.quotes import REQUEST_PIECES_MAX, Quotes
from festinger.shim.recollection.segments import (
    Creation,
    ParsedPrompt,
    Segment,
    SegmentRole,
)
from festinger.shim.recollection.sessions import Session
from festinger.shim.system.identity import RequestCaller

QUOTES_CHARACTERS_MAX: Final = 200_000
"""Maximum text of a request that is compared with earlier conversations."""

EARLIER_CHARACTERS_MAX: Final = 1_500
EARLIER_MAX: Final = 8
"""Limits of the user's earlier messages that are sent: characters and number."""

_STEPS_TO_SEND: Final = 3
"""Iterations of the event loop until a query is sent."""

ROLES: Final = {
    SegmentRole.SYSTEM: pb.Turn.ROLE_SYSTEM,
    SegmentRole.USER: pb.Turn.ROLE_USER,
    SegmentRole.ASSISTANT: pb.Turn.ROLE_ASSISTANT,
    SegmentRole.TOOL: pb.Turn.ROLE_TOOL,
}


_SPEAKING: Final = frozenset({SegmentRole.USER, SegmentRole.ASSISTANT})


@dataclass(frozen=True, slots=True)
class Request:
    """State of a request that is being enriched.

    Attributes:
        raw: Body as received.
        body: The parsed body.
        prompt: The parsed prompt.
        session: Session of the request.
        segments: Segments of the prompt; those possibly forged have the role of a tool.
        new: Whether each segment is new to the session.
        layout: Positions for blocks.
        authorization: The client's `Authorization`, for the upstream.
        account: Record of the request.
    """

    raw: bytes
    body: Body
    prompt: ParsedPrompt
    session: Session
    segments: Sequence[Segment]
    new: Sequence[bool]
    layout: Layout
    authorization: str | None
    account: Account = field(default_factory=Account)

    @property
    def creates_system(self) -> bool:
        """True if a head block would disable the model's own SYSTEM."""
        system = self.prompt.system
        return isinstance(system, Creation) and system.hides_modelfile

    @property
    def has_head(self) -> bool:
        """True if the request has a block at its head."""
        return self.layout.head in self.session.ledger.standing(self.layout)


@dataclass(frozen=True, slots=True)
class MemoryQuestion:
    """A query to the memory about a request.

    Attributes:
        message: The message to send.
        read: Segments that the memory has read once it answers, newest first.
        said: New segments of user and assistant, oldest first, without repeated ones.
    """

    message: pb.RecollectRequest
    read: Sequence[Segment]
    said: Sequence[Segment]


def newness(segments: Sequence[Segment], session: Session) -> list[bool]:
    """Return for each segment whether it is new.

    A new segment is unknown to the session, and the first with its digest.
    """
    new: list[bool] = []
    met: set[bytes] = set()
    for segment in segments:
        new.append(segment.digest not in met and not session.has_seen(segment))
        met.add(segment.digest)
    return new


class MemoryAsker:
    """Builder and sender of queries to the memory.

    Args:
        memory: Client of the memory server.
    """

    def __init__(self, memory: MemoryClient) -> None:
        self._memory = memory
        self._quotes = Quotes()
        self._present = Present()

    def question(
        self,
        request: Request,
        caller: RequestCaller,
        characters_max: int,
        *,
        hints: bool,
    ) -> MemoryQuestion:
        """Return the query for a request.

        It holds the relevant turns, and the earlier lines to check.

        Args:
            request: The request.
            caller: Caller of the request.
            characters_max: Maximum text to send; the newest takes precedence.
            hints: Whether the memory may answer with hints about unknown concepts.
        """
        session = request.session
        turns: list[pb.Turn] = []
        read: list[Segment] = []
        said: list[Segment] = []
        room = characters_max
        comparable = QUOTES_CHARACTERS_MAX
        for segment, is_new in reversed(_asked_about(request)):
            text = head(segment.text, room)
            room = room - len(text) if text == segment.text else 0
            if text or not segment.text:
                read.append(segment)
            if text:
                repeats = is_new and segment.retold
                if is_new and not repeats and segment.role is SegmentRole.USER:
                    repeats = self._quotes.repeats(
                        caller.principal, segment, comparable
                    )
                    comparable = max(0, comparable - len(text))
                if is_new and not repeats and segment.role in _SPEAKING:
                    said.append(segment)
                # Text that clients write in the user's place is looked up, but is no
                # question of the user's.
                role = SegmentRole.SYSTEM if repeats or segment.retold else segment.role
                turns.append(
                    pb.Turn(
                        role=ROLES[role],
                        text=printable(text),
                        seen=not is_new or repeats,
                        # Without a digest the memory does not mark the turn as read.
                        digest=b"" if segment.retold else session.turn_digest(segment),
                    )
                )
        message = pb.RecollectRequest(
            turns=reversed(turns),
            told=_told(request),
            earlier=_earlier(request.segments),
            present=self._present.of(request.segments),
            session=session.id,
            without_hints=not hints,
        )
        return MemoryQuestion(message, read, said[::-1])

    async def ask(
        self,
        question: MemoryQuestion,
        caller: RequestCaller,
        meanwhile: Callable[[], Awaitable[None]],
    ) -> pb.RecollectResponse:
        """Send a query and return the answer.

        Args:
            question: The query.
            caller: Caller of the request.
            meanwhile: Work to do while the memory processes the query.

        Raises:
            MemoryUnavailable: There is no answer in time.
        """
        asking = asyncio.create_task(self._memory.recollect(question.message, caller))
        try:
            for _ in range(_STEPS_TO_SEND):
                await asyncio.sleep(0)
            await meanwhile()
            return await asking
        finally:
            asking.cancel()

    def note(
        self, question: MemoryQuestion, session: Session, caller: RequestCaller
    ) -> None:
        """Record the segments that the memory has read, once it has answered."""
        # Retold segments do not count as read: the user may send the same text in the
        # next request, for example if a client asks for a title first.
        read = [segment for segment in question.read if not segment.retold]
        room = REQUEST_PIECES_MAX
        for segment in read:  # the newest first
            if segment.role is not SegmentRole.SYSTEM and not session.has_seen(segment):
                room -= self._quotes.add(caller.principal, segment, room)
        session.see(read)


def _asked_about(request: Request) -> list[tuple[Segment, bool]]:
    """Return the segments to look up, and whether each may state facts.

    Segments that an earlier block answered are skipped.
    """
    every = list(zip(request.segments, request.new, strict=True))
    ledger = request.session.ledger
    if ledger.is_new_to(request.layout):
        return every
    if request.layout.newest is None:
        # No block can be added after a tool's result. It is looked up again with the
        # user's next message.
        return [(segment, new) for segment, new in every if new]
    return every[ledger.unread(request.layout) :]


def _told(request: Request) -> list[pb.RecollectRequest.Told]:
    standing = sticky.told_of(request.session.ledger, request.layout)
    concepts = {told.concept for told in standing}
    earlier = [
        pb.RecollectRequest.Told(concept=concept, digest=line.digest, hint=line.hint)
        for concept, line in request.session.told.items()
        if concept not in concepts
    ]
    return standing + earlier


def _earlier(segments: Sequence[Segment]) -> list[str]:
    """Return the user's messages before the newest, the newest first.

    Their number and total length are limited; each is cut at its beginning.
    """
    said = [it for it in segments if it.role is SegmentRole.USER and not it.retold]
    earlier = []
    room = EARLIER_CHARACTERS_MAX
    for segment in reversed(said[:-1]):
        text = printable(segment.text[-room:])
        earlier.append(text)
        room -= len(text)
        if room <= 0 or len(earlier) == EARLIER_MAX:
            break
    return earlier
