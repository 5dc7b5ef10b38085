"""Filters of a search for lines."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from festinger.core.language.terms import terms
from festinger.core.system.principals import is_same

if TYPE_CHECKING:
    from festinger.core.lines.line import IndexedLine, LineKind


@dataclass(frozen=True, slots=True)
class LineFilter:
    """Conditions that must all hold; one that is None or empty admits any line.

    Attributes:
        kinds: Kinds of lines.
        project: Project in which it was said, in any spelling.
        speaker: Name of the speaker, in any spelling.
        about: Words that the line or the speaker's name must all contain.
        since: Earliest time at which it was said, in seconds since the epoch.
        allowed: Predicate that checks whether the searching principal may see a line.
        session: Session in which it was said.
    """

    kinds: Collection[LineKind] | None = None
    project: str | None = None
    speaker: str | None = None
    about: str | None = None
    since: float | None = None
    allowed: Callable[[IndexedLine], bool] | None = None
    session: str | None = None

    @property
    def is_open(self) -> bool:
        """True if every line is admitted."""
        # The index then reads no more matches than it returns (`search_text`).
        return not (
            self.kinds
            or self.project
            or self.speaker
            or self.about
            or self.since
            or self.allowed
            or self.session
        )

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


def _is_like(has: str, wanted: str | None) -> bool:
    return not wanted or is_same(has, wanted)


def _is_about(line: IndexedLine, about: str) -> bool:
    # The speaker counts as a word: "about nadia" finds what nadia said.
    has = {*terms(line.content), *terms(line.heading), *terms(line.speaker)}
    wanted = terms(about)
    # Words without a term, such as punctuation, admit nothing rather than everything.
    return bool(wanted) and has.issuperset(wanted)
