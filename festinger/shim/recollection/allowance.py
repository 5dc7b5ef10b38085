"""What the model of a request allows: a block before it all, and how many bytes of them."""

from __future__ import annotations

from math import inf

from festinger.shim.recollection import budget
from festinger.shim.recollection.asking import Request
from festinger.shim.recollection.modelfile import Modelfiles, ModelfileUnknown
from festinger.shim.wire import Untouched


class BlockAllowance:
    """Says what may be added to requests.

    Args:
        modelfiles: Knows the models' own SYSTEM and their context lengths.
    """

    def __init__(self, modelfiles: Modelfiles) -> None:
        self._modelfiles = modelfiles

    async def modelfile(self, request: Request, *, needed: bool) -> str | None:
        """The model's own SYSTEM, where a block of ours would switch it off (D6).

        Args:
            needed: Whether a block may come to stand there with this request.

        Returns:
            None if it is not known yet, so that no block may.

        Raises:
            Untouched: It is not known, and a block stands there already. The agent's
                persona weighs more than a recollection.
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
        """How many bytes the blocks of a request may take.

        Args:
            block: What would be added.
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
                    return stood  # nothing is added before it is known
            context = known.context
        # Its texts are shorter than it is, and mostly need not be looked at.
        least = budget.room(len(request.raw), context)
        if least >= wanted:
            return least
        return budget.room(budget.prompt_bytes(value), context)
