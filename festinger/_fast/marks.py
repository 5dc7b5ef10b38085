"""What stands between two words of a sentence, and around all of it, as bits."""

from __future__ import annotations

from typing import Final

# What a gap holds. None of them is a plain blank.
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

# … and while it is read: a full stop behind the word, and a line break.
STOP: Final = 1024
BREAK: Final = 2048

#: Gaps that a phrase may reach across.
PLAIN: Final = WRAP

# What around a sentence may take it back.
STRUCK: Final = 1  #: before it, a cross or the mark of a changed line
REMARKED: Final = 2  #: behind it, what may be a remark on it: "Right?"
LED: Final = 4  #: above it, a line that may lead to it: "Requirements:"
