"""Loading from Postgres' binary COPY."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger import _fast
from festinger._fast import Edge, VocabularyEntry
from tests.fast.streams import (
    CONCEPT_COLUMNS,
    EDGE_COLUMNS,
    HEADER,
    TRAILER,
    field,
    row,
    stream,
)

CONCEPT = (7, "gnommoweb", 100, 5.5, 0.25, False)
EDGE = (101, 201, 1, True, 0.75, 1.5, 3, 0, 42, False)
GOOD = row(CONCEPT_COLUMNS, CONCEPT)


def concept(**changes: object) -> bytes:
    """Return one concept's row with other values."""
    names = ("id", "token", "encounters", "last_seen", "novelty", "dictionary")
    values = dict(zip(names, CONCEPT, strict=True)) | changes
    return row(CONCEPT_COLUMNS, list(values.values()))


def concept_with(index: int, data: bytes) -> bytes:
    """Return one concept's row with one field's bytes replaced, length and all."""
    fields = [field(c, v) for c, v in zip(CONCEPT_COLUMNS, CONCEPT, strict=True)]
    fields[index] = data
    return struct.pack(">h", len(fields)) + b"".join(fields)


# A stream that is no good, and what the message says.
CORRUPT = [
    (b"", "signature"),
    (b"PGCOPY", "signature"),
    (HEADER[:-1], "too early, at byte 18"),
    (HEADER, "too early, at byte 19"),
    (HEADER + b"\xff", "too early, at byte 20"),
    (HEADER[:11] + struct.pack(">ii", 1 << 16, 0) + TRAILER, "flags 0x10000"),
    (HEADER[:11] + struct.pack(">ii", 0, 5) + TRAILER, "too early, at byte 21"),
    (HEADER[:11] + struct.pack(">ii", 0, -1) + TRAILER, "extension of -1 bytes"),
    (HEADER + GOOD, "too early"),
    (HEADER + GOOD[:-1], "at byte"),
    (HEADER + GOOD[:3], "too early"),
    (HEADER + GOOD + TRAILER + b"x", "after the trailer"),
    (HEADER + struct.pack(">h", 5) + GOOD[2:] + TRAILER, "5 columns instead of 6"),
    (HEADER + struct.pack(">h", -2) + TRAILER, "-2 columns instead of 6"),
    (HEADER + concept(id=None) + TRAILER, "NULL in column 1"),
    (HEADER + concept(token=None) + TRAILER, "NULL in column 2"),
    (HEADER + concept(novelty=None) + TRAILER, "NULL in column 5"),
    (HEADER + concept_with(0, b"\0\0\0\4abcd") + TRAILER, "int8 of 4 bytes"),
    (HEADER + concept_with(3, b"\0\0\0\4abcd") + TRAILER, "float8 of 4 bytes"),
    (HEADER + concept_with(5, b"\0\0\0\2ab") + TRAILER, "bool of 2 bytes"),
    (HEADER + concept_with(1, b"\xff\xff\xff\xfe") + TRAILER, "field of -2 bytes"),
    (HEADER + concept_with(1, b"\x7f\xff\xff\xff") + TRAILER, "field of 2147483647"),
    (HEADER + concept_with(1, b"\0\0\0\2\xc3\x28") + TRAILER, "not UTF-8, at byte 37"),
    (HEADER + concept_with(1, b"\0\0\0\3\xed\xa0\x80") + TRAILER, "not UTF-8"),
    (HEADER + concept(id=0) + TRAILER, "row 1: id 0 "),
    (HEADER + concept(id=-5) + TRAILER, "row 1: id -5 "),
    (HEADER + concept(token="") + TRAILER, "row 1: token of 0 bytes"),
    (HEADER + concept(encounters=-1) + TRAILER, "row 1: encounters -1"),
    (HEADER + GOOD + concept(token="x") + TRAILER, "row 2: id 7 is there already"),
    (HEADER + GOOD + concept(id=8) + TRAILER, "row 2: token 'gnommoweb' is there"),
    (HEADER + GOOD + concept(id=9, token="held") + TRAILER, "row 2: token 'held'"),
    (HEADER + GOOD + concept(id=1, token="x" * 99) + TRAILER, "row 2: id 1 "),
]


@pytest.fixture
def vocabulary() -> Any:
    """A vocabulary with one token, to be left as it is."""
    vocabulary = _fast.Vocabulary()
    vocabulary.add("held", 1)
    return vocabulary


def test_concepts_are_loaded_with_all_they_have(vocabulary: Any) -> None:
    """A NULL `last_seen` is never, and nothing is counted anew."""
    rows = [CONCEPT, (8, "é" * 20, 0, None, 1.0, True)]

    assert vocabulary.load_copy(stream(CONCEPT_COLUMNS, rows)) == 2
    assert vocabulary.row(7) == VocabularyEntry(
        7, "gnommoweb", 100, 5.5, 2.0, 0.25, False
    )
    assert vocabulary.row(8) == VocabularyEntry(8, "é" * 20, 0, 0.0, 0.0, 1.0, True)
    assert vocabulary.drain() == []


