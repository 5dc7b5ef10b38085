"""Lists come in pages: how long one is, and where the next begins."""

from __future__ import annotations

import base64
import json
import re

from festinger.core.graph.history import Happening, HistoryMark
from festinger.errors import InvalidArgument
from festinger.rpc.convert import checked

PAGE_SIZE, PAGE_SIZE_MAX = 50, 1000
TOKEN_CHARACTERS_MAX = 64
"""The longest token; a list continues behind one."""
PAIR_CHARACTERS_MAX = 6 * 2 * 200 + 10
"""Two names as JSON writes them, which makes six characters of one."""

_NUMBER = re.compile(r"[0-9]{1,18}")


def page_size(asked: int) -> int:
    """How many items a page holds.

    Raises:
        InvalidArgument: It is negative.
    """
    if asked < 0:
        raise InvalidArgument("page_size must not be negative", field="page_size")
    return min(asked, PAGE_SIZE_MAX) or PAGE_SIZE


def page_token(after: str | int) -> str:
    """A token that continues a list behind an item."""
    return base64.urlsafe_b64encode(str(after).encode()).decode()


def after_of(token: str, characters_max: int = TOKEN_CHARACTERS_MAX) -> str:
    """The item behind which a token continues; empty for none.

    Raises:
        InvalidArgument: It is no token of this server.
    """
    try:
        after = base64.b64decode(token, altchars="-_", validate=True).decode()
        return checked(after, "page_token", characters_max)
    except (ValueError, InvalidArgument):
        raise _bad_page_token() from None


def after_number(token: str) -> int:
    """The numbered item behind which a token continues; 0 for none.

    Raises:
        InvalidArgument: It is no token of this server.
    """
    after = after_of(token)
    if after and not _NUMBER.fullmatch(after):
        raise _bad_page_token()
    return int(after or 0)


def pair_token(first: str, second: str) -> str:
    """A token that continues a list behind an item that two names name."""
    return page_token(json.dumps([first, second]))


def after_pair(token: str) -> tuple[str, str]:
    """The item with two names behind which a token continues; empty ones for none.

    Raises:
        InvalidArgument: It is no token of this server.
    """
    after = after_of(token, PAIR_CHARACTERS_MAX)
    if not after:
        return "", ""
    try:
        match json.loads(after):
            case [str(first), str(second)] if "\0" not in first + second:
                return first, second
    except (ValueError, RecursionError):
        pass
    raise _bad_page_token()


def after_mark(token: str) -> HistoryMark:
    """The event behind which a history continues.

    Raises:
        InvalidArgument: It is no token of this server.
    """
    after = after_of(token)
    if not after:
        return HistoryMark()
    parts = after.split(" ")
    if len(parts) != len(HistoryMark._fields) or not all(map(_NUMBER.fullmatch, parts)):
        raise _bad_page_token()
    mark = HistoryMark(*map(int, parts))
    if mark.kind not in set(Happening):
        raise _bad_page_token()
    return mark


def _bad_page_token() -> InvalidArgument:
    return InvalidArgument(
        "page_token must be the next_page_token of the previous response",
        field="page_token",
    )
