"""Incremental extraction of speech from an answer in JSON, as Agent Zero's models write.

The thoughts, and the text of the `response` tool, are speech.
"""

from __future__ import annotations

from typing import Final

_THOUGHTS: Final = frozenset(
    {"headline", "reasoning", "reflection", "thought", "thoughts"}
)
_RESPONSE: Final = frozenset({"message", "text"})
# What an escape stands for; white space of any kind becomes a newline.
_ESCAPES: Final = {"b": "\n", "f": "\n", "n": "\n", "r": "\n", "t": "\t"}
_CODE_POINT: Final = 4
# Deeper JSON is no envelope; the limits bound what is remembered of it.
_DEPTH_MAX: Final = 64
_NAME_MAX: Final = 64


class JsonSpeechParser:
    """Incremental parser that extracts the strings of one JSON text that are speech."""

    def __init__(self) -> None:
        # Open brackets, each with the key that its value belongs to.
        self._open: list[tuple[str, str]] = []
        self._key_next = False
        self._key = ""
        self._tool = ""
        # State of the string that is being read:
        self._quoted = self._is_key = self._escaped = False
        self._digits = 0
        self._name = ""

    def feed(self, text: str) -> str:
        """Process further text and return the speech in it."""
        # From here on nothing is read, so that the brackets no longer need counting.
        if len(self._open) > _DEPTH_MAX:
            return ""
        return "".join(
            self._within(character) if self._quoted else self._between(character)
            for character in text
        )

    def _between(self, character: str) -> str:
        """Process a character outside of strings; return an empty string."""
        if character == '"':
            self._quoted, self._name = True, ""
            self._is_key = self._key_next and self._in_object
        elif character in "{[":
            # In a list the flag has no effect: `_in_object` is asked as well.
            self._open.append((character, self._key))
            self._key_next = True
        elif character in "}]" and self._open:
            _, self._key = self._open.pop()
        elif character == ",":
            self._key_next = True
        elif character == ":":
            self._key_next = False
        return ""

    def _within(self, character: str) -> str:
        """Process a character of a string; return it if it is speech."""
        # The four digits of \u00e9: one character more or less does not matter here.
        if self._digits:
            self._digits -= 1
            return ""
        if self._escaped:
            self._escaped = False
            self._digits = _CODE_POINT if character == "u" else 0
            return self._take(
                _ESCAPES.get(character, "" if self._digits else character)
            )
        if character == "\\":
            self._escaped = True
            return ""
        if character == '"':
            return self._end()
        return self._take(character)

    def _take(self, character: str) -> str:
        if len(self._name) < _NAME_MAX:
            self._name += character
        return character if self._speaks else ""

    def _end(self) -> str:
        self._quoted = False
        if self._is_key:
            self._key = self._name
        elif self._key == "tool_name":
            self._tool = self._name
        return "\n" if self._speaks else ""

    @property
    def _in_object(self) -> bool:
        return bool(self._open) and self._open[-1][0] == "{"

    @property
    def _speaks(self) -> bool:
        if self._is_key:
            return False
        # Arguments of other tools are no speech: repeated lines are common in a program. The
        # tool's name comes before its arguments in Agent Zero's notation.
        says = self._tool == "response" and self._key in _RESPONSE
        return says or self._key in _THOUGHTS
