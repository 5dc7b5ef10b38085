"""Trusted state of a project (L3): small, curated, and written by people alone.

This module does not refer to records: a record becomes trusted state only if a person
writes it there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

NAME_CHARACTERS_MAX = 200
"""Maximum length of a project's name and of a key."""
VALUE_CHARACTERS_MAX = 4000
EARLIER_MAX = 20
"""Maximum number of earlier values to return; the rest stays in the history."""


@dataclass(frozen=True, slots=True)
class StateItem:
    """Item of a project's trusted state, as its author wrote it.

    Attributes:
        value: Empty if the item was removed.
        earlier: The last few earlier values, oldest first.
    """

    project: str
    key: str
    value: str
    principal: str
    version: int = 1  # increases with each change, a removal included
    updated_at: float = 0.0
    earlier: Sequence[str] = ()

    @property
    def etag(self) -> str:
        """The entity tag, which every change of the item alters."""
        # One item has one row, so that the version alone tells its states apart.
        return str(self.version)
