"""A claim as it is shown: with what it contradicts, what says the same, what was edited."""

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
"""Claims that are shown beside the one that they contradict."""
ALIKE_MAX: Final = 1000
"""Claims of the same text that are counted."""

FILLED: Final = ("content", "type", "fact", "supersedes")
"""Fields that a person fills in, kept when what they are for is refused."""
UNFILLED: Final = dict.fromkeys(FILLED, "")


@dataclass(frozen=True, slots=True)
class ClaimCard:
    """A claim as it is shown.

    Attributes:
        place: Where it was found: a document and its headings, or a session.
        types: What it may be edited into.
        against: What it contradicts.
        alike: How many candidates say the same, itself among them.
        pieces: What was edited in it; empty if nothing was.
        error: Why a decision about it was refused; empty if none was.
        said: What was filled in then.
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
    """A claim with what belongs beside it. Raises `PageRefused`."""
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
    """What claims of a kind may say, in words."""
    return [str(each) for each in TYPES[kind]]


async def _place(visit: Visit, claim: Any) -> str:
    """Where a claim was found, as far as the way back to it is known."""
    place: str = claim.origin.place
    if not claim.origin.chunk_id:
        return place
    request = pb.GetClaimRequest(claim_id=claim.id)
    try:
        chain = (await visit.ask("promotion.GetClaim", request)).chain
    except PageRefused:
        return place  # somebody deleted it just now: the answer to come will say so
    return next((step.name for step in chain if step.kind == "chunk"), place)


async def _alike(visit: Visit, claim: Any) -> int:
    """How many candidates say what it says; 1 if it is none."""
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
    """A claim; None if there is none."""
    try:
        request = pb.GetClaimRequest(claim_id=number)
        return (await visit.ask("promotion.GetClaim", request)).claim
    except PageRefused as refusal:
        if refusal.status == 404:
            return None
        raise
