from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from festinger.core.review.blocks import BlockKind, blocks, sentences
from festinger.core.review.chunks import CHARACTERS_MAX, WORDS_MAX, chunks

DOCUMENT = """\
---
title: Shop
status: draft
---
Preface.

# Shop

Introduction.

## Decision: Use Postgres

Because.

```python
# not a heading
```

## Also this
### Below

Text.

Setext
======

Under it.
"""

LINES = st.sampled_from(
    [
        "# One", "## Two", "### Three", "Title", "=====", "-----", "---", "", "",
        "Some words here. And more of them!", "- an item", "  - a nested one",
        "1. first", "    indented", "```", "~~~~", "```py", "> quoted", "| a | b |",
        "|---|---|", "<div>", "</div>", "<!-- remark", "-->", "key: value", "\ufeff",
        "\t# tab", "word " * 200, "x" * 900, "雪" * 500, "#", "- [ ] box", "***",
    ]
)  # fmt: skip
ENDINGS = st.sampled_from(["\n", "\r\n", "\r"])
DOCUMENTS = st.builds(
    lambda lines, ending: ending.join(lines), st.lists(LINES, max_size=40), ENDINGS
)


def kinds(text):
    """Return the kinds of the blocks of a text."""
    return [block.kind for block in blocks(text)]


def trails(text):
    """Return the headings that each chunk stands under."""
    return [chunk.headings for chunk in chunks(text)]


def test_headings_lead_to_chunks():
    """
    Each heading begins a chunk with its trail; settings and a preface have none, and
    what looks like a heading in code is none.
    """
    assert trails(DOCUMENT) == [
        (),
        (),
        ("Shop",),
        ("Shop", "Decision: Use Postgres"),
        ("Shop", "Also this"),
        ("Shop", "Also this", "Below"),
        ("Setext",),
    ]


@settings(max_examples=200)
@given(DOCUMENTS)
def test_nothing_is_lost(text):
    """The chunks one behind the other are the document, and their offsets say so."""
    found = chunks(text)

    assert "".join(chunk.text for chunk in found) == (text if found else "")
    assert bool(found) == bool(text.strip("\ufeff \t\r\n\f\v"))
    for chunk in found:
        assert text[chunk.start : chunk.end] == chunk.text
    assert [chunk.ordinal for chunk in found] == list(range(len(found)))


@settings(max_examples=100)
@given(DOCUMENTS)
def test_ids_are_unique(text):
    """Even identical twins have ids of their own."""
    ids = [chunk.id for chunk in chunks(text * 2)]

    assert len(set(ids)) == len(ids)


PARTS = st.lists(
    st.sampled_from(
        ["Words.\n\n", "# A\n\nWords.\n\n", "## B\n\n", "```\ncode\n```\n\n", "- a\n\n"]
    ),
    max_size=9,
).map("".join)


@settings(max_examples=50)
@given(PARTS, PARTS, PARTS)
def test_unchanged_sections_keep_their_ids(before, instead, behind):
    """A change in front of a section, or behind it, does not rename its chunks."""
    section = "# Kept\n\nFirst words.\n\n## Below\n\nOthers.\n\n"
    ids = [chunk.id for chunk in chunks(section)]

    for text in (
        before + section,
        instead + section,
        before + section + "# A\n" + behind,
    ):
        assert set(ids) <= {chunk.id for chunk in chunks(text)}


def test_only_what_was_edited_is_renamed():
    """One changed word renames one chunk; and so do the project, the path and a heading."""
    old = [chunk.id for chunk in chunks(DOCUMENT, project="shop", path="a.md")]

    edited = DOCUMENT.replace("Because.", "Because of this.")
    new = [chunk.id for chunk in chunks(edited, project="shop", path="a.md")]

    assert [one == other for one, other in zip(old, new, strict=True)].count(False) == 1
    for project, path in (("other", "a.md"), ("shop", "b.md")):
        others = chunks(DOCUMENT, project=project, path=path)
        assert not {chunk.id for chunk in others} & set(old)
    moved = chunks(DOCUMENT.replace("# Shop", "# Store"), project="shop", path="a.md")
    assert [chunk.id for chunk in moved][-1] == old[-1]
    assert moved[3].id != old[3]


def test_line_endings_do_not_rename():
    """A checkout on Windows has the same ids, though its offsets differ."""
    windows = chunks(DOCUMENT.replace("\n", "\r\n"))

    assert [it.id for it in windows] == [it.id for it in chunks(DOCUMENT)]


def test_a_long_section_is_cut_between_sentences():
    """Chunks have at most so many words, and each ends where a sentence does."""
    text = "# Long\n\n" + "A sentence of six words stands here. " * 300

    found = chunks(text)

    assert len(found) > 5
    assert all(len(chunk.text.split()) <= WORDS_MAX for chunk in found)
    assert all(chunk.text.rstrip().endswith("here.") for chunk in found)
    assert {chunk.headings for chunk in found} == {("Long",)}


