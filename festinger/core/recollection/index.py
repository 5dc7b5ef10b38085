"""The lines of one memory, and finding those that share words with a prompt.

A line is a sentence that somebody said, or one that tells of an edge, a memory, an entity
or an item of trusted state. Lines of one turn have numbers in a row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, NamedTuple

from festinger import _fast
from festinger.core.language.audience import EVERYBODY, Audience
from festinger.core.language.marks import UNMARKED, Mark
from festinger.core.language.terms import terms

HEADING_WEIGHT: Final = 0.3
"""How much a word of a list's heading counts for each of its items."""
PROJECT_BONUS: Final = 2.0
"""What a line of the prompt's project is worth when candidates are chosen."""
CANDIDATES_MAX: Final = 64
"""Lines that are weighed for one prompt."""


class LineKind(StrEnum):
    """Where a line comes from."""

    UTTERANCE = "utterance"
    STATEMENT = "statement"
    """An edge of the graph."""
    MEMORY = "memory"
    ENTITY = "entity"
    STATE = "state"
    """Trusted state of a project."""


@dataclass(frozen=True, slots=True)
class IndexedLine:
    """A line that can be told.

    Attributes:
        number: Its place in the index.
        kind: Where it comes from.
        key: Names its source within the kind; of an utterance the turn's id.
        text: As it was said, or as it is told.
        heading: What introduces the list that it is an item of; may be empty.
        ordinal: Which utterance of its turn it is.
        speaker: Who said it; empty for what nobody said.
        project: Where it was said; empty for nowhere in particular.
        said: When, in seconds since the epoch.
        marks: What it is like.
        audience: Who may be told.
        digest: Of the turn's text and speaker; empty for what nobody said.
        answers: What it confirms.
        confirmed: Whether a person confirmed an instruction for everybody.
    """

    number: int
    kind: LineKind
    key: Hashable
    text: str
    heading: str = ""
    ordinal: int = 0
    speaker: str = ""
    project: str = ""
    said: float = 0.0
    marks: Mark = UNMARKED
    audience: Audience = EVERYBODY
    digest: bytes = b""
    answers: str = ""
    confirmed: bool = False

    @property
    def content(self) -> str:
        """All of its words, those of the list's heading apart."""
        return f"{self.answers} {self.text}" if self.answers else self.text


class Match(NamedTuple):
    """A line that shares terms with a query.

    Attributes:
        score: BM25 of the line's own terms.
        shared: The terms that it has: bit `i` for the query's term `i`.
        around: The terms that its source has, its own among them.
    """

    line: IndexedLine
    score: float
    shared: int
    around: int = 0


@dataclass(slots=True)
class LineIndex:
    """The lines of one memory. Only one thread may touch it."""

    _postings: _fast.Postings = field(default_factory=_fast.Postings)
    _lines: list[IndexedLine | None] = field(default_factory=list)
    _sources: dict[tuple[LineKind, Hashable], list[int]] = field(default_factory=dict)
    _groups: dict[str, int] = field(default_factory=lambda: {"": 0})
    _speakers: Counter[str] = field(default_factory=Counter)
    newest_turn: int = 0
    """The largest number of a turn that was ever put in."""

    def __len__(self) -> int:
        return self._postings.open

    @property
    def nbytes(self) -> int:
        """Bytes that the index itself takes, the lines' texts apart."""
        return self._postings.nbytes

    @property
    def speakers(self) -> Iterable[str]:
        """Who said anything that is here."""
        return self._speakers.keys()

    def put(self, kind: LineKind, key: Hashable, lines: Iterable[IndexedLine]) -> None:
        """Put the lines of a source in, in place of those that it had.

        Args:
            kind: Of the source.
            key: Names it within the kind.
            lines: Their numbers are given out here.
        """
        self.remove(kind, key)
        numbers = []
        for line in lines:
            counts: Counter[str] = Counter(terms(line.content))
            weighed: dict[str, float] = dict(counts)
            if line.heading:
                for term in terms(line.heading):
                    weighed.setdefault(term, HEADING_WEIGHT)
            group = self._groups.setdefault(line.project.casefold(), len(self._groups))
            number = self._postings.add(weighed.items(), group)
            self._lines.append(replace(line, number=number))
            numbers.append(number)
            if line.speaker:
                self._speakers[line.speaker] += 1
        if numbers:
            self._sources[kind, key] = numbers
        if kind is LineKind.UTTERANCE and isinstance(key, int):
            self.newest_turn = max(self.newest_turn, key)

    def remove(self, kind: LineKind, key: Hashable) -> None:
        """Take out the lines of a source, if it has any."""
        for number in self._sources.pop((kind, key), ()):
            line = self._lines[number]
            if line is None:
                continue
            words = {*terms(line.content), *terms(line.heading)}
            self._postings.close(number, words)
            self._lines[number] = None
            if line.speaker:
                self._speakers -= Counter({line.speaker: 1})

    @property
    def texts(self) -> dict[tuple[LineKind, Hashable, int], str]:
        """Every line's text, by its source and place in that."""
        return {(it.kind, it.key, it.ordinal): it.text for it in self.recent()}

    def lines_of(self, kind: LineKind, key: Hashable) -> list[IndexedLine]:
        """Return the lines of a source in their order."""
        found = (self._lines[number] for number in self._sources.get((kind, key), ()))
        return [line for line in found if line is not None]

    def recent(self) -> Iterator[IndexedLine]:
        """Yield all lines, the newest first."""
        for line in reversed(self._lines):
            if line is not None:
                yield line

    def age_of(self, line: IndexedLine) -> int:
        """Return how many lines came after it."""
        return len(self._lines) - 1 - line.number

    def frequency(self, term: str) -> int:
        """Return how many lines have a term."""
        return self._postings.frequency(term)

    def search(
        self,
        wanted: Sequence[tuple[str, float]],
        project: str,
        most: int = CANDIDATES_MAX,
        *,
        around: bool = False,
    ) -> list[Match]:
        """Return the lines that share most with a query, the best first.

        Args:
            wanted: The query's terms and their weights.
            project: Lines of it are preferred; may be empty.
            most: How many lines, at most.
            around: Whether to tell what the lines' sources have, too.
        """
        group = self._groups.get(project.casefold(), -2) if project else -2
        found = self._postings.search(wanted, group, PROJECT_BONUS, most)
        return [
            Match(
                line,
                score,
                shared,
                self._postings.matched(self._sources[line.kind, line.key])
                if around
                else 0,
            )
            for number, score, shared in found
            if (line := self._lines[number]) is not None
        ]
