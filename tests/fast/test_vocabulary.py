"""Promises of a vocabulary."""

from __future__ import annotations

import math
from typing import Any

import pytest

from festinger import _fast
from festinger._fast import VocabularyEntry, VocabularyLookup

# Calls that a vocabulary with token "held" under id 7 refuses.
REFUSED = [
    ("add", ("held", 8)),
    ("add", ("new", 7)),
    ("add", ("new", 0)),
    ("add", ("new", -1)),
    ("add", ("new", 2**63)),
    ("add", ("", 8)),
    ("add", ("\ud800", 8)),
    ("add", ("x" * 65_536, 8)),
    ("remap", (7, 0)),
    ("remap", (7, 2**63)),
]


@pytest.fixture
def vocabulary() -> Any:
    """An empty vocabulary."""
    return _fast.Vocabulary()


def read(vocabulary: Any, text: str, **options: Any) -> VocabularyLookup:
    """Read a text, counted, at the threshold of four encounters."""
    options = {"now": 100.0, "threshold": 0.5, "count": True} | options
    reading: VocabularyLookup = vocabulary.read(_fast.scan(text), **options)
    return reading


def test_a_token_is_found_by_itself_and_by_its_id(vocabulary: Any) -> None:
    """An added word is there; a missing one is None or a KeyError."""
    vocabulary.add("gnommoweb", 7, encounters=100, last_seen=5.5, novelty=0.25)

    assert vocabulary.id("gnommoweb") == 7
    assert vocabulary.token(7) == "gnommoweb"
    assert vocabulary.row(7) == VocabularyEntry(
        7, "gnommoweb", 100, 5.5, 2.0, 0.25, False
    )
    assert ("gnommoweb" in vocabulary, "other" in vocabulary) == (True, False)
    assert (len(vocabulary), list(vocabulary)) == (1, [7])
    assert vocabulary.id("other") is None
    for ask in (vocabulary.token, vocabulary.row, vocabulary.forget):
        for id in (8, 0, -1, 2**63, 2**64):
            with pytest.raises(KeyError):
                ask(id)


def test_what_is_not_text_is_not_held(vocabulary: Any) -> None:
    """The empty string, a lone surrogate and a number are in no vocabulary."""
    assert vocabulary.id("") is None
    assert vocabulary.id("\ud800") is None
    assert 7 not in vocabulary


@pytest.mark.parametrize(("method", "arguments"), REFUSED)
def test_a_refused_call_changes_nothing(
    vocabulary: Any, method: str, arguments: tuple[Any, ...]
) -> None:
    """A token or id that is taken or impossible is a ValueError."""
    vocabulary.add("held", 7)

    with pytest.raises(ValueError):  # noqa: PT011 (each row has its own words)
        getattr(vocabulary, method)(*arguments)
    assert list(map(vocabulary.row, vocabulary)) == [
        VocabularyEntry(7, "held", 0, 0.0, 0.0, 0.0, False)
    ]


def test_remapping_to_a_taken_id_is_refused(vocabulary: Any) -> None:
    """Two tokens never share an id."""
    vocabulary.add("one", 1)
    vocabulary.add("two", 2)

    with pytest.raises(ValueError, match="id 2 is there already"):
        vocabulary.remap(1, 2)
    assert (vocabulary.id("one"), vocabulary.id("two")) == (1, 2)


def test_negative_encounters_are_refused(vocabulary: Any) -> None:
    """A count is a count."""
    with pytest.raises(ValueError, match="encounters"):
        vocabulary.add("one", 1, encounters=-1)


@pytest.mark.parametrize("token", ["a", "x" * 15, "x" * 16, "x" * 17, "é" * 300])
def test_tokens_of_any_length_are_kept_apart(vocabulary: Any, token: str) -> None:
    """Short tokens stand in the record and long ones elsewhere; both are compared whole."""
    vocabulary.add(token, 1)
    vocabulary.add(token + "x", 2)
    vocabulary.add("y" + token, 3)

    assert [vocabulary.token(id) for id in (1, 2, 3)] == [
        token,
        token + "x",
        "y" + token,
    ]
    assert [vocabulary.id(vocabulary.token(id)) for id in (1, 2, 3)] == [1, 2, 3]
    assert vocabulary.id(token + "y") is None


