"""A memory that arrives in parts, cut anywhere."""

from __future__ import annotations

import itertools
import math
import struct
import threading
from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger import _fast
from festinger._fast import Edge
from festinger._fast.values import INT64_MAX
from tests import oracle
from tests.fast.streams import (
    ENCOUNTER_COLUMNS,
    HEADER,
    STAMPED_COLUMNS,
    TRAILER,
    WORD_COLUMNS,
    row,
    stream,
)

# One second after the year 2000 began, as Postgres counts it.
SECOND, STAMP = 946684801.0, 1_000_000
WORDS = [
    (7, "gnommoweb", 0.25, False),
    (8, "é" * 20, 0.0, True),
    (9, "ant", 0.0, False),
]
ENCOUNTERS = [(8, 3, STAMP), (7, 100, STAMP)]
EDGES = [
    (7, 8, 1, True, 0.75, STAMP, 3, 1, 42, False),
    (1, 1, 1, False, 1.0, 0, 1, 2, 0, True),
]

Streams = tuple[bytes, bytes, bytes]
GOOD: Streams = (
    stream(WORD_COLUMNS, WORDS),
    stream(ENCOUNTER_COLUMNS, ENCOUNTERS),
    stream(STAMPED_COLUMNS, EDGES),
)


def cut(data: bytes, places: Iterable[int]) -> list[bytes]:
    """Return a stream in parts."""
    ends = [0, *sorted(places), len(data)]
    return [data[a:b] for a, b in itertools.pairwise(ends)]


def load(parts: Sequence[Iterable[bytes]], build: Any = _fast, **options: Any) -> Any:
    """Return the tables that three streams make, each in its parts."""
    loader = build.Loader(**options)
    feeds = (loader.words, loader.encounters, loader.edges)
    for feed, each in zip(feeds, parts, strict=True):
        for part in each:
            feed(part)
    return loader.close()


def told(tables: Any) -> Any:
    """Return everything that is in the tables."""
    vocabulary, graph = tables
    return sorted(map(vocabulary.row, vocabulary)), sorted(graph)


def whole(streams: Streams = GOOD) -> Any:
    """Return the result of streams that come in one part each."""
    return told(load([[data] for data in streams]))


def test_a_memory_is_loaded_with_all_it_has() -> None:
    """Words with their counters, which may come in another order, and edges."""
    vocabulary, graph = load([[data] for data in GOOD])

    assert vocabulary.row(7)[:4] == (7, "gnommoweb", 100, SECOND)
    assert vocabulary.row(8)[:4] == (8, "é" * 20, 3, SECOND)
    assert vocabulary.row(9)[:4] == (9, "ant", 0, 0.0)
    assert [vocabulary.row(id)[5:] for id in (7, 8)] == [(0.25, False), (0.0, True)]
    assert vocabulary.drain() == []
    assert graph.of(7) == [Edge(7, 8, 1, True, 0.75, SECOND, 3, 1, 42)]
    assert graph.get(1, 1, 1) == Edge(1, 1, 1, False, 1.0, SECOND - 1, 1, 2, 0, True)
    assert (graph.mentions(8), graph.mentions(1)) == (1, 1)


@pytest.mark.parametrize("kind", range(3))
def test_streams_may_be_cut_at_any_byte(kind: int) -> None:
    """Two parts that meet at each byte of a stream make what the whole stream makes."""
    expected = whole()
    for at in range(len(GOOD[kind]) + 1):
        parts = [cut(data, [at] if k == kind else []) for k, data in enumerate(GOOD)]

        assert told(load(parts)) == expected, at


@given(data=st.data())
def test_streams_may_be_cut_into_any_parts(data: st.DataObject) -> None:
    """Any words and edges in any parts, single bytes and empty ones too, are the same."""
    tokens = data.draw(
        st.lists(
            st.text(st.characters(codec="utf-8"), min_size=1), unique=True, max_size=80
        )
    )
    ids = range(1, len(tokens) + 1)
    streams: Streams = (
        stream(
            WORD_COLUMNS, [(i, t, 0.5, False) for i, t in zip(ids, tokens, strict=True)]
        ),
        stream(ENCOUNTER_COLUMNS, [(i, i * 3, i * STAMP) for i in ids]),
        stream(STAMPED_COLUMNS, [(i, 1, 1 + i % 3, *EDGES[0][3:]) for i in ids]),
    )
    parts = [
        cut(each, data.draw(st.lists(st.integers(0, len(each)), max_size=60)))
        for each in streams
    ]
    single = [[bytes([byte]) for byte in each] for each in streams]

    expected = whole(streams)

    assert len(expected[0]) == len(expected[1]) == len(tokens)
    assert told(load(parts, mask_bits=data.draw(st.integers(0, 64)))) == expected
    assert told(load(single)) == expected


