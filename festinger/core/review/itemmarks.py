"""Marks by which the items of the inbox are filtered."""

from __future__ import annotations

from typing import Final

ITEM_MARKS: Final = (
    "contradicts",
    "urgent",
    "flagged",
    "sensitive",
    "likely",
    "unlikely",
    "gone",
)
