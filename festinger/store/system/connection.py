"""Connection that asks the database for its built-in types once a process."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any, Final

import asyncpg

OIDS_FIXED: Final = 10_000
"""OIDs below it are those of built-in types, the same in every database and version."""

_known: dict[frozenset[int], Any] = {}
# It stands for a named statement: an unnamed one would have to be prepared again.
_NOTHING_ASKED: Final = SimpleNamespace(name="known")


class CachingConnection(asyncpg.Connection):
    """Connection that remembers how built-in types, such as `text[]`, are encoded.

    asyncpg asks for arrays on every connection, which took the database 25 ms each time:
    more than all other queries that load a small memory.
    """

    __slots__ = ()

    async def _introspect_types(self, typeoids: Iterable[int], *more: Any) -> Any:
        wanted = frozenset(typeoids)
        if wanted in _known:
            return _known[wanted], _NOTHING_ASKED
        # The stubs leave private methods out.
        asked: Any = super()
        types, statement = await asked._introspect_types(wanted, *more)
        if max(wanted) < OIDS_FIXED:
            _known[wanted] = types
        return types, statement
