"""Everything that one tenant's memory knows, in memory.

Reads never leave it. It changes in two ways only: by encounters with words, and by
publishing a draft that Postgres has committed (`festinger.core.world.draft`).

The specification's five structures are views of it: `soas_by_token`, `soas_by_id`,
`urd_by_concept`, `urd_by_concept_dim` and `pending_conflicts`.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set,
)
from itertools import islice

from festinger import _fast
from festinger._fast import filled
from festinger.core.graph.byconcept import ByConcept
from festinger.core.graph.conflicts import Clash, PendingConflicts
from festinger.core.graph.origins import StatementOrigin
from festinger.core.graph.outcome import Fact
from festinger.core.graph.predicates import Cardinality, Registry
from festinger.core.graph.proposal import StatementSource
from festinger.core.graph.settled import Tombstone
from festinger.core.graph.structures import (
    ASSERTED,
    BELIEF,
    ConceptView,
    EdgesView,
    EdgeView,
    NamesView,
    SoasRow,
    UrdEdge,
)
from festinger.core.lines.index import LineIndex
from festinger.core.lines.memorylines import MemoryLines
from festinger.core.lines.originlines import OriginLines
from festinger.core.lines.statements import StatementLines
from festinger.core.memories.about import People
from festinger.core.memories.memory import Memory
from festinger.core.system.ids import IdPool


class World:
    """One tenant's vocabulary, graph and open questions.

    Only one thread may touch it.

    Args:
        dictionary: Everyday words, which have no saliency (B4a).
    """

    def __init__(self, dictionary: Set[str] = frozenset()) -> None:
        self.dictionary = dictionary
        self.denials: ByConcept[tuple[int, int, int], int] = ByConcept()
        """(concept, parent, dimension) that is denied → ledger entry (C6)."""
        self.conflicts = PendingConflicts()
        self.origins: dict[int, StatementOrigin] = {}
        """The words that held statements were read from, by their rows of the ledger."""
        self.tombstones: ByConcept[Clash, Tombstone] = ByConcept()
        """What was settled against (C5a)."""
        self.restated: ByConcept[Clash, str] = ByConcept()
        """Who said again what was settled against, since this server started: a second
        person opens it anew (J7)."""
        self.redirects: ByConcept[Clash, int] = ByConcept()
        """What was moved → the dimension where it belongs now (C5a)."""
        self.people = People()
        """What is remembered of the subjects of conversations (G5)."""
        self.lines = LineIndex(memories=MemoryLines())
        """Everything that may be told, line by line."""
        self.furnish(_fast.Vocabulary(), _fast.Graph())
        self.predicates = Registry()
        """What is known of dimensions."""
        self.unsaved: dict[int, str] = {}
        """Concepts without a row in Postgres, the oldest first: most were met once."""
        self.version = 0
        """How many commits of the tenant it reflects."""
        self.concept_ids = IdPool()
        """Numbers for concepts that will be met."""
        self.ledger_ids = IdPool()
        """Numbers for statements that will be judged."""
        # What the gate asks (`View`), of each statement: a method of ours around each of
        # these would take as long as its answer.
        self.queued = self.conflicts.number
        self.tombstone = self.tombstones.find
        self.redirect = self.redirects.find

    def furnish(self, vocabulary: _fast.Vocabulary, graph: _fast.Graph) -> None:
        """Takes words and edges that were loaded, in place of its own.

        Their lines are found once they were indexed (`index_statements`).
        """
        self.vocabulary = vocabulary
        self.graph = graph
        self.read = OriginLines(
            vocabulary, self.conflicts, self.origins, self.lines.turn_of
        )
        """Of the held statements, those that were read from words, line by line."""
        self.statements = StatementLines(
            vocabulary, graph, self.conflicts, read=self.read
        )
        self.lines.statements, self.lines.read = self.statements, self.read
        self.wordbook = _fast.Wordbook(self.dictionary, vocabulary)
        """What the cue scanner asks, so that it need not ask in Python."""
        # What the gate asks, as above.
        self.id = vocabulary.id
        self.token = vocabulary.token
        self.edge = graph.get
        self.reaches = graph.reaches

    @classmethod
    def from_structures(
        cls,
        soas_by_token: Mapping[str, SoasRow] | None = None,
        soas_by_id: Mapping[int, str] | None = None,
        urd_by_concept: Mapping[int, Iterable[UrdEdge]] | None = None,
        urd_by_concept_dim: Mapping[tuple[int, int], UrdEdge] | None = None,
        pending_conflicts: Iterable[int | tuple[int, int]] = (),
        *,
        dictionary: Set[str] = frozenset(),
        ids: range = range(1_000_000, 2_000_000),
    ) -> World:
        """Builds a world by hand, without a database.

        Args:
            soas_by_token: The concepts. A row with a saliency and no count gets the
                count that has this saliency.
            soas_by_id: Names of concepts that are not in `soas_by_token`.
            urd_by_concept: Edges by concept.
            urd_by_concept_dim: Edges by concept and dimension; those of both are
                taken.
            pending_conflicts: Concepts, or (concept, dimension) pairs, that are
                contested. A bare concept is contested in all its dimensions.
            ids: Numbers for concepts that will be met.
        """
        world = cls(dictionary)
        for token, row in (soas_by_token or {}).items():
            world.vocabulary.add(
                token,
                row.id,
                encounters=row.encounter_count or _encounters_of(row.saliency),
                last_seen=row.last_seen,
                novelty=row.novelty,
                dictionary=token in dictionary,
            )
        for concept_id, token in (soas_by_id or {}).items():
            if world.vocabulary.id(token) is None:
                world.vocabulary.add(token, concept_id)
        edges = [edge for many in (urd_by_concept or {}).values() for edge in many]
        for edge in [*edges, *(urd_by_concept_dim or {}).values()]:
            world.graph.put(edge.compact())
        for item in pending_conflicts:
            world.contest(item)
        for _ in world.index_statements():
            pass
        world.concept_ids.add(ids)
        world.ledger_ids.add(range(1, 1_000_000))
        return world

    # The specification's five structures

    @property
    def soas_by_token(self) -> Mapping[str, SoasRow]:
        """Token → row: the concepts that were met."""
        return ConceptView(self.vocabulary)

    @property
    def soas_by_id(self) -> Mapping[int, str]:
        """Number → token."""
        return NamesView(self.vocabulary)

    @property
    def urd_by_concept(self) -> Mapping[int, list[UrdEdge]]:
        """Number → edges."""
        return EdgesView(self.graph)

    @property
    def urd_by_concept_dim(self) -> Mapping[tuple[int, int], UrdEdge]:
        """(concept, dimension) → the one edge there: the collision index."""
        return EdgeView(self.graph)

    @property
    def pending_conflicts(self) -> Set[int]:
        """The concepts that have a statement waiting in the resolution queue."""
        return self.conflicts.concepts

    # What else the gate asks

    def denied(self, concept_id: int, parent_id: int, dim_id: int) -> bool:
        """Whether exactly this is denied."""
        return self.denials.find((concept_id, parent_id, dim_id)) is not None

    # What the cue scanner and the recollection ask

    def is_everyday(self, token: str) -> bool:
        """Whether it is a word of the dictionary."""
        return self.wordbook.is_everyday(token)

    def is_known(self, token: str) -> bool:
        """Whether a fact placed it."""
        return self.wordbook.is_known(token)

    def is_mentioned(self, concept_id: int) -> bool:
        """Whether it stands at any place of an edge or of a pending conflict (D3)."""
        return bool(
            self.graph.mentions(concept_id) or self.conflicts.mentions(concept_id)
        )

    def facts(self, concept_id: int) -> list[_fast.Edge]:
        """The edges that place a concept, roots left out, in dimension order."""
        return [edge for edge in self.graph.of(concept_id) if not is_root(edge)]

    def has_facts(self, token: str) -> bool:
        """Whether anything is held of a concept."""
        number = self.id(token)
        return number is not None and bool(self.facts(number))

    def values(self, concept_id: int, dim_id: int) -> list[_fast.Edge]:
        """The edges of a concept in one dimension."""
        return [edge for edge in self.facts(concept_id) if edge.dim_id == dim_id]

    def cardinality(self, dimension: str) -> Cardinality | None:
        """How many values a concept may have in a dimension; None if that is open."""
        return self.predicates.cardinality(dimension)

    def name(self, edge: _fast.Edge) -> Fact:
        """An edge with names instead of numbers."""
        contested = self.conflicts.contested(edge.concept_id, edge.dim_id)
        return named(edge, self.vocabulary.token, contested=contested)

    # What changes it

    def index_statements(self) -> Iterator[None]:
        """Has the statements of a loaded graph found; yields at places to pause."""
        return self.statements.fill()

    def remember(
        self, subjects: Iterable[str], memories: Mapping[str, Collection[Memory]]
    ) -> None:
        """Takes over what is remembered of some subjects now.

        Args:
            memories: By subject; of whom nothing is remembered is missing.
        """
        subjects = list(subjects)
        self.people.replace(subjects, memories)
        if self.lines.memories is not None:
            self.lines.memories.replace(subjects, memories)

    def meet(self, token: str, *, now: float) -> int | None:
        """Gives a token that was never met its number and its first encounter.

        Returns:
            The number; None if no numbers are left, in which case nothing changed.
        """
        numbers = self.meet_all([token], now=now)
        return numbers[0] if numbers else None

    def meet_all(self, tokens: Sequence[str], *, now: float) -> list[int]:
        """Meets tokens; if too few numbers are left, the last ones stay unknown.

        Returns:
            The numbers that were given out.
        """
        numbers = self.concept_ids.take_many(len(tokens))
        tokens = tokens[: len(numbers)]
        self.vocabulary.meet(tokens, numbers, now=now, dictionary=self.dictionary)
        self.unsaved.update(zip(numbers, tokens, strict=True))
        return numbers

    def meet_late(self, tokens: Sequence[str], *, now: float) -> None:
        """Meets tokens that nobody knew a moment ago; counts what was named since."""
        known = [each for token in tokens if (each := self.vocabulary.id(token))]
        if known:
            tokens = [token for token in tokens if token not in self.vocabulary]
        self.meet_all(tokens, now=now)
        for number in known:
            self.vocabulary.count(number, 1, now)

    def name_concept(self, token: str) -> int:
        """The number of a token, given out now if it was never met.

        Numbers must be left: the writer sees to that.
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
        """Takes over what an older world of the same memory met and never saved."""
        self.predicates, self.restated = older.predicates, older.restated
        for number, token in older.unsaved.items():
            self._keep(token, number)
        for number, count, last_seen in older.vocabulary.drain():
            # Another server may have dropped it, since somebody wanted it forgotten.
            kept = self._keep(older.vocabulary.token(number), number)
            self.vocabulary.count(kept, count, last_seen)

    def seldom(self) -> Iterator[tuple[int, str]]:
        """Yield the words that were met and have no row, each behind its number."""
        for number, token in self.unsaved.items():
            if self.vocabulary.pending(number):
                yield number, token

    def meet_again(self, words: Iterable[tuple[int, str]], *, now: float) -> None:
        """Take back words that were met once, each under the number that it had."""
        for number, token in words:
            self.vocabulary.count(self._keep(token, number), 1, now)

    def forget_seldom(self, most: int) -> None:
        """Forget words that were met once and have no row: the oldest beyond a limit."""
        surplus = len(self.unsaved) - most
        for number in list(islice(self.unsaved, max(0, surplus))):
            if self.vocabulary.row(number).encounters <= 1:
                self._forget(number)
            else:
                # It will be written; until then those behind it are looked at first.
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
        """The number of a token; the given one, to be written, if it has none."""
        known = self.vocabulary.id(token)
        if known is not None:
            return known
        self.vocabulary.add(token, number, dictionary=token in self.dictionary)
        self.unsaved[number] = token
        return number

    def contest(self, item: int | tuple[int, int]) -> None:
        """Marks a concept, or one of its dimensions, as contested (for building)."""
        if isinstance(item, tuple):
            self.conflicts.add(Clash(item[0], item[1], 0, False))
            return
        for edge in self.facts(item):
            self.conflicts.add(Clash(item, edge.dim_id, 0, False))


def is_root(edge: _fast.Edge) -> bool:
    """Whether an edge is the named root of a dimension's tree (C1)."""
    return edge.concept_id == edge.parent_id == edge.dim_id


def root_of(dim_id: int, is_isa: bool, now: float) -> _fast.Edge:
    """The named root of a dimension's tree: the one allowed self-reference (C1)."""
    return _fast.Edge(
        dim_id,
        dim_id,
        dim_id,
        is_isa,
        1.0,
        now,
        StatementSource.FESTINGER.code,
        ASSERTED,
        0,
    )


def named(edge: _fast.Edge, token: Callable[[int], str], *, contested: bool) -> Fact:
    """An edge with names instead of numbers.

    Args:
        token: Gives the name of a number.
        contested: Whether a contradicting statement waits.
    """
    concept, parent, dim, is_isa, confidence, confirmed, source, modality, number, _ = (
        edge
    )
    return filled(
        Fact,
        (
            token(concept),
            token(parent),
            token(dim),
            is_isa,
            confidence,
            confirmed,
            StatementSource.from_code(source),
            number,
            contested,
            modality == BELIEF,
        ),
    )


def _encounters_of(saliency: float) -> int:
    return round(10**saliency) if saliency > 0 else 0
