"""What runs and models are read as."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from festinger.core.system.models import Provider
from festinger.core.system.schedule import Schedule


class Sealed(NamedTuple):
    """A key as it is kept, and whose it is."""

    model_id: int
    provider: Provider
    key: bytes


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A memory for which a model is chosen.

    Attributes:
        since: Moments of the schedule until then are done with, or were never meant; in
            seconds since the epoch.
        unfinished: Whether a run is under way, here or elsewhere, or was left.
    """

    tenant: str
    schedule: Schedule
    since: float
    unfinished: bool
