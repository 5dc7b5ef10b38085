"""SQL statements by name, from the files in the folder `sql`.

A file contains blocks that begin with `-- name: some_name`, one statement each.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path
from typing import Any

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
