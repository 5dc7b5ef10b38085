"""Which unknown words are worth asking an agent about (D3)."""

from __future__ import annotations

import re
from collections.abc import Set

from festinger import _fast
from festinger.core.tokens import is_renderable

_VERSION = re.compile(r"v?\d[\w.-]*")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_HEX = re.compile(r"(?=.*\d)[0-9a-f]{7,}")
_PATH_MARKS = frozenset("/\\~@$%=&")


def may_be_asked(scan: _fast.Scan, tokens: Set[str]) -> set[str]:
    """The tokens that stand somewhere in the text as plain words.

    Left out are identifiers, and words that only stand in a path, a URL, an address
    or a variable.
    """
    wanted = {token for token in tokens if is_askable(token)}
    if not wanted:
        return set()
    plain = set()
    for position, token in enumerate(scan):
        if token in wanted and token not in plain and not _in_path(scan, position):
            plain.add(token)
    return plain


def is_askable(token: str) -> bool:
    """Whether a token is a name rather than an identifier.

    UUIDs, hashes, version numbers and tokens of more than half digits are not, nor
    what may not stand in a prompt (E4).
    """
    digits = sum(character.isdigit() for character in token)
    return not (
        digits * 2 > len(token)
        or not is_renderable(token)
        or _UUID.fullmatch(token)
        or _HEX.fullmatch(token)
        or _VERSION.fullmatch(token)
    )


def _in_path(scan: _fast.Scan, position: int) -> bool:
    start, end = scan.span(position)
    text = scan.text
    before = text[start - 1 : start]
    after = text[end : end + 1]
    return (
        before in _PATH_MARKS
        or after in _PATH_MARKS
        or (after == ":" and text[end : end + 3] == "://")
    )
