from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from festinger.core.graph.conflicts import Clash
from festinger.core.graph.gate import CANDIDATE_FLOOR, HOLD_FLOOR
from festinger.core.graph.outcome import CollisionType, Verdict
from festinger.core.graph.proposal import Proposal, StatementSource, Triple
from festinger.core.graph.resolution import ConflictDecision, Settlement
from festinger.core.world.draft import Draft
from festinger.errors import FactNotHeld
from tests.memories import NOW, held
from tests.structures import build_world, urd_by_concept, urd_by_concept_dim

NAMES = ["ant", "bee", "cat", "dog", "eel"]
DIMENSIONS = ["type", "geography", "ant"]

TRIPLES = st.builds(
    Triple,
    concept=st.sampled_from(NAMES),
    parent=st.sampled_from([*NAMES, "geography"]),
    dimension=st.sampled_from(DIMENSIONS),
    is_isa=st.booleans(),
    negated=st.sampled_from([False, False, False, True]),
)
PROPOSALS = st.builds(
    # Of a named tuple it would make up what has a default as well.
    lambda **given: Proposal(**given),
    triple=TRIPLES,
    confidence=st.sampled_from([0.3, 0.5, 0.75, 1.0]),
    source=st.sampled_from(
        [StatementSource.INFERRED, StatementSource.INFERRED, StatementSource.GUTASK]
    ),
    principal=st.sampled_from(["alice", "bob"]),
    proposer=st.just("scanner"),
    asserts=st.sampled_from([True, True, True, False]),
    decided=st.sampled_from([False, False, False, True]),
)


Key = tuple[str, str, str, bool]
"""Concept, dimension, parent and whether it is denied: what a statement is known by."""


def key_of(triple: Triple) -> Key:
    """Return the key of a statement, the same for any flavour."""
    return triple.concept, triple.dimension, triple.parent, triple.negated


@dataclass
class Model:
    """The gate as one would write it on a napkin: names, dictionaries and no reservations."""

    facts: dict[tuple[str, str], Triple] = field(default_factory=dict)
    denied: set[tuple[str, str, str]] = field(default_factory=set)
    placed: set[str] = field(default_factory=set)
    queue: set[Key] = field(default_factory=set)
    settled: set[Key] = field(default_factory=set)
    moved: dict[Key, str] = field(default_factory=dict)

    def judge(self, proposal: Proposal) -> tuple[Verdict, CollisionType | None]:
        """Judge a statement and change the facts by the outcome."""
        triple = self.follow(proposal.triple)
        key = key_of(triple)
        if triple.concept in {triple.parent, triple.dimension}:
            return Verdict.REJECTED, None
        collision = self.collision(triple)
        known = self.stands(triple)
        person = proposal.decided or proposal.source is StatementSource.GUTASK
        if key in self.settled and not known and not person:
            return Verdict.REJECTED, None
        sure = proposal.asserts and proposal.confidence >= HOLD_FLOOR
        if not (sure or proposal.decided):
            return self.doubtful(proposal, known), None
        if known:
            return Verdict.CORROBORATED, None
        self.settled.discard(key)
        if collision:
            self.queue.add(key)
            return Verdict.CONFLICTED, collision
        self.queue.discard(key)
        self.hold(triple)
        return Verdict.HELD, None

    def hold(self, triple: Triple) -> None:
        """It is so, or not so, from now on."""
        if triple.negated:
            self.denied.add((triple.concept, triple.parent, triple.dimension))
        else:
            self.facts[triple.concept, triple.dimension] = triple
            self.placed.add(triple.concept)

    def end(self, triple: Triple) -> None:
        """It is held no more."""
        if triple.negated:
            self.denied.remove((triple.concept, triple.parent, triple.dimension))
        else:
            del self.facts[triple.concept, triple.dimension]

    def stands(self, triple: Triple) -> bool:
        """Return whether exactly this is held."""
        if triple.negated:
            return (triple.concept, triple.parent, triple.dimension) in self.denied
        return self.facts.get((triple.concept, triple.dimension)) == triple

    def follow(self, triple: Triple) -> Triple:
        """Return the statement where it belongs: a denial goes where its positive went."""
        met = {triple.dimension}
        while not self.stands(triple):
            positive = key_of(triple._replace(negated=False))
            to = self.moved.get(key_of(triple)) or self.moved.get(positive)
            if to is None or (not triple.negated and key_of(triple) not in self.moved):
                break
            if to in met:
                break
            met.add(to)
            triple = triple._replace(dimension=to)
        return triple

    def retract(self, triple: Triple) -> bool:
        """Return whether there was something to take back."""
        triple = self.follow(triple)
        if not self.stands(triple):
            return False
        self.end(triple)
        self.settled.add(key_of(triple))
        return True

    def move(self, proposal: Proposal, dimension: str) -> bool:
        """Return whether a statement is held elsewhere after it was moved there."""
        triple = proposal.triple
        moved = triple._replace(dimension=dimension)
        if self.stands(triple):
            self.end(triple)
        self.moved[key_of(triple)] = dimension
        self.moved.pop(key_of(moved), None)
        verdict, _ = self.judge(proposal._replace(triple=moved))
        return verdict in (Verdict.HELD, Verdict.CORROBORATED)

    def doubtful(self, proposal: Proposal, known: bool) -> Verdict:
        """Return the outcome of a statement that is not held, whatever else is."""
        enough = proposal.confidence >= CANDIDATE_FLOOR
        if known and enough and proposal.asserts:
            return Verdict.CORROBORATED
        return Verdict.CANDIDATE if enough and not known else Verdict.REJECTED

    def collision(self, triple: Triple) -> CollisionType | None:
        """Return the collision of a statement with the facts."""
        fact = self.facts.get((triple.concept, triple.dimension))
        if triple.negated:
            same = fact is not None and fact.parent == triple.parent
            return CollisionType.NEGATION if same else None
        if fact is not None:
            if fact == triple:
                return None
            if fact.is_isa != triple.is_isa:
                return CollisionType.MISCLASSIFICATION
            return (
                CollisionType.ISA_ISA if triple.is_isa else CollisionType.ISPART_ISPART
            )
        if (triple.concept, triple.parent, triple.dimension) in self.denied:
            return CollisionType.NEGATION
        at: str | None = triple.parent
        while at is not None:
            if at == triple.concept:
                return CollisionType.CYCLE
            above = self.facts.get((at, triple.dimension))
            at = above.parent if above else None
        return None


