"""The lines of one memory, searchable by the words that they share with a prompt.

The index unites those of what was said, of statements and of memories about people.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from heapq import merge
from itertools import islice
from typing import Final

from festinger.core.language.terms import terms
from festinger.core.lines.line import (
    ANY_LINE,
    FACT_KINDS,
    IndexedLine,
    LineFilter,
    LineKind,
    LineMatch,
)
from festinger.core.lines.memorylines import MemoryLines
from festinger.core.lines.originlines import OriginLines
from festinger.core.lines.sourcelines import CANDIDATES_MAX, SourceLines
from festinger.core.lines.statements import StatementLines
from festinger.core.lines.vectors import LineVectors
from festinger.core.lines.weights import NO_VOTES, LineVotes, inverse_frequency

STATEMENTS_WEIGHED: Final = 24
"""Maximum number of statements that are scored for one prompt, separately for those
with an origin and for others."""
MEMORIES_WEIGHED: Final = 16
"""Maximum number of memories about the asker that are scored for one prompt."""
COUNTED_MIN: Final = 1_000
"""Minimum number of lines assumed when computing the rarity of a word of a statement or
memory: in a small memory each name would look common."""
CHECKED_MAX: Final = 4_000
"""Maximum number of quotes that are remembered, the newest."""


class CheckedQuotes:
    """The newest turn up to which nothing changes a quote, for each of its readers."""

    def __init__(self) -> None:
        # Each prompt of a conversation contains the quotes of the ones before: they are
        # compared with the turns since the last check, not with all since they were told.
        self._until: dict[tuple[str, str], int] = {}

    def until(self, quote: str, asker: str) -> int:
        """Return the turn up to which a quote was compared; 0 if it never was.

        Args:
            asker: Principal whose prompt contains it: what is kept from one may change
                it for another.
        """
        return self._until.get((quote, asker), 0)

    def note(self, quote: str, asker: str, turn: int) -> None:
        """Note that nothing up to a turn changes a quote."""
        # The last to be checked are the last to be dropped.
        self._until.pop((quote, asker), None)
        self._until[quote, asker] = turn
        if len(self._until) > CHECKED_MAX:
            del self._until[next(iter(self._until))]


@dataclass(slots=True)
class LineIndex:
    """The lines of one memory. It is not thread-safe.

    Attributes:
        statements: Lines of statements without an origin; None if there is no graph.
        read: Lines of statements with an origin; None if there is no graph.
        memories: Lines of the memories about people; None if none are kept.
        votes: What people say of the lines.
        vectors: Embeddings of `sources`, and of statements with an origin.
        checked: Quotes in prompts, and how far they were compared with later turns.
        sources: Lines of what was said, and notes.
    """

    statements: StatementLines | None = None
    read: OriginLines | None = None
    memories: MemoryLines | None = None
    votes: LineVotes = NO_VOTES
    vectors: LineVectors = field(default_factory=LineVectors)
    checked: CheckedQuotes = field(default_factory=CheckedQuotes)
    sources: SourceLines = field(init=False)

    def __post_init__(self) -> None:
        self.sources = SourceLines(self.vectors)

    def __len__(self) -> int:
        return len(self.sources) + sum(map(len, self._others))

    @property
    def counted(self) -> int:
        """The number of lines on which the rarity of a term is based."""
        # Statements repeat the words of the sentences that they were read from.
        said = max(len(self.sources), len(self.read) if self.read else 0)
        return said + (self.statements.counted if self.statements else 0)

    def lines_of(self, kind: LineKind, key: Hashable) -> list[IndexedLine]:
        """Return the lines of a source in order."""
        # Ledger row of a statement with an origin; (concept, dimension) of others.
        if kind is LineKind.STATEMENT and isinstance(key, int):
            return self.read.lines_of(key) if self.read else []
        if kind is LineKind.STATEMENT:
            place = key if isinstance(key, tuple) else (0, 0)
            return self.statements.lines_of(*place) if self.statements else []
        if kind is LineKind.MEMORY:
            number = key if isinstance(key, int) else 0
            return self.memories.lines_of(number) if self.memories else []
        return self.sources.lines_of(kind, key)

    def line(self, number: int) -> IndexedLine | None:
        """Return the line of a number, of a source or of a statement with an origin."""
        own = self.sources.line(number)
        return own if own or self.read is None else self.read.line(number)

    def unembedded(self, model: str, most: int) -> list[IndexedLine]:
        """Return lines that have no vector of a model, the newest first."""
        vectors = self.vectors
        # The first call, or another model than before: all lines wait, oldest first.
        if vectors.model != model:
            read = reversed(list(self.read.recent())) if self.read else ()
            own = reversed(list(self.sources.recent()))
            vectors.start(model, [line.number for line in (*read, *own)])
        found: list[IndexedLine] = []
        # A batch may consist of lines that must not be embedded: the next one is asked.
        while not found and (numbers := vectors.next(most)):
            for number in numbers:
                line = self.line(number)
                # What was said in confidence is not sent to the upstream that embeds. An
                # earlier request is most like a prompt, and says nothing.
                if line is None or line.audience.is_limited or line.asks:
                    vectors.drop(number)
                else:
                    found.append(line)
        return found

    def near(self, known: Collection[int], least: float) -> list[LineMatch]:
        """Return the lines nearest to the prompt that was compared last.

        It must be called after a search of `sources`, as `read_lines`.

        Args:
            known: Numbers of lines to leave out.
        """
        near = self.vectors.nearest(least)
        lines = (self.line(it) for it in near if it not in known)
        matched = self.sources.matched
        matches = []
        for line in lines:
            if line is None or (
                line.origin and self.read and not self.read.is_told(line)
            ):
                continue
            # A candidate for its likeness alone; the rest of its turn may share terms.
            matches.append(LineMatch(line, 0.0, 0, matched(line.digest)))
        return matches

    def every(self, wanted: LineFilter = ANY_LINE) -> Iterator[IndexedLine]:
        """Yield all lines that a filter admits, newest first."""
        others = self._sought(wanted)
        parts = [self.sources.recent(), *(it.recent(wanted.since) for it in others)]
        # Each part is about newest first: merged on demand, as a page needs no sort of all lines.
        lines = merge(*parts, key=lambda line: -line.said)
        return (line for line in lines if wanted.admits(line))

    def frequency(self, term: str) -> float:
        """Return the number of counted lines with a term, which may be fractional."""
        having: float = self.sources.frequency(term)
        # Asked for many terms of each prompt: an index without lines need not be told.
        if self.read is not None:
            # Statements that were read from sentences repeat their words.
            having = max(having, self.read.frequency(term))
        if self.statements is not None:
            having += self.statements.frequency(term)
        return having

    def rarity(self, term: str, counted: int = 0) -> float:
        """Return the weight of a term in statements and memories, by its rarity.

        Args:
            counted: `counted`, if it is known: a query asks about many terms.
        """
        # Names are not rare in a small memory, but they identify what is asked about.
        size = max(counted or self.counted, COUNTED_MIN)
        return inverse_frequency(self.frequency(term), size)

    def facts(
        self, wanted: Sequence[tuple[str, float]], asker: str, names: Iterable[str] = ()
    ) -> list[LineMatch]:
        """Return the statements and memories that match a query best.

        Args:
            wanted: Terms of the query with their weights.
            asker: Principal whose prompt it is; only memories about them are returned.
            names: Adjacent words as the term of a compound name: `billing-service`.
                They add to the score, and have no bit of their own in the matches.
        """
        found: list[LineMatch] = []
        rarity = partial(self.rarity, counted=self.counted)
        if self.statements:
            known = [(it, 1.0) for it in self.statements.known(names)]
            # Compound names have bits behind those of the query, which are cut off.
            most, bits = STATEMENTS_WEIGHED, (1 << len(wanted)) - 1
            found += [
                match._replace(shared=match.shared & bits)
                for match in self.statements.search([*wanted, *known], most, rarity)
            ]
        if self.memories and asker:
            most = MEMORIES_WEIGHED
            found += self.memories.search(wanted, most, rarity, asker)
        return found

    def read_lines(
        self, wanted: Sequence[tuple[str, float]], project: str
    ) -> list[LineMatch]:
        """Return the statements with an origin that match a query best.

        It must be called after a search of `sources` with the same terms, since the terms
        matched in the turns of the statements are taken from that search.

        Args:
            wanted: Terms of the query with their weights.
            project: Project whose lines are preferred; may be empty.
        """
        if not self.read:
            return []
        found = self.read.search(wanted, STATEMENTS_WEIGHED, self.said_rarity, project)
        matched = self.sources.matched
        matches = []
        for match in found:
            # Its sentence is told instead, and found by the search of `sources`.
            if not self.read.is_told(match.line):
                continue
            # The rest of the turn counts too: people name the thing once, then go on.
            around = match.around | matched(match.line.digest)
            matches.append(match._replace(around=around))
        return matches

    def read_beside(
        self, matches: Sequence[LineMatch], known: Collection[int]
    ) -> list[LineMatch]:
        """Return other statements read from the turns of matches, which share no term."""
        if not self.read:
            return []
        around = {match.line.digest: match.around for match in matches}
        return [
            LineMatch(line, 0.0, 0, shared)
            for digest, shared in around.items()
            for line in self.read.of_turn(digest)
            if line.number not in known
        ]

    def said_rarity(self, term: str) -> float:
        """Return the weight of a term in utterances, by its rarity."""
        having, size = self.sources.frequency(term), len(self.sources)
        if not having and self.read:
            # A word that only statements have, such as one of a topic.
            having, size = self.read.frequency(term), max(size, len(self.read))
        return inverse_frequency(having, size)

    def search_text(
        self, query: str, wanted: LineFilter = ANY_LINE, *, limit: int, offset: int = 0
    ) -> list[LineMatch]:
        """Return the lines that contain any word of a text, best first.

        Args:
            query: Words; without any, all lines are returned, newest first.
            wanted: Only lines that it admits are returned.
        """
        end = offset + limit
        if not query.strip():
            lines = islice(self.every(wanted), offset, end)
            return [LineMatch(line, 0.0, 0) for line in lines]
        asked = [(term, 1.0) for term in dict.fromkeys(terms(query))]
        # A filter may refuse most matches: some more are asked for at once.
        most = end if wanted == ANY_LINE else max(CANDIDATES_MAX, 4 * end)
        while True:
            parts = [
                self.sources.search(asked, "", most),
                *(it.search(asked, most, self.rarity) for it in self._sought(wanted)),
            ]
            found = [[it for it in part if wanted.admits(it.line)] for part in parts]
            if all(
                # Either a part is exhausted, or its best admitted lines fill the page.
                len(part) < most or len(admitted) >= end
                for part, admitted in zip(parts, found, strict=True)
            ):
                every = [it for admitted in found for it in admitted]
                every.sort(key=lambda it: (it.score, it.line.said), reverse=True)
                return every[offset:end]
            # Too few passed the filter: ask again for more, until a part is exhausted.
            most *= 4

    def _sought(
        self, wanted: LineFilter
    ) -> Sequence[StatementLines | OriginLines | MemoryLines]:
        """Return the indexes of statements and memories with lines of wanted kinds."""
        kinds = wanted.kinds or FACT_KINDS
        sought = self._others
        if wanted.project or wanted.speaker:
            # Lines of the other indexes have no speaker and no project.
            sought = [self.read] if self.read is not None else []
        return [it for it in sought if it.kind in kinds]

    @property
    def _others(self) -> Sequence[StatementLines | OriginLines | MemoryLines]:
        every = (self.statements, self.read, self.memories)
        return [it for it in every if it is not None]
