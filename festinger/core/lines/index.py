"""The lines of one memory, searchable by the words that they share with a prompt.

The lines of one turn have consecutive numbers.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from heapq import merge
from itertools import islice
from typing import TYPE_CHECKING, Final

from festinger import _fast
from festinger._fast.values import POSTINGS_READ_MAX
from festinger.core.language.terms import terms
from festinger.core.lines.checks import CheckedQuotes
from festinger.core.lines.filters import ANY_LINE, LineFilter
from festinger.core.lines.line import (
    FACT_KINDS,
    IndexedLine,
    LineKind,
    LineMatch,
    stands_in,
)
from festinger.core.lines.projects import ProjectGroups
from festinger.core.lines.vectors import LineVectors
from festinger.core.lines.votes import NO_VOTES, LineVotes
from festinger.core.lines.weights import inverse_frequency
from festinger.core.system.principals import plain

if TYPE_CHECKING:
    from festinger.core.lines.memorylines import MemoryLines
    from festinger.core.lines.originlines import OriginLines
    from festinger.core.lines.statements import StatementLines

HEADING_WEIGHT: Final = 0.3
"""Weight of a word in a list's heading for each of the list's items."""
PROJECT_BONUS: Final = 2.0
"""Score bonus of lines of the prompt's project when candidates are selected."""
CANDIDATES_MAX: Final = 40
"""Maximum number of sentences that are scored for one prompt."""
STATEMENTS_WEIGHED: Final = 24
"""Maximum number of statements that are scored for one prompt, separately for those
with an origin and for others."""
MEMORIES_WEIGHED: Final = 16
"""Maximum number of memories about the asker that are scored for one prompt."""
COUNTED_MIN: Final = 1_000
"""Minimum number of lines assumed when computing the rarity of a word of a statement or
memory: in a small memory each name would look common."""


