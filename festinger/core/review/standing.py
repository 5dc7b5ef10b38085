"""Standing of a document: whether what it says holds."""

from __future__ import annotations

import re
from collections.abc import Sequence

from festinger.core.review.blocks import BlockKind, blocks

# "supercedes" is a common misspelling; a proposal does not hold yet.
_AWAY = (
    r"(?:super[cs]eded|deprecated|rejected|obsolete|withdrawn|abandoned|retired|replaced"
    r"|declined|proposed|proposal|draft|pending|wip|in progress|under (?:review|discussion))"
)
# The heading of a section: "Status", "2. Status:".
_STATUS = re.compile(r"(?:\d[\d.]* +)?status:?", re.IGNORECASE)
# The section's text: "Superseded by ADR 7", "~~Accepted~~ Deprecated".
_BEGIN = re.compile(rf"^(?:~~[^~\n]*~~)?[\W_]*{_AWAY}\b", re.IGNORECASE | re.MULTILINE)
# A line of a list or table: "- Status: proposed", "| Status | rejected |".
_LINE = re.compile(
    rf"^[ \t]*(?:[-*|][ \t]*)?[*_]*status[*_]*[ \t]*[:|][ \t]*[\W_]*{_AWAY}\b",
    re.IGNORECASE | re.MULTILINE,
)
# "docs/adr/0007-queues.md", "rfcs/12.md", "adr-7.md".
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
    """Return True if a decision record says that it does not hold (yet, or any more)."""
    if not is_record(path):  # other documents may talk of proposals
        return False
    text = "".join(parts)
    # The quick way first: most records say it in a line at their top.
    if _LINE.search(text[:HEAD_CHARACTERS]):
        return True
    section, within = "", False
    for block in blocks(text):
        if block.kind is BlockKind.HEADING:
            if section:  # the section "Status" is read: what follows is another
                break
            within = _STATUS.fullmatch(block.title) is not None
        elif within:
            section += text[block.start : block.end]
    return _BEGIN.search(section) is not None
