"""Construction of an enriched request from the memory's answer and earlier blocks."""

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
    """Result of the enrichment of a request.

    Attributes:
        body: Body to send.
        result: `full`, `replay`, `none` or `skipped:WHY`.
        session: Name of the session; None if it was not looked up.
        loops: Loop detection of the request.
        missed: Reason for the lack of new lines, if earlier blocks were inserted.
        reached: Records the sent lines in the session; called once an upstream accepts
            the request.
        account: Record of the request; None if the memory was not queried.
        said: Turns to capture; None for none.
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
    """Inserter of blocks into requests.

    Args:
        allowance: Limits of the models.
    """

    def __init__(self, allowance: BlockAllowance) -> None:
        self._allowance = allowance
        self._warned: set[int] = set()

    async def stick(
        self, request: Request, question: MemoryQuestion, response: pb.RecollectResponse
    ) -> Enriched:
        """Insert the earlier blocks, and the new lines after the newest message.

        In the first request of a conversation the new lines go before the system text,
        if possible.

        Raises:
            Untouched: An earlier block cannot be inserted.
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
        """Insert the earlier blocks only, since the memory did not answer (D8).

        Args:
            request: The request.
            why: The cause.

        Raises:
            Untouched: The conversation is new, or a block cannot be inserted.
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
        """Insert a single block at the position that the memory requests.

        This handles all positions except the sticky one.

        Raises:
            Untouched: Recollections are switched off, there is no room for the block,
                or the model's own SYSTEM is not known yet.
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
