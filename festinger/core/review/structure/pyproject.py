"""Extractor of `pyproject.toml`: a Python project and its dependencies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from festinger.core.review.extractors import ExtractionSource, ExtractorFinding
from festinger.core.review.structure.relations import (
    TECH,
    base,
    dependencies,
    fact,
    one_parent_each,
    relation,
)
from festinger.core.review.structure.trees import read_toml

EXTRACTOR_VERSION = "0.1.0"

# The name in "httpx[http2]>=0.27; python_version<'3.12'".
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")
_NAME = re.compile(r"^\s*name\s*=.*", re.MULTILINE)
# Either table: where the dependencies are listed, for the reviewer.
_LISTED = re.compile(r"^\s*(?:dependencies\b.*|\[tool\.poetry\.dependencies\].*)", re.M)


class Pyproject:
    """Extractor of the project's table, or Poetry's."""

    name = "pyproject"
    version = EXTRACTOR_VERSION
    whole = True

    def wants(self, path: str) -> bool:
        """Return True for files of that name."""
        return base(path) == "pyproject.toml"

    def extract(self, source: ExtractionSource) -> Sequence[ExtractorFinding]:
        """Return the project and its dependencies; nothing if the file has no name."""
        tables = read_toml(source.text)
        project = _table(tables, "project")
        poetry = _table(tables, "tool", "poetry")
        called = _text(project.get("name")) or _text(poetry.get("name"))
        if not called:
            return ()
        found = [*_python(source, project, called)]
        needed = _needed(project, poetry)
        span = _span(source.text, _LISTED)
        found.extend(dependencies("pyproject.depends", called, needed, span))
        return one_parent_each(found)


def _python(
    source: ExtractionSource, project: Mapping[str, Any], called: str
) -> Iterator[ExtractorFinding]:
    wanted = _text(project.get("requires-python"))
    version = f" for Python {wanted}" if wanted else ""
    held = fact(called, "python", TECH)
    content = f"{called} is a Python project{version}"
    yield relation("pyproject.project", content, _span(source.text, _NAME), held)


def _needed(project: Mapping[str, Any], poetry: Mapping[str, Any]) -> list[str]:
    listed = project.get("dependencies")
    texts = listed if isinstance(listed, list) else []
    found = [_REQUIREMENT.match(it) for it in texts if isinstance(it, str)]
    names = [match[1] for match in found if match]
    others = _table(poetry, "dependencies")
    # Poetry lists the interpreter among the dependencies.
    return [*names, *(it for it in others if it.lower() != "python")]


def _table(tables: Mapping[str, Any], *path: str) -> Mapping[str, Any]:
    table: Any = tables
    for key in path:
        table = table.get(key) if isinstance(table, Mapping) else None
    return table if isinstance(table, Mapping) else {}


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _span(text: str, pattern: re.Pattern[str]) -> tuple[int, int]:
    found = pattern.search(text)
    return found.span() if found else (0, 0)
