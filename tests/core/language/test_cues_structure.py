from __future__ import annotations

import pytest

from festinger import _fast
from festinger._fast import readable

from .cue_notation import find, told

REPO = ["+ gnommoweb isa repo"]
BOTH = ["+ gnommoweb isa repo", "+ dobby isa worker"]
IN_SCHOOL = ["+ gnommoweb ispart glitch_university"]

# Where a text's structure decides what belongs to a sentence.
STRUCTURED = [
    ("gnommoweb is a repo\ndobby is a worker", BOTH),
    ("gnommoweb is a repo\r\ndobby is a worker\r\n", BOTH),
    ("gnommoweb is a repo\n\ndobby is a worker", BOTH),
    ("- gnommoweb is a repo\n- dobby is a worker", BOTH),
    ("* gnommoweb is a repo\n* dobby is a worker", BOTH),
    ("1. gnommoweb is a repo\n2. dobby is a worker", BOTH),
    ("1) gnommoweb is a repo\n2) dobby is a worker", BOTH),
    ("Facts:\n- gnommoweb is a repo\n- dobby is a worker", BOTH),
    ("# Gnommoweb\ngnommoweb is a repo", REPO),
    ("# Overview of the whole of the Glitch University\ngnommoweb is a repo", REPO),
    ("# gnommoweb is a repo", REPO),
    ("Overview\n========\ngnommoweb is a repo", REPO),
    ("| name | what |\n|---|---|\n| x | gnommoweb is a repo |", REPO),
    ("gnommoweb is a\nrepo", REPO),
    ("gnommoweb is\na repo", REPO),
    ("**gnommoweb** is a *repo*", REPO),
    ("***gnommoweb*** is a repo", REPO),
    ("_gnommoweb_ is a repo", REPO),
    ("_gnommoweb is a repo_", REPO),
    ("_gnommoweb is a repo._ __dobby is a worker.__", BOTH),
    ("_Glitch University_ is a school", ["+ glitch_university isa school"]),
    ("__The Glitch University__ is a school", ["+ glitch_university isa school"]),
    ("gnommoweb ISPART _Glitch University_", IN_SCHOOL),
    ("gnommoweb is part of _Glitch University_.", IN_SCHOOL),
    ("gnommoweb is part of **Glitch University**", IN_SCHOOL),
    ("gnommoweb is part of *Glitch\nUniversity*", IN_SCHOOL),
    ("fields _foo and bar. gnommoweb is a repo. The baz_ field", REPO),
    ("__init__ is a method", ["+ __init__ isa method"]),
    ("_private is a repo", ["+ _private isa repo"]),
    ("snake_case is a repo of kebab_case", ["+ snake_case isa repo of kebab_case"]),
    ("`gnommoweb` is a repo", REPO),
    ("[gnommoweb](https://example.org/is-a-test) is a [repo](/repo/)", REPO),
    ("[gnommoweb][1] is a repo", REPO),
    ("<b>gnommoweb</b> is a <a href='x is a y'>repo</a>", REPO),
    ("<!-- dobby is a worker --> gnommoweb is a repo", REPO),
    ("gnommoweb is a repo (see the docs).", REPO),
    ("(gnommoweb is a repo)", REPO),
    ("gnommoweb is a repo, e.g. for students. It is a good one.", REPO),
    ("Hi all,\n\ngnommoweb is a repo.\n\nBest,\nAlice", REPO),
    ("Run this:\n```\ndobby is a worker\n```\ngnommoweb is a repo", REPO),
    ('He said "no". gnommoweb is a repo', REPO),
    ('A 5" disk. gnommoweb is a repo. A 3" disk.', REPO),
    ("don't worry, it's fine. gnommoweb is a repo. That's it, isn't it.", REPO),
    ("gnommoweb is a repo 🎉", REPO),
    ("Really?! gnommoweb is a repo", REPO),
    ("… gnommoweb is a repo …", REPO),
    ("gnommoweb\u00a0is\u00a0a\u00a0repo", REPO),
    ("Cafe\u0301s are nice. gnommoweb is a repo", REPO),
    ("Glitch\nUniversity is a school.", ["+ glitch_university isa school"]),
    (
        "gnommoweb is a web service that serves all students of the school and the\n"
        "teachers. dobby is a worker.",
        ["+ gnommoweb isa service", "+ dobby isa worker"],
    ),
    (
        "Gnommoweb is a small, well-tested, reliable and open-source\nweb service.",
        ["+ gnommoweb isa service"],
    ),
    (
        "gnommoweb is a repo of Glitch University\nA container is a process",
        ["+ gnommoweb isa repo of glitch_university", "? container isa process"],
    ),
]