@pytest.mark.parametrize("encounters", [0, 1, 3, 4, 1023, 1024, 10**12])
def test_saliency_is_the_logarithm_of_the_encounters(
    vocabulary: Any, encounters: int
) -> None:
    """And nothing for what was never met, or is a word of the dictionary."""
    vocabulary.add("one", 1, encounters=encounters)
    vocabulary.add("word", 2, encounters=encounters, dictionary=True)

    assert vocabulary.row(1).saliency == (math.log10(encounters) if encounters else 0.0)
    assert vocabulary.row(2).saliency == 0.0


def test_reading_counts_each_distinct_token_once(vocabulary: Any) -> None:
    """Three mentions in one message are one encounter."""
    vocabulary.add("dobby", 1, encounters=5)

    read(vocabulary, "dobby Dobby, dobby")

    assert vocabulary.row(1)[2:4] == (6, 100.0)
    assert vocabulary.drain() == [(1, 1, 100.0)]


def test_an_encounter_counts_before_the_threshold(vocabulary: Any) -> None:
    """The fourth encounter is the one that makes a concept salient."""
    vocabulary.add("dobby", 1, encounters=2)

    assert read(vocabulary, "dobby").salient == []
    assert read(vocabulary, "dobby").salient == [1]


def test_what_was_drained_is_pending_no_more(vocabulary: Any) -> None:
    """A token's encounters are pending until they are drained, and again if given back."""
    vocabulary.add("dobby", 1, encounters=5)
    read(vocabulary, "dobby")

    assert vocabulary.pending(1) == 1
    drained = vocabulary.drain()
    assert vocabulary.pending(1) == 0
    vocabulary.restore(drained)
    assert vocabulary.pending(1) == 1
    with pytest.raises(KeyError):
        vocabulary.pending(2)


def test_encounters_of_elsewhere_are_counted_beside_those_that_wait(
    vocabulary: Any,
) -> None:
    """They add to what is known and to what is pending, and no time goes back."""
    vocabulary.add("dobby", 1, encounters=5, novelty=0.5, last_seen=9.0)
    read(vocabulary, "dobby", now=10.0)
    vocabulary.count(1, 3, 4.0)

    row = vocabulary.row(1)
    assert (row.encounters, row.last_seen, row.novelty) == (9, 10.0, 0.5)
    assert vocabulary.drain() == [(1, 4, 10.0)]


@pytest.mark.parametrize("encounters", [0, -1, 2**63 - 5])
def test_what_cannot_be_counted_is_refused(vocabulary: Any, encounters: int) -> None:
    """Neither is less than one encounter counted, nor more than there is room for."""
    vocabulary.add("dobby", 1, encounters=5)

    with pytest.raises(ValueError, match="cannot be counted"):
        vocabulary.count(1, encounters, 1.0)
    with pytest.raises(KeyError):
        vocabulary.count(2, 1, 1.0)
    assert (vocabulary.row(1).encounters, vocabulary.drain()) == (5, [])


def test_looking_up_counts_nothing(vocabulary: Any) -> None:
    """With `count` false nothing is changed."""
    vocabulary.add("dobby", 1, encounters=5, last_seen=3.0)

    reading = read(vocabulary, "dobby winky", count=False)

    assert reading == VocabularyLookup([1], ["winky"])
    assert vocabulary.row(1)[2:4] == (5, 3.0)
    assert vocabulary.drain() == []


def test_salient_and_strangers_come_in_order_of_first_appearance(
    vocabulary: Any,
) -> None:
    """Each once, closed-class words and numbers left out."""
    for id, token in enumerate(["c", "b", "x", "agent_zero"], 1):
        vocabulary.add(token, id, encounters=10)
    vocabulary.add("a1", 9)

    text = "The b and x, a1. Agent Zero met z and y: z b c 42 Z the y b"

    assert read(vocabulary, text) == VocabularyLookup([2, 3, 4, 1], ["met", "z", "y"])


def test_a_placed_word_of_the_dictionary_is_salient_by_novelty(vocabulary: Any) -> None:
    """Its encounters count, but never make it salient."""
    vocabulary.add("python", 1, encounters=1000, dictionary=True)

    assert read(vocabulary, "python").salient == []
    vocabulary.set_novelty(1, 1.0)
    assert read(vocabulary, "python").salient == [1]
    assert vocabulary.row(1)[2:] == (1002, 100.0, 0.0, 1.0, True)


