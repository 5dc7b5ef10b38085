"""The kinds of values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

VALUE_CHARACTERS_MAX: Final = 120
"""Characters of a value's token; what is longer is no value."""


class ValueKind(StrEnum):
    """What a value is. All but a name are literals: no concept of a prompt is one."""

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
        kind: What it is.
        token: What is stored and compared. Example: `1200 USD`, `postgres_14`.
        text: What was said, without what does not matter. Example: `$1,200`, `PG 14`.
    """

    kind: ValueKind
    token: str
    text: str

    @property
    def is_literal(self) -> bool:
        """Whether it is no name, so that it is never a concept by itself."""
        return self.kind is not ValueKind.NAME

    @property
    def is_measure(self) -> bool:
        """Whether it is a number, an amount or a moment, which has nothing of its own."""
        return self.kind in _MEASURES


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
