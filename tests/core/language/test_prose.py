"""Typed prose, and pasted code."""

from __future__ import annotations

import pytest

from festinger.core.language.prose import prose_lines


@pytest.mark.parametrize(
    "line",
    [
        "from monday the office is closed",
        "from Rome we fly home on the 9th",
        "import duties are 12 percent",
        "class starts at 9",
        "return flight is at 18:40",
        "select seats are reserved",
        "package manager is pnpm",
        "private parking is behind the house",
        "let's meet at 8",
        "docker registry moved to https://reg.acme.example",
        "sudo is off on prod -tom has the rights",
        "Planning Time: 3 weeks for the launch",
    ],
)
def test_a_sentence_may_begin_with_a_word_of_code(line):
    """Code has signs that a sentence lacks."""
    assert prose_lines(line) == [line]


@pytest.mark.parametrize(
    "line",
    [
        "import os, sys",
        "import numpy as np",
        "import React from 'react'",
        "from a.b import c",
        "async def go(self):",
        "class Foo extends Bar {",
        "fn main() {",
        "let x = 4",
        "return foo(bar)",
        "public static void main(String[] a) {",
        "package com.acme.x;",
        "select id, name",
        "from orders o",
        "create table x (",
        'curl -H "Accept: text/plain" http://10.0.0.1/metrics',
        "docker run -it ubuntu",
        "[Fri Feb 13 03:11:42 2026] Out of memory: Killed process 21877",
        "Limit (cost=18211.40..18217.23 rows=50 width=412)",
        "Planning Time: 0.301 ms",
    ],
)
def test_code_without_a_fence_is_pasted(line):
    """Nobody says it in so many words."""
    assert prose_lines(line) == [None]


@pytest.mark.parametrize(
    "text", [" " * 60_000 + "x", "\t" * 60_000 + "x", "> a\n" * 20_000]
)
def test_long_text_is_read(text):
    """Each line once, whatever it is made of: each blank took a look at all behind it."""
    assert len(prose_lines(text)) == text.count("\n") + 1
