"""Complete a new value with the parts of the old one that people leave out."""

from __future__ import annotations

import re
from typing import Final

from festinger.core.graph.values.canonical import canonical
from festinger.core.graph.values.kinds import ValueKind
from festinger.errors import NotAValueError

_TIME_OF_DAY: Final = re.compile(r" ?\d\d:\d\d.*$")
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_DAYS: Final = (ValueKind.WEEKDAY, ValueKind.DATE)
_AMOUNTS: Final = (ValueKind.NUMBER, ValueKind.MONEY, ValueKind.PERCENT)


def completed(held: str, said: str) -> str:
    """Return a value that changes a held one, with what both have in common.

    `19:00` completes to `Wednesday 19:00` where `Wednesday 18:30` is held, `Thursday`
    to `Thursday 18:30` where `18:30` is, and `6500` to `6500 EUR` where `8000 EUR` is.
    """
    before, after = _kind(held), _kind(said)
    # "Training starts at 19:00 now": on the same day as before.
    if after is ValueKind.TIME and before in _DAYS:
        return f"{_TIME_OF_DAY.sub('', held)} {said}"
    # "Rehearsal moved to Thursday": nobody said another time. A day that had one of its
    # own is another thing: that time may go with it.
    if after in _DAYS and before is ValueKind.TIME and not _TIME_OF_DAY.search(said):
        return f"{said} {held}"
    if _NUMBER.fullmatch(said) and (unit := unit_of(held)):
        return f"{said}{unit}"
    return said


def unit_of(value: str) -> str:
    """Return the unit of an amount with the blank before it; empty for none."""
    number = _NUMBER.match(value)
    if number is None or _kind(value) not in _AMOUNTS:
        return ""
    return value[number.end() :]


def _kind(value: str) -> ValueKind | None:
    try:
        return canonical(value).kind
    except NotAValueError:
        return None
