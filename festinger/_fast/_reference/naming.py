"""Construction of named tuples without their own __new__, in plain Python."""

from __future__ import annotations

from typing import Any, TypeVar

_Tuple = TypeVar("_Tuple", bound=tuple[Any, ...])


def filled(cls: type[_Tuple], fields: tuple[Any, ...]) -> _Tuple:
    """Return a named tuple of the given fields, which must be complete."""
    return tuple.__new__(cls, fields)
