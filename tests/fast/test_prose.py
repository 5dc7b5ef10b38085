"""Prose of a text."""

from __future__ import annotations

import importlib
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from festinger import _fast
from festinger.core.language.cues.emphasis import unemphasised
from tests import oracle
from tests.fast.strategies import ADVERSARIAL, PIECES, PROSE, PROSE_PIECES, TEXTS
from tests.oracle.prose import NEAR

BLANK_LINE = re.compile(r"\n[ \t\r]*(?=\n)")


def steps_of(text: str, near: list[int] | None = None) -> int:
    """Return the number of characters that are searched."""
    native = importlib.import_module("festinger._fast.native")
    steps: int = native.steps_of(text, near)
    return steps


# What opens, closes or parts; names of elements that fold oddly; wide blanks.
MARKS = (
    "`", "``", "```", "````", "~~", "~~~", "~~~~", "<", "</", "<!--", "-->", ">", "<br/>",
    "<code>", "</code>", "</CODE >", "<bloc\u212aquote>", "</blocKquote>", "<script>",
    "</ſcrıpt>", "</scrİpt\u2003>", "<a href='x'>", "<recollection>", "](", "][", "![",
    ")", "]", "://", "'", '"', "“", "”", "„", "«", "»", "‘", "’", "_", "__", "___", "\n",
    "\n\n", "\n \t\n", "\r\n", " ", "x.y", "a", "iknowthat", "gutask iknowthat x", "ik",
    "\u00a0", "é", "ÿ", "😀", "東京", "Ⓐ", "\u0301", "\n> ```\n", "\n         ```", '5"',
    "don't",
)  # fmt: skip

MARKED = st.lists(
    st.one_of(
        st.sampled_from(MARKS),
        st.sampled_from(MARKS),
        st.sampled_from([*PIECES, *PROSE_PIECES]),
    ),
    max_size=60,
).map("".join)


def check(text: str) -> None:
    """Fail where the oracle masks otherwise."""
    assert _fast.readable(text) == oracle.readable(text)


@settings(max_examples=300, deadline=None)
@given(text=MARKED | PROSE | TEXTS)
def test_text_is_masked_as_by_the_oracle(text: str) -> None:
    """Code, quotes, tags, links, addresses and emphasis are the same for any text."""
    check(text)


@pytest.mark.parametrize("make", ADVERSARIAL.values(), ids=list(ADVERSARIAL))
def test_what_repeats_is_masked_as_by_the_oracle(make: Any) -> None:
    """So they are around the ends of blocks, and of what a search reaches."""
    for size in (63, 64, 65, 399, 400, 401, 2_000):
        check(make(size))


@pytest.mark.parametrize(
    "marked", ["`a b`", "'a b'", '"a b"', "<b>", "](a)", "![a]", "~~a b~~", "a://b",
               "«a b»", "“a b”", "iknowthat a"],
)  # fmt: skip
def test_a_mark_behind_plain_text_is_seen_wherever_it_stands(marked: str) -> None:
    """Plain text is skipped by the block, and no mark at a block's beginning or end."""
    for before in range(140):
        text = "x" * before + " " + marked + " plain words" * 12
        assert _fast.readable(text) == oracle.readable(text) != text


@pytest.mark.parametrize(
    "text", ["", "plain words, and no marks at all.", "é – 東京 😀"]
)
def test_a_text_without_marks_is_given_back_as_it_is(text: str) -> None:
    """Nothing is copied where nothing is to be changed."""
    assert _fast.readable(text) is text
    assert unemphasised(text) is text


PARAGRAPHS = st.lists(MARKED | PROSE | st.just("plain words " * 50), max_size=9).map(
    "\n\n".join
)


@settings(max_examples=300, deadline=None)
@given(text=PARAGRAPHS | MARKED | TEXTS, data=st.data())
def test_around_a_place_as_much_is_blotted_out_as_ever(text: str, data: Any) -> None:
    """
    From the beginning of its paragraph to what its sentence can reach nothing differs,
    and elsewhere a character is blotted out or it is as it was.
    """
    scan = _fast.Scan(text, portable=data.draw(st.booleans()))
    text = scan.text
    places = st.integers(0, max(len(text) - 1, 0))
    near = sorted(data.draw(st.lists(places, max_size=4)))

    blotted = _fast.readable(text, near, scan.fenced)
    whole = oracle.readable(text)

    for place in near:
        line = [0, *(match.end() for match in BLANK_LINE.finditer(text, 0, place))][-1]
        end = place + NEAR
        assert blotted[line:end] == whole[line:end]
    assert all(c in here for c, *here in zip(blotted, text, whole, strict=True))


@pytest.mark.parametrize(
    "opened", ["```\n", "~~~\n", "<!-- ", "<code>", "<recollection>"]
)
def test_what_is_longer_than_a_paragraph_is_seen_from_afar(opened: str) -> None:
    """A fence, a comment or an element may have begun thousands of characters before."""
    text = opened + "plain words.\n\n" * 200 + ("</code>" * (opened == "<code>"))
    place = text.rindex("plain")

    blotted = _fast.readable(text, [place], _fast.scan(text).fenced)

    assert blotted[place] == oracle.readable(text)[place] != "p"


def test_a_quote_that_is_far_from_all_places_is_not_looked_at() -> None:
    """The work for one paragraph costs nothing in the others."""
    text = '"a b" plain words.\n\n' * 1_000

    assert _fast.readable(text, []) is text
    assert '"a b"' in _fast.readable(text, [len(text) // 2])


@pytest.mark.parametrize("make", ADVERSARIAL.values(), ids=list(ADVERSARIAL))
def test_blotting_out_near_many_places_is_linear(make: Any) -> None:
    """However many places there are, no paragraph is read for each of them."""
    once, twice = (
        steps_of(make(size), list(range(0, size, 3))) for size in (4_000, 8_000)
    )

    assert once <= 16 * 4_000 + 2_000
    assert twice <= 2.2 * once + 2_000


@pytest.mark.parametrize("make", ADVERSARIAL.values(), ids=list(ADVERSARIAL))
def test_blotting_out_is_linear(make: Any) -> None:
    """Twice the text is twice the search, whatever it repeats, nests or leaves open."""
    once, twice = (steps_of(make(size)) for size in (4_000, 8_000))

    assert once <= 12 * 4_000 + 800
    assert twice <= 2.2 * once + 800
