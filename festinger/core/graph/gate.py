"""Judge every statement before it becomes knowledge.

    proposal ─▶ judge ─▶ held          a new edge, or a denial
                      ─▶ corroborated  it was held already
                      ─▶ conflicted    what is held forbids it: queued
                      ─▶ candidate     too doubtful: waits for people
                      ─▶ rejected      it cannot be knowledge at all

The outcome is a value. Nothing is written here: a draft applies the outcome
(`festinger.core.world.draft`), Postgres commits the draft, and then the world changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

from festinger import _fast
from festinger.core.graph.conflicts import Clash
from festinger.core.graph.outcome import CollisionType, Fact, Outcome, Verdict
from festinger.core.graph.predicates import Cardinality
from festinger.core.graph.proposal import Proposal, Triple
from festinger.core.graph.tokens import is_concept, is_renderable
from festinger.core.graph.tombstones import Tombstone, reopens
from festinger.core.graph.values import is_value

HOLD_FLOOR = 0.70
"""Minimum confidence of a statement that is held outright (E2)."""
CANDIDATE_FLOOR = 0.45
"""Minimum confidence of a candidate. Below it a statement is rejected (E2), unless it
is proposed for confirmation."""
HIERARCHIES = frozenset(("part-of", "depends-on"))
"""Multi-valued dimensions in which a cycle is a contradiction."""
CIRCLE_CONCEPTS_MAX = 1_000
"""Maximum number of concepts visited when searching a multi-valued cycle."""
SETTLED = "settled"
"""Reason of a rejection that is only counted: the statement has a tombstone (C5a)."""

#: Reading a member of an enum takes longer than reading a global.
_HELD: Final = Verdict.HELD
_CORROBORATED: Final = Verdict.CORROBORATED
_CANDIDATE: Final = Verdict.CANDIDATE


class View(Protocol):
    """Read access that the gate needs to a world, or to a draft of one."""

    def id(self, token: str) -> int | None:
        """Return the id of a token; None if it is unknown."""

    def token(self, concept_id: int) -> str:
        """Return the token of a concept id."""

    def edge(self, concept_id: int, dim_id: int, slot: int = 0) -> _fast.Edge | None:
        """Return the edge in a slot; slot 0 is that of a single value."""

    def values(self, concept_id: int, dim_id: int) -> Iterable[_fast.Edge]:
        """Return all edges of a concept in a dimension."""

    def cardinality(self, dimension: str) -> Cardinality | None:
        """Return the cardinality of a dimension; None if it is not registered."""

    def reaches(self, start_id: int, dim_id: int, target_id: int) -> bool:
        """Return whether the ancestors of a concept in a dimension include another."""

    def denied(self, concept_id: int, parent_id: int, dim_id: int) -> bool:
        """Return whether exactly this statement is denied."""

    def queued(self, clash: Clash) -> int | None:
        """Return the pending item's number; 0 if not written yet; None for none."""

    def tombstone(self, clash: Clash) -> Tombstone | None:
        """Return the tombstone of a statement, if it was settled against."""

    def redirect(self, clash: Clash) -> int | None:
        """Return the dimension to which a decision moved the statement."""

    def name(self, edge: _fast.Edge) -> Fact:
        """Return an edge with names instead of ids."""


