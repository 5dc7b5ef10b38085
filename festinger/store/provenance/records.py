"""Values that reads of the trail return."""

from __future__ import annotations

from typing import NamedTuple


class CandidateVisibility(NamedTuple):
    """Visibility restrictions of a candidate.

    Attributes:
        private: Whether it contains private information.
        open: Whether it can still be answered.
        responders: Principals who answered it.
    """

    private: bool
    open: bool
    responders: frozenset[str]
