"""Types of the compiled `naming`; `tests/oracle/naming.py` says what it does."""

from __future__ import annotations

from typing import Any, TypeVar

_Tuple = TypeVar("_Tuple", bound=tuple[Any, ...])

def filled(cls: type[_Tuple], fields: tuple[Any, ...]) -> _Tuple: ...
