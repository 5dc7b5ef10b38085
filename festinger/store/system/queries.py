"""SQL statements by name, from the files in the folder `sql`, and values of their rows.

A file contains blocks that begin with `-- name: some_name`, one statement each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from enum import Enum
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, TypeAlias, TypeVar, cast, get_args, get_origin, get_type_hints

import asyncpg

_FOLDER = Path(__file__).parents[1] / "sql"
_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)  # such as `-- name: take_lease`


@cache
def _all() -> dict[str, str]:
    queries: dict[str, str] = {}
    for file in sorted(_FOLDER.glob("*.sql")):
        # The text in front of the first name is about the file.
        _, *parts = _NAME.split(file.read_text(encoding="utf-8"))
        for name, text in zip(parts[::2], parts[1::2], strict=True):
            if name in queries:
                raise ValueError(f"two queries are named {name}")
            # Without the semicolon, as `joining` puts statements into others.
            queries[name] = text.strip().rstrip(";")
    return queries


def sql(name: str) -> str:
    """Return the statement of that name, or raise `KeyError`."""
    return _all()[name]


def fields_of(value: Any, names: str) -> list[Any]:
    """Return attributes of a value as arguments of a statement: `"id kind text"`."""
    return [getattr(value, name) for name in names.split()]


def arrays_of(values: Collection[Any], names: str) -> list[list[Any]]:
    """Return attributes of values as arrays for `unnest`, one an attribute."""
    return [[getattr(each, name) for each in values] for name in names.split()]


def columns_of(rows: Iterable[Iterable[Any]]) -> list[list[Any]]:
    """Return rows as arrays for `unnest`, one a column; an empty list if there are none."""
    return [list(column) for column in zip(*rows, strict=True)]


_Value = TypeVar("_Value")

Convert: TypeAlias = Callable[[Any], Any]
Row: TypeAlias = asyncpg.Record | Mapping[str, Any]
"""A row, as the driver or as JSON has it."""

# An attribute that may not be None has a value of its class that stands for none.
_SCALARS = (bool, bytes, float, int, str, tuple)


def value_of(kind: type[_Value], row: Row, /, **given: Any) -> _Value:
    """Convert a row to a dataclass, column by column.

        value_of(Memory, row)

    An attribute takes the column of its name. `created` takes `created_at`, if there is
    no such column, and `statements` takes `statement_count`. A NULL becomes what stands
    for none: an empty text or 0, or None for attributes that may be None.

    Args:
        kind: The dataclass.
        row: The row. It may have further columns.
        given: Attributes that take something else than the column of their name.

    Raises:
        KeyError: An attribute is neither given nor a column.
    """
    # By the columns: a class may have several queries.
    steps = _steps(cast("Any", kind), tuple(row.keys()), frozenset(given))
    for attribute, column, none, convert in steps:
        value = row[column]
        if value is None:
            value = none
        elif convert:
            value = convert(value)
        given[attribute] = value
    return kind(**given)


# Cached: annotations are looked at once for each query, and not for each row.
@cache
def _steps(
    kind: Any, columns: tuple[str, ...], given: frozenset[str]
) -> list[tuple[str, str, Any, Convert | None]]:
    return [
        (attribute, _column(attribute, columns), *_conversion(hint))
        for attribute, hint in get_type_hints(kind).items()
        if attribute not in given
    ]


def _column(attribute: str, columns: tuple[str, ...]) -> str:
    names = (attribute, f"{attribute}_at", f"{attribute.removesuffix('s')}_count")
    found = next((name for name in names if name in columns), None)
    if found is None:
        raise KeyError(f"there is no column for {attribute} in {', '.join(columns)}")
    return found


def _conversion(hint: Any) -> tuple[Any, Convert | None]:
    """Return what a NULL becomes, and the conversion of other values; None for none."""
    if get_origin(hint) is UnionType:  # such as `float | None`
        kind, _ = get_args(hint)
        return None, _conversion(kind)[1]
    kind = get_origin(hint) or hint
    convert = (
        _seconds if kind is float else kind if issubclass(kind, Enum | tuple) else None
    )
    return (kind() if kind in _SCALARS else None), convert


def _seconds(value: Any) -> Any:
    return value.timestamp() if isinstance(value, datetime) else value