@dataclass(slots=True)
class LineIndex:
    """The lines of one memory. It is not thread-safe.

    Attributes:
        statements: Lines of statements without an origin; None if there is no graph.
        read: Lines of statements with an origin; None if there is no graph.
        memories: Lines of the memories about people; None if none are kept.
        newest_turn: Largest id of a turn that was ever added.
        votes: What people say of the lines.
        vectors: Embeddings of its own lines, and of statements with an origin.
        checked: Quotes in prompts, and how far they were compared with later turns.
    """

    statements: StatementLines | None = None
    read: OriginLines | None = None
    memories: MemoryLines | None = None
    newest_turn: int = 0
    votes: LineVotes = NO_VOTES
    vectors: LineVectors = field(default_factory=LineVectors)
    checked: CheckedQuotes = field(default_factory=CheckedQuotes)
    # Postings, lines and `_newest` have an entry for each number; removed lines are None.
    _postings: _fast.Postings = field(default_factory=_fast.Postings)
    _lines: list[IndexedLine | None] = field(default_factory=list)
    _newest: array[int] = field(default_factory=lambda: array("q"))
    """Largest turn id as each of its lines was added, so that it never falls."""
    _times: array[float] = field(default_factory=lambda: array("d"))
    """Times of the utterances, made monotonic: each at least that of the one before."""
    _notes: array[int] = field(default_factory=lambda: array("q"))
    """Numbers of the lines that are no utterances, also of removed ones."""
    # Numbers of the lines of each source.
    _sources: dict[tuple[LineKind, Hashable], list[int]] = field(default_factory=dict)
    _turns: dict[bytes, int] = field(default_factory=dict)
    """Turn ids by digest; of several turns with one digest, the newest."""
    _groups: ProjectGroups = field(default_factory=ProjectGroups)
    # Number of lines by speaker, so that a name goes with its last line.
    _speakers: Counter[str] = field(default_factory=Counter)

    def __len__(self) -> int:
        return self.kept + sum(map(len, self._others))

    @property
    def kept(self) -> int:
        """The number of lines in the index itself, without statements and memories."""
        return self._postings.open

    @property
    def removed(self) -> int:
        """The number of removed lines that the index itself still has to pass over."""
        # When it outweighs the rest, the memory is loaded again.
        return len(self._postings) - self._postings.open

    @property
    def counted(self) -> int:
        """The number of lines on which the rarity of a term is based."""
        # Statements repeat the words of the sentences that they were read from.
        said = max(self.kept, len(self.read) if self.read else 0)
        return said + (self.statements.counted if self.statements else 0)

    @property
    def nbytes(self) -> int:
        """The size of the index in bytes, without the texts of the lines."""
        others = sum(it.nbytes for it in self._others)
        return self._postings.nbytes + self.vectors.nbytes + others

    @property
    def speakers(self) -> Iterable[str]:
        """The names of the speakers of all lines."""
        return self._speakers.keys()

    def is_speaker(self, name: str) -> bool:
        """Return whether a person of this name has said something.

        Args:
            name: The name, as a concept.
        """
        return any(plain(speaker) == name for speaker in self._speakers)

    @property
    def texts(self) -> dict[tuple[LineKind, Hashable, int], str]:
        """The text of each line in the index itself, by kind, key and ordinal."""
        lines = (it for it in self._lines if it is not None)
        return {(it.kind, it.key, it.ordinal): it.text for it in lines}

    def put(self, kind: LineKind, key: Hashable, lines: Iterable[IndexedLine]) -> None:
        """Add the lines of a source, replacing its previous ones.

        Args:
            kind: Kind of the source, other than statements and memories about people.
            lines: The lines; their numbers are assigned here.
        """
        lines = list(lines)
        # A reader only changes marks: the postings need not grow for that.
        if self._marked_anew(kind, key, lines):
            return
        self.remove(kind, key)
        if kind is LineKind.UTTERANCE and isinstance(key, int):
            self.newest_turn = max(self.newest_turn, key)
        numbers = []
        for line in lines:
            counts: Counter[str] = Counter(terms(line.content))
            weighed: dict[str, float] = dict(counts)
            if line.heading:
                for term in terms(line.heading):
                    # A word that the item has itself keeps its full weight.
                    weighed.setdefault(term, HEADING_WEIGHT)
            group = self._groups.add(line.project)
            number = self._postings.add(weighed.items(), group)
            self._lines.append(replace(line, number=number))
            self._newest.append(self.newest_turn)
            self.vectors.add(number)
            numbers.append(number)
            if line.speaker:
                self._speakers[line.speaker] += 1
            if kind is LineKind.UTTERANCE:
                # Monotonic, since `age_of` searches it by bisection.
                last = self._times[-1] if self._times else 0.0
                self._times.append(max(last, line.said))
                if line.digest and isinstance(key, int):
                    self._turns[line.digest] = key
            else:
                self._notes.append(number)
        if numbers:
            self._sources[kind, key] = numbers

    def _marked_anew(
        self, kind: LineKind, key: Hashable, lines: Sequence[IndexedLine]
    ) -> bool:
        """Replace the marks of a source's lines; return False if more differs."""
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
        """Remove the lines of a source, if it has any."""
        for number in self._sources.pop((kind, key), ()):
            line = self._lines[number]
            if line is None:
                continue
            self._postings.close(number, self.terms_of(line))
            self.vectors.drop(number)
            self._lines[number] = None
            # Another turn with the same words may be the one that is found by them.
            if self._turns.get(line.digest) == key:
                del self._turns[line.digest]
            if line.speaker:
                self._speakers -= Counter({line.speaker: 1})

    def terms_of(self, line: IndexedLine) -> set[str]:
        """Return the terms by which a line can be found."""
        return {*terms(line.content), *terms(line.heading)}

    def keys_of(self, kind: LineKind) -> list[Hashable]:
        """Return the keys of the sources of a kind that have lines in the index."""
        return [key for each, key in self._sources if each is kind]

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
        found = (self._lines[number] for number in self._sources.get((kind, key), ()))
        return [line for line in found if line is not None]

    def line(self, number: int) -> IndexedLine | None:
        """Return the line of a number, of the index itself or of a statement."""
        # Numbers of statements begin far beyond those of the index itself.
        if number < len(self._lines):
            return self._lines[number]
        return self.read.line(number) if self.read else None

    def unembedded(self, model: str, most: int) -> list[IndexedLine]:
        """Return lines that have no vector of a model, the newest first."""
        vectors = self.vectors
        # The first call, or another model than before: all lines wait, oldest first.
        if vectors.model != model:
            read = reversed(list(self.read.recent())) if self.read else ()
            own = reversed(list(self.recent()))
            vectors.start(model, [line.number for line in (*read, *own)])
        found: list[IndexedLine] = []
        # A batch may consist of lines that must not be embedded: the next one is asked.
        while not found and (numbers := vectors.next(most)):
            for number in numbers:
                line = self.line(number)
                # What was said in confidence is not sent to the upstream that embeds.
                if line is None or line.audience.is_limited:
                    vectors.drop(number)
                else:
                    found.append(line)
        return found

    def near(self, known: Collection[int]) -> list[LineMatch]:
        """Return the lines nearest to the prompt that was compared last.

        It must be called after `search`, as `read_lines`.

        Args:
            known: Numbers of lines to leave out.
        """
        lines = (self.line(it) for it in self.vectors.nearest() if it not in known)
        matches = []
        for line in lines:
            if line is None or (
                line.origin and self.read and not self.read.is_told(line)
            ):
                continue
            turn = self._turns.get(line.digest, 0)
            numbers = self._sources.get((LineKind.UTTERANCE, turn), ())
            # A candidate for its likeness alone; the rest of its turn may share terms.
            matches.append(LineMatch(line, 0.0, 0, self._postings.matched(numbers)))
        return matches

    def recent(self) -> Iterator[IndexedLine]:
        """Yield the lines in the index itself, newest first, without other indexes'."""
        for line in reversed(self._lines):
            if line is not None:
                yield line

    def every(self, wanted: LineFilter = ANY_LINE) -> Iterator[IndexedLine]:
        """Yield all lines that a filter admits, newest first."""
        others = self._sought(wanted)
        parts = [self.recent(), *(it.recent(wanted.since or 0.0) for it in others)]
        # Each part is about newest first: merged on demand, as a page needs no sort of all lines.
        lines = merge(*parts, key=lambda line: -line.said)
        return (line for line in lines if wanted.admits(line))

    def age_of(self, line: IndexedLine) -> int:
        """Return the number of sentences that were said later."""
        if line.kind is LineKind.UTTERANCE:
            notes = len(self._notes) - bisect_right(self._notes, line.number)
            return len(self._lines) - 1 - line.number - notes
        # Other kinds have no number among the sentences: their time says how many came later.
        return len(self._times) - bisect_right(self._times, line.said)

    def frequency(self, term: str) -> float:
        """Return the number of counted lines with a term, which may be fractional."""
        having: float = self._postings.frequency(term)
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
        self,
        wanted: Sequence[tuple[str, float]],
        asker: str,
        names: Iterable[str] = (),
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

        It must be called after `search` with the same terms, since the terms matched in
        the turns of the statements are taken from that search.

        Args:
            wanted: Terms of the query with their weights.
            project: Project whose lines are preferred; may be empty.
        """
        if not self.read:
            return []
        found = self.read.search(wanted, STATEMENTS_WEIGHED, self.said_rarity, project)
        matches = []
        for match in found:
            # Its sentence is told instead, and found by `search`.
            if not self.read.is_told(match.line):
                continue
            turn = self._turns.get(match.line.digest, 0)
            numbers = self._sources.get((LineKind.UTTERANCE, turn), ())
            # The rest of the turn counts too: people name the thing once, then go on.
            around = match.around | self._postings.matched(numbers)
            matches.append(match._replace(around=around))
        return matches

    def read_beside(self, matches: Sequence[LineMatch]) -> list[LineMatch]:
        """Return other statements read from the turns of matches, which share no term."""
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

    def said_since(self, turn: int, most: int) -> list[IndexedLine] | None:
        """Return the sentences of the turns behind one; None if they may be too many.

        Args:
            turn: Id of the turn.
            most: Maximum number of lines that are looked at.
        """
        # Lines are in the order in which turns were added, which is about that of their ids.
        first = bisect_right(self._newest, turn)
        if len(self._lines) - first > most:
            return None
        return [
            line
            for line in self._lines[first:]
            if line is not None
            and line.kind is LineKind.UTTERANCE
            # An older turn that was added late stands behind the position.
            and int(str(line.key)) > turn
        ]

    def turn_number(self, digest: bytes) -> int:
        """Return the id of the turn with a digest; 0 if none is kept."""
        return self._turns.get(digest, 0)

    def sentences_of(self, line: IndexedLine) -> list[IndexedLine]:
        """Return the kept sentences that a statement was read from."""
        quote = line.origin.quote if line.origin else ""
        turn = self.turn_of(line.digest)
        return [it for it in turn if stands_in(quote, it.text)]

    def turn_of(self, digest: bytes) -> list[IndexedLine]:
        """Return the kept sentences of the turn with a digest."""
        return self.lines_of(LineKind.UTTERANCE, self._turns.get(digest, 0))

    def said_rarity(self, term: str) -> float:
        """Return the weight of a term in utterances, by its rarity."""
        having, size = self._postings.frequency(term), self.kept
        if not having and self.read:
            # A word that only statements have, such as one of a topic.
            having, size = self.read.frequency(term), max(size, len(self.read))
        return inverse_frequency(having, size)

    def search(
        self,
        wanted: Sequence[tuple[str, float]],
        project: str,
        most: int = CANDIDATES_MAX,
        *,
        around: bool = False,
        after: IndexedLine | None = None,
        after_turn: int = 0,
        read_max: int = POSTINGS_READ_MAX,
    ) -> list[LineMatch]:
        """Return the lines in the index itself that match a query best, best first.

        Args:
            wanted: Terms of the query with their weights.
            project: Project whose lines are preferred; may be empty.
            around: Whether to return the terms matched in the lines' sources, too.
            after: Return only lines added after the source of this line.
            after_turn: Pass over the lines that were added before any turn with a
                larger id.
            read_max: Maximum number of postings that are read; a line counts once per
                term.
        """
        group = self._groups.find(project)
        # Postings are in the order of the lines: earlier ones are not even read.
        first = self._sources[after.kind, after.key][-1] + 1 if after else 0
        if after_turn:
            first = max(first, bisect_right(self._newest, after_turn))
        found = self._postings.search(
            wanted, group, PROJECT_BONUS, most, first, read_max
        )
        return [
            LineMatch(
                line,
                score,
                shared,
                # Remembered from the search, so that the turn's terms are not read again.
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
        session: str | None = None,
        limit: int,
        offset: int = 0,
    ) -> list[LineMatch]:
        """Return the lines that contain any word of a text, best first.

        Args:
            query: Words; without any, all lines are returned, newest first.
            kinds, project, speaker, about, since, allowed, session: As in `LineFilter`.
        """
        wanted = LineFilter(kinds, project, speaker, about, since, allowed, session)
        end = offset + limit
        if not query.strip():
            lines = islice(self.every(wanted), offset, end)
            return [LineMatch(line, 0.0, 0) for line in lines]
        asked = [(term, 1.0) for term in dict.fromkeys(terms(query))]
        # A filter may refuse most matches: some more are asked for at once.
        most = end if wanted.is_open else max(CANDIDATES_MAX, 4 * end)
        while True:
            parts = [
                self.search(asked, "", most),
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
