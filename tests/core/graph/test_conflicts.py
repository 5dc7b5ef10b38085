from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from festinger.core.graph.conflicts import ByConcept

CONCEPTS = st.integers(0, 3)
KEYS = st.tuples(CONCEPTS, st.integers(0, 2))
VALUES = st.integers(0, 3)


class Against(RuleBasedStateMachine):
    """The same calls to the mapping and to a plain dictionary."""

    def __init__(self):
        super().__init__()
        self.mapping: ByConcept[tuple[int, int], int] = ByConcept()
        self.plain: dict[tuple[int, int], int] = {}

    @rule(key=KEYS, value=VALUES)
    def put(self, key, value):
        """An item is added, or takes another's place."""
        self.mapping[key] = value
        self.plain[key] = value

    @rule(key=KEYS)
    def remove(self, key):
        """An item goes, or is missed in the same way."""
        if key in self.plain:
            del self.plain[key]
            del self.mapping[key]
            return
        with pytest.raises(KeyError):
            del self.mapping[key]

    @rule(changed=st.dictionaries(KEYS, st.none() | VALUES))
    def change(self, changed):
        """Items come and go at once."""
        self.mapping.change(changed)
        for key, value in changed.items():
            self.plain.pop(key, None)
            if value is not None:
                self.plain[key] = value

    @rule(
        concepts=st.lists(CONCEPTS),
        items=st.dictionaries(KEYS, VALUES),
    )
    def replace(self, concepts, items):
        """All items of some concepts make room for others."""
        self.mapping.replace(concepts, items)
        kept = {key: it for key, it in self.plain.items() if key[0] not in concepts}
        self.plain = kept | items

    @rule()
    def clear(self):
        """Everything goes."""
        self.mapping.clear()
        self.plain.clear()

    @invariant()
    def they_are_equal(self):
        """Both hold the same items, and as many as they say."""
        assert dict(self.mapping) == self.plain
        assert len(self.mapping) == len(self.plain)

    @invariant()
    def each_concept_knows_its_keys(self):
        """The keys about a concept are those that begin with it."""
        for concept_id in range(5):
            about = self.mapping.about(concept_id)
            assert sorted(about) == sorted(
                it for it in self.plain if it[0] == concept_id
            )

    @invariant()
    def what_is_not_there_is_missed(self):
        """A key is there exactly if the dictionary has it."""
        for key in [(0, 0), (3, 2), (9, 9)]:
            assert (key in self.mapping) == (key in self.plain)
            assert self.mapping.get(key) == self.plain.get(key)
            assert self.mapping.find(key) == self.plain.get(key)


Against.TestCase.settings = settings(max_examples=60, stateful_step_count=20)
TestAgainst = Against.TestCase


def test_it_begins_with_the_items_given():
    """A mapping may be built from another."""
    items = {(1, 2): 3, (1, 4): 5}

    assert dict(ByConcept(items)) == items


def test_keys_may_be_removed_while_they_are_told():
    """The keys about a concept are a list of their own."""
    mapping = ByConcept({(1, 2): 3, (1, 4): 5})

    for key in mapping.about(1):
        del mapping[key]

    assert not mapping