# Where the same words are not the author's statement.
NOT_PROSE = [
    "```\ngnommoweb is a repo\n```",
    "```python\n# gnommoweb is a repo\n```",
    "~~~\ngnommoweb is a repo\n~~~",
    "```\ngnommoweb is a repo",
    "> gnommoweb is a repo",
    "> On Monday Bob wrote:\n> gnommoweb is a repo\n",
    "Run `gnommoweb is a repo` now",
    "Run ``gnommoweb is a repo`` now",
    'He wrote "gnommoweb is a repo"',
    "He wrote “gnommoweb is a repo”",
    "He wrote «gnommoweb is a repo»",
    "He wrote 'gnommoweb is a repo'",
    'He wrote "Look:\ngnommoweb is a repo"',
    "<code>gnommoweb is a repo</code>",
    "<pre>\ngnommoweb is a repo\n</pre>",
    "<blockquote>gnommoweb is a repo</blockquote>",
    "<document>\ngnommoweb is a repo\n</document>",
    "<tool_result>gnommoweb is a repo</tool_result>",
    "<example>gnommoweb is a repo</example>",
    "<del>gnommoweb is a repo</del>",
    "<!-- gnommoweb is a repo -->",
    "<recollection>\ngnommoweb is a repo\n</recollection>",
    "<recollection>\ngnommoweb is a repo",
    "gutask iknowthat 'gnommoweb -isa repo'",
    "    gutask iknowthat 'gnommoweb -ispart repo in context of x'",
    "then run gutask iknowthat 'x -isa y' and gnommoweb is a repo",
    "gnommoweb -isa repo",
    "~~gnommoweb is a repo~~",
    "https://example.org/gnommoweb is a page",
    "![gnommoweb is a repo](image.png)",
    "title: gnommoweb is a repo",
    "gnommoweb is a // repo",
    "gnommoweb is a YAML/JSON",
    "gnommoweb\n\nis a repo",
    "gnommoweb. is a repo",
    "gnommoweb is\n\na repo",
    "gnommoweb is a\n- repo",
    "gnommoweb <is> a repo",
    "is gnommoweb\na repo?",
    "gnommoweb is a small, open-source\nweb service",
]


@pytest.mark.parametrize(("text", "expected"), STRUCTURED)
def test_structure_is_read_around(text, expected):
    """Lists, headings, links, tags and line ends bound sentences and hide nothing."""
    assert told(text) == expected


@pytest.mark.parametrize("text", NOT_PROSE)
def test_what_is_not_prose_states_nothing(text):
    """Code, quotes, comments and our own lines are not statements."""
    assert told(text) == []


@pytest.mark.parametrize("text", [text for text, _ in STRUCTURED] + NOT_PROSE)
def test_blotting_keeps_every_offset(text):
    """
    Text that is no prose is blotted out character by character, and nothing else
    changes.
    """
    composed = _fast.scan(text).text
    blotted = readable(composed)

    assert len(blotted) == len(composed)
    assert all(b in (a, "\0", "\1") for a, b in zip(composed, blotted, strict=True))


@pytest.mark.parametrize("opening", ['"', "“", "«", "'", "`", "<b ", "](", "<code>"])
def test_mark_that_is_never_closed_hides_nothing(opening):
    """A stray quotation mark or tag does not swallow the rest of the text."""
    text = f"some {opening}word\n\ngnommoweb is a repo"

    assert told(text) == REPO


def test_long_names_are_dropped():
    """A name of more than 64 characters is no concept."""
    assert told(f"{'x' * 65} is a repo") == []
    assert told(f"gnommoweb is a {'x' * 65}") == []
    assert told(f"{'x' * 64} is a repo") == [f"+ {'x' * 64} isa repo"]


def test_sentence_is_cut_at_its_limit():
    """Of a sentence longer than 400 characters only the beginning is read and shown."""
    text = f"gnommoweb is a repo {'so ' * 200}and dobby is a worker"

    assert told(text) == REPO
    [cue] = find(text)
    assert len(cue.sentence) <= 400


def test_fourth_cue_of_a_sentence_is_not_read():
    """A sentence has at most three statements; more of them are a list of something."""
    names = ["ann1", "bob2", "cid3", "dan4"]
    text = " and ".join(f"{name} is a worker" for name in names)

    assert told(text) == [f"+ {name} isa worker" for name in names[:3]]


def test_text_behind_the_limit_is_not_scanned():
    """Of a long prompt the first 64 KB are scanned."""
    filler = "So it goes. " * (64 * 1024 // 12 + 1)

    assert told("gnommoweb is a repo. " + filler) == REPO
    assert told(filler + "gnommoweb is a repo.") == []