def judge(proposal: Proposal, view: View) -> Outcome:
    """Return the outcome of a proposed statement, given what is held.

    The outcome's triple is the statement as it was judged: a redirect may have moved it
    to another dimension.
    """
    # Redirects first: all that follows looks at the place that decisions gave the statement.
    triple, key = _moved(proposal.triple, view)
    if refusal := _impossible(triple):
        return refusal
    incumbent, collision = _confront(triple, key, view, is_many(proposal, triple, view))
    fact = view.name(incumbent) if incumbent else None
    # Held in this slot and not excluded: stating it again is no news.
    known = (
        key is not None
        and collision is None
        and _is_known(key, incumbent is not None, view)
    )
    # What is held is never refused as settled: whoever held it has reopened it.
    if not known and (rest := _settled(proposal, triple, key, view)):
        return rest._replace(fact=fact)
    if doubt := _doubt(proposal):
        # A doubtful repetition confirms what is held, if its source may assert.
        if known and proposal.asserts and proposal.confidence >= CANDIDATE_FLOOR:
            return _corroborated(triple, fact)
        # One that may only propose neither confirms (E1) nor asks people about what is held.
        if known:
            return _rejected(triple, "already_held", "it is held already", fact)
        return doubt
    # After the doubt: what may only propose, or is hardly sure, raises no conflict.
    if collision:
        return _conflicted(triple, fact, collision, view.queued(key) if key else None)
    if known:
        return _corroborated(triple, fact)
    return Outcome(_HELD, triple, fact, None, "", "", 0, 0, 0)


def clash(triple: Triple, view: View) -> Clash | None:
    """Return the queue key of a statement; None if one of its names has no id."""
    concept, parent, dimension, _, negated = triple
    concept_id = view.id(concept)
    dim_id = view.id(dimension)
    parent_id = view.id(parent)
    if concept_id is None or dim_id is None or parent_id is None:
        return None
    return Clash(concept_id, dim_id, parent_id, negated)


def contradicted(triple: Triple, view: View) -> str:
    """Return the held fact that contradicts a statement, in words; empty if none."""
    triple, key = _moved(triple, view)
    edge, collision = _confront(triple, key, view, is_plural(triple, view))
    if collision is None:
        return ""
    if edge is not None:
        return str(view.name(edge).triple)
    if collision is CollisionType.NEGATION:
        # No edge stands against a denial: the contrary is what is held.
        return str(triple._replace(negated=not triple.negated))
    return f"{triple.parent} is itself within {triple.concept} in [{triple.dimension}]"


def redirected(triple: Triple, view: View) -> Triple:
    """Return the statement in the dimension to which decisions moved it (C5a)."""
    return _moved(triple, view)[0]


def _moved(triple: Triple, view: View) -> tuple[Triple, Clash | None]:
    """Return the statement after all redirects, and its key there."""
    key = clash(triple, view)
    dim_id = None if key is None else _sent_to(key, view)
    if dim_id is None:  # nearly all statements have no redirect
        return triple, key
    met = {triple.dimension}  # a circle of redirects must not hang the gate
    while key is not None:
        dim_id = _sent_to(key, view)
        # Exactly this is held here: it was moved back.
        if dim_id is None or view.token(dim_id) in met or stands(triple, key, view):
            break
        triple = triple._replace(dimension=view.token(dim_id))
        met.add(triple.dimension)
        key = clash(triple, view)
    return triple, key


def stands(triple: Triple, key: Clash, view: View) -> bool:
    """Return whether exactly this is held, as a fact or as a denial."""
    if triple.negated:
        return view.denied(key.concept_id, key.parent_id, key.dim_id)
    edge = edge_of(key, view)
    return (
        edge is not None
        # the root of a dimension is no statement (C1)
        and key.concept_id != key.dim_id
        and edge.is_isa == triple.is_isa
    )


def edge_of(key: Clash, view: View) -> _fast.Edge | None:
    """Return the edge from a concept to exactly this parent, ISA or ISPART."""
    # A single value is in slot 0, one of several in the slot of its parent.
    concept_id, dim_id, parent_id, _ = key
    only = view.edge(concept_id, dim_id)
    if only is not None and only.parent_id == parent_id:
        return only
    return view.edge(concept_id, dim_id, parent_id)


def is_many(proposal: Proposal, triple: Triple, view: View) -> bool:
    """Return whether a statement allows other values of its concept in its dimension."""
    # Nobody registered the dimension: it collides if either statement claims to be the only value.
    if view.cardinality(triple.dimension) is None:
        return proposal.many
    return is_plural(triple, view)


