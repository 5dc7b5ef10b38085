"""Creation of a tenant: its row, id blocks, settings, a model and six dimensions."""

from __future__ import annotations

from collections.abc import Set
from datetime import UTC, datetime

from festinger.core.system.preferences import Preferences
from festinger.errors import InvalidArgument
from festinger.store.system.pool import Connection, Pool
from festinger.store.system.queries import columns_of, sql
from festinger.store.system.tenancy import NAME, transaction

SEEDS = (
    ("type", "What kind of thing is this?", True),
    ("membership", "What system or project does this belong to?", False),
    ("runs-on", "What infrastructure hosts or executes this?", False),
    ("tech", "What technology stack is it built with?", False),
    ("owned-by", "Who is responsible for this?", False),
    ("geography", "Where is this spatially or organisationally located?", False),
)
"""The initial dimensions of every memory: token, question, is_isa."""
MODEL = "llama3.2"
"""Ollama's name of the initial model of every memory: a small one that is widely
installed. It is not used until it is chosen."""


async def add_tenant(pool: Pool, tenant: str, dictionary: Set[str]) -> bool:
    """Create a memory, unless the name exists.

    Returns:
        Whether it was created.

    Raises:
        InvalidArgument: The name is invalid.
    """
    if not NAME.fullmatch(tenant):
        raise InvalidArgument(
            f"{tenant[:80]!r} cannot be a tenant: write 1 to 63 small letters, digits "
            "or _ . - and begin with a letter or a digit",
            field="tenant",
        )
    async with transaction(pool, tenant) as connection:
        # The name exists: nothing of it is changed.
        if await connection.fetchval(sql("add_tenant"), tenant) is None:
            return False
        await connection.execute(sql("add_head"), tenant)
        await connection.execute(sql("add_id_blocks"), tenant)
        rows = Preferences().rows()
        await connection.execute(
            sql("seed_config"), tenant, list(rows), list(rows.values())
        )
        number = await connection.fetchval(sql("reserve"), tenant, "model", 1)
        await connection.execute(sql("seed_model"), tenant, number, MODEL)
        await _seed_dimensions(connection, tenant, dictionary)
    return True


async def _seed_dimensions(
    connection: Connection, tenant: str, dictionary: Set[str]
) -> None:
    tokens, questions, flavours = columns_of(SEEDS)
    first: int = await connection.fetchval(
        sql("reserve"), tenant, "concept", len(SEEDS)
    )
    ids = list(range(first, first + len(SEEDS)))
    # Some are everyday words, such as `type` (B4a).
    everyday = [token in dictionary for token in tokens]
    await connection.fetch(
        sql("add_concepts"), tenant, ids, tokens, everyday, [], [], []
    )
    await connection.execute(sql("seed_dimensions"), tenant, ids, questions, flavours)
    # Each dimension's tree ends in its own concept (C1).
    await connection.execute(sql("add_roots"), tenant, ids, flavours, datetime.now(UTC))
