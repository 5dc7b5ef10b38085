"""Pieces of text to begin with, and a world to read them in."""

from __future__ import annotations

from festinger._fast.words import CUE_WORDS
from tests.fast.strategies import PIECES

#: What the rules of tokens, sentences and facts turn on: the fuzzer's dictionary.
TRAPS: tuple[str, ...] = (
    *PIECES,
    *sorted(CUE_WORDS),
    "not", "never", "might", "If ", "?", "!", ";", ":", ",", "“", "”", '"', "`", "```",
    "~~~", "](", "![", "<!--", "-->", "<code>", "</code>", "://", "> ", "- ", "| ",
    "<recollection>", "</recollection>", "gutask iknowthat ", " -isa ", " -ispart ",
    " -not ", " in context of ", "<concept>", " is a ", " part of ", " runs on ",
    "\u200b", "\u202e", "\u2066", "\ufeff", "\u00ad", "\x7f", "\x85",
)  # fmt: skip


class FixedLexicon:
    """A dictionary of two words, and a memory of one name."""

    def is_everyday(self, token: str) -> bool:
        """Return whether a token is an everyday word."""
        return token in ("service", "state")

    def is_known(self, token: str) -> bool:
        """Return whether something is known about a token."""
        return token == "gnommoweb"
