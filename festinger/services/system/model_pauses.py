"""Pauses of models that are unavailable."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

PAUSE_SECONDS = 300.0
"""Seconds for which an unavailable model is not asked."""


class ModelPause(NamedTuple):
    """Pause of an unavailable model.

    Attributes:
        until: End of the pause in seconds since the epoch.
        why: The error that caused it.
    """

    model_id: int
    until: float
    why: str


class ModelPauses:
    """Pauses of unavailable models, at most one per tenant.

    Args:
        now: Returns the time in seconds since the epoch.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._pauses: dict[str, ModelPause] = {}

    def begin(self, tenant: str, model_id: int, why: str) -> None:
        """Pause a tenant's model, which failed."""
        self._pauses[tenant] = ModelPause(model_id, self._now() + PAUSE_SECONDS, why)

    def end(self, tenant: str) -> None:
        """End the pause of a tenant's model, if any."""
        self._pauses.pop(tenant, None)

    def why(self, tenant: str, model_id: int) -> str:
        """Return why a tenant's model is not asked at the moment; empty if it may be."""
        pause = self._pauses.get(tenant)
        # Another model, chosen in the meantime, need not rest.
        if pause and pause.model_id == model_id and self._now() < pause.until:
            return pause.why
        return ""
