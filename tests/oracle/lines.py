"""Rendering of the lines of a block."""

from __future__ import annotations

from collections.abc import Iterable

from festinger._fast.values import Line


def block(opening: str, lines: Iterable[Line], closing: str) -> str:
    """Join the texts of some lines between an opening and a closing line."""
    return "\n".join([opening, *(line.text for line in lines), closing])
