"""Statements of one transaction that are sent together, to save round trips."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, TypeAlias

from festinger.store.system.pool import Connection
from festinger.store.system.queries import sql

Check: TypeAlias = Callable[[Sequence[Any]], Awaitable[None]]

_PARAMETER = re.compile(r"\$(\d+)")  # such as `$2`
# Matches `select …`, also behind comments, and `insert … returning id`.
_RETURNS = re.compile(r"\A(?:--.*\n)*select\b|\sreturning\s")
# What asyncpg sends under these names has to follow what is kept back.
_SENT_AT_ONCE = frozenset({"fetch", "fetchrow", "fetchval", "execute", "executemany"})


@dataclass(frozen=True, slots=True)
class _WithheldStatement:
    """A statement that is kept back.

    Attributes:
        arguments: Its arguments after the tenant.
        values: What it returns, once it was sent.
        check: Called with these values.
    """

    name: str
    arguments: Sequence[object]
    check: Check | None
    values: list[Any] = field(default_factory=list)


@cache
def _returns(name: str) -> bool:
    """Return whether a named statement returns something."""
    return _RETURNS.search(sql(name)) is not None


@lru_cache(maxsize=200)
def _joined(parts: tuple[tuple[str, int], ...]) -> str:
    """Return statements as one; cached, as the same ones follow each other again.

    Args:
        parts: Each statement's name, and the number of arguments before its own.
    """

    def expression(name: str, before: int) -> str:
        """Return a statement as a common table expression."""

        def number(found: re.Match[str]) -> str:
            """Return the parameter's number in the joined statement."""
            # All statements share the first argument, the tenant.
            return found[0] if found[1] == "1" else f"${int(found[1]) + before}"

        return f"{name} as (\n{_PARAMETER.sub(number, sql(name))}\n)"

    expressions = ", ".join(expression(*part) for part in parts)
    # Each result is an array in a column of its own, since their lengths differ.
    results = [f"array(table {name}) as {name}" for name, _ in parts if _returns(name)]
    return f"with {expressions}\nselect {', '.join(results)}"


class JoiningConnection:
    """Connection in a transaction of a tenant that can keep statements back.

    These are sent as one statement, in which each is a common table expression with
    its name: they read the database as of before all of them, run in no order, and
    have their foreign keys checked at the end. So they must change different rows.

    Any other statement of the connection sends first what is kept back.
    """

    def __init__(self, connection: Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant
        self._queued: dict[str, _WithheldStatement] = {}

    async def later(
        self, name: str, *arguments: object, check: Check | None = None
    ) -> Sequence[Any]:
        """Keep a named statement back, whose first argument is the tenant.

        It contains no common table expression, and returns one column or nothing.

        Args:
            arguments: Its other arguments.
            check: Called with what it returned.

        Returns:
            A sequence that gets what it returns, once it is sent.
        """
        # A name can stand only once in a statement.
        if name in self._queued:
            await self.flush()
        each = self._queued[name] = _WithheldStatement(name, arguments, check)
        return each.values

    async def flush(self) -> None:
        """Send what is kept back."""
        queued = list(self._queued.values())
        # Emptied before it is sent, since a check may send a statement, which flushes again.
        self._queued.clear()
        if not queued:
            return
        arguments: list[object] = []
        parts = []
        for each in queued:
            # A statement's own arguments begin at `$2` plus those of the statements before it.
            parts.append((each.name, len(arguments)))
            arguments += each.arguments
        text = _joined(tuple(parts))
        row = await self._connection.fetchrow(text, self._tenant, *arguments)
        for each in filter(lambda it: _returns(it.name), queued):
            each.values.extend(row[each.name] if row else ())
            if each.check:
                await each.check(each.values)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the connection; its statements flush first."""
        found = getattr(self._connection, name)
        if name not in _SENT_AT_ONCE:
            return found

        async def send(*arguments: object, **keywords: object) -> Any:
            """Send the waiting statements first, then this one."""
            await self.flush()
            return await found(*arguments, **keywords)

        return send
