"""A scan is the same as the oracle's for every text."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from festinger import _fast
from tests import oracle
from tests.fast.strategies import PIECES, TEXTS
from tests.oracle.comparing import told


@settings(max_examples=200)
@given(text=TEXTS)
def test_scan_is_that_of_the_oracle(text: str) -> None:
    """Tokens, spans, flags and cues are the same for any text."""
    assert told(_fast.scan(text)) == told(oracle.scan(text))


def test_scan_of_a_long_text_is_that_of_the_oracle() -> None:
    """So they are for texts of many blocks, in which everything meets everything."""
    chance = random.Random(20240131)

    for _ in range(300):
        text = "".join(chance.choices(PIECES, k=chance.choice([20, 100, 500])))
        expected = told(oracle.scan(text))

        assert told(_fast.scan(text)) == expected, repr(text)
        assert told(_fast.Scan(text, portable=True)) == expected, repr(text)


@settings(max_examples=200)
@given(text=TEXTS)
def test_every_processor_scans_alike(text: str) -> None:
    """Wider instructions find the same in a text as any x86-64."""
    assert told(_fast.Scan(text, portable=True)) == told(oracle.scan(text))


@pytest.mark.parametrize("portable", [False, True])
def test_each_byte_of_ascii_is_classed_at_each_place_of_a_block(portable: bool) -> None:
    """So it is alone, between letters, and where one block ends and another begins."""
    for around in ("{}", "a{}b", "A{}B", "A {}B", "É{}s", "a{}'s"):
        for before in range(0, 130):
            text = " ".join(
                "x" * (before + number) + " " + around.format(chr(byte))
                for number, byte in enumerate(range(before % 4, 128, 4))
            )
            scan = _fast.Scan(text, portable=portable)

            assert told(scan) == told(oracle.scan(text)), repr(text)


@pytest.mark.parametrize("portable", [False, True])
def test_a_mark_is_seen_wherever_it_stands(portable: bool) -> None:
    """A scan that tells of no underscore and no fence has none: they are not looked for."""
    for text in ("x" * before + "{}" + "é" * (before % 3) for before in range(200)):
        scans = [_fast.Scan(text.format(m), portable=portable) for m in ("_", *"`~<")]

        assert scans[0].underscored, text
        assert all(scan.fenced for scan in scans[1:]), text


@given(text=TEXTS, mask_bits=st.sampled_from([0, 1, 2, 5, 33]))
def test_equal_hashes_are_not_equal_terms(text: str, mask_bits: int) -> None:
    """A scan whose hashes collide, and run past the end of its table, is the same."""
    assert told(_fast.Scan(text, mask_bits=mask_bits)) == told(oracle.scan(text))


PLACES = st.lists(
    st.sampled_from(
        [
            *PIECES,
            *"/\\~@$%=&: ",
            "://",
            "gnommoweb",
            "Gnommoweb",
            "a_name_of_many_bytes",
        ]
    ),
    max_size=12,
).map("".join)


@settings(max_examples=200)
@given(text=PLACES, mask_bits=st.sampled_from([0, 2, 64]))
def test_plain_words_are_those_of_the_oracle(text: str, mask_bits: int) -> None:
    """A token stands plainly for both, or only in paths, or nowhere."""
    fast, plain = _fast.Scan(text, mask_bits=mask_bits), oracle.scan(text)

    for token in {*plain, "gnommoweb", "a_name_of_many_bytes", "", "\ud800"}:
        assert fast.stands_plainly(token) == plain.stands_plainly(token), token


def test_a_key_in_one_case_and_the_same_in_another_are_one_word() -> None:
    """A text that is a base64 key here and a name there is looked for at both places."""
    key = "aB3dE5fG7hI9jK1lM3nO5pQ7"
    for text in (f"/{key} {key.lower()}", f"/{key.lower()} {key}", f"/{key} /{key}"):
        fast, plain = _fast.scan(text), oracle.scan(text)

        assert fast.stands_plainly(key.lower()) == plain.stands_plainly(key.lower())


def test_many_terms_with_equal_hashes_are_kept_apart() -> None:
    """So they are when hundreds share one place, short and long, with CJK between."""
    words = [f"w{n}" * (1 + n % 12) for n in range(400)]
    text = " ".join(words + words) + "東京都" * 300

    for mask_bits in (0, 60, 64):
        scan = _fast.Scan(text, mask_bits=mask_bits)

        assert told(scan) == told(oracle.scan(text))


# Every block of characters but the large ones that are all alike.
RANGES = [
    range(0x0, 0x3500),
    range(0x4D00, 0x4E10),
    range(0x9F00, 0xAD00),
    range(0xD700, 0xDC10),
    range(0xE000, 0xE010),
    range(0xF800, 0x12500),
    range(0x16800, 0x17010),
    range(0x1AF00, 0x1B400),
    range(0x1BC00, 0x20010),
    range(0x2FA00, 0x2FA20),
    range(0xE0000, 0xE0200),
    range(0x10FF00, 0x110000),
]


@pytest.mark.parametrize("points", RANGES, ids=lambda points: f"U+{points[0]:04X}")
def test_characters_have_the_classes_of_the_oracle(points: range) -> None:
    """Each code point, alone and between letters, is read the same way."""
    text = " ".join(f"a{chr(p)}b {chr(p)}" for p in points)

    assert told(_fast.scan(text)) == told(oracle.scan(text))