def is_plural(triple: Triple, view: View) -> bool:
    """Return whether a registered predicate makes the dimension multi-valued."""
    cardinality = view.cardinality(triple.dimension)
    return cardinality is not None and cardinality is not Cardinality.SINGLE


def _is_known(key: Clash, taken: bool, view: View) -> bool:
    """Return whether a statement that collides with nothing is already held.

    Args:
        taken: Whether an edge is held in its slot.
    """
    concept_id, dim_id, parent_id, negated = key
    if negated:
        return view.denied(concept_id, parent_id, dim_id)
    return taken and concept_id != dim_id


def classify(incumbent_is_isa: bool, incoming_is_isa: bool) -> CollisionType:
    """Return the type of a collision of two statements in one dimension."""
    if incumbent_is_isa != incoming_is_isa:
        return CollisionType.MISCLASSIFICATION
    return CollisionType.ISA_ISA if incoming_is_isa else CollisionType.ISPART_ISPART


def _sent_to(key: Clash, view: View) -> int | None:
    """Return the dimension to which a redirect leads."""
    # A denial without a redirect of its own refers to the fact in its present place.
    dim_id = view.redirect(key)
    if dim_id is None and key.negated:
        return view.redirect(key._replace(negated=False))
    return dim_id


def _impossible(triple: Triple) -> Outcome | None:
    concept, parent, dimension, _, _ = triple
    # Concepts may have a project in front, parents may be literals; both must be safe in a prompt.
    if not (is_concept(concept) and is_value(parent) and is_renderable(dimension)):
        checked = (
            (concept, is_concept),
            (dimension, is_renderable),
            (parent, is_value),
        )
        name = next(name for name, is_token in checked if not is_token(name))
        return _rejected(triple, "not_a_token", f"{name[:64]!r} is not one token")
    if concept == parent:
        return _rejected(triple, "self_reference", f"{concept} cannot be in itself")
    if concept == dimension:
        # Its place in its own dimension is the dimension's root (C1).
        return _rejected(
            triple, "own_dimension", f"{concept} is the root of that dimension"
        )
    return None


def _settled(
    proposal: Proposal, triple: Triple, key: Clash | None, view: View
) -> Outcome | None:
    """Return the rejection of a statement with a tombstone; None if it is reopened."""
    rest = view.tombstone(key) if key else None
    if rest is None or reopens(proposal):  # a person, or a decision, says it again
        return None
    refusal = _rejected(triple, SETTLED, rest.message)
    return refusal._replace(conflict_id=rest.conflict_id)


def _doubt(proposal: Proposal) -> Outcome | None:
    # Confirmed by a person: neither confidence nor role counts any more.
    if proposal.decided:
        return None
    confidence = proposal.confidence
    if confidence >= HOLD_FLOOR and proposal.asserts:
        return None
    triple = proposal.triple
    # A client that explicitly asks people may propose what it hardly believes.
    if confidence < CANDIDATE_FLOOR and proposal.candidacy is None:
        return _rejected(
            triple, "low_confidence", f"confidence {confidence:.2f} is too low"
        )
    reason = proposal.reason or ("doubtful" if proposal.asserts else "only_proposed")
    return Outcome(_CANDIDATE, triple, None, None, reason, _WAITS, 0, 0, 0)


