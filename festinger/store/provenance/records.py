"""What reading the trail gives, as values."""

from __future__ import annotations

from typing import NamedTuple


class Veil(NamedTuple):
    """What of a candidate not everybody is to see.

    Attributes:
        private: Whether it holds what is private.
        open: Whether it can still be answered.
        responders: Who has.
    """

    private: bool
    open: bool
    responders: frozenset[str]
