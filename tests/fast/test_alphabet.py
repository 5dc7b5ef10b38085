"""Properties of the alphabet's single characters hold for whole texts."""

from __future__ import annotations

import sys
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from festinger._fast.alphabet import is_inert

POINTS = range(sys.maxunicode + 1)


def test_no_inert_character_composes_with_one_before_it() -> None:
    """None is the second half of a canonical pair, in all of Unicode."""
    halves = (unicodedata.decomposition(chr(point)).split() for point in POINTS)
    seconds = {
        chr(int(pair[1], 16)) for pair in halves if len(pair) == 2 and pair[0][0] != "<"
    }

    assert len(seconds) > 50
    assert not [second for second in seconds if is_inert(second)]


def test_everyday_characters_are_inert() -> None:
    """The usual characters of prompts beside ASCII need no closer look."""
    assert all(map(is_inert, "éüß’“”—…•→✅€東京한국Жשع😀\u00a0"))


@given(text=st.text(st.characters().filter(is_inert)))
def test_a_text_of_inert_characters_is_in_nfc(text: str) -> None:
    """Whatever stands beside what."""
    assert unicodedata.is_normalized("NFC", text)
