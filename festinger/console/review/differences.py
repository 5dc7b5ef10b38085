"""Word-by-word difference of two texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final, NamedTuple

# Spaces are pieces as well, so that both texts can be put together again.
_PIECE: Final = re.compile(r"\s+|\w+|[^\w\s]")


class DiffPart(NamedTuple):
    """Part of a difference.

    Attributes:
        kind: `same` (in both texts), `gone` (in the old one) or `new` (in the new one).
    """

    kind: str
    text: str


def changes(old: str, new: str) -> Iterator[DiffPart]:
    """Yield the parts of both texts: unchanged, removed and added ones."""
    before, after = _PIECE.findall(old), _PIECE.findall(new)
    # By default difflib ignores what is frequent in long texts: spaces and commas.
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for how, i, j, k, m in matcher.get_opcodes():
        if how == "equal":
            yield DiffPart("same", "".join(before[i:j]))
            continue
        if j > i:
            yield DiffPart("gone", "".join(before[i:j]))
        if m > k:
            yield DiffPart("new", "".join(after[k:m]))
