from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.review.decoding import BYTES_MAX, DecodedText, NotText, decode

TEXT = "Größe = 4.8 kg, 雪, 🙂\n"
ENCODED = {
    "utf-8": TEXT.encode(),
    "utf-8 with a mark": codecs.BOM_UTF8 + TEXT.encode(),
    "utf-16-le": codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
    "utf-16-be": codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
    "utf-32-le": codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"),
}
REFUSED = {
    "a NUL": (b"text\0text", "binary"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(1, 256)) * 4, "cannot be read"),
    "control characters": (b"a\x01\x02\x03b" * 9, "binary"),
    "UTF-16 without a mark": ("plain".encode("utf-16-le"), "binary"),
    "half of UTF-16": (codecs.BOM_UTF16_LE + b"\x00\xd8" * 9, "cannot be read"),
    "too much": (b"x" * (BYTES_MAX + 1), "too large"),
}


@pytest.mark.parametrize("data", ENCODED.values(), ids=ENCODED)
def test_text_is_read(data):
    """UTF-8, and what a byte order mark announces; the mark is no part of the text."""
    decoded = decode(data)

    assert isinstance(decoded, DecodedText)
    assert (decoded.text, decoded.replaced) == (TEXT, 0)


@pytest.mark.parametrize(("data", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_text_is_refused(data, reason):
    """Binary and too large files come back with the reason."""
    decoded = decode(data)

    assert isinstance(decoded, NotText)
    assert reason in decoded.reason


def test_single_bad_character_is_replaced():
    """A page of another encoding is read all the same, and how much was lost is counted."""
    decoded = decode(("Straße und Weg. " * 9).encode("latin-1") * 9 + b"x" * 9000)

    assert isinstance(decoded, DecodedText)
    assert decoded.replaced == decoded.text.count("\ufffd") == 81


def test_limit_is_a_parameter():
    """Exactly that many bytes are read."""
    assert isinstance(decode(b"12345", limit=5), DecodedText)
    assert isinstance(decode(b"123456", limit=5), NotText)


@given(st.binary(max_size=200))
def test_nothing_raises_and_no_text_has_a_nul(data):
    """Whatever the bytes are, there is a text that a database takes, or a reason."""
    decoded = decode(data)

    if isinstance(decoded, NotText):
        assert decoded.reason
    else:
        assert "\0" not in decoded.text
        decoded.text.encode()
