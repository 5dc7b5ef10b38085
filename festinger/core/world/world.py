"""The in-memory state of one tenant, from which reads are answered.

It changes in two ways only: by encounters with words, and by publishing a draft that
Postgres has committed (`festinger.core.world.draft`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice

from festinger import _fast
from festinger.core.graph.conflicts import ByConcept, Clash, PendingConflicts
from festinger.core.graph.origins import StatementOrigin
from festinger.core.graph.outcome import Fact
from festinger.core.graph.predicates import Cardinality, Registry
from festinger.core.graph.tombstones import Tombstone
from festinger.core.language.reader.naming import KnownNames
from festinger.core.lines.index import LineIndex
from festinger.core.lines.memorylines import MemoryLines
from festinger.core.lines.originlines import OriginLines
from festinger.core.lines.statements import StatementLines
from festinger.core.memories.by_subject import MemoriesBySubject
from festinger.core.memories.memory import Memory
from festinger.core.world.edges import FactLookups, is_root, named


class IdPool:
    """Unused ids, taken in the order in which their blocks were added."""

    def __init__(self, *blocks: range) -> None:
        self._blocks: deque[range] = deque()
        self._numbers = iter(range(0))  # of the block in use
        self._left = 0
        for block in blocks:
            self.add(block)

    def __len__(self) -> int:
        return self._left

    def add(self, block: range) -> None:
        """Append a block of ids."""
        if block:
            self._blocks.append(block)
            self._left += len(block)

    def take(self) -> int | None:
        """Return the next id; None if none is left."""
        numbers = self.take_many(1)
        return numbers[0] if numbers else None

    def take_many(self, count: int) -> list[int]:
        """Return the next `count` ids, or all that are left if there are fewer."""
        numbers = list(islice(self._numbers, count))
        # Blocks need not be adjacent: other servers take theirs in between.
        while len(numbers) < count and self._blocks:
            self._numbers = iter(self._blocks.popleft())
            numbers += islice(self._numbers, count - len(numbers))
        self._left -= len(numbers)
        return numbers


class World(FactLookups):
    """The vocabulary, graph, conflicts and indexes of one tenant.

    Not thread-safe: only one thread may use it.

    Args:
        dictionary: Everyday words, which have no saliency (B4a).
    """

    def __init__(self, dictionary: Set[str] = frozenset()) -> None:
        self.dictionary = dictionary
        self.denials: ByConcept[tuple[int, int, int], int] = ByConcept()
        """Denied (concept, parent, dimension) → ledger row (C6)."""
        self.conflicts = PendingConflicts()
        self.origins: dict[int, StatementOrigin] = {}
        """The words that held statements were read from, by ledger row."""
        self.tombstones: ByConcept[Clash, Tombstone] = ByConcept()
        """Statements that were settled against (C5a)."""
        self.restated: ByConcept[Clash, str] = ByConcept()
        """First person to repeat a statement that was settled against, since this
        server started: a second person reopens it (J7)."""
        self.redirects: ByConcept[Clash, int] = ByConcept()
        """Redirected statement → the dimension where it belongs now (C5a)."""
        self.people = MemoriesBySubject()
        """Memories of the subjects of conversations (G5)."""
        self.lines = LineIndex(memories=MemoryLines())
        """Index of all lines that may be recollected."""
        self.furnish(_fast.Vocabulary(), _fast.Graph())
        self.predicates = Registry()
        """Registered predicates of dimensions."""
        self.unsaved: dict[int, str] = {}
        """Tokens of concepts without a row in Postgres, by id, oldest first.

        Most of them were met once."""
        self.version = 0
        """Number of the tenant's commits that the world reflects."""
        self.concept_ids = IdPool()
        """Reserved ids for new concepts."""
        self.ledger_ids = IdPool()
        """Reserved ids for new ledger rows."""
        # The gate calls these (`View`) for each statement: a wrapping method would take
        # as long as the call itself.
        self.queued = self.conflicts.number
        self.tombstone = self.tombstones.find
        self.redirect = self.redirects.find

    def furnish(self, vocabulary: _fast.Vocabulary, graph: _fast.Graph) -> None:
        """Replace the vocabulary and the graph by loaded ones.

        Their lines can be found once they are indexed (`index_statements`).
        """
        self.vocabulary = vocabulary
        self.graph = graph
        self.read = OriginLines(
            vocabulary, self.conflicts, self.origins, self.lines.sources.turn_of
        )
        """Lines of the held statements that were read from words."""
        self.statements = StatementLines(
            vocabulary, graph, self.conflicts, read=self.read
        )
        self.lines.statements, self.lines.read = self.statements, self.read
        # One queue for embeddings, of sentences and of statements with an origin.
        self.read.vectors = self.lines.vectors
        # Called by the gate, as above.
        self.id = vocabulary.id
        self.token = vocabulary.token
        self.edge = graph.get
        self.reaches = graph.reaches

    # Further lookups of the gate

    def denied(self, concept_id: int, parent_id: int, dim_id: int) -> bool:
        """Return whether exactly this statement is denied."""
        return self.denials.find((concept_id, parent_id, dim_id)) is not None

    # Lookups of the cue scanner and the recollection

    def is_everyday(self, token: str) -> bool:
        """Return whether a token is a word of the dictionary."""
        return token in self.dictionary

    @property
    def names(self) -> KnownNames:
        """Known names: everyday words, concepts with facts, and speakers."""
        return KnownNames(
            self.dictionary, self.has_facts, self.lines.sources.is_speaker
        )

    def is_known(self, token: str) -> bool:
        """Return whether a fact placed a token in the graph."""
        return self.vocabulary.is_placed(token)

    def is_mentioned(self, concept_id: int) -> bool:
        """Return whether any edge or pending conflict refers to a concept (D3)."""
        return bool(
            self.graph.mentions(concept_id) or self.conflicts.mentions(concept_id)
        )

    def facts(self, concept_id: int) -> list[_fast.Edge]:
        """Return the edges of a concept without roots, in dimension order."""
        return [edge for edge in self.graph.of(concept_id) if not is_root(edge)]

    def cardinality(self, dimension: str) -> Cardinality | None:
        """Return the cardinality of a dimension; None if it is not registered."""
        return self.predicates.cardinality(dimension)

    def name(self, edge: _fast.Edge) -> Fact:
        """Return an edge with names instead of ids."""
        contested = self.conflicts.contested(edge.concept_id, edge.dim_id)
        return named(edge, self.vocabulary.token, contested=contested)

    # Changes

    def index_statements(self) -> Iterator[None]:
        """Index the statements of a loaded graph; yield at places to pause."""
        return self.statements.fill()

    def remember(
        self, subjects: Iterable[str], memories: Mapping[str, Collection[Memory]]
    ) -> None:
        """Replace the memories of some subjects."""
        subjects = list(subjects)
        self.people.replace(subjects, memories)
        if self.lines.memories is not None:
            self.lines.memories.replace(subjects, memories)

    def meet_all(self, tokens: Sequence[str], *, now: float) -> list[int]:
        """Give tokens ids and their first encounters, as far as ids are left.

        Returns:
            The allocated ids; fewer than tokens if too few were left.
        """
        # Ids come in reserved blocks: a prompt must not wait for the database.
        numbers = self.concept_ids.take_many(len(tokens))
        tokens = tokens[: len(numbers)]
        self.vocabulary.meet(tokens, numbers, now=now, dictionary=self.dictionary)
        # Most words are met once: they get a row only when they are met again.
        self.unsaved.update(zip(numbers, tokens, strict=True))
        return numbers

    def meet_late(self, tokens: Sequence[str], *, now: float) -> None:
        """Meet tokens that were unknown when read; count an encounter of known ones."""
        # Another prompt may have met them since this one was read.
        known = [each for token in tokens if (each := self.vocabulary.id(token))]
        if known:
            tokens = [token for token in tokens if token not in self.vocabulary]
        self.meet_all(tokens, now=now)
        for number in known:
            self.vocabulary.count(number, 1, now)

    def name_concept(self, token: str) -> int:
        """Return the id of a token; allocate one if it was never met.

        An id must be left: the writer reserves them beforehand.
        """
        known = self.vocabulary.id(token)
        if known is not None:
            return known
        concept_id = self.concept_ids.take()
        assert concept_id is not None, "the writer reserves numbers beforehand"
        self.vocabulary.add(token, concept_id, dictionary=token in self.dictionary)
        self.unsaved[concept_id] = token
        return concept_id

    def adopt(self, older: World) -> None:
        """Take over unsaved words and counts from an older world of the same tenant."""
        # Repetitions of what was settled are not stored.
        self.restated = older.restated
        for number, token in older.unsaved.items():
            self._keep(token, number)
        for number, count, last_seen in older.vocabulary.drain():
            # Another server may have dropped the concept on a request to forget it.
            kept = self._keep(older.vocabulary.token(number), number)
            self.vocabulary.count(kept, count, last_seen)

    def seldom(self) -> Iterator[tuple[int, str]]:
        """Yield the ids and tokens of words that were met and have no row."""
        for number, token in self.unsaved.items():
            if self.vocabulary.pending(number):
                yield number, token

    def meet_again(self, words: Iterable[tuple[int, str]], *, now: float) -> None:
        """Restore words that were met once, each under its previous id."""
        for number, token in words:
            self.vocabulary.count(self._keep(token, number), 1, now)

    def forget_seldom(self, most: int) -> None:
        """Forget the oldest words that were met once and have no row, beyond a limit.

        Args:
            most: The number of words without a row to keep.
        """
        # Every typo of every prompt is a word: without a limit they fill the memory.
        surplus = len(self.unsaved) - most
        for number in list(islice(self.unsaved, max(0, surplus))):
            if self.vocabulary.row(number).encounters <= 1:
                self._forget(number)
            else:
                # It will be written; until then it moves behind the other words.
                self.unsaved[number] = self.unsaved.pop(number)

    def forget_unsaved(self, tokens: Iterable[str]) -> None:
        """Forget tokens that have no row; the others stay."""
        for token in tokens:
            number = self.vocabulary.id(token)
            if number in self.unsaved:
                self._forget(number)

    def _forget(self, number: int) -> None:
        self.vocabulary.forget(number)
        del self.unsaved[number]

    def _keep(self, token: str, number: int) -> int:
        """Return the id of a token; add it under the given id if it has none."""
        known = self.vocabulary.id(token)
        if known is not None:
            return known
        self.vocabulary.add(token, number, dictionary=token in self.dictionary)
        self.unsaved[number] = token
        return number
