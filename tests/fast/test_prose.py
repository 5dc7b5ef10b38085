"""What of a text is prose, in both builds."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fast.builds import compiled, needs_compiled, reference
from tests.fast.strategies import ADVERSARIAL, PIECES, PROSE, PROSE_PIECES, TEXTS

pytestmark = needs_compiled


def steps_of(text: str) -> int:
    """How many characters the compiled build searches."""
    steps: int = importlib.import_module("festinger._fast.prose").steps_of(text)
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
    """Fail where the builds differ."""
    assert compiled.readable(text) == reference.readable(text)
    assert compiled.unemphasised(text) == reference.unemphasised(text)


@settings(max_examples=2_000, deadline=None)
@given(text=MARKED | PROSE | TEXTS)
def test_both_builds_blot_out_the_same(text: str) -> None:
    """
    Code, quotes, tags, links, addresses and emphasis are the same for any text.
    """
    check(text)


@pytest.mark.parametrize("make", ADVERSARIAL.values(), ids=list(ADVERSARIAL))
def test_both_builds_blot_out_the_same_of_what_repeats(make: Any) -> None:
    """
    So they are around the ends of blocks, and of what a search reaches.
    """
    for size in (63, 64, 65, 399, 400, 401, 2_000):
        check(make(size))


@pytest.mark.parametrize(
    "text", ["", "plain words, and no marks at all.", "é – 東京 😀"]
)
def test_a_text_without_marks_is_given_back_as_it_is(build: Any, text: str) -> None:
    """
    Nothing is copied where nothing is to be changed.
    """
    assert build.readable(text) is text
    assert build.unemphasised(text) is text


@pytest.mark.parametrize("make", ADVERSARIAL.values(), ids=list(ADVERSARIAL))
def test_blotting_out_is_linear(make: Any) -> None:
    """
    Twice the text is twice the search, whatever it repeats, nests or leaves open.
    """
    once, twice = (steps_of(make(size)) for size in (4_000, 8_000))

    assert once <= 12 * 4_000 + 800
    assert twice <= 2.2 * once + 800
