"""Bits for the marks between two words of a sentence, and around the sentence."""

from __future__ import annotations

from typing import Final

# Marks of a gap. A plain blank has none.
COMMA: Final = 1
COLON: Final = 2
DASH: Final = 4
OPEN: Final = 8  #: opening parenthesis
CLOSE: Final = 16  #: closing parenthesis
END: Final = 32  #: end of the sentence
ODD: Final = 64  #: anything that no phrase reaches across: / @ = emoji, code
QUOTED: Final = 128  #: a quotation mark of a single quoted word
POSSESSIVE: Final = 256
WRAP: Final = 512  #: a line break within the sentence

# Marks that are only used while a gap is read: a full stop and a line break.
STOP: Final = 1024
BREAK: Final = 2048

#: Gaps that a phrase may reach across.
PLAIN: Final = WRAP

# Marks around a sentence that may retract it.
STRUCK: Final = 1  #: before it, a cross or the mark of a changed line
REMARKED: Final = 2  #: behind it, a possible remark on it: "Right?"
LED: Final = 4  #: above it, a line that may introduce it: "Requirements:"
