"""Results of a scan beside its tokens."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger import _fast
from festinger._fast import CAPITAL, CLOSED, COMPOUND, CONCEPT, CUE, words
from festinger._fast.alphabet import MARKS_IN_A_ROW_MAX
from tests.fast.strategies import ADVERSARIAL, PIECES, TEXTS

# Token text, whether it may be a concept.
FORMS = [
    ("gnommoweb", True),
    ("a", False),
    ("x", True),
    ("the", False),
    ("don't", False),
    ("isa", False),
    ("please", True),
    ("42", False),
    ("3.14", False),
    ("2024-01-31", False),
    ("1_000", False),
    ("٣٤", False),
    ("___", False),
    ("42's", False),
    ("3rd", True),
    ("v1.2", True),
    ("x" * 64, True),
    ("x" * 65, False),
    ("é" * 64, True),
    ("é" * 65, False),
    ("deadbeefdeadbeef", True),
    ("deadbeefdeadbee1", False),
    ("deadbeefdeadbe1", True),
    ("DEADBEEFDEADBEE1", False),
    ("550e8400-e29b-41d4-a716-446655440000", False),
    ("aB3dE5fG7hI9jK1lM3nO5pQ7", False),
    ("aB3dE5fG7hI9jK1lM3nO5pQ", True),
    ("ab3de5fg7hi9jk1lm3no5pq7", True),
    ("AbcdefghiJklmnopqrStuvwxyz", True),
    ("sk_aB3dE5fG7hI9jK1lM3nO5", False),
    ("aB3dE5fG7hI9.jK1lM3nO5pQ7", True),
    ("東京", True),
]


@pytest.mark.parametrize(("text", "concept"), FORMS)
def test_concepts_are_told_from_numbers_and_keys(text: str, concept: bool) -> None:
    """A token is a concept unless it is too long, closed-class, a number, hash or key."""
    scan = _fast.scan(text)

    assert [bool(scan.flags(i) & CONCEPT) for i in range(len(scan))] == [concept]


def test_flags_tell_capitals_compounds_closed_and_cue_words() -> None:
    """Each flag is set where it applies and nowhere else."""
    scan = _fast.scan("The Glitch University is Part of gnommoweb Isa")

    assert list(zip(scan, map(scan.flags, range(len(scan))), strict=True)) == [
        ("the", CLOSED | CAPITAL),
        ("glitch_university", CONCEPT | CAPITAL | COMPOUND),
        ("is", CLOSED | CUE),
        ("part", CONCEPT | CAPITAL | CUE),
        ("of", CLOSED),
        ("gnommoweb", CONCEPT),
        ("isa", CLOSED | CUE | CAPITAL),
    ]


def test_words_of_a_compound_are_no_cues() -> None:
    """The merge replaces its parts, cue words among them."""
    scan = _fast.scan("Member Type of x")

    assert (list(scan), scan.cues()) == (["member_type", "of", "x"], [])


def test_cues_are_listed_in_order() -> None:
    """The positions of cue words are tokens' positions."""
    scan = _fast.scan("gnommoweb ISA repo and runs on Docker. dobby IS a type")

    assert [scan[i] for i in scan.cues()] == ["isa", "runs", "is", "type"]


def test_every_listed_word_is_one_token() -> None:
    """A word that the tokeniser would cut could never be met."""
    for word in words.CLOSED_CLASS | words.OPENERS | words.CUE_WORDS:
        scan = _fast.scan(word)

        assert list(scan) == [word]
        assert bool(scan.flags(0) & CLOSED) == (word in words.CLOSED_CLASS)
        assert bool(scan.flags(0) & CUE) == (word in words.CUE_WORDS)


SPANS = [
    ("the agent_pool's x", ["the", "agent_pool", "x"]),
    ("Glitch\r\nUniversity’s Server", ["Glitch\r\nUniversity", "Server"]),
    ("— é İx, C++’s 東京都!", ["é", "İx", "C++", "東京", "京都"]),
    ("e\u0301a", ["éa"]),
    ("か\u3099\u0301く", ["が\u0301く"]),
    ("x—y’s—z’ 😀w", ["x", "y", "z", "w"]),
]


@pytest.mark.parametrize(("text", "cuts"), SPANS)
def test_spans_cut_the_nfc_text(text: str, cuts: list[str]) -> None:
    """A span is the token's characters in the NFC text, its possessive left out."""
    scan = _fast.scan(text)

    assert scan.text == unicodedata.normalize("NFC", text)
    assert [scan.text[slice(*scan.span(i))] for i in range(len(scan))] == cuts


def test_a_scan_is_a_sequence() -> None:
    """It can be indexed from both ends, sliced, searched and reversed."""
    scan = _fast.scan("one two three two")

    assert issubclass(_fast.Scan, Sequence)
    assert (scan[0], scan[-1], scan[1:3]) == ("one", "two", ["two", "three"])
    assert (scan.index("two"), scan.count("two"), "three" in scan) == (1, 2, True)
    assert "four" not in scan
    assert list(reversed(scan)) == ["two", "three", "two", "one"]
    assert scan.span(-1) == (14, 17)
    assert repr(scan) == "Scan(['one', 'two', 'three', 'two'])"


