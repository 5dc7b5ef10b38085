"""What texts were found to hold, in plain Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain


def united(
    found: Iterable[Sequence[int]], without: Iterable[int] = ()
) -> Sequence[int]:
    """Return the ids of some sequences, in order, each once and some of them never.

    Args:
        found: Of ids that tokens may have.
        without: Those that are left out.
    """
    never = set(without)
    return [id for id in dict.fromkeys(chain.from_iterable(found)) if id not in never]
