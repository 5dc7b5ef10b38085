"""The lines of one memory, and finding those that share words with a prompt.

A line is a sentence that somebody said, or one that tells of an edge, a memory, an entity
or an item of trusted state. Lines of one turn have numbers in a row.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from heapq import merge
from itertools import islice
from math import log
from typing import TYPE_CHECKING, Final, NamedTuple

from festinger import _fast
from festinger._fast.values import POSTINGS_READ_MAX
from festinger.core.language.audience import EVERYBODY, LineAudience
from festinger.core.language.marks import UNMARKED, SentenceMark
from festinger.core.language.terms import terms
from festinger.core.lines.filters import ANY_LINE, LineFilter

if TYPE_CHECKING:
    from festinger.core.graph.origins import StatementOrigin
    from festinger.core.lines.memorylines import MemoryLines
    from festinger.core.lines.originlines import OriginLines
    from festinger.core.lines.statements import StatementLines

HEADING_WEIGHT: Final = 0.3
"""How much a word of a list's heading counts for each of its items."""
PROJECT_BONUS: Final = 2.0
"""What a line of the prompt's project is worth when candidates are chosen."""
CANDIDATES_MAX: Final = 40
"""Sentences that are weighed for one prompt."""
STATEMENTS_WEIGHED: Final = 24
"""Statements that are weighed for one prompt: so many that were read from words, and so
many others."""
MEMORIES_WEIGHED: Final = 16
"""Memories about whoever asks that are weighed for one prompt."""
COUNTED_MIN: Final = 1_000
"""Among how many lines a word of a statement or memory is rare, at least: in a young
memory each name would look common."""


class LineKind(StrEnum):
    """Where a line comes from."""

    UTTERANCE = "utterance"
    STATEMENT = "statement"
    """An edge of the graph."""
    MEMORY = "memory"
    ENTITY = "entity"
    STATE = "state"
    """Trusted state of a project."""


FACT_KINDS: Final = frozenset([LineKind.STATEMENT, LineKind.MEMORY])
"""What is told as it is known today, and not as somebody said it on a day."""


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
        session: In which conversation it was said; may be empty.
        confirmed: Whether a person confirmed an instruction for everybody.
        subject: Whom it is about, whose agents alone are told; empty for nobody.
        is_scoped: Whether it holds in its project only.
        origin: The words that a statement was read from; None for any other line.
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
    marks: SentenceMark = UNMARKED
    audience: LineAudience = EVERYBODY
    digest: bytes = b""
    answers: str = ""
    session: str = ""
    confirmed: bool = False
    subject: str = ""
    is_scoped: bool = False
    origin: StatementOrigin | None = None

    @property
    def is_fact(self) -> bool:
        """Whether it is told as it is known today, and not as said on a day."""
        return self.kind in FACT_KINDS and self.origin is None

    @property
    def content(self) -> str:
        """All of its words, those of the list's heading apart."""
        return f"{self.answers} {self.text}" if self.answers else self.text


