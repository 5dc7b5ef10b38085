"""The source of a claim is read again with the extractors of today."""

from __future__ import annotations

import asyncio

from festinger.core.promotion.claims import Offer
from festinger.core.promotion.extractors import builtin, further
from festinger.core.promotion.offers import offers
from festinger.core.promotion.ranking import Known
from festinger.core.promotion.sweeping import Whole, sweep
from festinger.core.promotion.transitions import name
from festinger.errors import SourceGone
from festinger.flows.memory import Memory
from festinger.flows.offering import Offered, Offering
from festinger.flows.ports import RequestKey


async def offer_again(
    memory: Memory, claim_id: int, *, principal: str, request: RequestKey | None = None
) -> Offered:
    """Offers what is found where a claim was found; the claim itself stays as it is.

    Raises:
        ClaimNotFound: There is no such claim.
        SourceGone: No document has the text any more, or never had.
    """
    async with memory.store.reading(memory.tenant) as reads:
        claim = await reads.claim(claim_id)
        chunk_id = claim.origin.chunk_id
        document = await reads.document(chunk_id) if chunk_id else None
    if document is None:
        why = (
            "was not found in a document"
            if not chunk_id
            else f"was found in a part of {claim.origin.place} that is not there any more"
        )
        raise SourceGone(f"{name(claim)} {why}", claim_id=str(claim_id))
    # A long document takes a while to read, and prompts are answered meanwhile.
    found = await asyncio.to_thread(_read, document, memory.now())
    return await memory.writer.submit(
        Offering(found, principal=principal, request=request)
    )


def _read(document: Whole, now: float) -> list[Offer]:
    """What today's extractors find in what is fresh of a document."""
    found = sweep(document, (*builtin(), *further()[0])).found
    return offers(document, found, Known(), now=now)[0]
