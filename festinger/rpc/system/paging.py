"""Paging of lists. What is no page token of this server is an `InvalidArgument`."""

from __future__ import annotations

import base64
import json
import re

from festinger.core.graph.history import EventKind, HistoryMark
from festinger.errors import InvalidArgument
from festinger.rpc.convert import checked

PAGE_SIZE, PAGE_SIZE_MAX = 50, 1000
TOKEN_CHARACTERS_MAX = 64
"""Maximum length of a concept's token, after which a list can continue."""
PAIR_CHARACTERS_MAX = 6 * 2 * 200 + 10
"""Maximum length of two names in JSON, where a character can take six."""

# Fits into 64 bits; a longer one would be an error of the database.
_NUMBER = re.compile(r"[0-9]{1,18}")


def page_size(asked: int) -> int:
    """Return the size of a page; raise `InvalidArgument` if it is negative."""
    if asked < 0:
        raise InvalidArgument("page_size must not be negative", field="page_size")
    # 0, the default of a missing field, stands for the default size.
    return min(asked, PAGE_SIZE_MAX) or PAGE_SIZE


def page_token(after: str | int) -> str:
    """Return the page token that continues a list after an item."""
    # Encoded, so that clients do not build tokens of their own; nothing in it is secret.
    return base64.urlsafe_b64encode(str(after).encode()).decode()


def after_of(token: str, characters_max: int = TOKEN_CHARACTERS_MAX) -> str:
    """Return the item after which a page token continues; empty for the first page."""
    try:
        # `validate`: without it strange letters are skipped, and any text is a token.
        after = base64.b64decode(token, altchars="-_", validate=True).decode()
        return checked(after, "page_token", characters_max)
    # A token is opaque: whatever is wrong with it, only one sentence helps.
    except (ValueError, InvalidArgument):
        raise bad_page_token() from None


def after_number(token: str) -> int:
    """Return the id of the item after which a token continues; 0 for none."""
    after = after_of(token)
    # A concept's name in base64 is a valid token of another list.
    if after and not _NUMBER.fullmatch(after):
        raise bad_page_token()
    return int(after or 0)


def after_numbers(token: str) -> tuple[int, int] | None:
    """Return the two numbers after which a token continues; None for none."""
    first, second = after_pair(token)
    if not first:
        return None
    # Digits only: `int` reads " 1_0" as well.
    if not (_NUMBER.fullmatch(first) and _NUMBER.fullmatch(second)):
        raise bad_page_token()
    return int(first), int(second)


def pair_token(first: str, second: str) -> str:
    """Return the page token that continues a list after an item with a two-part key."""
    # JSON, since names may hold any separator.
    return page_token(json.dumps([first, second]))


def after_pair(token: str) -> tuple[str, str]:
    """Return the two-part key after which a token continues; empty for none."""
    after = after_of(token, PAIR_CHARACTERS_MAX)
    if not after:
        return "", ""
    try:
        match json.loads(after):
            # Written by a client: Postgres stores no NUL.
            case [str(first), str(second)] if "\0" not in first + second:
                return first, second
    except (ValueError, RecursionError):  # RecursionError: thousands of nested brackets
        pass
    raise bad_page_token()


def after_mark(token: str) -> HistoryMark:
    """Return the mark of the event after which a page of a history continues."""
    after = after_of(token)
    if not after:
        return HistoryMark()
    parts = after.split(" ")  # as `ConceptServicer.History` writes it
    if len(parts) != len(HistoryMark._fields) or not all(map(_NUMBER.fullmatch, parts)):
        raise bad_page_token()
    mark = HistoryMark(*map(int, parts))
    if mark.kind not in set(EventKind):  # a kind that this version does not know
        raise bad_page_token()
    return mark


def bad_page_token() -> InvalidArgument:
    """Return the error about a token that is not of this server."""
    return InvalidArgument(
        "page_token must be the next_page_token of the previous response",
        field="page_token",
    )
