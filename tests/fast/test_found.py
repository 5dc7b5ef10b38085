"""Promises of a reading about the concepts and unknown tokens that it found."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import Any

import pytest

from festinger import _fast
from festinger._fast import VocabularyLookup

LONG = "a_name_of_many_bytes"


@pytest.fixture
def vocabulary() -> Any:
    """A vocabulary of two concepts that were met often."""
    vocabulary = _fast.Vocabulary()
    vocabulary.add("ant", 10, encounters=100)
    vocabulary.add("bee", 2**62, encounters=100)
    return vocabulary


def read(vocabulary: Any, text: str) -> VocabularyLookup:
    """Read a text; nothing holds its scan but what was found in it."""
    reading: VocabularyLookup = vocabulary.read(
        _fast.scan(text), now=1.0, threshold=0.5, count=True
    )
    return reading


def test_what_was_found_is_a_sequence(vocabulary: Any) -> None:
    """It may be asked for again and again, from both ends, in parts, and compared."""
    reading = read(vocabulary, f"bee Größe ant {LONG} ant Größe")

    for found, expected in (
        (reading.salient, [2**62, 10]),
        (reading.unknown_tokens, ["größe", LONG]),
    ):
        first, second = expected
        assert isinstance(found, Sequence)
        assert len(found) == 2
        assert [*found] == [*found] == expected
        assert [found[0], found[-1], found[1:]] == [first, second, [second]]
        assert [found.index(second), found.count(first), first in found] == [1, 1, True]
        assert [*reversed(found)] == [second, first]
        assert found == expected
        assert found != expected[:1]
        assert repr(expected) in repr(found)
        with pytest.raises(IndexError):
            found[2]


def test_what_was_found_outlives_its_text(vocabulary: Any) -> None:
    """Others may be scanned and read in between, and the garbage collected."""
    text = " ".join(f"name{n} Some Compound{n} ant" for n in range(200))
    expected = read(vocabulary, text)
    names = [*expected.unknown_tokens]

    readings = [read(vocabulary, text[n:]) for n in range(4)]
    for n in range(20):
        _fast.scan(text[::-1] * (1 + n))
    gc.collect()

    assert [*readings[0].unknown_tokens] == names
    assert [*readings[0].salient] == [10]
    assert all(reading.unknown_tokens[-1] == names[-1] for reading in readings)


def test_the_collector_may_ask_for_what_is_being_made(vocabulary: Any) -> None:
    """Whoever is called in the middle gets the same, and so does who asked first."""
    text = " ".join(f"name{n}" for n in range(100))
    asked: list[Sequence[str]] = []

    def ask(phase: str, _: object) -> None:
        if phase == "start" and asked:
            assert asked.pop()[1] == "name1"

    limits = gc.get_threshold()
    gc.collect()
    # Else each collection looks at all that the tests before have imported.
    gc.freeze()
    gc.callbacks.append(ask)
    try:
        for most in range(1, 200):
            gc.disable()
            gc.collect()
            unknown_tokens = read(vocabulary, text).unknown_tokens
            # Lists that were let go would be taken again, without a new one.
            held = [[n] for n in range(200)]
            asked.append(unknown_tokens)
            gc.set_threshold(most)
            gc.enable()
            assert unknown_tokens[2] == "name2"
            gc.disable()
            asked.clear()
            assert len(held) == 200
    finally:
        gc.callbacks.remove(ask)
        gc.set_threshold(*limits)
        gc.enable()


def test_nothing_found_is_an_empty_sequence(vocabulary: Any) -> None:
    """It is false, as an empty list is."""
    reading = read(vocabulary, "")

    assert not reading.salient
    assert not reading.unknown_tokens
    assert reading == VocabularyLookup([], [])


def test_strangers_are_met_as_they_were_found(vocabulary: Any) -> None:
    """A reading's own sequence may be given back, with any ids."""
    reading = read(vocabulary, f"cat {LONG}")

    vocabulary.meet(reading.unknown_tokens, range(20, 22), now=2.0)

    assert [vocabulary.id("cat"), vocabulary.id(LONG)] == [20, 21]
    with pytest.raises(ValueError, match="1 ids for 2 tokens"):
        vocabulary.meet(reading.unknown_tokens, [23], now=2.0)


def test_concepts_are_told_as_they_were_found(vocabulary: Any) -> None:
    """Telling takes a reading's ids as it takes a list of them, and misses none."""
    graph = _fast.Graph()
    reading = read(vocabulary, "ant bee")
    limits: dict[str, Any] = {"now": 1.0, "half_life": 1.0, "oldest": 0.0, "floor": 0.0}
    counts: dict[str, Any] = {
        "concepts_max": 5,
        "edges_max": 5,
        "doubts": {},
        "mentioned": (),
    }

    def unknown(ids: Sequence[int]) -> list[str]:
        return [*_fast.tell(vocabulary, graph, ids, **limits, **counts).unknown]

    assert unknown(reading.salient) == unknown([10, 2**62]) == ["ant", "bee"]
    vocabulary.forget(10)
    with pytest.raises(KeyError, match="10"):
        unknown(reading.salient)
    for none in (2**63, -(2**70), -1, 0):
        with pytest.raises(KeyError, match=str(none)):
            unknown([2**62, none])


def test_what_several_texts_held_is_united(vocabulary: Any) -> None:
    """Each concept once, in order of the first that had it; lists count as well."""
    vocabulary.add("cat", 30, encounters=100)
    readings = [read(vocabulary, text) for text in ("bee", "ant bee cat", "cat")]

    found = _fast.united([*(reading.salient for reading in readings), [40, 30]])

    assert found == [2**62, 10, 30, 40]
    assert _fast.united([readings[1].salient], without=[2**62, 50]) == [10, 30]
    assert _fast.united([]) == []


def test_concepts_that_moved_are_told_all_the_same(vocabulary: Any) -> None:
    """Others were forgotten or renumbered since a text was read."""
    graph = _fast.Graph()
    limits: dict[str, Any] = {"now": 1.0, "half_life": 1.0, "oldest": 0.0, "floor": 0.0}
    counts: dict[str, Any] = {
        "concepts_max": 5,
        "edges_max": 5,
        "doubts": {},
        "mentioned": (),
    }
    vocabulary.add("cat", 30, encounters=100)
    found = _fast.united([read(vocabulary, "cat bee").salient])

    vocabulary.forget(10)
    vocabulary.remap(2**62, 20)
    vocabulary.remap(30, 2**62)
    vocabulary.remap(20, 30)

    telling = _fast.tell(vocabulary, graph, found, **limits, **counts)
    assert [*telling.unknown] == ["bee", "cat"]