class Gate(RuleBasedStateMachine):
    """Batches of random statements against the model, some of them never committed."""

    def __init__(self):
        super().__init__()
        self.world = build_world()
        self.model = Model()
        self.version = 0

    @rule(proposals=st.lists(PROPOSALS, min_size=1, max_size=6))
    def commit(self, proposals):
        """Every verdict of a batch is the model's, and refusals leave the incumbent."""
        draft = Draft(self.world, now=NOW)
        for proposal in proposals:
            triple = proposal.triple
            there = self.model.follow(triple)
            before = self.model.facts.get((there.concept, there.dimension))
            expected = self.model.judge(proposal)

            outcome = draft.propose(proposal).outcome

            assert (outcome.verdict, outcome.collision) == expected
            if outcome.verdict is Verdict.CONFLICTED and before:
                assert outcome.fact is not None
                assert outcome.fact.parent == before.parent
        self.publish(draft)

    @rule(proposals=st.lists(PROPOSALS, min_size=1, max_size=6))
    def abandon(self, proposals):
        """A batch that is not committed leaves nothing behind but names."""
        draft = Draft(self.world, now=NOW)
        for proposal in proposals:
            draft.propose(proposal)

    @rule(triple=TRIPLES)
    def retract(self, triple):
        """A held fact is taken back, and nothing else can be."""
        draft = Draft(self.world, now=NOW)
        if not self.model.retract(triple):
            with pytest.raises(FactNotHeld):
                draft.retract(triple, principal="op")
            return

        draft.retract(triple, principal="op")

        self.publish(draft)

    @precondition(lambda self: self.world.conflicts)
    @rule(choose=st.randoms(use_true_random=False))
    def dismiss(self, choose):
        """An item is decided for what is held."""
        key = choose.choice(sorted(self.world.conflicts))
        draft = Draft(self.world, now=NOW)

        draft.settle(Settlement(key, 7, ConflictDecision.DISMISS, "op"))

        self.model.queue.remove(self.named(key))
        self.model.settled.add(self.named(key))
        self.publish(draft)

    @rule(proposal=PROPOSALS, dimension=st.sampled_from(DIMENSIONS))
    def move(self, proposal, dimension):
        """A statement is sent to another dimension, if it can be held there."""
        if dimension == proposal.triple.dimension:
            return
        proposal = proposal._replace(source=StatementSource.FESTINGER, decided=True)
        model = deepcopy(self.model)
        draft = Draft(self.world, now=NOW)

        moved = draft.move(proposal.triple, dimension, by="conflict 7")
        outcome = draft.propose(proposal._replace(triple=moved)).outcome

        expected = model.move(proposal, dimension)
        assert (outcome.verdict in (Verdict.HELD, Verdict.CORROBORATED)) == expected
        if expected:
            self.model = model
            self.publish(draft)

    def publish(self, draft):
        """Commit a draft."""
        self.version += 1
        clashes = {entry.clash for entry in draft.changes.entries if entry.clash}
        draft.publish(dict.fromkeys(clashes, self.version), self.version)

    def named(self, clash: Clash) -> Key:
        """Return the names of a key."""
        concept, dimension, parent = map(self.world.vocabulary.token, clash[:3])
        return concept, dimension, parent, clash.negated

    @invariant()
    def what_is_settled_is_the_models(self):
        """Waiting, settled and moved statements are the model's."""
        moved = {
            self.named(key): self.world.vocabulary.token(dim_id)
            for key, dim_id in self.world.redirects.items()
        }

        assert set(map(self.named, self.world.conflicts)) == self.model.queue
        assert set(map(self.named, self.world.tombstones)) == self.model.settled
        assert moved == self.model.moved

    @invariant()
    def the_graph_is_the_models(self):
        """Held and denied statements are those of the model."""
        token = self.world.vocabulary.token
        denied = {tuple(map(token, denial)) for denial in self.world.denials}

        assert held(self.world) == set(self.model.facts.values())
        assert denied == self.model.denied

    @invariant()
    def every_place_has_one_parent(self):
        """The two views of the graph agree, and no (concept, dimension) is there twice."""
        places = [(edge.concept_id, edge.dim_id) for edge in self.world.graph]

        assert len(places) == len(set(places)) == len(urd_by_concept_dim(self.world))
        assert sum(map(len, urd_by_concept(self.world).values())) == len(places)

    @invariant()
    def every_way_up_ends(self):
        """No dimension holds a circle other than its root."""
        for edge in self.world.graph:
            at, steps = edge.parent_id, 0
            while (above := self.world.edge(at, edge.dim_id)) and at != above.parent_id:
                at, steps = above.parent_id, steps + 1
                assert steps <= len(NAMES) + len(DIMENSIONS)

    @invariant()
    def placed_concepts_are_novel(self):
        """Exactly what some accepted statement placed is known here, ever after (B5)."""
        known = {token for token in NAMES if self.world.is_known(token)}
        assert known == self.model.placed


Gate.TestCase.settings = settings(
    max_examples=60,
    stateful_step_count=15,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestGate = Gate.TestCase
