"""Streams in whatever pieces they come."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from festinger.shim.proxy.endings import LINE_BYTES_MAX, Lines, watch

NDJSON, EVENTS = "application/x-ndjson", "text/event-stream"

STREAMS = [
    ("/api/chat", NDJSON, b'{"a":1}\n{"b":2}\n', False, True),
    ("/api/chat", NDJSON, b'{"a":1}\n{"done":true}\n', True, True),
    ("/api/chat", NDJSON, b'{"a":1}\n{"done":', False, False),
    ("/api/chat", NDJSON, b'{"a":1}\n{"done":true}\n\n', True, True),
    ("/api/chat", NDJSON, b'{"done":true}\r\n\r\n', True, True),
    ("/api/chat", NDJSON, b'{"done":true}\n \n', True, True),
    ("/api/chat", NDJSON, b'{"done":true}\n\n ', True, True),
    ("/api/chat", NDJSON, b'{"done":true}\n\n{"a":1}\n\n', False, True),
    ("/api/chat", NDJSON, b'\n\n', False, True),
    ("/api/pull", NDJSON, b'{"a":1}\n', True, True),
    ("/v1/completions", EVENTS, b"data: {}\n\ndata: [DONE]\n\n", True, True),
    ("/v1/completions", EVENTS, b"data: {}\n\ndata: [DO", False, False),
    ("/v1/responses", EVENTS, b'event: response.completed\ndata: {"sequence_number":7}\n\n', True, True),
    ("/v1/responses", EVENTS, b'event: response.completed.not\ndata: {"sequence_number":7}\n\n', False, True),
    ("/v1/messages", EVENTS, b"event: message_stop\r\ndata: {}\r\n\r\n", True, True),
]  # fmt: skip


@pytest.mark.parametrize(("path", "kind", "stream", "complete", "open_end"), STREAMS)
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_pieces_do_not_matter(path, kind, stream, complete, open_end, data):
    """A stream is complete, and at the end of a record, however it was cut."""
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=6).map(sorted))
    looking = watch(path, kind)
    assert looking is not None
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        looking.see(stream[start:end])

    assert looking.complete is complete
    assert bool(looking.error("x")) is open_end


def test_event_numbers_go_on():
    """The error of a response has the number after the last one's."""
    looking = watch("/v1/responses", EVENTS)
    assert looking is not None
    first = looking.error("x")
    looking.see(b'data: {"sequence_number": 41}\n\n')
    second = looking.error("x")

    numbers = [
        json.loads(e.split(b"data: ")[1])["sequence_number"] for e in (first, second)
    ]
    assert numbers == [0, 42]


def test_long_line_takes_no_memory():
    """Of a line that does not end only so much is kept."""
    looking = Lines(ends=True)
    for _ in range(64):
        looking.see(b"x" * 2**16)

    assert len(looking._open) == LINE_BYTES_MAX
