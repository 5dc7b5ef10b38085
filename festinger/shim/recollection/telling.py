"""What a request becomes: the memory's answer and what was told before, in its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import structlog

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.shim.loops.loopguard import LoopWatch
from festinger.shim.memories.capturing import NewTurns
from festinger.shim.recollection import inject, sticky
from festinger.shim.recollection.account import Account, head_of, newest_of, spot_of
from festinger.shim.recollection.allowance import BlockAllowance
from festinger.shim.recollection.aside import aside
from festinger.shim.recollection.asking import MemoryQuestion, Request
from festinger.shim.recollection.sessions import ToldConcept
from festinger.shim.recollection.sticky import Sticking
from festinger.shim.wire import Untouched

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Enriched:
    """A request that may go on.

    Attributes:
        body: What to send.
        result: `full`, `replay`, `none` or `skipped:WHY`.
        session: The session's name, if it was looked up.
        loops: What was found out about loops.
        missed: Why nothing new could be told, if blocks were put back all the same.
        reached: Notes what the session is told, once an upstream takes the request.
        account: Of what was told; None if nothing was asked.
        said: What is to be kept of it; None for nothing.
    """

    body: bytes
    result: str
    session: str | None = None
    loops: LoopWatch | None = None
    missed: str = ""
    reached: Callable[[], None] | None = None
    account: Account | None = None
    said: NewTurns | None = None


class Injector:
    """Puts what is told into requests.

    Args:
        allowance: Knows what their models allow.
    """

    def __init__(self, allowance: BlockAllowance) -> None:
        self._allowance = allowance
        self._warned: set[int] = set()

    async def stick(
        self, request: Request, question: MemoryQuestion, response: pb.RecollectResponse
    ) -> Enriched:
        """Puts blocks back, and what is new at the end.

        Raises:
            Untouched: A block cannot be put back.
        """
        ledger, layout = request.session.ledger, request.layout
        room = await self._allowance.room(request, response.block)
        is_new = ledger.is_new_to(layout) and bool(response.lines)
        modelfile = await self._allowance.modelfile(request, needed=is_new)
        outcome = sticky.stick(
            ledger,
            layout,
            question.message,
            response,
            at_head=modelfile is not None,
            room=room,
        )
        if outcome.told and outcome.place:
            spot = spot_of(
                outcome.place, layout, request.segments, request.prompt.system
            )
            request.account.tell(outcome.told, spot, outcome.place)
        told = {
            it.concept: ToldConcept(it.digest, hint=True)
            for it in outcome.told
            if it.hint
        }
        stuck = await aside(len(request.raw), _put_back, request, outcome, modelfile)
        return replace(stuck, reached=partial(request.session.tell, told))

    async def replay(self, request: Request, why: str) -> Enriched:
        """Puts blocks back without having asked: their bytes are our own (D8).

        Raises:
            Untouched: There are none, nor is anything known of the conversation.
        """
        ledger, layout = request.session.ledger, request.layout
        if ledger.open(layout):
            raise Untouched(why)
        modelfile = await self._allowance.modelfile(request, needed=False)
        outcome = sticky.replay(
            ledger, layout, room=await self._allowance.room(request)
        )
        replayed = await aside(len(request.raw), _put_back, request, outcome, modelfile)
        if not outcome.blocks:
            return replace(replayed, result=f"skipped:{why}", missed="")
        return replace(replayed, missed=why)

    async def inject(
        self, request: Request, response: pb.RecollectResponse
    ) -> Enriched:
        """Puts the one block where the memory wants it, at the other positions.

        Raises:
            Untouched: It is not wanted, or there is no place for it.
        """
        session = request.session
        if response.position == pb.RecollectResponse.POSITION_OFF:
            raise Untouched("off")
        if not response.block:
            return Enriched(request.raw, "none", session.id)
        told = sticky.shortened(
            response, await self._allowance.room(request, response.block)
        )
        if not told.block:
            raise Untouched("budget")
        if response.position == pb.RecollectResponse.POSITION_RECENT:
            changed = await aside(
                len(request.raw),
                inject.into_newest_user,
                request.body,
                request.prompt,
                told.block,
            )
            spot = newest_of(request.prompt)
            if changed is None or spot is None:
                return Enriched(request.raw, "none", session.id)
        else:
            if response.position != pb.RecollectResponse.POSITION_SYSTEM:
                self._warn_of(response.position)
            modelfile = await self._allowance.modelfile(request, needed=True)
            if modelfile is None:
                raise Untouched("modelfile-unknown")
            changed = await aside(
                len(request.raw),
                inject.into_system,
                request.body,
                request.prompt,
                told.block,
                modelfile,
            )
            spot = head_of(request.segments, request.prompt.system)
        request.account.tell([*map(sticky.line_of, told.lines)], spot)
        kinds = pb.RecollectResponse.Line
        news = {
            line.concept: ToldConcept(line.digest, hint=line.kind == kinds.KIND_HINT)
            for line in told.lines
        }
        reached = partial(session.tell, news)
        return Enriched(changed, "full", session.id, reached=reached)

    def _warn_of(self, position: int) -> None:
        if position not in self._warned:
            self._warned.add(position)
            log.warning("position_unknown", position=position, used="system")


def _put_back(request: Request, outcome: Sticking, modelfile: str | None) -> Enriched:
    body = sticky.put_back(
        request.body,
        request.segments,
        request.layout,
        request.prompt.system,
        outcome.blocks,
        modelfile or "",
    )
    missed = "budget" if outcome.short and outcome.blocks else ""
    raw = request.raw if body is None else body
    request.account.standing = outcome.blocks
    request.account.blocks = len(outcome.blocks)
    return Enriched(raw, outcome.result, request.session.id, missed=missed)
