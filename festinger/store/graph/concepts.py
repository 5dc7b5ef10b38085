"""Writes of concepts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from festinger.store.system.queries import sql
from festinger.store.world.batches import RaceLost

if TYPE_CHECKING:
    from festinger.store.system.pool import Connection


async def add_concepts(
    connection: Connection,
    tenant: str,
    concepts: dict[int, str],
    dictionary: Collection[str],
    *,
    placed: Collection[int] = (),
    counted: Mapping[int, tuple[int, float]] = MappingProxyType({}),
) -> set[int]:
    """Add the rows of concepts that have none.

    Args:
        placed: The concepts that have a fact in this transaction.
        counted: The number of encounters of some concepts, and the time of the last
            one in seconds since the epoch.

    Returns:
        The numbers of the concepts whose rows were added.

    Raises:
        RaceLost: Another server has added some tokens under another number.
    """
    if not concepts:
        return set()
    tokens = list(concepts.values())
    everyday = [token in dictionary for token in tokens]
    counts = [counted.get(number, (0, None)) for number in concepts]
    rows = await connection.fetch(
        sql("add_concepts"),
        tenant,
        list(concepts),
        tokens,
        everyday,
        list(placed),
        *map(list, zip(*counts, strict=True)),
    )
    written = {row["id"] for row in rows}
    missing = [token for number, token in concepts.items() if number not in written]
    if missing:
        found = await connection.fetch(sql("find_concepts"), tenant, missing)
        moved = {row["token"]: row["id"] for row in found}
        if any(concepts.get(number) != token for token, number in moved.items()):
            raise RaceLost(concepts=moved)
    return written