def test_a_stranger_is_met_as_counted_now(vocabulary: Any) -> None:
    """Meeting is an encounter to be stored; adding is not."""
    vocabulary.add("old", 1, encounters=3)
    vocabulary.meet(["new"], [2], now=50.0, dictionary={"new"})

    assert vocabulary.row(2) == VocabularyEntry(2, "new", 1, 50.0, 0.0, 0.0, True)
    assert vocabulary.drain() == [(2, 1, 50.0)]


def test_draining_takes_what_was_counted_since(vocabulary: Any) -> None:
    """In order of id, and only once."""
    for id, token in [(30, "a1"), (10, "b1"), (20, "c1")]:
        vocabulary.add(token, id, encounters=5)
    read(vocabulary, "a1 b1")
    read(vocabulary, "a1", now=200.0)

    assert vocabulary.drain() == [(10, 1, 100.0), (30, 2, 200.0)]
    assert vocabulary.drain() == []


def test_restoring_gives_back_what_could_not_be_stored(vocabulary: Any) -> None:
    """It adds up with what was counted meanwhile, and changes no encounters."""
    vocabulary.add("dobby", 1)
    read(vocabulary, "dobby")
    drained = vocabulary.drain()
    read(vocabulary, "dobby", now=200.0)

    vocabulary.restore(drained)

    assert vocabulary.drain() == [(1, 2, 200.0)]
    assert vocabulary.row(1).encounters == 2


def test_remapping_takes_the_counters_along(vocabulary: Any) -> None:
    """Before the drain and between the drain and its restoring."""
    vocabulary.add("dobby", 1)
    read(vocabulary, "dobby")
    vocabulary.remap(1, 5)
    drained = vocabulary.drain()
    vocabulary.remap(5, 6)
    vocabulary.remap(6, 5)
    vocabulary.remap(5, 9)

    vocabulary.restore(drained)

    assert drained == [(5, 1, 100.0)]
    assert vocabulary.drain() == [(9, 1, 100.0)]
    assert (vocabulary.id("dobby"), vocabulary.token(9)) == (9, "dobby")
    with pytest.raises(KeyError):
        vocabulary.row(5)


def test_forgetting_drops_the_token_and_its_counters(vocabulary: Any) -> None:
    """The others stay, and the token is a stranger when it comes again."""
    for id, token in enumerate(["a1", "b1", "a" * 40, "b" * 40], 1):
        vocabulary.add(token, id)
    read(vocabulary, "a1 b1 " + "a" * 40 + " " + "b" * 40)
    drained = vocabulary.drain()
    read(vocabulary, "a1 b1")

    vocabulary.forget(1)
    vocabulary.forget(3)
    vocabulary.restore(drained)

    assert vocabulary.drain() == [(2, 2, 100.0), (4, 1, 100.0)]
    assert sorted(vocabulary) == [2, 4]
    assert read(vocabulary, "a1 " + "b" * 40).unknown_tokens == ["a1"]


def test_forgotten_long_names_give_their_memory_back(vocabulary: Any) -> None:
    """Coming and going by the million does not add up."""
    vocabulary.add("stays" * 10, 1)
    for id in range(2, 20_002):
        vocabulary.add(f"a-name-of-more-than-sixteen-bytes-{id}", id)
        if id > 100:
            vocabulary.forget(id - 50)

    assert vocabulary.nbytes < 400_000
    assert vocabulary.token(1) == "stays" * 10
    assert vocabulary.token(20_000) == "a-name-of-more-than-sixteen-bytes-20000"


def test_nbytes_grows_with_the_tokens(vocabulary: Any) -> None:
    """A thousand tokens take more than none, and less than a kilobyte each."""
    empty = vocabulary.nbytes
    for id in range(1, 1001):
        vocabulary.add(f"token{id}", id)

    assert empty < vocabulary.nbytes < empty + 1000 * 1000


@pytest.mark.parametrize("options", [{"seed": -1}, {"seed": 2**64}, {"mask_bits": 65}])
def test_impossible_hashes_are_refused(options: dict[str, int]) -> None:
    """Both tables say so at once."""
    for table in (_fast.Vocabulary, _fast.Graph):
        with pytest.raises(ValueError, match=next(iter(options))):
            table(**options)
