"""Types of the compiled `found`; `tests/oracle/found.py` says what it does."""

from __future__ import annotations

from collections.abc import Sequence

def united(
    found: Sequence[Sequence[int]], without: Sequence[int] = ...
) -> Sequence[int]: ...
