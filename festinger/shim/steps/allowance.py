"""Limits that a request's model sets: on a block at the head, and on blocks' size."""

from __future__ import annotations

from math import inf

from festinger.shim.recollection import budget
from festinger.shim.recollection.modelfile import Modelfile, ModelfileUnknown
from festinger.shim.steps.context import PromptContext
from festinger.shim.steps.state import ShimState
from festinger.shim.wire import ForwardUnchanged


async def modelfile_of(
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
    # Most clients send a system text of their own: then no look-up is needed.
    if not context.creates_system or not (needed or context.has_head):
        return ""
    try:
        return (await _model(context, shim)).system
    except ModelfileUnknown:
        # The standing block would disable the SYSTEM, and the agent's persona is more
        # important than a recollection.
        if context.has_head:
            raise ForwardUnchanged("modelfile-unknown") from None
        # The head stays empty; new lines go behind the newest message instead.
        return None


async def room_of(context: PromptContext, shim: ShimState, block: str = "") -> float:
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