def test_a_fence_is_never_cut():
    """Code stays whole however long it is, and words without blanks do not."""
    fence = "```\n" + "line of code\n" * 900 + "```\n"

    whole = [it for it in chunks(f"Words.\n\n{fence}\nMore.\n") if fence in it.text]
    cut = chunks("雪" * 20_000)

    assert len(whole) == 1
    assert all(len(chunk.text) <= CHARACTERS_MAX for chunk in cut)


def test_lists_and_tables_are_cut_between_rows():
    """No chunk begins within a list item or a row."""
    rows = "| cell of a table | and another one of it |\n" * 200
    items = "- an item of a list\n  that goes on here\n" * 200

    for text, sign in ((rows, "|"), (items, "-")):
        found = chunks(text)
        assert len(found) > 1
        assert all(chunk.text.startswith(sign) for chunk in found)


def test_settings_are_cut_at_lines_and_have_no_headings():
    """In a file that is no document a "#" is a remark."""
    found = chunks("# remark\nkey: value\n" * 400, path="values.yaml")

    assert len(found) > 1
    assert {chunk.headings for chunk in found} == {()}
    assert all(chunk.text.endswith("\n") for chunk in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\na: b\n---\nx", [BlockKind.FRONT, BlockKind.PARAGRAPH]),
        ("---\nno settings!\n---\n", [BlockKind.RULE, BlockKind.HEADING]),
        ("a\n***\nb", [BlockKind.PARAGRAPH, BlockKind.RULE, BlockKind.PARAGRAPH]),
        ("#nothing\n", [BlockKind.PARAGRAPH]),
        ("- a\n\n  b\n\nc", [BlockKind.ITEM, BlockKind.ITEM, BlockKind.PARAGRAPH]),
        ("- ```\n  # x\n  ```\n- b", [BlockKind.FENCE, BlockKind.ITEM]),
        (
            "a\n\n    code\n\nb",
            [BlockKind.PARAGRAPH, BlockKind.CODE, BlockKind.PARAGRAPH],
        ),
        ("> a\nlazy\n\nb", [BlockKind.QUOTE, BlockKind.PARAGRAPH]),
        ("a | b\n--|--\nc | d\n\ne", [BlockKind.TABLE, BlockKind.PARAGRAPH]),
        ("<div>\na\n</div>\n\nb", [BlockKind.HTML, BlockKind.PARAGRAPH]),
        ("<!-- a\n\nb -->\nc", [BlockKind.HTML, BlockKind.PARAGRAPH]),
        ("```\na", [BlockKind.FENCE]),
        ("In\n2019. A year", [BlockKind.PARAGRAPH]),
        ("", []),
    ],
)
def test_kinds_of_blocks(text, expected):
    """Prose is told from what is none."""
    assert kinds(text) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [("# C#", "C#"), ("## A ##", "A"), ("#", ""), ("### a  b", "a b"), ("A\n=", "A")],
)
def test_titles(title, expected):
    """A heading's signs are no part of its title."""
    assert blocks(title)[0].title == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("See e.g. this one. Next.", ["See e.g. this one.", "Next."]),
        ("It takes 12 ms. gnommoweb is a repo.", ["It takes 12 ms.", "gnommoweb is a repo."]),
        ("J. Smith and Dr. Jones. End", ["J. Smith and Dr. Jones.", "End"]),
        ("Version 1.2.3 of x.y runs", ["Version 1.2.3 of x.y runs"]),
        ("We tried ... and failed.", ["We tried ... and failed."]),
        ("  ", []),
    ],
)  # fmt: skip
def test_sentences(text, expected):
    """A stop ends a sentence, unless it belongs to a word."""
    assert [text[it.start : it.stop] for it in sentences(text)] == expected


LONG = {
    "letters": "a", "blanks": " ", "stops": ".", "headings": "# a\n", "items": "- a\n",
    "rules": "- ", "fences": "```\n", "quotes": "> a\n", "rows": "|a\n", "bars": "|-",
    "remarks": "<!--", "sentences": "a. ", "tabs": "\ta\n\n", "ticks": "` ",
    "underlines": "a\n---\n", "settings": "---\na:\n",
}  # fmt: skip


@pytest.mark.parametrize("part", LONG.values(), ids=LONG)
def test_work_is_linear(part):
    """Twice the text takes at most about twice the steps, for what is hard to read."""
    few, many = (steps(part * (size // len(part))) for size in (4_000, 8_000))

    assert many < 2.6 * few + 500


def steps(text):
    """
    The number of our lines executed to cut a text; the engine's own work on a line is
    bounded by the patterns.
    """
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        chunks(text)
    finally:
        sys.settrace(before)
    return count