@given(data=st.data())
def test_damage_is_reported_as_by_the_oracle(data: st.DataObject) -> None:
    """Bytes changed, missing or added: both take the same rows, or neither takes any."""
    kind = data.draw(st.integers(0, 2))
    good = GOOD[kind]
    at = data.draw(st.integers(0, len(good) - 1))
    bad = good[:at] + data.draw(st.binary(max_size=3)) + good[at + 1 :]
    parts = [
        cut(bad, data.draw(st.lists(st.integers(0, len(bad)), max_size=4)))
        if k == kind
        else [each]
        for k, each in enumerate(GOOD)
    ]

    outcomes = []
    for build in (_fast, oracle):
        try:
            outcomes.append(repr(told(load(parts, build))))
        except ValueError:
            outcomes.append("refused")

    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("kind", range(3))
def test_a_stream_that_stops_anywhere_is_refused(kind: int) -> None:
    """However little of it is missing, there are no tables."""
    for end in range(len(GOOD[kind])):
        streams = [[data[:end] if k == kind else data] for k, data in enumerate(GOOD)]

        with pytest.raises(ValueError, match=r"too early|signature|before the words"):
            load(streams)


@pytest.mark.parametrize("kind", range(3))
def test_one_bit_anywhere_is_an_error_or_one_row(kind: int) -> None:
    """An invalid value breaks the stream; a value that changed touches no other row."""
    expected = whole()
    counts = [len(table) for table in expected]
    for at in range(len(GOOD[kind])):
        for bit in range(8):
            bad = bytearray(GOOD[kind])
            bad[at] ^= 1 << bit
            streams = [
                [bytes(bad) if k == kind else data] for k, data in enumerate(GOOD)
            ]
            try:
                tables = told(load(streams))
            except ValueError:
                continue

            assert [len(table) for table in tables] == counts
            changed = [
                [row for row in table if row not in known]
                for table, known in zip(tables, expected, strict=True)
            ]
            # Counters that lost their word leave one without, or find another.
            assert sum(map(len, changed)) <= (2 if kind == 1 else 1), (at, bit)


REFUSED = [
    (0, [(7, "a", 0.0, False), (7, "b", 0.0, False)], "row 2: id 7 is there already"),
    (0, [(7, "a", 0.0, False), (8, "a", 0.0, False)], "row 2: token 'a' is there"),
    (0, [(0, "a", 0.0, False)], "row 1: id 0 is not"),
    (0, [(7, "a", None, False)], "NULL in column 3"),
    (1, [(7, -1, STAMP)], "row 1: encounters -1 is not a count"),
    (1, [(7, 1, None)], "NULL in column 3"),
    (2, [EDGES[0], EDGES[0]], "row 2: an edge of 7 in 1 is there already"),
    (2, [(7, 0, 1, *EDGES[0][3:])], "row 1: parent_id 0"),
    (2, [(*EDGES[0][:6], None, *EDGES[0][7:])], "NULL in column 7"),
]


@pytest.mark.parametrize(("kind", "rows", "message"), REFUSED)
def test_what_cannot_be_in_a_memory_is_refused(
    kind: int, rows: list[Any], message: str
) -> None:
    """The message says which row, and the loader gives no tables any more."""
    columns = (WORD_COLUMNS, ENCOUNTER_COLUMNS, STAMPED_COLUMNS)[kind]
    loader = _fast.Loader()
    feeds = (loader.words, loader.encounters, loader.edges)
    for feed, data in list(zip(feeds, GOOD, strict=True))[:kind]:
        feed(data)

    with pytest.raises(ValueError, match=message):
        feeds[kind](stream(columns, rows))
    with pytest.raises(ValueError, match="broken"):
        feeds[kind](GOOD[kind])
    with pytest.raises(ValueError, match="broken"):
        loader.close()


