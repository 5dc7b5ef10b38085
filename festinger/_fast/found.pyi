"""Types of the compiled `found`; what it does is told in `_reference/found.py`."""

from __future__ import annotations

from collections.abc import Sequence

def united(
    found: Sequence[Sequence[int]], without: Sequence[int] = ...
) -> Sequence[int]: ...
