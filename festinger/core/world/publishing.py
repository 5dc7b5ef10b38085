"""Application of committed changes to a world: of its own server, or of others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from festinger import _fast
from festinger.core.graph.changes import Changes, Denial
from festinger.core.graph.conflicts import Clash
from festinger.core.graph.origins import StatementOrigin
from festinger.core.graph.predicates import Registry
from festinger.core.graph.tombstones import Tombstone
from festinger.core.lines.line import IndexedLine, LineKind
from festinger.core.lines.notes import replace_notes
from festinger.core.lines.originwording import statement_place
from festinger.core.lines.turns import SpokenTurn, lines_of
from festinger.core.lines.weights import LineVotes
from festinger.core.memories.memory import Memory
from festinger.core.world.edges import root_of
from festinger.core.world.world import World


def publish(
    world: World,
    changes: Changes,
    conflict_numbers: Mapping[Clash, int],
    version: int,
    *,
    now: float,
) -> None:
    """Apply the changes that the world's own server committed.

    Args:
        conflict_numbers: The ids that the commit gave to queue items.
        version: The tenant's version after the commit.
        now: Time of the draft, in seconds since the epoch.
    """
    for number in changes.concepts:
        world.unsaved.pop(number, None)
    # Ends before beginnings: a new edge may take the place of one that ended.
    for closing in changes.closings:
        if closing.edge:
            world.graph.remove(*closing.edge.place)
        if closing.denial:
            world.denials.pop(closing.denial, None)
    for dim_id, is_isa in changes.dimensions.items():
        world.graph.put(root_of(dim_id, is_isa, now))
    for edge in changes.restored_edges:
        world.graph.put(edge)
    world.denials.update(changes.restored_denials)
    for entry in changes.entries:
        if entry.edge:
            world.graph.put(entry.edge)
        if entry.denial:
            world.denials[entry.denial] = entry.id
    for concept_id in changes.placed:
        # A placed concept is told, however seldom it was met (B5).
        world.vocabulary.set_novelty(concept_id, 1.0)
    world.origins.update(changes.origins)
    # The words of queued statements, to show both sides of a conflict.
    origins = {
        entry.clash: changes.origins[entry.id]
        for entry in changes.entries
        if entry.clash and entry.id in changes.origins
    }
    for key, number in conflict_numbers.items():
        world.conflicts.add(key, number, origins.get(key))
    for reopening in changes.reopenings:
        world.conflicts.add(reopening.clash, reopening.conflict_id)
    # After the reopenings: a reopened item may be settled in the same batch.
    for settlement in changes.settlements:
        world.conflicts.discard(settlement.clash)
    world.tombstones.change(changes.tombstones)
    world.redirects.change(changes.redirects)
    world.restated.change(changes.restated)
    # Last, since the indexes read origins and conflicts.
    for concept_id in changes.touched:
        world.statements.follow(concept_id)
    _end_passing(world, changes)
    world.version = version


def _end_passing(world: World, changes: Changes) -> None:
    """Tell the index of statements that ended in the batch that held them."""
    for edge, _ in changes.passing:
        origin = world.origins.get(edge.assertion_id)
        if origin is None:
            continue
        successors = [
            entry.id
            for entry in changes.entries
            if entry.edge and entry.edge.place[:2] == edge.place[:2]
        ]
        successor = max(successors, default=0)
        world.read.end(edge.assertion_id, origin, successor, statement_place(edge))


def forget_origins(world: World, unquoted: Mapping[int, int]) -> None:
    """Forget the words that statements were read from.

    Args:
        unquoted: The concepts of the statements, by ledger row.
    """
    for number in unquoted:
        world.origins.pop(number, None)
    for concept_id in set(unquoted.values()):
        world.statements.follow(concept_id)


@dataclass(frozen=True, slots=True)
class ConceptRow:
    """A concept's row in the database."""

    id: int
    token: str
    novelty: float
    everyday: bool


