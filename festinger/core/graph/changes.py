"""Changes of a batch, as values that the store writes and the world applies."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from festinger import _fast
from festinger.core.graph.candidates import Candidate
from festinger.core.graph.conflicts import Clash
from festinger.core.graph.origins import StatementOrigin
from festinger.core.graph.outcome import Fact, Outcome
from festinger.core.graph.proposal import Proposal, Triple
from festinger.core.graph.resolution import ReopenedItem, Settlement
from festinger.core.graph.tombstones import Tombstone

Denial = tuple[int, int, int]
"""A denied (concept, parent, dimension)."""


@dataclass(slots=True)
class LedgerEntry:
    """A row of the ledger: a statement and its outcome.

    Attributes:
        edge: Edge to write, if the statement is held or confirmed.
        denial: Denial to write, if the statement is negated and held.
        clash: Key of the queue item, if the statement is conflicted.
        existing_parent_id: Parent of the edge that it collides with; None for none.
        reopens: Closed queue item that it reopens; 0 for none.
        candidate: Candidate that it creates, or for which it is counted, once that has an
            id.
        is_new: Whether that candidate is new.
        changed_by: Who said the change that decides its conflict; empty if people decide.
    """

    id: int
    proposal: Proposal  # as it was made; `outcome` has it as it was judged
    outcome: Outcome
    edge: _fast.Edge | None = None
    denial: Denial | None = None
    clash: Clash | None = None
    existing_parent_id: int | None = None
    reopens: int = 0  # of a dismissed statement that a person states again
    candidate: Candidate | None = None
    is_new: bool = False
    changed_by: str = ""

    @property
    def triple(self) -> Triple:
        """The statement as it was judged: a redirect may have changed its dimension."""
        return self.outcome.triple


@dataclass(frozen=True, slots=True)
class Retraction:
    """A row of the ledger that retracts a held statement.

    Attributes:
        fact: The retracted fact; None if it was a denial.
        why: Reason in the words of the person who retracts it; may be empty.
    """

    id: int
    triple: Triple
    fact: Fact | None
    principal: str
    subject: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class EndedEdge:
    """An edge or a denial that ends, with its cause. Example: `conflict 7`."""

    by: str
    edge: _fast.Edge | None = None
    denial: Denial | None = None


@dataclass(slots=True)
class Changes:
    """The changes that a batch writes.

    Attributes:
        concepts: Tokens of concepts that have no row yet, by id.
        dimensions: Whether the first fact of a new dimension is an ISA, by id.
        placed: Concepts that a fact places.
        closings: Edges and denials that end, before new ones are written.
        passing: Edges that end in the batch that began to hold them, with the cause.
        entries: Ledger rows of statements, in the order of judgement.
        retractions: Ledger rows of retractions.
        settlements: Decisions about queue items.
        tombstones: Tombstones by statement; None where one is removed.
        counted: Number of repetitions of statements that have a tombstone.
        restored_edges: Edges restored to their state before a decision.
        restored_denials: Restored denials, and the ledger rows that created them.
        reopenings: Queue items whose decision is undone.
        redirects: New dimension of statements that a decision moves; None where a
            redirect ends.
        origins: Quotes that statements were read from, by ledger row.
        restated: Person who repeated a statement with a tombstone; None once it is
            reopened.
        reread: Statement as the rules read it and as a model read it in its place, by
            the former's ledger row.
    """

    concepts: dict[int, str] = field(default_factory=dict)
    dimensions: dict[int, bool] = field(default_factory=dict)
    placed: set[int] = field(default_factory=set)
    closings: list[EndedEdge] = field(default_factory=list)
    passing: list[tuple[_fast.Edge, str]] = field(default_factory=list)
    entries: list[LedgerEntry] = field(default_factory=list)
    retractions: list[Retraction] = field(default_factory=list)
    settlements: list[Settlement] = field(default_factory=list)
    tombstones: dict[Clash, Tombstone | None] = field(default_factory=dict)
    counted: Counter[Clash] = field(default_factory=Counter)
    restored_edges: list[_fast.Edge] = field(default_factory=list)
    restored_denials: dict[Denial, int] = field(default_factory=dict)
    reopenings: list[ReopenedItem] = field(default_factory=list)
    redirects: dict[Clash, int | None] = field(default_factory=dict)
    origins: dict[int, StatementOrigin] = field(default_factory=dict)
    restated: dict[Clash, str | None] = field(default_factory=dict)
    reread: dict[int, tuple[Triple, Triple]] = field(default_factory=dict)

    def end(self, edge: _fast.Edge, by: str) -> None:
        """Record that an edge ends, which the batch itself may have begun to hold."""
        about = [
            entry
            for entry in self.entries
            if entry.edge and entry.edge.place == edge.place
        ]
        # Nothing is left to be held or confirmed by the batch.
        for entry in about:
            entry.edge = None
        # The database has no row yet that could be closed.
        if any(entry.id == edge.assertion_id for entry in about):
            self.passing.append((edge, by))
        else:
            self.closings.append(EndedEdge(by, edge=edge))

    @property
    def touched(self) -> set[int]:
        """The concepts whose held statements other servers must reload."""
        touched = set(self.dimensions)  # a new dimension has a root
        touched |= {key.concept_id for key in (*self.tombstones, *self.redirects)}
        touched |= {each.clash.concept_id for each in self.settlements}
        touched |= {each.clash.concept_id for each in self.reopenings}
        touched |= {edge.concept_id for edge in self.restored_edges}
        touched |= {denial[0] for denial in self.restored_denials}
        touched |= {edge.concept_id for edge, _ in self.passing}
        for closing in self.closings:
            if closing.edge:  # it ends an edge or a denial
                touched.add(closing.edge.concept_id)
            elif closing.denial:
                touched.add(closing.denial[0])
        # Candidates and rejections change nothing that is held.
        for entry in self.entries:
            if entry.edge:
                touched.add(entry.edge.concept_id)
            elif entry.denial:
                touched.add(entry.denial[0])
            elif entry.clash:
                touched.add(entry.clash.concept_id)
        return touched
