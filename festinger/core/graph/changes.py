"""What a batch writes, as values: the store makes rows of it, the world takes it over."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from festinger import _fast
from festinger.core.graph.candidates import Factoid
from festinger.core.graph.conflicts import Clash
from festinger.core.graph.origins import StatementOrigin
from festinger.core.graph.outcome import Fact, Outcome
from festinger.core.graph.proposal import Proposal, Triple
from festinger.core.graph.resolution import Reopening, Settlement
from festinger.core.graph.settled import Tombstone

Denial = tuple[int, int, int]
"""(concept, parent, dimension) that is denied."""


@dataclass(slots=True)
class LedgerEntry:
    """A row of the ledger: a statement, and what became of it.

    Attributes:
        id: The row's number.
        edge: The edge to write, if it is held or confirmed.
        denial: The denial to write, if it is a negated statement and held.
        clash: The queue item's key, if it is conflicted.
        existing_parent_id: What it met there; None if nothing.
        reopens: The closed queue item that it opens again; 0 for none.
        factoid: The candidate that it is, or on which it counts, once it has a place on
            the list of what waits for people.
        is_new: Whether that is a new one.
    """

    id: int
    proposal: Proposal
    outcome: Outcome
    edge: _fast.Edge | None = None
    denial: Denial | None = None
    clash: Clash | None = None
    existing_parent_id: int | None = None
    reopens: int = 0
    factoid: Factoid | None = None
    is_new: bool = False

    @property
    def triple(self) -> Triple:
        """The statement where it was judged: a redirect may have moved it."""
        return self.outcome.triple


@dataclass(frozen=True, slots=True)
class Retraction:
    """A row of the ledger: what was held of a statement is taken back.

    Attributes:
        id: The row's number.
        fact: What was held; None if it was a denial.
        why: In the words of whoever took it back; may be empty.
    """

    id: int
    triple: Triple
    fact: Fact | None
    principal: str
    subject: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Closing:
    """An edge or a denial that ends, and what ends it. Example: `conflict 7`."""

    by: str
    edge: _fast.Edge | None = None
    denial: Denial | None = None


@dataclass(slots=True)
class Changes:
    """What a batch writes.

    Attributes:
        concepts: Concepts without a row: number → token.
        dimensions: New dimensions: number → whether their first fact is an ISA.
        placed: Concepts that a fact places.
        closings: What ends, before anything new is held.
        entries: The ledger, in the order of judgement.
        retractions: The ledger's other rows.
        settlements: Queue items that are decided.
        tombstones: Statements that are settled against; None where that is lifted.
        counted: Statements that were made again although they are settled against.
        restored_edges: What is held again exactly as it was before a decision.
        restored_denials: The same, and the ledger rows that made them.
        reopenings: Queue items whose decision is taken back.
        redirects: Statements that belong to another dimension from now on, and which;
            None where that ends.
        subjects: Of whom other things are remembered than before.
        origins: The words that statements were read from, by row of the ledger.
        restated: Who said again what was settled against; None once that is open again.
    """

    concepts: dict[int, str] = field(default_factory=dict)
    dimensions: dict[int, bool] = field(default_factory=dict)
    placed: set[int] = field(default_factory=set)
    closings: list[Closing] = field(default_factory=list)
    entries: list[LedgerEntry] = field(default_factory=list)
    retractions: list[Retraction] = field(default_factory=list)
    settlements: list[Settlement] = field(default_factory=list)
    tombstones: dict[Clash, Tombstone | None] = field(default_factory=dict)
    counted: Counter[Clash] = field(default_factory=Counter)
    restored_edges: list[_fast.Edge] = field(default_factory=list)
    restored_denials: dict[Denial, int] = field(default_factory=dict)
    reopenings: list[Reopening] = field(default_factory=list)
    redirects: dict[Clash, int | None] = field(default_factory=dict)
    subjects: set[str] = field(default_factory=set)
    origins: dict[int, StatementOrigin] = field(default_factory=dict)
    restated: dict[Clash, str | None] = field(default_factory=dict)

    @property
    def touched(self) -> set[int]:
        """The concepts of which other servers must read anew what is held."""
        touched = set(self.dimensions)
        touched |= {key.concept_id for key in (*self.tombstones, *self.redirects)}
        touched |= {each.clash.concept_id for each in self.settlements}
        touched |= {each.clash.concept_id for each in self.reopenings}
        touched |= {edge.concept_id for edge in self.restored_edges}
        touched |= {denial[0] for denial in self.restored_denials}
        for closing in self.closings:
            if closing.edge:
                touched.add(closing.edge.concept_id)
            elif closing.denial:
                touched.add(closing.denial[0])
        for entry in self.entries:
            if entry.edge:
                touched.add(entry.edge.concept_id)
            elif entry.denial:
                touched.add(entry.denial[0])
            elif entry.clash:
                touched.add(entry.clash.concept_id)
        return touched
