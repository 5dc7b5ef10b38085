"""The compiled build agrees with the plain one about every text."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings

from tests.fast.builds import compiled, needs_compiled, reference
from tests.fast.strategies import PIECES, TEXTS

pytestmark = needs_compiled


def told(scan: Any) -> tuple[Any, ...]:
    """Everything that a scan tells, but for its steps."""
    positions = range(len(scan))
    return (
        scan.text,
        list(scan),
        [scan.span(i) for i in positions],
        [scan.flags(i) for i in positions],
        scan.cues(),
    )


@settings(max_examples=1_000)
@given(text=TEXTS)
def test_both_builds_scan_alike(text: str):
    """
    Tokens, spans, flags and cues are the same for any text.
    """
    assert told(compiled.scan(text)) == told(reference.scan(text))


def test_both_builds_scan_long_texts_alike():
    """
    So they are for texts of many blocks, in which everything meets everything.
    """
    chance = random.Random(20240131)

    for _ in range(300):
        text = "".join(chance.choices(PIECES, k=chance.choice([20, 100, 500])))

        assert told(compiled.scan(text)) == told(reference.scan(text)), repr(text)


def test_both_builds_class_every_character_alike():
    """
    Every code point, alone and between letters, is read the same way.
    """
    for first in range(0, 0x110000, 0x400):
        points = range(first, first + 0x400)
        text = " ".join(f"a{chr(p)}b {chr(p)}" for p in points)

        assert told(compiled.scan(text)) == told(reference.scan(text)), hex(first)
