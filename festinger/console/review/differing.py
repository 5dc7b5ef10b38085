"""What somebody changed in a text, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final, NamedTuple

_PIECE: Final = re.compile(r"\s+|\w+|[^\w\s]")


class Piece(NamedTuple):
    """A part of two texts.

    Attributes:
        kind: `same`, `gone` or `new`.
    """

    kind: str
    text: str


def changes(old: str, new: str) -> Iterator[Piece]:
    """Both texts in one: what is in both, in the old one only, in the new one only."""
    before, after = _PIECE.findall(old), _PIECE.findall(new)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for how, i, j, k, m in matcher.get_opcodes():
        if how == "equal":
            yield Piece("same", "".join(before[i:j]))
            continue
        if j > i:
            yield Piece("gone", "".join(before[i:j]))
        if m > k:
            yield Piece("new", "".join(after[k:m]))
