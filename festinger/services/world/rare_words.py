"""Words that memories had met once when they were closed."""

from __future__ import annotations

import asyncio

from festinger.core.world.world import World

SELDOM_AT_A_TIME = 2_000
"""Words that are restored before control returns to the event loop."""


class SeldomWords:
    """Words that closed memories had met once, by tenant."""

    def __init__(self) -> None:
        # One text for each tenant takes a tenth of the space of objects.
        self._lines: dict[str, str] = {}

    def keep(self, tenant: str, world: World) -> None:
        """Keep the words of a world that is closed."""
        # Tokens have no spaces (B2), so that a space can stand between number and word.
        seldom = [f"{number} {token}" for number, token in world.seldom()]
        if seldom:
            self._lines[tenant] = "\n".join(seldom)

    async def give_back(self, tenant: str, world: World, *, now: float) -> None:
        """Restore the words in a world that is loaded again."""
        lines = self._lines.pop(tenant, "").splitlines()
        for start in range(0, len(lines), SELDOM_AT_A_TIME):
            pairs = [
                line.split(" ") for line in lines[start : start + SELDOM_AT_A_TIME]
            ]
            world.meet_again([(int(number), token) for number, token in pairs], now=now)
            await asyncio.sleep(0)
