"""Sanitise texts of unknown origin for display and storage."""

from __future__ import annotations


def printable(text: str) -> str:
    """Return a text on one line, with spaces instead of unprintable characters."""
    return "".join(each if each.isprintable() else " " for each in text)
