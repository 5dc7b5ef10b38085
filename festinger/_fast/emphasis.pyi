"""Types of the compiled `emphasis`; what it does is told in `_reference/prose.py`."""

from __future__ import annotations

def unemphasised(text: str) -> str: ...
