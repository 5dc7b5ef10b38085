"""Types of the compiled `found`; what it does is told in `_reference/found.py`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

def united(
    found: Iterable[Sequence[int]], without: Iterable[int] = ...
) -> Sequence[int]: ...
