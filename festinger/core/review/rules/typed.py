"""Markers of the type of a statement: "Decision: …", "[Requirement] …"."""

# ruff: noqa: RUF001 - dashes of every length
from __future__ import annotations

import re

from festinger.core.memories.types import MemoryType

TYPES = {
    "decision": MemoryType.DECISION,
    "requirement": MemoryType.REQUIREMENT,
    "constraint": MemoryType.CONSTRAINT,
    "measurement": MemoryType.MEASUREMENT,
    "preference": MemoryType.PREFERENCE,
    "identity": MemoryType.IDENTITY,
    "component": MemoryType.COMPONENT,
    "validation claim": MemoryType.VALIDATION_CLAIM,
}
"""Types by marker, in the singular: "Requirements:" is the title of a section."""

_WORD = "|".join(TYPES).replace(" ", r"[ _-]")
_NUMBER = r"(?: +(?:#? ?\d+(?:\.\d+)*|[A-Z]{1,6}-?\d+))?"
# "[Decision] …"; not "[Decision](url)", and not "[decision]: url", which defines a link.
_BRACKETED = re.compile(
    rf"\[({_WORD})\](?![(\[])(?!: *\S+$) *[:–—-]? *(\S.*)", re.IGNORECASE
)
_LABELLED = re.compile(rf"({_WORD}){_NUMBER} *: +(\S.*)", re.IGNORECASE)
_DASHED = re.compile(rf"({_WORD}){_NUMBER} +[–—-] +(\S.*)", re.IGNORECASE)
_COUNTED = re.compile(r"\d+(?:\.\d+)*[.)]? +")


def marked(line: str, *, heading: bool = False) -> tuple[MemoryType, str] | None:
    """Return the type and the content of a marked line; None if it is not marked.

    Args:
        heading: Whether it is a heading, which may have a dash instead of the colon,
            and a number in front.
    """
    if heading and (counted := _COUNTED.match(line)):  # "## 3. Decision: …"
        line = line[counted.end() :]
    match = _BRACKETED.fullmatch(line) or _LABELLED.fullmatch(line)
    # In prose a dash is an aside: "The decision - as always - …".
    if match is None and heading:
        match = _DASHED.fullmatch(line)
    if match is None:
        return None
    word = re.sub("[_-]", " ", match[1].lower())
    return TYPES[word], match[2]
