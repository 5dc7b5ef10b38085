"""Messages are written and read past protobuf's classes: these must agree, always."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from festinger._fast import Kind, Line
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.rpc.decoding import (
    Asked,
    StreamAsked,
    read_request,
    read_stream_request,
)
from tests.fast.builds import BUILDS, compiled, needs_compiled, reference

ROLE, TEXT, SEEN, DIGEST = 1 << 3, 2 << 3 | 2, 3 << 3, 4 << 3 | 2
TURNS, TOLD = 1 << 3 | 2, 2 << 3 | 2

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
numbers = st.integers(-(2**63), 2**63 - 1)
turns = st.builds(
    pb.Turn,
    role=st.integers(-1, 6) | st.just(2**31 - 1),
    text=texts,
    seen=st.booleans(),
    digest=st.binary(max_size=40),
)
told = st.builds(
    pb.RecollectRequest.Told,
    concept=texts,
    digest=st.binary(max_size=8),
    hint=st.booleans(),
    text=texts,
    kept=st.booleans(),
)
requests = st.builds(
    pb.RecollectRequest,
    turns=st.lists(turns, max_size=4),
    told=st.lists(told, max_size=4),
)
stream_requests = st.builds(
    pb.RecollectStreamRequest,
    id=st.integers(-1, 2**63 - 1) | st.integers(0, 300),
    request=st.none() | requests,
    principal=texts,
    subject=texts,
    tenant=texts,
    min_version=numbers | st.integers(0, 300),
)
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


def layout(build: Any) -> Any:
    """The layout of a request, as far as the tests need it."""
    turn = [(ROLE, "number"), (TEXT, "text"), (SEEN, "number"), (DIGEST, "data")]
    line = [(TEXT, "text"), (SEEN, "number")]
    return build.Layout([(TURNS, build.Layout(turn)), (TOLD, build.Layout(line))])


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


@needs_compiled
@given(message=messages)
@example(message=[[("data", bytes(126))], [("data", bytes(16_400))]])
@example(message=[[[("data", bytes(200)), ("text", "é")], ("number", -1)]])
def test_both_builds_write_the_same(message: list[Any]) -> None:
    """
    Whatever is put into a message, and into messages within it.
    """
    assert write(compiled, message) == write(reference, message)


@needs_compiled
@given(data=st.binary(max_size=60) | requests.map(lambda it: it.SerializeToString()))
def test_both_builds_read_the_same(data: bytes) -> None:
    """
    Messages, and bytes that are none.
    """
    assert layout(compiled).read(data) == layout(reference).read(data)


@needs_compiled
@given(request=requests, at=st.integers(0, 400), byte=st.integers(0, 255))
def test_both_builds_read_what_is_broken_the_same(
    request: pb.RecollectRequest, at: int, byte: int
) -> None:
    """
    A message with a byte that is another, or cut off there.
    """
    data = bytearray(request.SerializeToString())
    del data[at + 200 :]
    data[at : at + 1] = [byte] if at < len(data) else []
    broken = bytes(data)

    assert layout(compiled).read(broken) == layout(reference).read(broken)


@given(request=requests)
def test_request_is_read_as_protobuf_reads_it(request: pb.RecollectRequest) -> None:
    """
    Whether the layout reads it, or leaves it to the generated class.
    """
    assert read_request(request.SerializeToString()) == asked(request)


@given(request=stream_requests)
def test_request_of_a_stream_is_read_as_protobuf_reads_it(
    request: pb.RecollectStreamRequest,
) -> None:
    """
    The same, with what stands around a request.
    """
    assert read_stream_request(request.SerializeToString()) == StreamAsked(
        request.id,
        asked(request.request),
        request.principal,
        request.subject,
        request.tenant,
        request.min_version,
    )


def asked(request: pb.RecollectRequest) -> Asked:
    """What protobuf reads of a request."""
    return Asked(
        [(it.role, it.text, it.seen, it.digest) for it in request.turns],
        [(it.concept, it.digest, it.hint, it.text, it.kept) for it in request.told],
    )


@pytest.mark.parametrize("build", BUILDS)
def test_what_is_odd_is_not_read(build: Any) -> None:
    """
    Another field, another type of field, a long number, what is cut off, and no UTF-8.
    """
    whole = pb.RecollectRequest(turns=[pb.Turn(text="ant", digest=b"1")])
    read = layout(build).read(whole.SerializeToString())

    assert read == ([(0, "ant", 0, b"1")], [])
    assert layout(build).read(b"") == ([], [])
    for odd in (
        b"\x1a\x00",
        b"\x0d\x00\x00\x00\x00",
        b"\xff\x01\x00",
        whole.SerializeToString()[:-1],
        b"\x0a",
        b"\x0a\x03\x12\x01\xff",
        b"\x0a\x06\x08\xff\xff\xff\xff\x0f",
        b"\x0a\x07\x08\x80\x80\x80\x80\x80\x01",
    ):
        assert layout(build).read(odd) is None


@pytest.mark.parametrize("build", BUILDS)
def test_the_last_of_a_field_counts(build: Any) -> None:
    """
    As protobuf has it, where a field stands twice.
    """
    data = b"\x0a\x06\x08\x01\x08\x02\x18\x05"

    assert layout(build).read(data) == ([(2, "", 5, b"")], [])
    assert pb.RecollectRequest.FromString(data).turns[0].role == 2


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize(
    "fields",
    [[(8, "text")], [(10, "number")], [(128, "number")], [(-1, "data")], [(8, "")]],
)
def test_layout_needs_tags_that_fit(build: Any, fields: Any) -> None:
    """
    A tag tells its wire type, and is one byte.
    """
    with pytest.raises((ValueError, KeyError)):
        build.Layout(fields)


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("length", [0, 1, 127, 128, 129, 255, 256, 257, 5_000])
def test_digest_is_that_of_a_line(build: Any, length: int) -> None:
    """
    BLAKE2b of eight bytes, at any length around its blocks' ends.
    """
    text = "".join(chr(97 + at * 7 % 26) for at in range(length))
    wire = build.Wire()

    wire.digest(DIGEST, text)

    digest = blake2b(text.encode(), digest_size=8).digest()
    assert wire.message() == bytes((DIGEST, 8)) + digest
    assert Line("ant", text, Kind.HINT, "").digest == digest


@pytest.mark.parametrize("build", BUILDS)
def test_nothing_is_ended_that_was_not_begun(build: Any) -> None:
    """
    An end that is before a beginning, or behind the message.
    """
    wire = build.Wire()
    wire.number(ROLE, 1)

    for begun in (0, 1, 3):
        with pytest.raises(ValueError, match="no message was begun"):
            wire.end(begun)


@pytest.mark.parametrize("build", BUILDS)
def test_number_beyond_64_bits_is_refused(build: Any) -> None:
    """
    Nothing of it is written.
    """
    wire = build.Wire()

    with pytest.raises(OverflowError):
        wire.number(ROLE, 2**63)

    assert wire.message() == b""