@dataclass(slots=True)
class ConceptSnapshot:
    """A snapshot of a tenant's database about the concepts that changed.

    Attributes:
        places: The ids of the changed concepts; everything held of them is included.
        names: The rows of these concepts, and of all others that their edges refer to.
        batches: The batches that led to this version.
        origins: The words that held statements were read from, by ledger row.
        waiting: The words that pending statements were read from, by conflict.
        subjects: The subjects whose memories changed.
        memories: The current memories of these subjects.
        turns: The ids of turns that were written, changed or removed.
        spoken: Those of these turns that still exist.
        notes: All entities and items of trusted state; None if unchanged.
        votes: What people say of the lines; None if unchanged.
        predicates: The registered predicates; None if unchanged.
    """

    version: int
    places: Collection[int] = ()
    names: list[ConceptRow] = field(default_factory=list)
    edges: list[_fast.Edge] = field(default_factory=list)
    denials: dict[Denial, int] = field(default_factory=dict)
    conflicts: dict[Clash, int] = field(default_factory=dict)
    tombstones: dict[Clash, Tombstone] = field(default_factory=dict)
    redirects: dict[Clash, int] = field(default_factory=dict)
    batches: frozenset[UUID] = frozenset()
    origins: dict[int, StatementOrigin] = field(default_factory=dict)
    waiting: dict[Clash, StatementOrigin] = field(default_factory=dict)
    subjects: frozenset[str] = frozenset()
    memories: Mapping[str, Sequence[Memory]] = field(default_factory=dict)
    turns: frozenset[int] = frozenset()
    spoken: Sequence[SpokenTurn] = ()
    notes: Sequence[IndexedLine] | None = None
    votes: LineVotes | None = None
    predicates: Registry | None = None


def take_over(world: World, news: ConceptSnapshot) -> None:
    """Apply the changes that other servers committed, in one step."""
    places = set(news.places)
    # Names first: edges refer to them.
    for name in news.names:
        _take_name(world, name)
    for concept_id in places:
        # Replaced as a whole: `news` has everything that is held of these concepts.
        for edge in world.graph.of(concept_id):
            world.graph.remove(*edge.place)
    for edge in news.edges:
        world.graph.put(edge)
        # Its words were forgotten on request.
        if edge.assertion_id not in news.origins:
            world.origins.pop(edge.assertion_id, None)
    world.origins.update(news.origins)
    for key in [key for place in places for key in world.conflicts.of(place)]:
        # An item without an id is not written yet: the database cannot know it.
        if world.conflicts.number(key):
            world.conflicts.discard(key)
    for key, number in news.conflicts.items():
        world.conflicts.add(key, number, news.waiting.get(key))
    world.denials.replace(places, news.denials)
    world.tombstones.replace(places, news.tombstones)
    world.redirects.replace(places, news.redirects)
    world.remember(news.subjects, news.memories)
    for concept_id in places:
        world.statements.follow(concept_id)
    # A changed concept without a row was deleted by the other server. After the lines,
    # which are taken out of the index by the words of its name.
    forget_concepts(world, places - {name.id for name in news.names})
    take_turns(world, news.spoken, news.turns)
    if news.notes is not None:
        replace_notes(world.lines.sources, news.notes)
    if news.votes is not None:
        world.lines.votes = news.votes
    if news.predicates is not None:
        world.predicates = news.predicates
    # News may arrive after a commit of this server that already took them over.
    world.version = max(world.version, news.version)


def renumber(world: World, numbers: Mapping[str, int]) -> None:
    """Give tokens the ids under which another server wrote them first."""
    for token, number in numbers.items():
        known = world.vocabulary.id(token)
        if known is None:
            everyday = token in world.dictionary
            world.vocabulary.add(token, number, dictionary=everyday)
        elif known != number:
            # Both servers met the word: the id that has a row counts, with the counts of both.
            world.vocabulary.remap(known, number)
            world.unsaved.pop(known, None)


def take_turns(world: World, spoken: Iterable[SpokenTurn], gone: Iterable[int]) -> None:
    """Put turns into the index, and remove those that no longer exist."""
    spoken = list(spoken)
    # `gone` lists all changed turns; those that still exist are in `spoken`.
    for number in set(gone) - {turn.id for turn in spoken}:
        world.lines.sources.remove(LineKind.UTTERANCE, number)
    for turn in spoken:
        world.lines.sources.put(LineKind.UTTERANCE, turn.id, lines_of(turn))


def _take_name(world: World, name: ConceptRow) -> None:
    if world.vocabulary.id(name.token) is None:
        world.vocabulary.add(
            name.token, name.id, novelty=name.novelty, dictionary=name.everyday
        )
    else:
        # It may be known under an id of ours that was never written.
        renumber(world, {name.token: name.id})
        world.unsaved.pop(name.id, None)
    if name.novelty:
        world.vocabulary.set_novelty(name.id, name.novelty)


def forget_concepts(world: World, gone: Iterable[int]) -> None:
    """Forget concepts whose rows were deleted, or mark them to be written again."""
    for concept_id in gone:
        try:
            token = world.vocabulary.token(concept_id)
        except KeyError:
            continue
        # A concept with unwritten encounters is in use: it is written anew.
        if concept_id in world.unsaved or world.vocabulary.pending(concept_id):
            world.unsaved[concept_id] = token
        else:
            world.vocabulary.forget(concept_id)
