"""What texts were found to hold, in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain


def united(
    found: Sequence[Sequence[int]], without: Sequence[int] = ()
) -> Sequence[int]:
    """Return the ids of some sequences, in order, each once and some of them never.

    Args:
        found: Each of ids that tokens may have, none of them twice.
        without: Those that are left out.
    """
    if len(found) == 1 and not without:
        return found[0]
    never = set(without)
    return [id for id in dict.fromkeys(chain.from_iterable(found)) if id not in never]