def test_a_position_outside_is_an_index_error() -> None:
    """Beyond either end there is nothing."""
    scan = _fast.scan("one")

    for position in (1, -2):
        for ask in (scan.__getitem__, scan.span, scan.flags):
            with pytest.raises(IndexError):
                ask(position)


def test_a_scan_cannot_be_changed() -> None:
    """Its text and tokens are for reading."""
    scan: Any = _fast.scan("one")

    with pytest.raises(AttributeError):
        scan.text = "two"
    with pytest.raises(TypeError):
        scan[0] = "two"


@given(text=TEXTS)
def test_a_token_is_its_own_token(text: str) -> None:
    """A concept that was told in a prompt and comes back is the same."""
    for token in _fast.scan(text):
        # Beyond the marks in a row that are brought into order, nothing is promised.
        if unicodedata.is_normalized("NFC", token):
            assert list(_fast.scan(token)) == [token]


@given(text=TEXTS)
def test_spans_are_in_order(text: str) -> None:
    """Tokens do not overlap, except the pairs of a CJK run, and none is empty."""
    scan = _fast.scan(text)
    spans = [scan.span(i) for i in range(len(scan))]

    assert all(0 <= start < end <= len(scan.text) for start, end in spans)
    assert spans == sorted(spans)


LONG = [
    "A",
    "a",
    " ",
    "a.",
    "a'",
    "' ' '",
    '"',
    "A ",
    "A\n",
    "A\r\n",
    "# A\n",
    "Ab Cd. ",
    "'s",
    "x's",
    "c++_",
    "c#'s",
    "C++ ",
    "\u0301",
    "\u0301\u0316",
    "é",
    "É ",
    "東",
    "東\u3099",
    "東\u0301\u0316",
    "—",
    "a—",
    "’s",
    "İ",
    "_",
    "-",
    "a1",
    "\x00",
    "\ud800",
]


@pytest.mark.parametrize("piece", LONG)
@pytest.mark.parametrize("before", ["", "a", "A ", "#", "東"])
def test_no_text_takes_more_than_linear_steps(piece: str, before: str) -> None:
    """A text ten times as long takes ten times the steps, whatever it repeats."""
    short, long = (_fast.scan(before + piece * n).steps for n in (1_000, 10_000))

    assert long <= 32 * len(before + piece * 10_000) + 1_000
    assert long <= 11 * short + 1_000


def test_many_distinct_words_take_linear_steps() -> None:
    """Finding each again among the others takes no more steps when there are more."""
    short, long = (
        _fast.scan(" ".join(f"w{i} W{i} {i}" for i in range(n))).steps
        for n in (1_000, 10_000)
    )

    # Where words stand in the table is chance; ten times the words are about ten times as
    # many steps.
    assert long <= 16 * short


def test_scans_live_side_by_side() -> None:
    """A scan keeps its tokens whatever is scanned after it, or forgotten."""
    texts = [f"word{n} Glitch University {n} " * (1 + 7 * n) for n in range(40)]
    scans = [_fast.scan(text) for text in texts]
    tokens = [list(scan) for scan in scans]
    del scans[::2]
    again = [_fast.scan(text[::-1]) for text in texts]

    assert [list(scan) for scan in scans] == tokens[1::2]
    assert [list(scan) for scan in again] == [list(_fast.scan(t[::-1])) for t in texts]


def test_impossible_hashes_are_refused() -> None:
    """As the vocabulary does."""
    for mask_bits in (-1, 65):
        with pytest.raises(ValueError, match="mask_bits"):
            _fast.Scan("a", mask_bits=mask_bits)


@pytest.mark.parametrize("make", ADVERSARIAL.values(), ids=list(ADVERSARIAL))
def test_an_adversarial_text_takes_no_more_than_linear_steps(make: Any) -> None:
    """Nor does one that nests something or leaves it open."""
    short, long = (_fast.scan(make(size)).steps for size in (4_000, 8_000))

    assert long <= 32 * len(make(8_000).encode("utf-8", "surrogatepass")) + 1_000
    assert long <= 2.1 * short + 1_000


@given(
    before=st.sampled_from(PIECES),
    pattern=st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join),
)
def test_any_pattern_takes_no_more_than_linear_steps(before: str, pattern: str) -> None:
    """Nor does any row of pieces, repeated."""
    short, long = (_fast.scan(before + pattern * n).steps for n in (100, 200))

    assert long <= 2.1 * short + 1_000


def test_marks_out_of_order_by_the_hundred_thousand_are_read_at_once() -> None:
    """
    Only the first marks of a row are brought into order: the library's sort is
    quadratic and would take a minute here.
    """
    scan = _fast.scan("a" + "\u0301\u0316" * 100_000 + " e\u0301")

    assert [len(token) for token in scan] == [200_000, 1]
    assert scan[0][:3] == "\u00e1\u0316\u0316"


def test_marks_within_bounds_are_normal() -> None:
    """As many marks as any language stacks are in canonical order."""
    text = "a" + "\u0301\u0316" * (MARKS_IN_A_ROW_MAX // 2) + "b"

    assert _fast.scan(text)[0] == unicodedata.normalize("NFC", text)
