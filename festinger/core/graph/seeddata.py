"""Built-in data: predicates, and the spellings of values."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final


def _read() -> dict[str, Any]:
    text = (files("festinger.core.graph") / "predicates.toml").read_text(
        # Read once, at import: from the package, which may be a zip file.
        encoding="utf-8"
    )
    return tomllib.loads(text)


def _by_spelling(table: Mapping[str, Sequence[str]]) -> Mapping[str, str]:
    """Return the name for each spelling; a name is a spelling of itself."""
    # Read-only, since all memories share it.
    return MappingProxyType(
        {each: name for name, spellings in table.items() for each in (name, *spellings)}
    )


_DATA: Final = _read()

SEEDED: Final[Sequence[Mapping[str, Any]]] = tuple(_DATA["predicate"])
"""The tables of the predicates, in their order."""
ALIASES: Final = _by_spelling(_DATA["aliases"])
"""Canonical names by spelling: `pg` → `postgres`."""
UNITS: Final = _by_spelling(_DATA["units"])
CURRENCIES: Final = _by_spelling(_DATA["currencies"])
EMPTY_HEADS: Final = frozenset(_DATA["heads"]["empty"])
"""Nouns that carry no information as a classification."""
