"""One step of a claim: what it was, and what it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from festinger.core.memories.types import MemoryKind, Status
from festinger.core.review.claims import Action, Claim


@dataclass(frozen=True, slots=True)
class ClaimStep:
    """One claim before and after; None for one that is not there."""

    action: Action
    before: Claim | None
    after: Claim | None

    @property
    def claim(self) -> Claim:
        """The claim as it is after, or as it was last."""
        claim = self.after or self.before
        assert claim is not None, "a step is one of a claim"
        return claim

    @property
    def enters(self) -> bool:
        """Whether an entity's relation is to be judged by the gate."""
        return speaks(self.after) and not speaks(self.before)

    @property
    def leaves(self) -> bool:
        """Whether an entity's relation is no longer stated."""
        return speaks(self.before) and not speaks(self.after)


def speaks(claim: Claim | None) -> bool:
    """Whether it is an active entity that states a relation."""
    return (
        claim is not None
        and claim.kind is MemoryKind.ENTITY
        and claim.status is Status.ACTIVE
        and bool(claim.fact)
    )


def changed(claim: Claim, **parts: Any) -> Claim:
    """A claim that was changed, which its etag tells."""
    return replace(claim, version=claim.version + 1, **parts)
