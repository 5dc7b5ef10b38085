"""Texts of unknown origin, as they can be shown and kept."""

from __future__ import annotations


def printable(text: str) -> str:
    """A text on one line, as a terminal and a database can take it."""
    return "".join(each if each.isprintable() else " " for each in text)
