"""Projects as groups of postings, so that a search can prefer the lines of one."""

from __future__ import annotations

from festinger._fast.values import NO_GROUP
from festinger.core.system.principals import plain


class ProjectGroups:
    """Numbers of projects, which are equal in all spellings."""

    def __init__(self) -> None:
        # Lines without a project are a group that no search asks for.
        self._numbers = {"": 0}

    def add(self, project: str) -> int:
        """Return the number of a line's project; a new one if it has none."""
        return self._numbers.setdefault(plain(project), len(self._numbers))

    def find(self, project: str) -> int:
        """Return the number of a prompt's project; `NO_GROUP` if no line is of it."""
        return self._numbers.get(plain(project), NO_GROUP) if project else NO_GROUP
