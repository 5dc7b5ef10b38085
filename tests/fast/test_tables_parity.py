"""The tables do what those of the oracle do, step by step.

Small hash masks make nearly every key collide, and a few dozen keys are enough to grow
the tables, wrap around their end and close gaps.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from festinger import _fast
from festinger._fast import Edge
from tests import oracle

MASKS = st.sampled_from([0, 1, 2, 3, 5, 8, 33, 64])
SEEDS = st.integers(0, 2**64 - 1)

TOKENS = [
    *"abcdefgh",
    *(f"token{n}" for n in range(20)),
    *(f"a_token_of_17_by{n}" for n in range(10)),
    *("é" * n for n in (7, 8, 9, 20)),
]
IDS = st.one_of(st.integers(1, 40), st.sampled_from([0, 2**40, 2**63 - 1, 2**63]))
TIMES = st.floats(0, 1e9)


def outcome(call: Any, *arguments: Any, **options: Any) -> Any:
    """Return the result of a call, or the kind of error it raises."""
    try:
        return call(*arguments, **options)
    except (ValueError, KeyError) as error:
        return type(error)


class VocabularyMachine(RuleBasedStateMachine):
    """Two vocabularies that are told the same."""

    @initialize(mask_bits=MASKS, seed=SEEDS)
    def open(self, mask_bits: int, seed: int) -> None:
        """Start empty."""
        self.plain = oracle.Vocabulary()
        self.fast = _fast.Vocabulary(seed=seed, mask_bits=mask_bits)
        self.drained: list[tuple[int, int, float]] = []

    def both(self, method: str, *arguments: Any, **options: Any) -> Any:
        """Call both, and compare."""
        expected = outcome(getattr(self.plain, method), *arguments, **options)
        assert outcome(getattr(self.fast, method), *arguments, **options) == expected
        return expected

    @rule(
        token=st.sampled_from(TOKENS),
        id=IDS,
        encounters=st.sampled_from([0, 1, 3, 1022, 2**62]),
        last_seen=TIMES,
        novelty=st.floats(0, 1),
        dictionary=st.booleans(),
    )
    def add(self, token: str, id: int, **options: Any) -> None:
        """Add a token."""
        self.both("add", token, id, **options)

    @rule(
        tokens=st.lists(st.sampled_from(TOKENS), max_size=4),
        ids=st.lists(IDS, max_size=4),
        now=TIMES,
        dictionary=st.sets(st.sampled_from(TOKENS)),
    )
    def meet(self, tokens: list[str], ids: list[int], **options: Any) -> None:
        """Meet tokens, as many as there are ids or not."""
        self.both("meet", tokens, ids, **options)

    @rule(tokens=st.lists(st.sampled_from(TOKENS), max_size=4), now=TIMES)
    def meet_anew(self, tokens: list[str], now: float) -> None:
        """Meet tokens under new ids, until one is there already."""
        first = max([100_000, *self.plain]) + 1
        ids = list(range(first, first + len(tokens)))
        self.both("meet", tokens, ids, now=now, dictionary=tokens[:1])

    @rule(first=st.integers(100, 10_000), count=st.integers(1, 60))
    def grow(self, first: int, count: int) -> None:
        """Add many tokens, short and long, that may be there already."""
        for id in range(first, first + count):
            self.both("add", f"many{id}" * (1 + id % 3), id)

    @rule(first=st.integers(100, 10_000), count=st.integers(1, 60))
    def shrink(self, first: int, count: int) -> None:
        """Forget many."""
        for id in sorted(self.plain):
            if first <= id < first + 100 * count:
                self.both("forget", id)

    @rule(id=IDS)
    def forget(self, id: int) -> None:
        """Forget one."""
        self.both("forget", id)

    @rule(old_id=IDS, new_id=IDS)
    def remap(self, old_id: int, new_id: int) -> None:
        """Move one."""
        self.both("remap", old_id, new_id)

    @rule(id=IDS, value=st.floats(0, 2))
    def set_novelty(self, id: int, value: float) -> None:
        """Place one."""
        self.both("set_novelty", id, value)

    @rule(
        tokens=st.lists(st.sampled_from([*TOKENS, "the", "42", "Up", "many100"])),
        now=TIMES,
        threshold=st.floats(0, 2),
        count=st.booleans(),
    )
    def read(self, tokens: list[str], **options: Any) -> None:
        """Read a text."""
        text = ", ".join(tokens)
        expected = self.plain.read(oracle.scan(text), **options)
        assert self.fast.read(_fast.scan(text), **options) == expected

    @rule(id=IDS, encounters=st.sampled_from([0, 1, 3, 2**64]), last_seen=TIMES)
    def count(self, id: int, encounters: int, last_seen: float) -> None:
        """Count some of elsewhere."""
        self.both("count", id, encounters, last_seen)

    @rule(least=st.sampled_from([0, 2, 4]), everyday=st.booleans())
    def drain(self, **options: Any) -> None:
        """Take the counters, or those of some."""
        self.drained = self.both("drain", **options)

    @rule()
    def restore(self) -> None:
        """Give them back, once."""
        self.both("restore", self.drained)
        self.drained = []

    @invariant()
    def same(self) -> None:
        """Every row, both ways."""
        ids = sorted(self.plain)
        assert sorted(self.fast) == ids
        assert len(self.fast) == len(ids)
        for id in ids:
            row = self.plain.row(id)
            assert self.fast.row(id) == row
            assert self.fast.id(row.token) == id
        for token in TOKENS:
            assert self.fast.id(token) == self.plain.id(token)


class GraphMachine(RuleBasedStateMachine):
    """Two graphs that are told the same."""

    @initialize(mask_bits=MASKS, seed=SEEDS)
    def open(self, mask_bits: int, seed: int) -> None:
        """Start empty."""
        self.plain = oracle.Graph()
        self.fast = _fast.Graph(seed=seed, mask_bits=mask_bits)

    NODES = st.integers(1, 12)

    @rule(
        concept_id=NODES,
        parent_id=NODES,
        dim_id=st.integers(1, 4),
        is_isa=st.booleans(),
        confidence=st.floats(0, 1),
        last_confirmed=TIMES,
        source=st.integers(-(2**15), 2**15 - 1),
        modality=st.integers(0, 3),
        assertion_id=st.integers(-(2**63), 2**63 - 1),
        many=st.booleans(),
    )
    def put(self, **fields: Any) -> None:
        """Hold an edge."""
        self.plain.put(Edge(**fields))
        self.fast.put(Edge(**fields))

    @rule(first=st.integers(50, 500), count=st.integers(1, 80))
    def grow(self, first: int, count: int) -> None:
        """Hold a long chain."""
        for at in range(first, first + count):
            edge = Edge(at, at + 1, 1 + at % 2, True, 1.0, 0.0, 1, 0, at)
            self.plain.put(edge)
            self.fast.put(edge)

    @rule(concept_id=NODES, dim_id=st.integers(1, 4), slot=st.integers(0, 12))
    def remove(self, concept_id: int, dim_id: int, slot: int) -> None:
        """Take an edge out."""
        expected = outcome(self.plain.remove, concept_id, dim_id, slot)
        assert outcome(self.fast.remove, concept_id, dim_id, slot) == expected

    @rule(keep=st.integers(2, 7))
    def shrink(self, keep: int) -> None:
        """Take out all but some."""
        for number, edge in enumerate(sorted(self.plain)):
            if number % keep:
                self.remove(*edge.place)

    @invariant()
    def same(self) -> None:
        """Every edge, list, mention and walk."""
        assert sorted(self.fast) == sorted(self.plain)
        assert len(self.fast) == len(self.plain)
        for at in range(1, 14):
            assert self.fast.of(at) == self.plain.of(at)
            assert self.fast.mentions(at) == self.plain.mentions(at)
            for dim_id in range(1, 5):
                for slot in range(13):
                    assert self.fast.get(at, dim_id, slot) == (
                        self.plain.get(at, dim_id, slot)
                    )
                for target in range(1, 13):
                    assert self.fast.reaches(at, dim_id, target) == (
                        self.plain.reaches(at, dim_id, target)
                    )


MACHINE = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestVocabularyParity = pytest.mark.slow(VocabularyMachine.TestCase)
TestVocabularyParity.settings = MACHINE
TestGraphParity = pytest.mark.slow(GraphMachine.TestCase)
TestGraphParity.settings = MACHINE


@given(mask_bits=MASKS, seed=SEEDS, tokens=st.lists(st.text(min_size=1), unique=True))
def test_equal_hashes_are_not_equal_tokens(
    mask_bits: int, seed: int, tokens: list[str]
) -> None:
    """Each of any tokens has its own id, however few bits of their hashes are used."""
    vocabulary = _fast.Vocabulary(seed=seed, mask_bits=mask_bits)
    tokens = [token for token in tokens if token.isprintable()]
    for id, token in enumerate(tokens, 1):
        vocabulary.add(token, id)

    assert [vocabulary.id(token) for token in tokens] == list(vocabulary)