def test_errors_count_bytes_from_the_beginning_of_the_stream() -> None:
    """Not from the beginning of the part in which it is."""
    good = row(WORD_COLUMNS, WORDS[0])
    loader = _fast.Loader()
    loader.words(HEADER + good)

    with pytest.raises(ValueError, match=f"at byte {19 + len(good)}$"):
        loader.words(struct.pack(">h", 9) + good[2:])


def test_nothing_may_follow_the_trailer() -> None:
    """Neither in its part nor in one of its own."""
    for parts in (
        [GOOD[0] + b"x"],
        [GOOD[0], b"x"],
        [GOOD[0][:-1], GOOD[0][-1:] + b"x"],
    ):
        with pytest.raises(
            ValueError, match=f"after the trailer, at byte {len(GOOD[0])}"
        ):
            load([parts, [], []])


def test_a_field_that_never_ends_is_not_waited_for() -> None:
    """A length beyond any token's is refused before more of it comes."""
    loader = _fast.Loader()
    row = struct.pack(">hiqi", 4, 8, 7, 65536)

    with pytest.raises(ValueError, match="a field of 65536 bytes, at byte 33"):
        loader.words(HEADER + row)


def test_encounters_need_their_words() -> None:
    """They are refused before the words have ended, and one without a word is left out."""
    early = _fast.Loader()
    early.words(GOOD[0][:-2])
    with pytest.raises(ValueError, match="before the words have ended"):
        early.encounters(GOOD[1])
    alone = stream(ENCOUNTER_COLUMNS, [*ENCOUNTERS, (99, 5, STAMP)])

    assert whole((GOOD[0], alone, GOOD[2])) == whole()


def test_times_without_end_are_infinite() -> None:
    """As Postgres has them, and beyond what a date can be."""
    rows = [(7, 1, INT64_MAX), (8, 1, -INT64_MAX - 1), (9, 1, -946684800 * STAMP)]
    vocabulary, _ = load([[GOOD[0]], [stream(ENCOUNTER_COLUMNS, rows)], [GOOD[2]]])

    assert [vocabulary.row(id).last_seen for id in (7, 8, 9)] == [
        math.inf,
        -math.inf,
        0.0,
    ]


@given(data=st.binary(min_size=1, max_size=12) | st.text(min_size=1).map(str.encode))
def test_text_is_utf8_where_python_says_so(data: bytes) -> None:
    """Overlong forms, surrogates and what is cut off are none."""
    row = struct.pack(">hiqi", 4, 8, 7, len(data)) + data
    row += struct.pack(">idi?", 8, 0.0, 1, False)
    try:
        token = data.decode()
    except UnicodeDecodeError:
        with pytest.raises(ValueError, match="not UTF-8, at byte 37"):
            _fast.Loader().words(HEADER + row + TRAILER)
        return
    vocabulary, _ = load([[HEADER + row + TRAILER], *([d] for d in GOOD[1:])])

    assert vocabulary.token(7) == token


def test_words_and_edges_may_come_at_once() -> None:
    """From two threads; the same stream from two is refused or in turn, and never torn."""
    count = 20_000
    streams = (
        stream(WORD_COLUMNS, [(n, f"word{n}", 0.0, False) for n in range(1, count)]),
        stream(STAMPED_COLUMNS, [(n, 1, 2, *EDGES[0][3:]) for n in range(2, count)]),
    )
    loader = _fast.Loader()
    refused: list[ValueError] = []

    def feed(take: Any, data: bytes) -> None:
        for part in cut(data, range(0, len(data), 100_000)):
            try:
                take(part)
            except ValueError as error:
                refused.append(error)

    threads = [
        threading.Thread(target=feed, args=arguments)
        for arguments in zip((loader.words, loader.edges), streams, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    loader.encounters(GOOD[1])
    vocabulary, graph = loader.close()

    assert not refused
    assert (len(vocabulary), len(graph)) == (count - 1, count - 2)
    assert vocabulary.token(count - 1) == f"word{count - 1}"
    assert vocabulary.row(7).encounters == 100
