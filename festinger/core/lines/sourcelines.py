"""Lines of what was said, and notes, searchable by the words shared with a prompt.

The lines of one turn have consecutive numbers.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from festinger import _fast
from festinger._fast.values import NO_GROUP, POSTINGS_READ_MAX
from festinger.core.language.afterthoughts import is_withdrawal
from festinger.core.language.marks import SentenceMark
from festinger.core.language.terms import terms
from festinger.core.lines.line import IndexedLine, LineKind, LineMatch, stands_in
from festinger.core.lines.vectors import LineVectors
from festinger.core.system.principals import plain

HEADING_WEIGHT: Final = 0.3
"""Weight of a word in a list's heading for each of the list's items."""
PROJECT_BONUS: Final = 2.0
"""Score bonus of lines of the prompt's project when candidates are selected."""
CANDIDATES_MAX: Final = 40
"""Maximum number of sentences that are scored for one prompt."""
LINES_MAX: Final = 200
"""Maximum number of lines that others may have said in between."""


class SourceLines:
    """Lines of utterances and notes by their source. It is not thread-safe.

    Args:
        vectors: The embeddings of the index that these lines belong to.

    Attributes:
        newest_turn: Largest id of a turn that was ever added.
    """

    def __init__(self, vectors: LineVectors) -> None:
        self.newest_turn = 0
        self._vectors = vectors
        # Postings, lines and `_newest` have an entry for each number; removed lines are None.
        self._postings = _fast.Postings()
        self._lines: list[IndexedLine | None] = []
        # Largest turn id as each of its lines was added, so that it never falls.
        self._newest = array("q")
        # Times of the utterances, made monotonic: each at least that of the one before.
        self._times = array("d")
        # Numbers of the lines that are no utterances, also of removed ones.
        self._notes = array("q")
        # Numbers of the lines of each source.
        self._sources: dict[tuple[LineKind, Hashable], list[int]] = {}
        # Turn ids by digest; of several turns with one digest, the newest.
        self._turns: dict[bytes, int] = {}
        # Numbers of the lines with `SentenceMark.STANDING`: a dict as an ordered set.
        self._standing: dict[int, None] = {}
        self._groups = ProjectGroups()
        self._withdrawn = WithdrawnTurns()
        # Number of lines by speaker, so that a name goes with its last line.
        self._speakers: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._postings.open

    @property
    def removed(self) -> int:
        """The number of removed lines that searches still have to pass over."""
        # When it outweighs the rest, the memory is loaded again.
        return len(self._postings) - self._postings.open

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
        """The text of each line, by kind, key and ordinal."""
        lines = (it for it in self._lines if it is not None)
        return {(it.kind, it.key, it.ordinal): it.text for it in lines}

    def frequency(self, term: str) -> int:
        """Return the number of lines with a term."""
        return self._postings.frequency(term)

    # Maintenance

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
            if lines:
                self._withdrawn.note(lines[0], self.recent())
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
            self._vectors.add(number)
            numbers.append(number)
            if SentenceMark.STANDING in line.marks:
                self._standing[number] = None
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
        if kind is LineKind.UTTERANCE:
            self._withdrawn.remove(key)
        for number in self._sources.pop((kind, key), ()):
            line = self._lines[number]
            if line is None:
                continue
            self._postings.close(number, line.terms)
            self._vectors.drop(number)
            self._standing.pop(number, None)
            self._lines[number] = None
            # Another turn with the same words may be the one that is found by them.
            if self._turns.get(line.digest) == key:
                del self._turns[line.digest]
            if line.speaker:
                self._speakers -= Counter({line.speaker: 1})

    # Look-ups

    def keys_of(self, kind: LineKind) -> list[Hashable]:
        """Return the keys of the sources of a kind that have lines."""
        return [key for each, key in self._sources if each is kind]

    def lines_of(self, kind: LineKind, key: Hashable) -> list[IndexedLine]:
        """Return the lines of a source in order."""
        found = (self._lines[number] for number in self._sources.get((kind, key), ()))
        return [line for line in found if line is not None]

    def line(self, number: int) -> IndexedLine | None:
        """Return the line of a number; None if it was removed, or is another index's."""
        # Numbers of other indexes begin far beyond.
        return self._lines[number] if number < len(self._lines) else None

    def recent(self) -> Iterator[IndexedLine]:
        """Yield the lines, newest first."""
        for line in reversed(self._lines):
            if line is not None:
                yield line

    def standing(self) -> Iterator[IndexedLine]:
        """Yield the rules about all answers, newest first."""
        for number in reversed(self._standing):
            if (line := self._lines[number]) is not None:
                yield line

    def age_of(self, line: IndexedLine) -> int:
        """Return the number of sentences that were said later.

        Args:
            line: A line of any index.
        """
        if line.kind is LineKind.UTTERANCE:
            notes = len(self._notes) - bisect_right(self._notes, line.number)
            return len(self._lines) - 1 - line.number - notes
        # Other kinds have no number among the sentences: their time says how many came later.
        return len(self._times) - bisect_right(self._times, line.said)

    def said_since(self, turn: int, most: int) -> list[IndexedLine] | None:
        """Return the sentences of the turns behind one; None if they may be too many."""
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

    def is_withdrawn(self, line: IndexedLine) -> bool:
        """Return whether the next message took a sentence back, or it is that message."""
        return line.kind is LineKind.UTTERANCE and self._withdrawn.has(line)

    def is_turn_withdrawn(self, digest: bytes) -> bool:
        """Return whether the next message took the turn with a digest back."""
        return self._withdrawn.has_turn(self._turns.get(digest, 0))

    def turn_of(self, digest: bytes) -> list[IndexedLine]:
        """Return the kept sentences of the turn with a digest."""
        return self.lines_of(LineKind.UTTERANCE, self._turns.get(digest, 0))

    def sentences_of(self, line: IndexedLine) -> list[IndexedLine]:
        """Return the kept sentences that a statement was read from."""
        quote = line.origin.quote if line.origin else ""
        turn = self.turn_of(line.digest)
        return [it for it in turn if stands_in(quote, it.text)]

    # Search

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
        """Return the lines that match a query best, best first.

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

    def matched(self, digest: bytes) -> int:
        """Return the terms that the last search matched in the turn with a digest.

        Returns:
            A bit mask: bit `i` for term `i`.
        """
        turn = self._turns.get(digest, 0)
        return self._postings.matched(self._sources.get((LineKind.UTTERANCE, turn), ()))


class WithdrawnTurns:
    """Turns that were taken back, each with the turn that did so."""

    def __init__(self) -> None:
        self._by: dict[Hashable, Hashable] = {}

    def note(self, line: IndexedLine, recent: Iterable[IndexedLine]) -> None:
        """Note the turn that a turn takes back: "scratch that", "just kidding".

        Args:
            line: First line of a turn.
            recent: The lines before it, newest first.
        """
        if not line.session or not is_withdrawal(line.text):
            return
        for each in islice(recent, LINES_MAX):
            # Only one's own words can be taken back.
            if (
                each.kind is LineKind.UTTERANCE
                and each.session == line.session
                and each.speaker == line.speaker
                and each.key != line.key
            ):
                self._by[each.key] = line.key
                return

    def remove(self, key: Hashable) -> None:
        """Remove a turn that is forgotten or said again, and what it took back."""
        self._by.pop(key, None)
        if key in self._by.values():
            self._by = {turn: by for turn, by in self._by.items() if by != key}

    def has(self, line: IndexedLine) -> bool:
        """Return whether a sentence was taken back, or is the one that took back."""
        return bool(self._by) and (
            line.key in self._by
            or (line.ordinal == 0 and line.key in self._by.values())
        )

    def has_turn(self, key: Hashable) -> bool:
        """Return whether a turn was taken back."""
        return key in self._by


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
