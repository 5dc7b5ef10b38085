"""Selection of predicates and of a stable share of authors for validation."""

from __future__ import annotations

from hashlib import blake2b

from festinger.core.validation.policy import ValidationPolicy

ALL = "*"
"""Wildcard for all predicates."""


def in_pilot(predicate: str, author: str, policy: ValidationPolicy) -> bool:
    """Return whether people are asked about a candidate.

    Args:
        predicate: URI of its predicate; empty if only its dimension is known.
        author: Author of its text; empty if there is none, and then it is included only
            if all authors are.
    """
    # The specification's roll-out: a few predicates first, then a share of people.
    if ALL not in policy.predicates and predicate not in policy.predicates:
        return False
    if policy.share >= 1.0:
        return True
    return bool(author) and share_of(author, "pilot") < policy.share


def share_of(*names: str | int) -> float:
    """Hash names to a number in [0.0, 1.0), the same on every server."""
    # Whoever is below a share is below every larger one: a wider pilot drops nobody.
    text = "\0".join(str(name) for name in names)
    digest = blake2b(text.encode(), digest_size=8).digest()
    # A float has 53 bits of precision, so the result never rounds up to 1.
    return (int.from_bytes(digest) >> 11) / 2**53
