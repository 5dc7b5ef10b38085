"""Step 6: put the memory's answer, and the session's earlier blocks, into the body."""

from __future__ import annotations

from math import inf
from typing import Final

import structlog

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.shim.recollection import budget, sticky
from festinger.shim.recollection import inject as insertion
from festinger.shim.recollection.modelfile import Modelfile, ModelfileUnknown
from festinger.shim.recollection.offload import offload
from festinger.shim.recollection.request_records import head_of, newest_of, spot_of
from festinger.shim.recollection.segments import SystemTextCreation
from festinger.shim.recollection.sessions import ToldConcept
from festinger.shim.recollection.sticky import StickyUpdate
from festinger.shim.steps.context import PromptContext
from festinger.shim.steps.state import ShimState
from festinger.shim.wire import ForwardUnchanged

log = structlog.get_logger(__name__)

_Position = pb.RecollectResponse.Position
_HINT: Final = pb.RecollectResponse.Line.KIND_HINT


async def inject(context: PromptContext, shim: ShimState) -> None:
    """Put blocks into the body, at the position that the memory requests.

    Raises:
        ForwardUnchanged: Recollections are switched off, there is no room for them, an earlier
            block cannot be inserted, or the model's own SYSTEM is not known yet.
    """
    # The blocks of earlier requests stay even without an answer, for the prefix cache (D5).
    if (response := context.response) is None:
        await _replay(context, shim)
    elif response.position == _Position.POSITION_STICKY:
        await _stick(context, shim, response)
    else:
        # The other positions keep nothing: blocks of an earlier sticky one must not return.
        context.session.ledger.clear()
        if response.position == _Position.POSITION_OFF:
            raise ForwardUnchanged("off")
        if response.block:
            await _inject_one(context, shim, response)
    # The server is behind its database, so lines may be missing (J12).
    if response and response.stale and context.result == "full":
        context.result = "partial"


async def _stick(
    context: PromptContext, shim: ShimState, response: pb.RecollectResponse
) -> None:
    """Insert the earlier blocks, and the new lines after the newest message."""
    ledger, layout = context.session.ledger, context.layout
    # The awaits come before `stick`, which checks and changes the ledger in one go.
    room = await _room_of(context, shim, response.block)
    is_new = ledger.is_new_to(layout) and bool(response.lines)
    modelfile = await _modelfile_of(context, shim, needed=is_new)
    outcome = sticky.stick(
        ledger,
        layout,
        context.question.message,
        response,
        # None: an unknown SYSTEM could be disabled by a head block (D6).
        at_head=modelfile is not None,
        room=room,
    )
    if outcome.told and outcome.place:
        account, system = context.account, context.prompt.system
        account.told, account.position = outcome.told, outcome.place
        account.spot = spot_of(outcome.place, layout, context.segments, system)
    await _put_back(context, outcome, modelfile)
    # Only hints: other lines are remembered by the ledger itself.
    context.injected = {
        it.concept: ToldConcept(it.digest, hint=True) for it in outcome.told if it.hint
    }


async def _replay(context: PromptContext, shim: ShimState) -> None:
    """Insert the earlier blocks only, since the memory did not answer (D8)."""
    ledger, layout, why = context.session.ledger, context.layout, context.missed
    # A new conversation has no blocks to replay, and from now on a settled, empty head.
    if ledger.open(layout):
        raise ForwardUnchanged(why)
    modelfile = await _modelfile_of(context, shim, needed=False)
    outcome = sticky.replay(ledger, layout, room=await _room_of(context, shim))
    await _put_back(context, outcome, modelfile)
    # `_put_back` has overwritten it.
    context.missed = why
    # `missed` means that earlier blocks were told at least; here nothing was.
    if not outcome.blocks:
        context.result, context.missed = f"skipped:{why}", ""


async def _put_back(
    context: PromptContext, outcome: StickyUpdate, modelfile: str | None
) -> None:
    """Insert the blocks of a ledger."""
    context.changed = await offload(
        len(context.raw),
        sticky.put_back,
        context.body,
        context.segments,
        context.layout,
        context.prompt.system,
        outcome.blocks,
        modelfile or "",
    )
    context.result = outcome.result
    # Without any block the result says so itself: `skipped:budget`.
    context.missed = "budget" if outcome.short and outcome.blocks else ""
    context.account.standing = outcome.blocks
    context.account.blocks = len(outcome.blocks)


