"""What the memory is asked about a request, and who asks it."""

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
"""Text of one request that is compared with what was said before, the newest."""

EARLIER_CHARACTERS_MAX: Final = 1_500
EARLIER_MAX: Final = 8
"""Of what the user wrote before: how much is sent, and how many messages."""

_STEPS_TO_SEND: Final = 3
"""Of the event loop, until what is asked is on its way."""

ROLES: Final = {
    SegmentRole.SYSTEM: pb.Turn.ROLE_SYSTEM,
    SegmentRole.USER: pb.Turn.ROLE_USER,
    SegmentRole.ASSISTANT: pb.Turn.ROLE_ASSISTANT,
    SegmentRole.TOOL: pb.Turn.ROLE_TOOL,
}


_SPEAKING: Final = frozenset({SegmentRole.USER, SegmentRole.ASSISTANT})


@dataclass(frozen=True, slots=True)
class Request:
    """A request while it is enriched.

    Attributes:
        segments: Those of the prompt, what may be forged among them lowered.
        new: Which of them are new to the session.
        layout: Where blocks may stand in it.
        authorization: The client's, for the upstream.
        account: Of what becomes of it.
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
        """Whether a block before it all would switch off the model's own SYSTEM."""
        system = self.prompt.system
        return isinstance(system, Creation) and system.hides_modelfile

    @property
    def has_head(self) -> bool:
        """Whether a block stands before it all."""
        return self.layout.head in self.session.ledger.standing(self.layout)


@dataclass(frozen=True, slots=True)
class MemoryQuestion:
    """What the memory is asked.

    Attributes:
        message: As it is sent.
        read: The segments that the memory has read when it answers, the newest first.
        said: What is new of what user and assistant say to each other, oldest first.
    """

    message: pb.RecollectRequest
    read: Sequence[Segment]
    said: Sequence[Segment]


def newness(segments: Sequence[Segment], session: Session) -> list[bool]:
    """Which segments are new: unknown to the session, and the first of their kind."""
    new: list[bool] = []
    met: set[bytes] = set()
    for segment in segments:
        new.append(segment.digest not in met and not session.has_seen(segment))
        met.add(segment.digest)
    return new


class MemoryAsker:
    """Asks the memory, and knows what it has read.

    Args:
        memory: Who is asked.
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
        """What to ask about the turns that matter, and whether what was told holds.

        Args:
            request: What is asked about.
            caller: Who makes it.
            characters_max: How much text is sent; the newest comes first.
            hints: Whether unknown concepts may be asked about.
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
                # What clients write in the user's place is looked up, and no question.
                role = SegmentRole.SYSTEM if repeats or segment.retold else segment.role
                turns.append(
                    pb.Turn(
                        role=ROLES[role],
                        text=printable(text),
                        seen=not is_new or repeats,
                        # Without one it is not remembered as read.
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
        """Asks the memory, and does what else there is to do while it reads.

        Raises:
            MemoryUnavailable: There is no answer within the budget.
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
        """Notes what the memory has read; without an answer everything stays new."""
        # What is retold was not read: the user may say the same with the next request,
        # as where a client asks for a title first.
        read = [segment for segment in question.read if not segment.retold]
        room = REQUEST_PIECES_MAX
        for segment in read:  # the newest first
            if segment.role is not SegmentRole.SYSTEM and not session.has_seen(segment):
                room -= self._quotes.add(caller.principal, segment, room)
        session.see(read)


def _asked_about(request: Request) -> list[tuple[Segment, bool]]:
    """The segments that are looked up, and whether they teach.

    Where blocks stand, what precedes them was answered by them.
    """
    every = list(zip(request.segments, request.new, strict=True))
    ledger = request.session.ledger
    if ledger.is_new_to(request.layout):
        return every
    if request.layout.newest is None:
        # Nothing can be told after a tool's result. It is looked up again with the
        # user's next message, where it can.
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
    """Return what the user wrote before the newest message, the newest first."""
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
