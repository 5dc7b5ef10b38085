from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ("festinger", "clients/gutask", "fuzz", "tools", "benchmarks", "tests")
GENERATED = ("festinger/api/", "clients/gutask/gutask/_api/")

QUESTION = re.compile(r"(What|Who|Whether|That|How|Where)\b")
"""A docstring that begins so asks instead of saying what something is or does."""


def definitions(*folders):
    """
    Return each module, class and function below folders, with its place.
    """
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            place = path.relative_to(ROOT).as_posix()
            if place.startswith(GENERATED) or "/build/" in place:
                continue
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Module):
                    yield place, node
                elif isinstance(
                    node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
                ):
                    yield f"{place}:{node.lineno} {node.name}", node


def test_no_docstring_begins_with_a_question_word():
    """
    Docstrings say what something is, or in the imperative what it does.
    """
    found = [
        place
        for place, node in definitions(*SOURCES)
        if QUESTION.match(ast.get_docstring(node) or "")
    ]

    assert found == []


def test_public_functions_have_docstrings():
    """
    A function without an underscore has a docstring, nested ones and methods too.
    """
    found = [
        place
        for place, node in definitions("festinger", "clients/gutask", "fuzz", "tools")
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]

    assert found == []
