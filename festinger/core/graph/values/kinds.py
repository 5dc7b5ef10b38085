"""The kinds of values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

VALUE_CHARACTERS_MAX: Final = 120
"""Maximum number of characters of a value's token."""


class ValueKind(StrEnum):
    """Kind of a value. All but names are literals, which are never concepts."""

    NAME = "name"
    NUMBER = "number"
    VERSION = "version"
    DATE = "date"
    WEEKDAY = "weekday"
    TIME = "time"
    MONEY = "money"
    PERCENT = "percent"
    URL = "url"
    PATH = "path"
    EMAIL = "email"
    PHRASE = "phrase"


@dataclass(frozen=True, slots=True)
class Value:
    """A value in its canonical form.

    Attributes:
        token: Form that is stored and compared. Example: `1200 USD`, `postgres_14`.
        text: Text as it was said, cleaned. Example: `$1,200`, `PG 14`.
    """

    kind: ValueKind
    token: str
    text: str

    @property
    def is_measure(self) -> bool:
        """True if it is a number, an amount or a moment, which has no attributes."""
        return self.kind in _MEASURES


# What has no attributes: "price of 20 EUR" describes another subject.
_MEASURES: Final = frozenset(
    [
        ValueKind.NUMBER,
        ValueKind.VERSION,
        ValueKind.DATE,
        ValueKind.WEEKDAY,
        ValueKind.TIME,
        ValueKind.MONEY,
        ValueKind.PERCENT,
    ]
)
