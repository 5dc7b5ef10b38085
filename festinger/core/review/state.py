"""A project's trusted state (L3): small, curated, and written by people alone.

Nothing here knows claims: no way leads from one to this but through a person's hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

NAME_CHARACTERS_MAX = 200
"""Of a project and of a key."""
VALUE_CHARACTERS_MAX = 4000
EARLIER_MAX = 20
"""What an item was before that is told; the rest stays in its history."""


@dataclass(frozen=True, slots=True)
class StateItem:
    """What holds of a project, in the words of whoever wrote it.

    Attributes:
        value: Empty once it was removed.
        updated_at: Seconds since the epoch.
        earlier: What it was before, the last few times, oldest first.
    """

    project: str
    key: str
    value: str
    principal: str
    version: int = 1
    updated_at: float = 0.0
    earlier: Sequence[str] = ()

    @property
    def etag(self) -> str:
        """Changes with every change of the item."""
        return str(self.version)
