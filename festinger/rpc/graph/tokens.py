"""Read the tokens that requests name."""

from __future__ import annotations

from festinger.core.graph.statement import to_token
from festinger.core.world.world import World


def held_token(world: World, name: str, field: str) -> str:
    """Return the token that a name of a request stands for.

    Args:
        world: The memory's world.
        field: Field of the request, for the error.

    Raises:
        NotATokenError: It is neither held nor one token.
    """
    # A project's noun, `catalog/staging`, and a value, `04:30 every night`, are no tokens.
    return name if world.id(name) is not None else to_token(name, field)


def optional_token(world: World, name: str, field: str) -> str:
    """Return the same, or an empty text for an empty name."""
    return held_token(world, name, field) if name else ""
