"""Promises of the lines of a telling."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import Any

import pytest

from festinger import _fast
from festinger._fast import GraphLineKind, Line
from tests.fast.test_telling import PLACE, TYPE, Memory


@pytest.fixture
def memory() -> Memory:
    """A memory in which two names are placed."""
    made = Memory()
    for id, token in enumerate(("ant", "bee"), 10):
        made.add(id, token, encounters=5)
        made.place(id)
    return made


ANT = Line("ant", "ant: [type] repo", GraphLineKind.RECOLLECTION, "met 5 times")
BEE = Line("bee", "bee: [type] repo", GraphLineKind.RECOLLECTION, "met 5 times")


def test_lines_are_a_sequence(memory: Memory) -> None:
    """Of named tuples, as often as they are asked for."""
    lines = memory.tell(10, 11).lines

    assert isinstance(lines, Sequence)
    assert len(lines) == 2
    assert [*lines] == [*lines] == [ANT, BEE]
    assert [lines[0], lines[-1], lines[1:], lines.index(BEE)] == [ANT, BEE, [BEE], 1]
    assert (lines.count(ANT), ANT in lines, [*reversed(lines)]) == (1, True, [BEE, ANT])
    assert lines == [ANT, BEE]
    assert lines != [BEE, ANT]
    with pytest.raises(IndexError):
        lines[2]


def test_no_lines_are_empty(memory: Memory) -> None:
    """And so is their block, but for what is around it."""
    lines = memory.tell().lines

    assert not lines
    assert lines == []
    assert _fast.block("<", lines, ">") == "<\n>"
    assert _fast.block("«", lines, "»") == "«\n»"


def test_a_block_holds_the_lines_texts(memory: Memory) -> None:
    """The result is the same whether somebody has asked for one of them, or not."""
    lines, block = memory.tell(10, 11).lines, _fast.block

    for _ in range(2):
        assert block("<", lines, ">") == "<\nant: [type] repo\nbee: [type] repo\n>"
        assert lines[0] == ANT


def test_a_block_may_be_of_any_characters(memory: Memory) -> None:
    """Around its lines, or in them."""
    memory.add(12, "café")
    memory.place(12)
    block, plain = _fast.block, memory.tell(10).lines
    wide = memory.tell(12).lines

    assert block("«", plain, "»") == "«\nant: [type] repo\n»"
    assert block("<", wide, "»") == "<\ncafé: [type] repo\n»"
    assert block("<", wide, ">") == "<\ncafé: [type] repo\n>"


def test_questions_stand_behind_the_lines(memory: Memory) -> None:
    """And what is told stays as it was without them."""
    memory.add(12, "cat", encounters=5)
    telling = memory.tell(10, 12)

    lines = _fast.ask(telling, [_fast.scan("a cat")], (), (), str.isalpha, 3)

    assert [line.concept for line in lines] == ["ant", "cat"]
    assert len(lines) == 2
    assert lines[1].kind is GraphLineKind.HINT
    assert _fast.block("<", lines, ">") == f"<\n{ANT.text}\n{lines[1].text}\n>"
    assert telling.lines == [ANT]
    assert _fast.block("<", telling.lines, ">") == f"<\n{ANT.text}\n>"


def test_lines_outlive_their_telling(memory: Memory) -> None:
    """Lines own the objects that they are made of."""
    memory.add(12, "cat", encounters=5)
    lines = _fast.ask(
        memory.tell(10, 12), [_fast.scan("a cat")], (), (), str.isalpha, 3
    )
    for _ in range(100):
        memory.tell(10, 11)

    assert lines[0] == ANT


def test_lines_end_once(memory: Memory) -> None:
    """Whoever is garbage, and holds lines with questions behind them, takes them along."""
    memory.add(12, "cat", encounters=5)
    gc.collect()
    # Else each collection looks at all that the tests before have imported.
    gc.freeze()
    for _ in range(50):
        spoken = [_fast.scan("a cat")]
        asked = _fast.ask(memory.tell(10, 12), spoken, (), (), str.isalpha, 3)
        # It is younger than what it holds, which the collector therefore meets first.
        ring: list[Any] = [asked, asked[:1]]
        ring.append(ring)
        del ring, asked
        gc.collect()

    assert memory.tell(10).lines == [ANT]


def test_long_lines_have_room(memory: Memory) -> None:
    """Names may be longer than most lines are, and of any script."""
    long = "é" * 500
    memory.add(12, long, encounters=5)
    memory.place(12)
    memory.place(12, PLACE)

    lines = memory.tell(10, 11, 12).lines

    text = f"{long}: [place] repo [type] repo"
    assert lines == [
        ANT,
        BEE,
        Line(long, text, GraphLineKind.RECOLLECTION, "met 5 times"),
    ]
    assert _fast.block("<", lines, ">").splitlines()[3] == text


def test_lines_say_why(memory: Memory) -> None:
    """A conflict outweighs all else, and what is new the encounters."""
    memory.add(12, "cat", encounters=300)
    memory.add(13, "dog", novelty=1.0)
    memory.add(14, "eel", novelty=0.25)
    for id in (12, 13, 14):
        memory.place(id)

    lines = memory.tell(10, 12, 13, 14, doubts={10: {TYPE}}).lines

    assert [line.why for line in lines] == [
        "conflict",
        "met 300 times",
        "novelty 1.0",
        "novelty 0.2",
    ]
    assert lines[0].text == "ant: [type?] repo — conflict pending"


def test_what_is_no_line_makes_no_block(memory: Memory) -> None:
    """Rather than a block with something else in it."""
    texts: Any = ["ant"]

    with pytest.raises((TypeError, AttributeError)):
        _fast.block("<", texts, ">")
