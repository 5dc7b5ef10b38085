"""Turns that a memory has read lately."""

from __future__ import annotations

from collections.abc import Iterable

# Losing one costs little: what turns stated is also in the ledger.
RECENT_TURNS_MAX = 20_000
"""Maximum number of turns that a memory remembers as read."""


class RecentTurns:
    """Digests of recently read turns: a repeated request teaches once (B6)."""

    def __init__(self) -> None:
        # A dictionary as an ordered set: the oldest is dropped first.
        self._digests: dict[bytes, None] = {}

    def __contains__(self, digest: bytes) -> bool:
        return digest in self._digests

    def add(self, digests: Iterable[bytes]) -> list[bytes]:
        """Remember turns that have a digest; drop the oldest beyond the limit.

        Returns:
            The digests that are new.
        """
        new = []
        known = self._digests
        for digest in digests:
            # Turns without a session have no digest, and cannot be recognised.
            if digest and digest not in known:
                known[digest] = None
                new.append(digest)
        while len(known) > RECENT_TURNS_MAX:
            del known[next(iter(known))]
        return new

    def forget(self, digests: Iterable[bytes]) -> None:
        """Drop turns, so that they are read again when they are sent again."""
        for digest in digests:
            self._digests.pop(digest, None)
