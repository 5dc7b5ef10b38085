"""A telling is that of the oracle, step by step.

Small hash masks make nearly every id collide. Few names, times and counts make many
concepts equally important, and few places make edges come and go.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from festinger import _fast
from festinger._fast import Edge
from tests import oracle
from tests.fast.streams import EDGE_COLUMNS, stream
from tests.fast.test_tables_parity import MASKS, SEEDS, outcome

DAY = 86_400.0
NOW = 1_000 * DAY
#: Some that share what the vocabulary remembers an id by.
IDS = st.integers(1, 22) | st.integers(4097, 4104)
#: Ids that are so far apart have mostly the same bit in `Mentions`: a Fibonacci number.
ALIKE = 832_040
DIMENSIONS = st.integers(1, 12)
TIMES = st.sampled_from([0.0, NOW - 90 * DAY, NOW - 30 * DAY, NOW - DAY, NOW, NOW + 1])
CONFIDENCES = st.sampled_from([0.0, 0.59, 0.6, 0.75, 0.9, 1.0])
COUNTS = st.sampled_from([0, 1, 2, 3, 9, 10, 255, 256, 1000, 2**62])
NOVELTIES = st.sampled_from([0.0, 0.3, 0.95, 1.0, 1.5])
#: Of one and of several words, beyond ASCII, and longer than a record holds.
NAMES = ["{}", "name{}", "node.js-{}", "été{}", "東京{}", "a_name_of_many_bytes_{}"]


def name_of(id: int) -> str:
    """Return a name, for each number another."""
    return NAMES[id % len(NAMES)].format(id)


EDGES = st.builds(
    Edge,
    concept_id=IDS,
    parent_id=IDS,
    dim_id=DIMENSIONS,
    is_isa=st.booleans(),
    confidence=CONFIDENCES,
    last_confirmed=TIMES,
    source=st.just(1),
    modality=st.integers(0, 2),
    assertion_id=st.integers(1, 9),
    many=st.booleans(),
)


class TellingMachine(RuleBasedStateMachine):
    """A vocabulary and a graph or the oracle's, that are told the same."""

    @initialize(
        vocabulary=st.tuples(SEEDS, MASKS),
        graph=st.tuples(SEEDS, MASKS),
        known=st.lists(IDS, unique=True),
    )
    def open(
        self, vocabulary: tuple[int, int], graph: tuple[int, int], known: list[int]
    ) -> None:
        """Start with some tokens and no edges."""
        self.plain = oracle.Vocabulary(), oracle.Graph()
        self.fast = (
            _fast.Vocabulary(seed=vocabulary[0], mask_bits=vocabulary[1]),
            _fast.Graph(seed=graph[0], mask_bits=graph[1]),
        )
        self.others = oracle.Graph(), _fast.Graph(mask_bits=0)
        for id in known:
            self.in_vocabulary("add", name_of(id), id)

    def in_vocabulary(self, method: str, *arguments: Any, **options: Any) -> None:
        """Tell both vocabularies."""
        expected = outcome(getattr(self.plain[0], method), *arguments, **options)
        assert outcome(getattr(self.fast[0], method), *arguments, **options) == expected

    def in_graph(self, method: str, *arguments: Any) -> None:
        """Tell both graphs."""
        expected = outcome(getattr(self.plain[1], method), *arguments)
        assert outcome(getattr(self.fast[1], method), *arguments) == expected

    @rule(
        id=IDS,
        encounters=COUNTS,
        last_seen=TIMES,
        novelty=NOVELTIES,
        dictionary=st.booleans(),
    )
    def meet(self, id: int, **options: Any) -> None:
        """Give a concept another past."""
        self.in_vocabulary("forget", id)
        self.in_vocabulary("add", name_of(id), id, **options)

    @rule(id=IDS)
    def forget(self, id: int) -> None:
        """Forget a token, whose edges stay."""
        self.in_vocabulary("forget", id)

    @rule(old_id=IDS, new_id=IDS)
    def remap(self, old_id: int, new_id: int) -> None:
        """Move one."""
        self.in_vocabulary("remap", old_id, new_id)

    @rule(edges=st.lists(EDGES, max_size=10))
    def put(self, edges: list[Edge]) -> None:
        """Hold edges, of which some may be roots."""
        for edge in edges:
            self.in_graph("put", edge)

    @rule(edges=st.lists(EDGES, max_size=10))
    def load(self, edges: list[Edge]) -> None:
        """Load edges, unless a place is held already."""
        self.in_graph("load_copy", stream(EDGE_COLUMNS, edges))

    @rule(concept_id=IDS, dimensions=st.sets(DIMENSIONS), confirmed=TIMES)
    def place(self, concept_id: int, dimensions: set[int], confirmed: float) -> None:
        """Hold many edges of one concept that weigh the same."""
        for dim_id in dimensions:
            edge = Edge(concept_id, dim_id, dim_id, True, 0.9, confirmed, 1, 0, 1)
            self.in_graph("put", edge)

    @rule(concept_id=IDS, dimensions=st.sets(DIMENSIONS))
    def remove(self, concept_id: int, dimensions: set[int]) -> None:
        """Take edges out."""
        for dim_id in dimensions:
            self.in_graph("remove", concept_id, dim_id)

    @rule()
    def turn(self) -> None:
        """Tell of another graph from now on: what was found in one is of no use."""
        graphs = self.plain[1], self.fast[1]
        self.plain = self.plain[0], self.others[0]
        self.fast = self.fast[0], self.others[1]
        self.others = graphs

    @rule(first=st.integers(100, 1000), count=st.integers(1, 80))
    def grow(self, first: int, count: int) -> None:
        """Make the tables grow around what is there."""
        for id in range(first, first + count):
            self.in_vocabulary("add", f"many{id}", id, encounters=id % 5, last_seen=1.0)
            self.in_graph("put", Edge(id, id % 7 + 1, 1, True, 0.9, NOW, 1, 0, 1))

    @rule(
        ids=st.lists(IDS, unique=True),
        more=st.booleans(),
        texts=st.lists(st.tuples(st.sampled_from(["{} {}", "/{} {}"]), IDS, IDS)),
        everyday=st.sets(IDS.map(name_of)),
        most=st.integers(0, 4),
        counted=st.booleans(),
        # Some that were mentioned once, and share their bits with those that are.
        gone=st.lists(IDS | IDS.map(lambda id: id + ALIKE), max_size=20),
        limits=st.fixed_dictionaries(
            {
                "now": st.sampled_from([NOW, NOW - 5 * DAY, NOW + 400 * DAY]),
                "half_life": st.sampled_from([DAY, 30 * DAY]),
                "oldest": st.sampled_from([0.0, NOW - 90 * DAY, NOW - 2 * DAY]),
                "floor": st.sampled_from([0.0, 0.6, 0.9, 1.1]),
                "concepts_max": st.integers(-1, 14),
                "edges_max": st.integers(0, 8),
                "doubts": st.dictionaries(IDS, st.sets(DIMENSIONS)),
                "mentioned": st.sets(IDS),
            }
        ),
    )
    def tell(
        self,
        ids: list[int],
        more: bool,
        texts: list[tuple[str, int, int]],
        everyday: set[str],
        most: int,
        counted: bool,
        gone: list[int],
        limits: dict[str, Any],
    ) -> None:
        """Tell of some concepts, or of all that there are, and ask about the unknown."""
        asked = sorted(self.plain[0], reverse=True) if more else ids
        spoken = [form.format(*map(name_of, named)) for form, *named in texts]
        asking = spoken, everyday, most

        def told_by(tables: tuple[Any, Any], build: Any) -> Any:
            given = limits if not counted else limits | {"mentioned": counts(build)}
            return told(tables, build, asked, given, asking)

        def counts(build: Any) -> Any:
            mentions = build.Mentions()
            for id in gone:
                mentions.add(id)
            for id in limits["mentioned"] | limits["doubts"].keys():
                mentions.add(id)
            for id in gone:
                mentions.discard(id)
            return mentions

        assert told_by(self.fast, _fast) == told_by(self.plain, oracle)


def told(
    tables: tuple[Any, Any],
    build: Any,
    ids: list[int],
    limits: Any,
    asking: tuple[list[str], set[str], int],
) -> Any:
    """Return the lines that a module tells, the unknown as a list, and its question."""
    texts, everyday, most = asking
    telling = outcome(build.tell, *tables, ids, **limits)
    if isinstance(telling, type):
        return telling
    scans = [build.scan(text) for text in texts]
    again = build.tell(*tables, ids, **limits)
    asked = build.ask(again, scans, (), everyday, str.isascii, most)
    blocks = [build.block("<", lines, ">") for lines in (telling.lines, asked)]
    return [*telling.lines], [*telling.unknown], [*asked], blocks


TestTellingParity = pytest.mark.slow(TellingMachine.TestCase)
TestTellingParity.settings = settings(
    max_examples=60, stateful_step_count=20, deadline=None
)
