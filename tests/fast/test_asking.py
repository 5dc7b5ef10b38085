"""Promises of a question; core's tests tell whom it is about."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

import pytest

from festinger import _fast
from festinger._fast import GraphLineKind, Line
from festinger._fast.values import LOOKED_FOR_MAX, PLAIN_LETTERS_MAX
from tests.fast.test_telling import Memory


@pytest.fixture
def memory() -> Memory:
    """A memory in which nothing is placed."""
    return Memory()


def ask(
    memory: Memory,
    ids: Sequence[int],
    *texts: str,
    hinted: Container[str] = (),
    everyday: Container[str] = (),
    most: int = 3,
) -> list[Line]:
    """Ask about some unknown concepts; `v2` is no name."""
    telling = memory.tell(*ids)
    scans = [_fast.scan(text) for text in texts]
    asked = _fast.ask(
        telling, scans, hinted, everyday, lambda token: token != "v2", most
    )
    return list(asked)


def concepts(lines: Sequence[Line]) -> list[str]:
    """Return the concepts of some lines."""
    return [line.concept for line in lines]


def test_a_question_is_a_line(memory: Memory) -> None:
    """A named tuple, with the name at each of its places."""
    memory.add(10, "été")

    (line,) = ask(memory, [10], "an été")

    assert type(line) is Line
    assert line == Line(
        "été",
        "? été: no recollection. If not a typo, store it before proceeding:\n"
        "  gutask iknowthat 'été -isa <parent> in context of <dimension>'\n"
        "  gutask iknowthat 'été -ispart <system> in context of <dimension>'",
        GraphLineKind.HINT,
        "met often, and unknown",
    )


def test_the_important_are_asked_about(memory: Memory) -> None:
    """As many as are wanted, and these in the order of their names."""
    names = ["eel", "dog", "cat", "bee", "ant"]
    for id, token in enumerate(names, 10):
        memory.add(id, token, encounters=id)

    lines = ask(memory, range(10, 15), " ".join(names), most=2)

    assert concepts(lines) == ["ant", "bee"]


def test_none_is_asked_about_if_none_is_wanted(memory: Memory) -> None:
    """Nor without a text."""
    memory.add(10, "ant")

    assert ask(memory, [10], "an ant", most=0) == []
    assert ask(memory, [10]) == []


def test_one_text_is_enough(memory: Memory) -> None:
    """In which a token stands as a plain word, be there a path before it."""
    memory.add(10, "ant")

    assert concepts(ask(memory, [10], "a bee", "/ant and the ant")) == ["ant"]
    assert ask(memory, [10], "a bee", "/ant and ant/bee") == []


@pytest.mark.parametrize("where", ["hinted", "everyday"])
def test_what_needs_no_question_is_left_out(memory: Memory, where: str) -> None:
    """It was asked about, or is an everyday word; the next one comes in its stead."""
    memory.add(10, "ant", encounters=9)
    memory.add(11, "bee", encounters=3)

    lines = ask(memory, [10, 11], "ant bee", **{where: {"ant"}}, most=1)

    assert concepts(lines) == ["bee"]


def test_what_is_no_name_is_left_out(memory: Memory) -> None:
    """As whoever asks decides; of plain letters everything is a name, if it is not long."""
    memory.add(10, "v2")
    memory.add(11, "bee")
    memory.add(12, "b" * PLAIN_LETTERS_MAX)
    memory.add(13, "c" * (PLAIN_LETTERS_MAX + 1))

    def asked(id: int, is_name: Callable[[str], bool]) -> bool:
        token, scan = memory.vocabulary.token(id), _fast.scan
        telling = memory.tell(id)
        return bool(_fast.ask(telling, [scan(token)], (), (), is_name, 3))

    assert [asked(id, bool) for id in range(10, 14)] == [True] * 4
    assert [asked(id, lambda token: False) for id in range(10, 14)] == [
        False,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(("others", "asked"), [(-1, ["zebra"]), (0, [])])
def test_so_many_are_looked_for(memory: Memory, others: int, asked: list[str]) -> None:
    """The last of them is found, and one behind it is not; what is no name is not counted."""
    ids = range(10, 10 + LOOKED_FOR_MAX + others)
    for id in ids:
        memory.add(id, f"absent{id}", encounters=100)
    memory.add(1000, "v2", encounters=100)
    memory.add(1001, "zebra", encounters=2)

    assert concepts(ask(memory, [*ids, 1000, 1001], "v2 zebra")) == asked


def test_a_telling_without_lines_is_refused(memory: Memory) -> None:
    """Rather than asked about."""
    telling = memory.tell()

    for part in ("lines", "unknown"):
        with pytest.raises(TypeError):
            _fast.ask(telling._replace(**{part: None}), (), (), (), str.isalpha, 3)
