from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from festinger.core.graph.origins import StatementOrigin, StatementReader
from festinger.core.graph.statement import FACT_CHARACTERS_MAX, parse_fact
from festinger.core.graph.tokens import blank_own_blocks
from festinger.core.language.statements import read_statements
from festinger.core.language.utterances import read_turn
from festinger.errors import FactSyntaxError, NotATokenError
from tests import oracle
from tests.fast.strategies import ADVERSARIAL, PIECES, PROSE_PIECES
from tests.fast.work import Work
from tests.oracle.cues import oracle_cues

from .cue_notation import World

# Steps are lines that run and characters that are searched; see `tests.fast.work`. The
# oracle is counted: what the compiled modules do they count themselves (`Scan.steps`).


def cues(text: str) -> object:
    """Return the statements of a text, its tokens included."""
    found: object = oracle_cues()["scanner"].find_cues(oracle.scan(text), World())
    return found


def fact(text: str) -> None:
    """A text read as a fact, which it mostly is not."""
    with contextlib.suppress(FactSyntaxError, NotATokenError):
        parse_fact(text)


def statements(text: str) -> None:
    """The statements that rules read in people's words."""
    read_statements(read_turn(text), ORIGIN)


ORIGIN = StatementOrigin(
    "", "alice", "alice", "", "", 1_700_000_000.0, b"", StatementReader.RULES
)

# A stage of reading, and the steps that it takes for a character at most.
STAGES = [
    pytest.param(cues, 120, id="cues"),
    pytest.param(blank_own_blocks, 4, id="blank_own_blocks"),
]

STATEMENT_STEPS = 250
"""Steps of reading statements, for a character."""

#: What a stage takes for any text, and what the caps of sentences make uneven.
SLACK = 800


@pytest.fixture(scope="module")
def work() -> Iterator[Work]:
    """A count under which all patterns are."""
    with pytest.MonkeyPatch.context() as patch:
        counted = Work()
        counted.watch(patch)
        yield counted


def check(
    work: Work, stage: Callable[[str], object], most: int, small: str, large: str
) -> None:
    """Fail where twice the text is more than twice the work."""
    # Tables that fill themselves are filled now.
    stage(small)
    once, twice = work.of(stage, small), work.of(stage, large)

    assert once <= most * len(small) + SLACK
    assert twice <= 2.2 * once * len(large) / (2 * len(small)) + SLACK


def test_the_count_sees_a_quadratic_reader(work):
    """A reader that looks for each mark's end anew fails the check."""

    def search_from_everywhere(text: str) -> None:
        for at in range(len(text)):
            text.find("”", at)

    with pytest.raises(AssertionError):
        check(work, search_from_everywhere, 10**6, "x" * 1_000, "x" * 2_000)


def test_the_count_sees_a_pattern_that_comes_back(work, monkeypatch):
    """A pattern's steps in its module are counted, too."""
    from festinger.core.graph import tokens

    def search_from_everywhere(text: str) -> None:
        for at in range(len(text)):
            tokens._NOT_NEWLINE.search(text, at)

    with pytest.raises(AssertionError):
        check(work, search_from_everywhere, 10**6, "\n" * 1_000, "\n" * 2_000)


@pytest.mark.parametrize(("stage", "most"), STAGES)
@pytest.mark.parametrize("make", ADVERSARIAL.values(), ids=list(ADVERSARIAL))
def test_twice_the_text_is_twice_the_work(make, stage, most, work):
    """Whatever a text repeats, nests or leaves open."""
    check(work, stage, most, make(1_000), make(2_000))


@pytest.mark.parametrize("size", [1_000, 8_000])
@pytest.mark.parametrize("make", ADVERSARIAL.values(), ids=list(ADVERSARIAL))
def test_statements_take_so_many_steps_a_character(make, size, work):
    """
    Sentences are cut and clauses end, so that twice the text is hardly ever exactly twice
    the work; a bound for each character holds at any size.
    """
    text = make(size)

    assert work.of(statements, text) <= STATEMENT_STEPS * len(text) + SLACK


_PIECE = st.sampled_from([*PIECES, *PROSE_PIECES])
_REPEATED = st.lists(_PIECE, min_size=1, max_size=5).map("".join)


@pytest.mark.parametrize(("stage", "most"), STAGES)
@settings(max_examples=60, deadline=None)
@given(before=st.one_of(st.just(""), _PIECE), piece=_REPEATED, behind=_PIECE)
def test_any_pattern_twice_as_often_is_twice_the_work(
    work: Work, stage: Any, most: int, before: str, piece: str, behind: str
) -> None:
    """Whatever pieces are repeated, behind and before whatever else."""
    times = 600 // len(piece) + 1

    check(
        work,
        stage,
        most,
        before + piece * times + behind,
        before + piece * (2 * times) + behind,
    )


FORMS = ["{}", "x -isa {}", "{} -isa y", "x -isa y in context of {}"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("make", ADVERSARIAL.values(), ids=list(ADVERSARIAL))
def test_a_fact_takes_linear_work(make, form, work):
    """Whatever stands for its concept, parent or dimension."""
    text = make(FACT_CHARACTERS_MAX)
    small, large = (form.format(text[:size]) for size in (180, 360))

    check(work, fact, 60, small, large)


@pytest.mark.parametrize("make", ADVERSARIAL.values(), ids=list(ADVERSARIAL))
def test_a_longer_fact_is_not_read(make, work):
    """Behind the limit of characters nothing is looked at, however long it is."""
    assert work.of(fact, make(100_000)) <= SLACK