async def _inject_one(
    context: PromptContext, shim: ShimState, response: pb.RecollectResponse
) -> None:
    """Insert a single block, at any position except the sticky one."""
    size, body, prompt = len(context.raw), context.body, context.prompt
    # These positions have no ledger: each request gets a block of its own.
    told = sticky.shortened(response, await _room_of(context, shim, response.block))
    if not told.block:
        raise ForwardUnchanged("budget")
    if response.position == _Position.POSITION_RECENT:
        spot = newest_of(prompt)
        changed = await offload(
            size, insertion.into_newest_user, body, prompt, told.block
        )
        # A tool's result ends the prompt: nothing is added, and the result stays `none`.
        if changed is None or spot is None:
            return
    else:
        # A newer server may know further positions; `system` fits every prompt. Told once,
        # since it would come with every prompt.
        if response.position not in {
            _Position.POSITION_SYSTEM,
            *shim.unknown_positions,
        }:
            shim.unknown_positions.add(response.position)
            log.warning("position_unknown", position=response.position, used="system")
        modelfile = await _modelfile_of(context, shim, needed=True)
        if modelfile is None:
            raise ForwardUnchanged("modelfile-unknown")
        changed = await offload(
            size, insertion.into_system, body, prompt, told.block, modelfile
        )
        spot = head_of(context.segments, prompt.system)
    context.account.told, context.account.spot = (
        [*map(sticky.line_of, told.lines)],
        spot,
    )
    context.changed, context.result = changed, "full"
    context.injected = {
        line.concept: ToldConcept(line.digest, hint=line.kind == _HINT)
        for line in told.lines
    }


async def _modelfile_of(
    context: PromptContext, shim: ShimState, *, needed: bool
) -> str | None:
    """Return the model's own SYSTEM if a head block would disable it (D6).

    Args:
        needed: Whether a head block may be added to this prompt.

    Returns:
        An empty string if there is no such SYSTEM; None if it is not known yet, so that
        no head block may be added.

    Raises:
        ForwardUnchanged: The SYSTEM is not known, and the prompt has a head block already.
    """
    layout, system = context.layout, context.prompt.system
    has_head = layout.head in context.session.ledger.standing(layout)
    # Ollama uses the Modelfile's SYSTEM only while the request has no system message (D6).
    hides = isinstance(system, SystemTextCreation) and system.hides_modelfile
    # Most clients send a system text of their own: then no look-up is needed.
    if not hides or not (needed or has_head):
        return ""
    try:
        return (await _model(context, shim)).system
    except ModelfileUnknown:
        # The standing block would disable the SYSTEM, and the agent's persona is more
        # important than a recollection.
        if has_head:
            raise ForwardUnchanged("modelfile-unknown") from None
        # The head stays empty; new lines go behind the newest message instead.
        return None


async def _room_of(context: PromptContext, shim: ShimState, block: str = "") -> float:
    """Return the number of bytes that the blocks of a prompt may take."""
    value, size = context.body.value, len(context.raw)
    standing = context.session.ledger.standing(context.layout).values()
    stood = budget.blocks_bytes(standing)
    wanted = stood + len(block.encode())
    length = budget.requested_context(value)
    # A look-up costs up to a quarter of a second, so it is made for long prompts only.
    if length is None and not budget.always_fits(size + wanted):
        known = shim.modelfiles.known(context.prompt.model)
        if known is None:
            # Images and keys make a body long, but not the prompt.
            if budget.always_fits(budget.prompt_bytes(value) + wanted):
                return inf
            try:
                known = await _model(context, shim)
            except ModelfileUnknown:
                return stood  # no block is added before the context is known
        length = known.context
    # The texts are shorter than the body, so they need not be measured if it fits.
    least = budget.room(size, length)
    if least >= wanted:
        return least
    return budget.room(budget.prompt_bytes(value), length)


async def _model(context: PromptContext, shim: ShimState) -> Modelfile:
    """Return what the upstream says of the model, asked on behalf of the client."""
    authorization = context.headers.get("Authorization")
    return await shim.modelfiles.get(context.prompt.model, authorization)
