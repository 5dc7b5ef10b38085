"""Limits that a request's model sets: on a block at the head, and on blocks' size."""

from __future__ import annotations

from math import inf

from festinger.shim.recollection import budget
from festinger.shim.recollection.asking import Request
from festinger.shim.recollection.modelfile import Modelfiles, ModelfileUnknown
from festinger.shim.wire import Untouched


class BlockAllowance:
    """Limits of the blocks that may be added to requests.

    Args:
        modelfiles: Cache of the models' own SYSTEM and context lengths.
    """

    def __init__(self, modelfiles: Modelfiles) -> None:
        self._modelfiles = modelfiles

    async def modelfile(self, request: Request, *, needed: bool) -> str | None:
        """Return the model's own SYSTEM if a head block would disable it (D6).

        Args:
            request: The request.
            needed: Whether a head block may be added to this request.

        Returns:
            An empty string if there is no such SYSTEM; None if it is not known yet, so
            that no head block may be added.

        Raises:
            Untouched: The SYSTEM is not known, and the request has a head block
                already. The agent's persona is more important than a recollection.
        """
        if not request.creates_system or not (needed or request.has_head):
            return ""
        try:
            model, authorization = request.prompt.model, request.authorization
            return (await self._modelfiles.get(model, authorization)).system
        except ModelfileUnknown:
            if request.has_head:
                raise Untouched("modelfile-unknown") from None
            return None

    async def room(self, request: Request, block: str = "") -> float:
        """Return the number of bytes that the blocks of a request may take.

        Args:
            request: The request.
            block: The block that would be added.
        """
        value = request.body.value
        standing = request.session.ledger.standing(request.layout).values()
        stood = budget.blocks_bytes(standing)
        wanted = stood + len(block.encode())
        context = budget.requested_context(value)
        if context is None and not budget.always_fits(len(request.raw) + wanted):
            model, authorization = request.prompt.model, request.authorization
            known = self._modelfiles.known(model)
            if known is None:
                if budget.always_fits(budget.prompt_bytes(value) + wanted):
                    return inf
                try:
                    known = await self._modelfiles.get(model, authorization)
                except ModelfileUnknown:
                    return stood  # no block is added before the context is known
            context = known.context
        # The texts are shorter than the body, so they need not be measured if it fits.
        least = budget.room(len(request.raw), context)
        if least >= wanted:
            return least
        return budget.room(budget.prompt_bytes(value), context)
