"""Extractor of `package.json`: a Node.js package and its dependencies."""

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
    placed,
    relation,
)
from festinger.core.review.structure.trees import read_json

EXTRACTOR_VERSION = "0.2.0"

_LISTS = (("dependencies", "depends on"), ("devDependencies", "is developed with"))


class PackageJson:
    """Extractor of the manifest of a package."""

    name = "package_json"
    version = EXTRACTOR_VERSION
    whole = True

    def wants(self, path: str) -> bool:
        """Return True for files of that name, unless they are in `node_modules`."""
        # What was installed is not the project's own.
        return base(path) == "package.json" and "node_modules/" not in path

    def extract(self, source: ExtractionSource) -> Sequence[ExtractorFinding]:
        """Return the package and its dependencies; nothing if the file has no name.

        `@acme/shop` is called `shop`.
        """
        package = read_json(source.text.removeprefix("\ufeff"))
        named = package.get("name")
        if not isinstance(named, str) or not named.strip():
            return ()
        called = named.strip().rsplit("/", 1)[-1]  # a scope names the publisher
        return one_parent_each(list(_package(source, package, called)))


def _package(
    source: ExtractionSource, package: Mapping[str, Any], called: str
) -> Iterator[ExtractorFinding]:
    engines = package.get("engines")  # each field may be of any type
    wanted = engines.get("node") if isinstance(engines, dict) else None
    version = f" for Node.js {wanted}" if isinstance(wanted, str) else ""
    held = fact(called, "node.js", TECH)
    place = placed(called, source)
    if version:  # that it is a package goes without saying
        content = f"{place} is a Node.js package{version}"
        where = _span(source.text, "name")
        yield relation("package_json.package", content, where, held)
    for key, verb in _LISTS:
        listed = package.get(key)
        if not isinstance(listed, dict):
            continue
        # Development dependencies are not needed to run: they give no fact.
        dimension = {"dimension": ""} if key == "devDependencies" else {}
        where = _span(source.text, key)
        rule = f"package_json.{key}"
        yield from dependencies(
            rule, called, list(listed), where, verb=verb, called=place, **dimension
        )


def _span(text: str, key: str) -> tuple[int, int]:
    # JSON's parser gives no offsets, so the key is looked for in the text.
    found = re.search(rf'"{key}"\s*:', text)
    return found.span() if found else (0, 0)