def test_a_header_may_have_an_extension(vocabulary: Any) -> None:
    """It is skipped, as the format says."""
    header = HEADER[:11] + struct.pack(">ii", 0, 3) + b"abc"

    assert vocabulary.load_copy(header + GOOD + TRAILER) == 1


def test_an_empty_table_is_a_stream_too(
    vocabulary: Any,
) -> None:
    """Header and trailer, and nothing is added."""
    assert vocabulary.load_copy(HEADER + TRAILER) == 0
    assert _fast.Graph().load_copy(HEADER + TRAILER) == 0


@pytest.mark.parametrize(("data", "message"), CORRUPT)
def test_a_corrupt_stream_is_refused_whole(
    vocabulary: Any, data: bytes, message: str
) -> None:
    """The message says what is wrong and where, and the vocabulary is as it was."""
    with pytest.raises(ValueError, match=message):
        vocabulary.load_copy(data)
    assert list(map(vocabulary.row, vocabulary)) == [
        VocabularyEntry(1, "held", 0, 0.0, 0.0, 0.0, False)
    ]
    assert vocabulary.id("gnommoweb") is None
    assert vocabulary.load_copy(stream(CONCEPT_COLUMNS, [CONCEPT])) == 1


def test_edges_are_loaded_with_all_they_have() -> None:
    """Every field comes back."""
    graph = _fast.Graph()

    assert graph.load_copy(stream(EDGE_COLUMNS, [EDGE, (1, 1, 1, *EDGE[3:])])) == 2
    assert graph.get(101, 1) == Edge(*EDGE)
    assert (graph.mentions(201), graph.mentions(1)) == (1, 1)


def test_edges_may_come_after_loading() -> None:
    """Loaded and later rows are one list, and both can be taken out."""
    graph = _fast.Graph()
    graph.load_copy(
        stream(EDGE_COLUMNS, [(n, 201, 1, *EDGE[3:]) for n in range(2, 99)])
    )
    late = Edge(50, 202, 7, *EDGE[3:])

    graph.put(late)

    assert graph.of(50) == [Edge(50, 201, 1, *EDGE[3:]), late]
    assert graph.load_copy(stream(EDGE_COLUMNS, [(50, 203, 9, *EDGE[3:])])) == 1
    assert [edge.dim_id for edge in graph.of(50)] == [1, 7, 9]
    graph.remove(50, 1)
    assert [edge.dim_id for edge in graph.of(50)] == [7, 9]
    assert (graph.mentions(50), graph.mentions(201)) == (2, 96)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([EDGE, EDGE], "row 2: an edge of 101 in 1 is there already"),
        ([EDGE, (5, 6, 7, *EDGE[3:])], "row 2: an edge of 5 in 7 is there already"),
        ([EDGE, (0, 6, 7, *EDGE[3:])], "row 2: concept_id 0"),
        ([EDGE, (9, 6, -7, *EDGE[3:])], "row 2: dim_id -7"),
        ([EDGE, (*EDGE[:4], None, *EDGE[5:])], "NULL in column 5"),
    ],
)
def test_corrupt_edges_are_refused_whole(rows: list[Any], message: str) -> None:
    """The message says which row, and the graph is as it was."""
    graph = _fast.Graph()
    graph.put(Edge(5, 6, 7, *EDGE[3:]))

    with pytest.raises(ValueError, match=message):
        graph.load_copy(stream(EDGE_COLUMNS, rows))
    assert list(graph) == [Edge(5, 6, 7, *EDGE[3:])]
    assert [graph.mentions(id) for id in (5, 6, 7, 101, 201, 1)] == [1, 1, 1, 0, 0, 0]


@given(
    tokens=st.lists(
        st.text(st.characters(codec="utf-8"), min_size=1), unique=True, max_size=50
    ),
    last_seen=st.one_of(st.none(), st.floats(allow_nan=False)),
)
def test_what_is_loaded_is_what_was_stored(
    tokens: list[str], last_seen: float | None
) -> None:
    """Any tokens, by any number."""
    rows = [(id, t, id, last_seen, 0.5, False) for id, t in enumerate(tokens, 1)]
    vocabulary = _fast.Vocabulary()

    assert vocabulary.load_copy(stream(CONCEPT_COLUMNS, rows)) == len(tokens)
    assert [
        (r.id, r.token, r.encounters, r.last_seen)
        for r in map(vocabulary.row, sorted(vocabulary))
    ] == [(id, t, id, last_seen or 0.0) for id, t in enumerate(tokens, 1)]


@given(data=st.data())
def test_no_damage_goes_unnoticed_or_crashes(data: st.DataObject) -> None:
    """A stream with bytes changed or missing is loaded whole or not at all."""
    rows = [(id, f"token{id}", 1, 2.0, 0.5, False) for id in range(2, 6)]
    good = stream(CONCEPT_COLUMNS, rows)
    at = data.draw(st.integers(0, len(good) - 1))
    bad = good[:at] + data.draw(st.binary(max_size=3)) + good[at + 1 :]
    vocabulary = _fast.Vocabulary()
    vocabulary.add("held", 1)

    try:
        added = vocabulary.load_copy(bad)
    except ValueError:
        added = 0

    assert len(vocabulary) == 1 + added
    assert all(vocabulary.id(vocabulary.token(id)) == id for id in vocabulary)
