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
    ],
)
def test_code_without_a_fence_is_pasted(line):
    """Nobody says it in so many words."""
    assert prose_lines(line) == [None]