class LineMatch(NamedTuple):
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
    """The lines of one memory. Only one thread may touch it.

    Attributes:
        statements: The lines of the graph's statements, if there is a graph; of those
            that nobody's words are known for.
        read: The lines of the others.
        memories: The lines of the memories about people, if any are kept.
        newest_turn: The largest number of a turn that was ever put in.
    """

    statements: StatementLines | None = None
    read: OriginLines | None = None
    memories: MemoryLines | None = None
    newest_turn: int = 0
    _postings: _fast.Postings = field(default_factory=_fast.Postings)
    _lines: list[IndexedLine | None] = field(default_factory=list)
    _times: array[float] = field(default_factory=lambda: array("d"))
    """Of the lines that people said, each at least that of the one before."""
    _sources: dict[tuple[LineKind, Hashable], list[int]] = field(default_factory=dict)
    _turns: dict[bytes, int] = field(default_factory=dict)
    """By the digest of its text, the turn that has it; of several, the newest."""
    _groups: dict[str, int] = field(default_factory=lambda: {"": 0})
    _speakers: Counter[str] = field(default_factory=Counter)

    def __len__(self) -> int:
        return self.kept + sum(map(len, self._others))

    @property
    def kept(self) -> int:
        """How many lines are put in here, statements and memories of people apart."""
        return self._postings.open

    @property
    def counted(self) -> int:
        """Among how many lines it is told how rare a term is."""
        said = max(self.kept, len(self.read) if self.read else 0)
        return said + (self.statements.counted if self.statements else 0)

    @property
    def nbytes(self) -> int:
        """Bytes that the index itself takes, the lines' texts apart."""
        return self._postings.nbytes + sum(it.nbytes for it in self._others)

    @property
    def speakers(self) -> Iterable[str]:
        """People who said anything that is here."""
        return self._speakers.keys()

    @property
    def texts(self) -> dict[tuple[LineKind, Hashable, int], str]:
        """The text of every line that is put in here, by its source and place in that."""
        lines = (it for it in self._lines if it is not None)
        return {(it.kind, it.key, it.ordinal): it.text for it in lines}

    def put(self, kind: LineKind, key: Hashable, lines: Iterable[IndexedLine]) -> None:
        """Put the lines of a source in, in place of those that it had.

        Args:
            kind: Of the source: no statement, and no memory.
            key: Names it within the kind.
            lines: Their numbers are given out here.
        """
        lines = list(lines)
        if self._marked_anew(kind, key, lines):
            return
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
            if kind is LineKind.UTTERANCE:
                last = self._times[-1] if self._times else 0.0
                self._times.append(max(last, line.said))
                if line.digest and isinstance(key, int):
                    self._turns[line.digest] = key
        if numbers:
            self._sources[kind, key] = numbers
        if kind is LineKind.UTTERANCE and isinstance(key, int):
            self.newest_turn = max(self.newest_turn, key)

    def _marked_anew(
        self, kind: LineKind, key: Hashable, lines: Sequence[IndexedLine]
    ) -> bool:
        """Give the lines of a source other marks; False if more of them differs."""
        numbers = self._sources.get((kind, key), ())
        held = [self._lines[number] for number in numbers]
        if not lines or len(held) != len(lines):
            return False
        new = [
            replace(line, number=number)
            for line, number in zip(lines, numbers, strict=True)
        ]
        for old, line in zip(held, new, strict=True):
            if old is None or replace(old, marks=line.marks) != line:
                return False
        for line in new:
            self._lines[line.number] = line
        return True

    def remove(self, kind: LineKind, key: Hashable) -> None:
        """Take out the lines of a source, if it has any."""
        for number in self._sources.pop((kind, key), ()):
            line = self._lines[number]
            if line is None:
                continue
            self._postings.close(number, self.terms_of(line))
            self._lines[number] = None
            if self._turns.get(line.digest) == key:
                del self._turns[line.digest]
            if line.speaker:
                self._speakers -= Counter({line.speaker: 1})

    def terms_of(self, line: IndexedLine) -> set[str]:
        """Return the terms by which a line is found."""
        return {*terms(line.content), *terms(line.heading)}

    def keys_of(self, kind: LineKind) -> list[Hashable]:
        """Return what names the sources of a kind that have lines here."""
        return [key for each, key in self._sources if each is kind]

    def lines_of(self, kind: LineKind, key: Hashable) -> list[IndexedLine]:
        """Return the lines of a source in their order."""
        if kind is LineKind.STATEMENT and isinstance(key, int):
            return self.read.lines_of(key) if self.read else []
        if kind is LineKind.STATEMENT:
            place = key if isinstance(key, tuple) else (0, 0)
            return self.statements.lines_of(*place) if self.statements else []
        if kind is LineKind.MEMORY:
            number = key if isinstance(key, int) else 0
            return self.memories.lines_of(number) if self.memories else []
        found = (self._lines[number] for number in self._sources.get((kind, key), ()))
        return [line for line in found if line is not None]

    def recent(self) -> Iterator[IndexedLine]:
        """Yield the lines put in here, the newest first: no statement, and no memory."""
        for line in reversed(self._lines):
            if line is not None:
                yield line

    def every(self, wanted: LineFilter = ANY_LINE) -> Iterator[IndexedLine]:
        """Yield all lines that are wanted, the newest first."""
        others = self._sought(wanted)
        parts = [self.recent(), *(it.recent(wanted.since or 0.0) for it in others)]
        lines = merge(*parts, key=lambda line: -line.said)
        return (line for line in lines if wanted.admits(line))

    def age_of(self, line: IndexedLine) -> int:
        """Return how many lines came after it."""
        if line.kind is LineKind.UTTERANCE:
            return len(self._lines) - 1 - line.number
        return len(self._times) - bisect_right(self._times, line.said)

    def frequency(self, term: str) -> float:
        """Return how many of the counted lines have a term, perhaps a fraction."""
        stated = self.statements.frequency(term) if self.statements else 0
        # What was read from sentences repeats their words.
        read = self.read.frequency(term) if self.read else 0
        return max(self._postings.frequency(term), read) + stated

    def rarity(self, term: str) -> float:
        """Return what a statement's or memory's term is worth, by how rare it is."""
        having, size = self.frequency(term), max(self.counted, COUNTED_MIN)
        return log(1 + (size - having + 0.5) / (having + 0.5))

    def facts(
        self,
        wanted: Sequence[tuple[str, float]],
        asker: str,
        names: Iterable[str] = (),
    ) -> list[LineMatch]:
        """Return the statements and memories that share most with a query.

        Args:
            wanted: The query's terms and their weights.
            asker: Who alone sees the memories about them.
            names: Words that stand side by side, as the term of a name of them would be:
                `billing-service`. They count, and have no bit of their own.
        """
        found: list[LineMatch] = []
        if self.statements:
            known = [(it, 1.0) for it in names if self.statements.frequency(it)]
            most, bits = STATEMENTS_WEIGHED, (1 << len(wanted)) - 1
            found += [
                match._replace(shared=match.shared & bits)
                for match in self.statements.search(
                    [*wanted, *known], most, self.rarity
                )
            ]
        if self.memories and asker:
            most = MEMORIES_WEIGHED
            found += self.memories.search(wanted, most, self.rarity, asker)
        return found

    def read_lines(
        self, wanted: Sequence[tuple[str, float]], project: str
    ) -> list[LineMatch]:
        """Return the statements that were read from words and share most with a query.

        It is asked behind `search` for the same terms: what the turns have that they were
        read from is known from there.

        Args:
            wanted: The query's terms and their weights.
            project: Lines of it are preferred; may be empty.
        """
        if not self.read:
            return []
        found = self.read.search(wanted, STATEMENTS_WEIGHED, self.said_rarity, project)
        matches = []
        for match in found:
            if not self.read.is_told(match.line):
                continue
            turn = self._turns.get(match.line.digest, 0)
            numbers = self._sources.get((LineKind.UTTERANCE, turn), ())
            around = match.around | self._postings.matched(numbers)
            matches.append(match._replace(around=around))
        return matches

    def read_beside(self, matches: Sequence[LineMatch]) -> list[LineMatch]:
        """Return what else was read of the turns of some matches, and shares no term.

        Args:
            matches: Of the search that was made last.
        """
        if not self.read:
            return []
        known = {match.line.number for match in matches}
        around = {match.line.digest: match.around for match in matches}
        return [
            LineMatch(line, 0.0, 0, shared)
            for digest, shared in around.items()
            for line in self.read.of_turn(digest)
            if line.number not in known
        ]

    def turn_number(self, digest: bytes) -> int:
        """Return the number of the turn whose text has a digest; 0 if none is kept."""
        return self._turns.get(digest, 0)

    def sentences_of(self, line: IndexedLine) -> list[IndexedLine]:
        """Return the sentences that a statement was read from, as far as they are kept."""
        quote = line.origin.quote if line.origin else ""
        turn = self.turn_of(line.digest)
        return [it for it in turn if stands_in(quote, it.text)]

    def turn_of(self, digest: bytes) -> list[IndexedLine]:
        """Return the kept sentences of a turn by the digest of its text."""
        return self.lines_of(LineKind.UTTERANCE, self._turns.get(digest, 0))

    def said_rarity(self, term: str) -> float:
        """Return what a term of what somebody said is worth, by how rare it is."""
        having, size = self._postings.frequency(term), self.kept
        if not having and self.read:
            having, size = self.read.frequency(term), max(size, len(self.read))
        return log(1 + (size - having + 0.5) / (having + 0.5))

    def search(
        self,
        wanted: Sequence[tuple[str, float]],
        project: str,
        most: int = CANDIDATES_MAX,
        *,
        around: bool = False,
        after: IndexedLine | None = None,
        read_max: int = POSTINGS_READ_MAX,
    ) -> list[LineMatch]:
        """Return the lines put in here that share most with a query, the best first.

        Args:
            wanted: The query's terms and their weights.
            project: Lines of it are preferred; may be empty.
            most: How many lines, at most.
            around: Whether to tell what the lines' sources have, too.
            after: Only lines put in after the source of this one, which was put in here.
            read_max: Lines that are read, at most, each once for each of its terms.
        """
        group = self._groups.get(project.casefold(), -2) if project else -2
        first = self._sources[after.kind, after.key][-1] + 1 if after else 0
        found = self._postings.search(
            wanted, group, PROJECT_BONUS, most, first, read_max
        )
        return [
            LineMatch(
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

    def search_text(
        self,
        query: str,
        *,
        kinds: Collection[LineKind] | None = None,
        project: str | None = None,
        speaker: str | None = None,
        about: str | None = None,
        since: float | None = None,
        allowed: Callable[[IndexedLine], bool] | None = None,
        limit: int,
        offset: int = 0,
    ) -> list[LineMatch]:
        """Return the lines that have any word of a text, the best first.

        Args:
            query: Words; without any, all lines are found, the newest first.
            kinds: Only lines of these; None for all, as for those that follow.
            project: Only lines of this project.
            speaker: Only what this person said.
            about: Only lines that have all of these words.
            since: Only what was said at this time or later, in seconds since the epoch.
            allowed: Whether whoever asks may see a line.
            limit: How many lines, at most.
            offset: How many of the first to leave out.
        """
        wanted = LineFilter(kinds, project, speaker, about, since, allowed)
        end = offset + limit
        if not query.strip():
            lines = islice(self.every(wanted), offset, end)
            return [LineMatch(line, 0.0, 0) for line in lines]
        asked = [(term, 1.0) for term in dict.fromkeys(terms(query))]
        most = end if wanted.is_open else max(CANDIDATES_MAX, 4 * end)
        while True:
            parts = [
                self.search(asked, "", most),
                *(it.search(asked, most, self.rarity) for it in self._sought(wanted)),
            ]
            found = [[it for it in part if wanted.admits(it.line)] for part in parts]
            if all(
                len(part) < most or len(admitted) >= end
                for part, admitted in zip(parts, found, strict=True)
            ):
                every = [it for admitted in found for it in admitted]
                every.sort(key=lambda it: (it.score, it.line.said), reverse=True)
                return every[offset:end]
            most *= 4

    def _sought(
        self, wanted: LineFilter
    ) -> Sequence[StatementLines | OriginLines | MemoryLines]:
        """Return those of the statements and memories that have lines of the kind."""
        kinds = wanted.kinds or FACT_KINDS
        sought = self._others
        if wanted.project or wanted.speaker:
            # The others were not said by anybody, nor anywhere.
            sought = [self.read] if self.read is not None else []
        return [it for it in sought if it.kind in kinds]

    @property
    def _others(self) -> Sequence[StatementLines | OriginLines | MemoryLines]:
        every = (self.statements, self.read, self.memories)
        return [it for it in every if it is not None]


def stands_in(quote: str, text: str) -> bool:
    """Return whether a sentence has the words of a quote, or the quote all of its words."""
    words, said = _plain(quote), _plain(text)
    return words in said or said in words


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
