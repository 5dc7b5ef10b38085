"""Claims with the data that pages show: contradictions, duplicates and edits."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.api.v1.claim_pb2 import Claim
from festinger.console.errors import PageRefused
from festinger.console.review.differing import Piece, changes
from festinger.console.visit import Visit
from festinger.console.words import claim_kind
from festinger.core.memories.types import MemoryKind
from festinger.core.review.claims import TYPES

AGAINST_MAX: Final = 5
"""The maximum number of contradicted claims that are shown."""
ALIKE_MAX: Final = 1000
"""The maximum number of claims of the same text that are counted."""

FILLED: Final = ("content", "type", "fact", "supersedes")
"""Form fields that are kept when an action is refused."""
UNFILLED: Final = dict.fromkeys(FILLED, "")


@dataclass(frozen=True, slots=True)
class ClaimCard:
    """Claim with the data that a page shows.

    Attributes:
        claim: The claim.
        place: The source: a document and its headings, or a session.
        types: The types that an edit may choose.
        against: The claims that it contradicts.
        alike: The number of candidates with the same text, including this one.
        pieces: The differences to the original text; empty if it was not edited.
        error: Why a decision was refused; empty if none was.
        said: The form fields of the refused decision.
    """

    claim: Any
    place: str
    types: Sequence[str]
    against: Sequence[Any]
    alike: int
    pieces: Sequence[Piece]
    error: str = ""
    said: Mapping[str, str] = field(default_factory=lambda: UNFILLED)


async def card_of(visit: Visit, claim: Any, **more: Any) -> ClaimCard:
    """Return the card of a claim. Raises `PageRefused`."""
    place, *against, alike = await asyncio.gather(
        _place(visit, claim),
        *(claim_of(visit, number) for number in claim.contradicts[:AGAINST_MAX]),
        _alike(visit, claim),
    )
    original = claim.original_content
    edited = bool(original) and original != claim.content
    return ClaimCard(
        claim,
        place,
        types_of(MemoryKind(claim_kind(claim.kind))),
        [other for other in against if other is not None],
        alike,
        list(changes(original, claim.content)) if edited else [],
        **more,
    )


def types_of(kind: MemoryKind) -> list[str]:
    """Return the names of the types that claims of a kind may have."""
    return [str(each) for each in TYPES[kind]]


async def _place(visit: Visit, claim: Any) -> str:
    """Return the source of a claim, with its headings if they are known."""
    place: str = claim.origin.place
    if not claim.origin.chunk_id:
        return place
    request = pb.GetClaimRequest(claim_id=claim.id)
    try:
        chain = (await visit.ask("promotion.GetClaim", request)).chain
    except PageRefused:
        return place  # it was deleted concurrently: the next request will fail
    return next((step.name for step in chain if step.kind == "chunk"), place)


async def _alike(visit: Visit, claim: Any) -> int:
    """Return the number of candidates with the same text; 1 if it is no candidate."""
    if claim.status != Claim.STATUS_CANDIDATE:
        return 1
    request = pb.ListClaimsRequest(
        same_as=claim.content,
        statuses=[Claim.STATUS_CANDIDATE],
        deferred=True,
        page_size=ALIKE_MAX,
    )
    page = await visit.ask("promotion.ListClaims", request)
    return max(len(page.claims), 1)


async def claim_of(visit: Visit, number: int) -> Any:
    """Return a claim, or None if there is none."""
    try:
        request = pb.GetClaimRequest(claim_id=number)
        return (await visit.ask("promotion.GetClaim", request)).claim
    except PageRefused as refusal:
        if refusal.status == 404:
            return None
        raise
