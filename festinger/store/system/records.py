"""Values that reads of runs and models return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from festinger.core.system.models import Provider
from festinger.core.system.schedule import Schedule


class SealedKey(NamedTuple):
    """A sealed key and the model it belongs to."""

    model_id: int
    provider: Provider
    key: bytes


@dataclass(frozen=True, slots=True)
class TenantSchedule:
    """A tenant with a chosen model, and the state of its schedule.

    Attributes:
        since: Scheduled times up to this one are done or do not apply, in seconds
            since the epoch.
        unfinished: Whether a run is active in any process, or was abandoned.
    """

    tenant: str
    schedule: Schedule
    since: float
    unfinished: bool
