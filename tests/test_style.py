from __future__ import annotations

import ast
import io
import re
import tokenize
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ("festinger", "clients/gutask", "fuzz", "tools", "benchmarks", "tests")
DEFINES = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
GENERATED = ("festinger/api/", "clients/gutask/gutask/_api/")

QUESTION = re.compile(r"(What|Who|Whether|That|How|Where)\b")
"""A docstring that begins so asks instead of saying what something is or does."""


class Definition(NamedTuple):
    """A module, class or function."""

    place: str
    kind: type[ast.AST]
    name: str
    docstring: str


def definitions(*folders):
    """Return each module, class and function below folders."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            place = path.relative_to(ROOT).as_posix()
            if not place.startswith(GENERATED) and "/build/" not in place:
                yield from definitions_of(path)


@cache
def definitions_of(path):
    """Return the module of a file, and each class and function in it."""
    place = path.relative_to(ROOT).as_posix()
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, DEFINES):
            name, at = "", place
            if not isinstance(node, ast.Module):
                name, at = node.name, f"{place}:{node.lineno} {node.name}"
            found.append(
                Definition(at, type(node), name, ast.get_docstring(node) or "")
            )
    return found


def test_no_docstring_begins_with_a_question_word():
    """Docstrings say what something is, or in the imperative what it does."""
    found = [it.place for it in definitions(*SOURCES) if QUESTION.match(it.docstring)]

    assert found == []


def test_public_functions_have_docstrings():
    """A function without an underscore has a docstring, nested ones and methods too."""
    found = [
        it.place
        for it in definitions("festinger", "clients/gutask", "fuzz", "tools")
        if it.kind in {ast.FunctionDef, ast.AsyncFunctionDef}
        and not it.name.startswith("_")
        and not it.docstring
    ]

    assert found == []


def comments_per_100_lines(folder):
    """Return the number of comments for each 100 lines below a folder of the package."""
    texts = [path.read_text() for path in (ROOT / "festinger" / folder).rglob("*.py")]
    comments = sum(
        token.type == tokenize.COMMENT
        for text in texts
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
    )
    return 100 * comments / sum(text.count("\n") for text in texts)


@pytest.mark.parametrize(
    "folder",
    ["core", "store", "services", "rpc", "shim", "console", "chat", "mcp", "cli"],
)
def test_reasons_stand_at_the_lines(folder):
    """Somebody who opens a file finds a comment where they would ask why, and no more."""
    assert 4.5 <= comments_per_100_lines(folder) <= 9
