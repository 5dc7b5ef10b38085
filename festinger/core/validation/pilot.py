"""For whom validation is on: some predicates, and a stable share of those who write."""

from __future__ import annotations

from hashlib import blake2b

from festinger.core.validation.policy import ValidationPolicy

ALL = "*"
"""Stands for every predicate."""


def in_pilot(predicate: str, author: str, policy: ValidationPolicy) -> bool:
    """Whether people are asked about a candidate.

    Args:
        predicate: Its URI; empty if only its dimension is known.
        author: Whose text it stood in; empty for nobody's, which is in if everybody is.
    """
    if ALL not in policy.predicates and predicate not in policy.predicates:
        return False
    if policy.share >= 1.0:
        return True
    return bool(author) and share_of(author, "pilot") < policy.share


def share_of(*names: str | int) -> float:
    """A number in [0.0, 1.0) that is the same for the same names on every server.

    Whoever is in with a share of a tenth is in with every larger one.
    """
    text = "\0".join(str(name) for name in names)
    digest = blake2b(text.encode(), digest_size=8).digest()
    # 53 bits are what a float holds: it never rounds up to 1.
    return (int.from_bytes(digest) >> 11) / 2**53
