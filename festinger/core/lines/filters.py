"""Filters of a search for lines."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from festinger.core.language.terms import terms
from festinger.core.lines.line import IndexedLine, LineKind
from festinger.core.system.principals import is_same


@dataclass(frozen=True, slots=True)
class LineFilter:
    """Conditions that must all hold; an empty one admits any line.

    Attributes:
        project: Project in which it was said, in any spelling.
        speaker: Name of the speaker, in any spelling.
        about: Words that the line or the speaker's name must all contain.
        since: Earliest time at which it was said, in seconds since the epoch.
        allowed: Predicate that checks whether the searching principal may see a line.
        session: Session in which it was said.
    """

    kinds: Collection[LineKind] = ()
    project: str = ""
    speaker: str = ""
    about: str = ""
    since: float = 0.0
    allowed: Callable[[IndexedLine], bool] | None = None
    session: str = ""

    def admits(self, line: IndexedLine) -> bool:
        """Return whether a line satisfies all conditions."""
        return (
            (not self.kinds or line.kind in self.kinds)
            and _is_like(line.project, self.project)
            and _is_like(line.speaker, self.speaker)
            and (not self.since or line.said >= self.since)
            and (not self.about or _is_about(line, self.about))
            and (self.allowed is None or self.allowed(line))
            and (not self.session or line.session == self.session)
        )


ANY_LINE: Final = LineFilter()


def _is_like(has: str, wanted: str) -> bool:
    return not wanted or is_same(has, wanted)


def _is_about(line: IndexedLine, about: str) -> bool:
    # The speaker counts as a word: "about nadia" finds what nadia said.
    has = line.terms.union(terms(line.speaker))
    wanted = terms(about)
    # Words without a term, such as punctuation, admit nothing rather than everything.
    return bool(wanted) and has.issuperset(wanted)
