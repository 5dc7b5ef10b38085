"""Types of the compiled `emphasis`; `tests/oracle/prose.py` says what it does."""

from __future__ import annotations

def unemphasised(text: str) -> str: ...
