"""Writes of concepts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from festinger.store.system.pool import Connection
from festinger.store.system.queries import columns_of, sql
from festinger.store.system.statement_batch import JoiningConnection
from festinger.store.world.batches import RaceLost


async def add_concepts(
    connection: JoiningConnection,
    tenant: str,
    concepts: dict[int, str],
    dictionary: Collection[str],
    *,
    placed: Collection[int] = (),
    counted: Mapping[int, tuple[int, float]] = MappingProxyType({}),
) -> Sequence[int]:
    """Add the rows of concepts that have none, with the next statement.

    Args:
        placed: The concepts that have a fact in this transaction.
        counted: The number of encounters of some concepts, and the time of the last
            one in seconds since the epoch.

    Returns:
        A sequence that gets the numbers of the concepts whose rows were added.

    Raises:
        RaceLost: Another server has added some tokens under another number. It is
            raised as the statement is sent.
    """
    if not concepts:
        return ()
    tokens = list(concepts.values())
    everyday = [token in dictionary for token in tokens]
    # Without encounters there is no last time.
    counts = [counted.get(number, (0, None)) for number in concepts]

    async def check(added: Sequence[int]) -> None:
        """Raise RaceLost if another server used a number."""
        # A row that was there is not returned. It is ours if the number is: a flush of counters
        # may have written it first.
        missing = concepts.keys() - set(added)
        if missing:
            tokens = [concepts[number] for number in missing]
            found = await numbers(connection, tenant, tokens)
            if any(concepts.get(number) != token for token, number in found.items()):
                raise RaceLost(concepts=found)

    # Kept back: it is sent with the next statements of the batch.
    return await connection.later(
        "add_concepts",
        list(concepts),
        tokens,
        everyday,
        list(placed),
        *columns_of(counts),
        check=check,
    )


async def numbers(
    connection: Connection | JoiningConnection, tenant: str, tokens: Collection[str]
) -> dict[str, int]:
    """Return the numbers of those of some tokens that have a row."""
    found = await connection.fetch(sql("find_concepts"), tenant, list(tokens))
    return {row["token"]: row["id"] for row in found}