def _confront(
    triple: Triple, key: Clash | None, view: View, many: bool
) -> tuple[_fast.Edge | None, CollisionType | None]:
    """Return the edge in the slot of a statement, and the type of their collision."""
    concept, _, dimension, is_isa, negated = triple
    parent_id: int | None = None
    concept_id: int | None
    dim_id: int | None
    # A name that nobody knows yet: if only the parent is new, the slot may still be taken.
    if key is None:
        concept_id, dim_id = view.id(concept), view.id(dimension)
        if concept_id is None or dim_id is None:
            return None, None
    else:
        concept_id, dim_id, parent_id, _ = key
    edge = _incumbent(concept_id, dim_id, parent_id, many, view)
    if edge is not None:
        _, held_id, _, held_is_isa, *_ = edge
        # A denial collides with exactly what it denies, and with no other value.
        if negated:
            return edge, CollisionType.NEGATION if held_id == parent_id else None
        if held_id == parent_id and held_is_isa == is_isa:
            return edge, None
        return edge, classify(held_is_isa, is_isa)
    # An unknown parent is neither denied nor within anything.
    if negated or parent_id is None:
        return None, None
    if view.denied(concept_id, parent_id, dim_id):
        return None, CollisionType.NEGATION
    # A single value leads one way up; of several, a circle matters in hierarchies only (C2).
    if many:
        goes_round = dimension in HIERARCHIES and _leads_to(
            parent_id, dim_id, concept_id, view
        )
    else:
        goes_round = view.reaches(parent_id, dim_id, concept_id)
    return None, CollisionType.CYCLE if goes_round else None


def _incumbent(
    concept_id: int, dim_id: int, parent_id: int | None, many: bool, view: View
) -> _fast.Edge | None:
    """Return the edge of the same statement, or that of the only value."""
    only = view.edge(concept_id, dim_id)
    # The same statement is met whatever the cardinality, so that it is corroborated.
    if only is not None and only.parent_id == parent_id:
        return only
    if parent_id is not None and (same := view.edge(concept_id, dim_id, parent_id)):
        return same
    return None if many else only


def _leads_to(start_id: int, dim_id: int, target_id: int, view: View) -> bool:
    """Return whether a concept has another among its ancestors, by any path."""
    # Many ways up: a visited set, and a limit, since a prompt waits.
    met, ahead = {start_id}, [start_id]
    while ahead and len(met) <= CIRCLE_CONCEPTS_MAX:
        at = ahead.pop()
        if at == target_id:
            return True
        parents = {edge.parent_id for edge in view.values(at, dim_id)} - met
        met |= parents
        ahead += parents
    return False


def _corroborated(triple: Triple, fact: Fact | None) -> Outcome:
    return Outcome(_CORROBORATED, triple, fact, None, "", _KNOWN, 0, 0, 0)


def _rejected(
    triple: Triple, reason: str, message: str, fact: Fact | None = None
) -> Outcome:
    return Outcome(Verdict.REJECTED, triple, fact, reason=reason, message=message)


def _conflicted(
    triple: Triple, fact: Fact | None, collision: CollisionType, queued: int | None
) -> Outcome:
    # The conflict is not in the world yet, but the answer tells of it (D9).
    if fact and not fact.contested:
        fact = fact._replace(contested=True)
    return Outcome(
        Verdict.CONFLICTED,
        triple,
        fact,
        collision,
        reason=collision,
        message=_MESSAGES[collision].format(
            concept=triple.concept,
            parent=triple.parent,
            dimension=triple.dimension,
            held=fact.parent if fact else "",
        ),
        conflict_id=queued or 0,
    )


_KNOWN: Final = "it was known already"
_WAITS: Final = "it waits for a person to confirm it"
_MESSAGES = {
    CollisionType.ISA_ISA: "{concept} [{dimension}] is held as {held}; {parent} waits "
    "for a decision",
    CollisionType.ISPART_ISPART: "{concept} [{dimension}] is held in {held}; {parent} "
    "waits for a decision",
    CollisionType.MISCLASSIFICATION: "{concept} [{dimension}] {held} is held in "
    "another sense (is a / is part of); {parent} waits for a decision",
    CollisionType.CYCLE: "{parent} is itself within {concept} in [{dimension}]; the "
    "circle waits for a decision",
    CollisionType.NEGATION: "{concept} [{dimension}] {parent} is stated and denied; a "
    "decision is needed",
}
