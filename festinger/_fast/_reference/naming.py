"""Named tuples, made as their own __new__ does it in the end, in plain Python."""

from __future__ import annotations

from typing import Any, TypeVar

_Tuple = TypeVar("_Tuple", bound=tuple[Any, ...])


def filled(cls: type[_Tuple], fields: tuple[Any, ...]) -> _Tuple:
    """Return a named tuple of some fields, which must be all that it has."""
    return tuple.__new__(cls, fields)
