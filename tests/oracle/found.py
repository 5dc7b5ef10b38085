"""Union of the ids that were found in several texts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain


def united(
    found: Sequence[Sequence[int]], without: Sequence[int] = ()
) -> Sequence[int]:
    """Return the ids of some sequences, in order and each once, but for some of them.

    Args:
        found: Sequences of valid ids, each without duplicates.
        without: The ids that are left out.
    """
    if len(found) == 1 and not without:
        return found[0]
    never = set(without)
    return [id for id in dict.fromkeys(chain.from_iterable(found)) if id not in never]
