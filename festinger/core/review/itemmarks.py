"""Marks by which the items of the inbox are filtered."""

from __future__ import annotations

from typing import Final

from festinger.core.system.wordsets import word_list

ITEM_MARKS: Final = word_list("""
    contradicts urgent flagged sensitive likely unlikely gone
""")
