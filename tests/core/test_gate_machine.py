from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from festinger.core.draft import Draft
from festinger.core.gate import CANDIDATE_FLOOR, HOLD_FLOOR
from festinger.core.outcome import CollisionType, Verdict
from festinger.core.proposal import Proposal, Source, Triple
from festinger.core.world import World
from tests.memories import NOW, held

NAMES = ["ant", "bee", "cat", "dog", "eel"]
DIMENSIONS = ["type", "tech", "ant"]

PROPOSALS = st.builds(
    Proposal,
    triple=st.builds(
        Triple,
        concept=st.sampled_from(NAMES),
        parent=st.sampled_from([*NAMES, "tech"]),
        dimension=st.sampled_from(DIMENSIONS),
        is_isa=st.booleans(),
        negated=st.sampled_from([False, False, False, True]),
    ),
    confidence=st.sampled_from([0.3, 0.5, 0.75, 1.0]),
    source=st.just(Source.INFERRED),
    principal=st.sampled_from(["alice", "bob"]),
    proposer=st.just("scanner"),
    asserts=st.sampled_from([True, True, True, False]),
    decided=st.sampled_from([False, False, False, True]),
)


@dataclass
class Model:
    """
    The gate as one would write it on a napkin: names, dictionaries and no reservations.
    """

    facts: dict[tuple[str, str], Triple] = field(default_factory=dict)
    denied: set[tuple[str, str, str]] = field(default_factory=set)

    def judge(self, proposal: Proposal) -> tuple[Verdict, CollisionType | None]:
        """
        What becomes of a statement; what is held changes with it.
        """
        triple = proposal.triple
        place = triple.concept, triple.dimension
        denial = triple.concept, triple.parent, triple.dimension
        if triple.concept in {triple.parent, triple.dimension}:
            return Verdict.REJECTED, None
        collision = self.collision(triple)
        known = collision is None and (
            denial in self.denied if triple.negated else place in self.facts
        )
        sure = proposal.asserts and proposal.confidence >= HOLD_FLOOR
        if not (sure or proposal.decided):
            return self.doubtful(proposal, known), None
        if collision:
            return Verdict.CONFLICTED, collision
        if known:
            return Verdict.CORROBORATED, None
        if triple.negated:
            self.denied.add(denial)
        else:
            self.facts[place] = triple
        return Verdict.HELD, None

    def doubtful(self, proposal: Proposal, known: bool) -> Verdict:
        """
        What becomes of a statement that is not held, whatever else is.
        """
        enough = proposal.confidence >= CANDIDATE_FLOOR
        if known and enough and proposal.asserts:
            return Verdict.CORROBORATED
        return Verdict.CANDIDATE if enough and not known else Verdict.REJECTED

    def collision(self, triple: Triple) -> CollisionType | None:
        """
        How a statement collides with what is held.
        """
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
    """
    Batches of random statements against the model, some of them never committed.
    """

    def __init__(self):
        super().__init__()
        self.world = World.from_structures()
        self.model = Model()
        self.version = 0

    @rule(proposals=st.lists(PROPOSALS, min_size=1, max_size=6))
    def commit(self, proposals):
        """
        Every verdict of a batch is the model's, and refusals leave the incumbent.
        """
        draft = Draft(self.world, now=NOW)
        for proposal in proposals:
            triple = proposal.triple
            before = self.model.facts.get((triple.concept, triple.dimension))
            expected = self.model.judge(proposal)

            outcome = draft.propose(proposal).outcome

            assert (outcome.verdict, outcome.collision) == expected
            if outcome.verdict is Verdict.CONFLICTED and before:
                assert outcome.fact is not None
                assert outcome.fact.parent == before.parent
        self.version += 1
        clashes = {entry.clash for entry in draft.changes.entries if entry.clash}
        draft.publish(dict.fromkeys(clashes, self.version), self.version)

    @rule(proposals=st.lists(PROPOSALS, min_size=1, max_size=6))
    def abandon(self, proposals):
        """
        A batch that is not committed leaves nothing behind but names.
        """
        draft = Draft(self.world, now=NOW)
        for proposal in proposals:
            draft.propose(proposal)

    @invariant()
    def the_graph_is_the_models(self):
        """
        What is held and what is denied is what the model holds and denies.
        """
        token = self.world.vocabulary.token
        denied = {tuple(map(token, denial)) for denial in self.world.denials}

        assert held(self.world) == set(self.model.facts.values())
        assert denied == self.model.denied

    @invariant()
    def every_place_has_one_parent(self):
        """
        The two views of the graph agree, and no (concept, dimension) is there twice.
        """
        places = [(edge.concept_id, edge.dim_id) for edge in self.world.graph]

        assert len(places) == len(set(places)) == len(self.world.urd_by_concept_dim)
        assert sum(map(len, self.world.urd_by_concept.values())) == len(places)

    @invariant()
    def every_way_up_ends(self):
        """
        No dimension holds a circle other than its root.
        """
        for edge in self.world.graph:
            at, steps = edge.parent_id, 0
            while (above := self.world.edge(at, edge.dim_id)) and at != above.parent_id:
                at, steps = above.parent_id, steps + 1
                assert steps <= len(NAMES) + len(DIMENSIONS)

    @invariant()
    def placed_concepts_are_novel(self):
        """
        Exactly what some accepted statement placed is known here (B5).
        """
        placed = {concept for concept, _ in self.model.facts}

        known = {token for token in NAMES if self.world.is_known(token)}
        assert known == placed


Gate.TestCase.settings = settings(max_examples=60, stateful_step_count=15)
TestGate = Gate.TestCase
