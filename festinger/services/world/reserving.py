"""Numbers that are reserved ahead, so that a prompt waits for no query."""

from __future__ import annotations

from festinger.core.world.world import World
from festinger.store.postgres import PostgresStore

# A restart leaves the rest of a block unused.
CONCEPTS_RESERVED = 2_000
"""Numbers of concepts reserved at a time: four times what one prompt can bring (B5a)."""
LEDGER_RESERVED = 1_000
"""Numbers of ledger rows reserved at a time."""


async def reserve(
    store: PostgresStore, tenant: str, world: World, statements: int = 0
) -> None:
    """Reserve enough numbers for prompts, and for a number of statements.

    Raises:
        DatabaseUnavailable: The numbers cannot be reserved now.
    """
    # Refilled at half; a statement brings three concepts at most: concept, parent, dimension.
    if len(world.concept_ids) < 3 * statements + CONCEPTS_RESERVED // 2:
        count = 3 * statements + CONCEPTS_RESERVED
        world.concept_ids.add(await store.reserve(tenant, "concept", count))
    if len(world.ledger_ids) < statements:
        count = statements + LEDGER_RESERVED
        world.ledger_ids.add(await store.reserve(tenant, "assertion", count))
