"""The compiled build agrees with the plain one about every text."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from tests.fast.builds import compiled, needs_compiled, reference, told
from tests.fast.strategies import PIECES, TEXTS

pytestmark = needs_compiled


@settings(max_examples=1_000)
@given(text=TEXTS)
def test_both_builds_scan_alike(text: str) -> None:
    """
    Tokens, spans, flags and cues are the same for any text.
    """
    assert told(compiled.scan(text)) == told(reference.scan(text))


def test_both_builds_scan_long_texts_alike() -> None:
    """
    So they are for texts of many blocks, in which everything meets everything.
    """
    chance = random.Random(20240131)

    for _ in range(300):
        text = "".join(chance.choices(PIECES, k=chance.choice([20, 100, 500])))

        assert told(compiled.scan(text)) == told(reference.scan(text)), repr(text)


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
def test_both_builds_class_characters_alike(points: range) -> None:
    """
    Each code point, alone and between letters, is read the same way.
    """
    text = " ".join(f"a{chr(p)}b {chr(p)}" for p in points)

    assert told(compiled.scan(text)) == told(reference.scan(text))
