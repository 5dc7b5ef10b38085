"""Messages are written and read past protobuf's classes: these must agree, always."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from festinger import _fast
from festinger._fast import Kind, Line
from tests import oracle

TURNS, TEXT = 1 << 3 | 2, 2 << 3 | 2

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
numbers = st.integers(-(2**63), 2**63 - 1)
fields = st.one_of(
    st.tuples(st.just("text"), texts),
    st.tuples(st.just("data"), st.binary(max_size=300)),
    st.tuples(st.just("number"), numbers),
    st.tuples(st.just("double"), st.floats(allow_nan=False)),
    st.tuples(st.just("digest"), texts),
    st.tuples(st.just("raw"), st.binary(max_size=20)),
)
messages = st.recursive(
    st.lists(fields, max_size=4), lambda inner: st.lists(fields | inner, max_size=4)
)


def write(build: Any, message: list[Any]) -> bytes:
    """The bytes of a message of messages."""
    wire = build.Wire()
    put(wire, message)
    written: bytes = wire.message()
    return written


def put(wire: Any, message: list[Any]) -> None:
    """Writes fields; a list is a message within."""
    for field in message:
        if isinstance(field, list):
            begun = wire.begin(TURNS)
            put(wire, field)
            wire.end(begun)
        elif field[0] == "raw":
            wire.raw(field[1])
        else:
            getattr(wire, field[0])(TEXT, field[1])


@given(message=messages)
@example(message=[[("data", bytes(126))], [("data", bytes(16_400))]])
@example(message=[[[("data", bytes(200)), ("text", "é")], ("number", -1)]])
def test_messages_are_those_of_the_oracle(message: list[Any]) -> None:
    """
    Whatever is put into a message, and into messages within it.
    """
    assert write(_fast, message) == write(oracle, message)


@pytest.mark.parametrize("length", [0, 1, 127, 128, 129, 255, 256, 257, 5_000])
def test_digest_is_that_of_a_line(length: int) -> None:
    """
    BLAKE2b of eight bytes, at any length around its blocks' ends.
    """
    text = "".join(chr(97 + at * 7 % 26) for at in range(length))
    wire = _fast.Wire()

    wire.digest(TEXT, text)

    digest = blake2b(text.encode(), digest_size=8).digest()
    assert wire.message() == bytes((TEXT, 8)) + digest
    assert Line("ant", text, Kind.HINT, "").digest == digest


def test_nothing_is_ended_that_was_not_begun() -> None:
    """
    An end that is before a beginning, or behind the message.
    """
    wire = _fast.Wire()
    wire.number(TEXT, 1)

    for begun in (0, 1, 3):
        with pytest.raises(ValueError, match="no message was begun"):
            wire.end(begun)


def test_number_beyond_64_bits_is_refused() -> None:
    """
    Nothing of it is written.
    """
    wire = _fast.Wire()

    with pytest.raises(OverflowError):
        wire.number(TEXT, 2**63)

    assert wire.message() == b""
