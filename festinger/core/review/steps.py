"""Steps of claims: a claim before and after an action."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from festinger.core.memories.types import MemoryKind, Status
from festinger.core.review.claims import Action, Claim


@dataclass(frozen=True, slots=True)
class ClaimStep:
    """Claim before and after an action; None where it does not exist."""

    action: Action
    before: Claim | None
    after: Claim | None

    @property
    def claim(self) -> Claim:
        """The claim after the step, or before it if it was deleted."""
        claim = self.after or self.before
        assert claim is not None, "a step is one of a claim"
        return claim

    @property
    def enters(self) -> bool:
        """True if the gate has to judge an entity's relation after the step."""
        return speaks(self.after) and not speaks(self.before)

    @property
    def leaves(self) -> bool:
        """True if an entity's relation is no longer stated after the step."""
        return speaks(self.before) and not speaks(self.after)


def speaks(claim: Claim | None) -> bool:
    """Return True for an active entity that states a relation."""
    return (
        claim is not None
        and claim.kind is MemoryKind.ENTITY
        and claim.status is Status.ACTIVE
        and bool(claim.fact)
    )


def changed(claim: Claim, **parts: Any) -> Claim:
    """Return a changed claim, with the next version and thus another etag."""
    return replace(claim, version=claim.version + 1, **parts)
