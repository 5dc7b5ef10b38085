"""Tell "the rent's 950", which is "the rent is", from "the rent's rise"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from festinger.core.language.clausewords import IS_AFTER_NAME
from festinger.core.language.literals import (
    AMOUNTS,
    TIMES,
    LiteralKind,
    literal_kind,
)
from festinger.core.language.persons import is_person
from festinger.core.language.verbforms import ATTRIBUTES, POSTS

_HELD: Final = frozenset(noun for noun, shape in ATTRIBUTES.items() if shape & POSTS)
_VALUES: Final = TIMES | AMOUNTS
# "The men's 800", "Jo's 10k" and "Jo's 40th" are a race and a birthday.
_POSSESSED: Final = re.compile(r"\d+(?:k|km|m|st|nd|rd|th)|\d00")
_PLURAL_OWNERS: Final = frozenset(["men", "women", "children", "people"])


def means_is(name: str, behind: Sequence[str]) -> bool:
    """Return whether an `'s` means `is`.

    Args:
        name: Word before the `'s`, in lower case.
        behind: Words behind it, in lower case.
    """
    if not behind or behind[0] in IS_AFTER_NAME:
        return bool(behind)
    value = " ".join(behind[:-1] if behind[-1] == "now" else behind)
    # "Our landlord's Ben", but not "my sister's Honda".
    return _is_value(name, value) or (name in _HELD and is_person(value, ""))


def is_said_of_it(follower: str) -> bool:
    """Return whether "its" before a word means "it is": "its wednesdays now"."""
    return follower in IS_AFTER_NAME or literal_kind(follower) in _VALUES


def _is_value(name: str, value: str) -> bool:
    """Return whether all that follows a name is a value: "the rent's 950 now"."""
    return (
        literal_kind(value) in _VALUES - {LiteralKind.RELATIVE_DAY}
        and not _POSSESSED.fullmatch(value)
        and name not in _PLURAL_OWNERS
        # "Monday's 9:30" is a meeting of that day.
        and literal_kind(name) is LiteralKind.NONE
    )
