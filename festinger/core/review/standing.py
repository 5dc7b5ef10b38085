"""Standing of a document: whether what it says holds.

A decision record has a status. What was superseded, or is only proposed, does not hold.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from festinger.core.review.blocks import BlockKind, blocks

_AWAY = (
    r"(?:super[cs]eded|deprecated|rejected|obsolete|withdrawn|abandoned|retired|replaced"
    r"|declined|proposed|proposal|draft|pending|wip|in progress|under (?:review|discussion))"
)
_STATUS = re.compile(r"(?:\d[\d.]* +)?status:?", re.IGNORECASE)
_BEGIN = re.compile(rf"^(?:~~[^~\n]*~~)?[\W_]*{_AWAY}\b", re.IGNORECASE | re.MULTILINE)
_LINE = re.compile(
    rf"^[ \t]*(?:[-*|][ \t]*)?[*_]*status[*_]*[ \t]*[:|][ \t]*[\W_]*{_AWAY}\b",
    re.IGNORECASE | re.MULTILINE,
)
_RECORD = re.compile(
    r"(?:^|[/_-])(?:adrs?|decisions|decision[-_]records?|rfcs)/|(?:^|/)(?:adr|rfc)[-_]?\d",
    re.IGNORECASE,
)
HEAD_CHARACTERS = 1000
"""Length of the begin of a document in which a line may say its status."""


def is_record(path: str) -> bool:
    """Return True if a path is that of a decision record."""
    return _RECORD.search(path) is not None


def is_set_aside(path: str, parts: Sequence[str]) -> bool:
    """Return True if a decision record says that it does not hold (yet, or any more).

    Args:
        parts: The chunks of its text, in order.
    """
    if not is_record(path):
        return False
    text = "".join(parts)
    if _LINE.search(text[:HEAD_CHARACTERS]):
        return True
    section, within = "", False
    for block in blocks(text):
        if block.kind is BlockKind.HEADING:
            if section:
                break
            within = _STATUS.fullmatch(block.title) is not None
        elif within:
            section += text[block.start : block.end]
    return _BEGIN.search(section) is not None
