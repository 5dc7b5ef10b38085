"""Markdown that is made of others' texts."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence
from typing import Final

_MARKUP: Final = re.compile(r"[<|]")


def prose(text: str) -> str:
    """Return a docstring or comment as Markdown: paragraphs, nothing of it HTML."""
    clean = inspect.cleandoc(text)
    return re.sub(r"<(?=[a-zA-Z/!])", "&lt;", clean)


def cell(text: str) -> str:
    """Return a text as the cell of a table: one line, without bars."""
    line = " ".join(text.split())
    return _MARKUP.sub(lambda it: "&lt;" if it[0] == "<" else r"\|", line)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; an empty text if there are no rows."""
    lines = [_row(row) for row in rows]
    if not lines:
        return ""
    return "\n".join([_row(head), "|---" * len(head) + "|", *lines]) + "\n"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
