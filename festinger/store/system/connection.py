"""Connection that knows what it waits for, and asks for built-in types once a process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
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

    Attributes:
        awaited: A new object for each statement, while it is not answered; else None.
    """

    __slots__ = ("awaited",)

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.awaited: object | None = None

    def abandon(self) -> None:
        """Close the socket; a statement fails as if the database had closed it."""
        # The stubs leave private attributes out.
        connection: Any = self
        # `terminate` would break a statement that is between two round trips.
        connection._transport.abort()

    async def execute(self, query: str, *arguments: Any, **keywords: Any) -> str:
        """Execute a statement, or several without arguments; return the last status."""
        with self._awaiting():
            return await super().execute(query, *arguments, **keywords)

    async def _execute(self, *arguments: Any, **keywords: Any) -> Any:
        asked: Any = super()
        with self._awaiting():
            return await asked._execute(*arguments, **keywords)

    async def _executemany(self, *arguments: Any, **keywords: Any) -> Any:
        asked: Any = super()
        with self._awaiting():
            return await asked._executemany(*arguments, **keywords)

    @contextmanager
    def _awaiting(self) -> Iterator[None]:
        # A new object each time: its identity tells one statement from the next.
        self.awaited = object()
        try:
            yield
        finally:
            self.awaited = None

    async def _introspect_types(self, typeoids: Iterable[int], *more: Any) -> Any:
        # asyncpg asks for array types on every connection, which took the database 25 ms each
        # time: more than all other queries that load a small memory.
        wanted = frozenset(typeoids)
        if wanted in _known:
            return _known[wanted], _NOTHING_ASKED
        # The stubs leave private methods out.
        asked: Any = super()
        types, statement = await asked._introspect_types(wanted, *more)
        # Types of extensions and users have other OIDs in another database.
        if max(wanted) < OIDS_FIXED:
            _known[wanted] = types
        return types, statement
