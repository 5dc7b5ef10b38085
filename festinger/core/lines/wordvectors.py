"""Vectors of texts by the words in them, for prompts that no model embeds (J18).

The vector of a text is the sum of its words' vectors, which are shorter the more frequent
a word is. Words are GloVe's, in English; `python -m tools.wordvectors` makes the files.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from festinger import _fast
from festinger.core.lines.index import LineIndex
from festinger.core.lines.vectors import Embedding

MODEL: Final = "words"
"""Name under which the vectors are compared, and weights are fitted to them."""
WIDTH: Final = 64
"""Number of values of a vector."""
LINES_MAX: Final = 500
"""Number of lines that are embedded for one prompt, which takes some milliseconds."""
PROMPT_CHARACTERS: Final = 1_200
"""Number of characters at the end of a prompt that are embedded."""
_FILES: Final = files("festinger.core.lines")
_WORD: Final = re.compile(r"[^\W\d_]+")


class WordTable(NamedTuple):
    """The vectors of all words, and the row of each word."""

    vectors: bytes
    rows: dict[str, int]


# Read when the first prompt comes, and not by each command.
@cache
def _words() -> WordTable:
    words = _FILES.joinpath("words.txt").read_text("utf-8").split()
    vectors = _FILES.joinpath("words.bin").read_bytes()
    return WordTable(vectors, {word: row for row, word in enumerate(words)})


def vector_of(text: str) -> bytes:
    """Return the vector of a text as signed bytes; empty if it has no known word."""
    words = _words()
    known = map(words.rows.get, _WORD.findall(text.lower()))
    return _fast.sum_of_rows(
        words.vectors, WIDTH, [it for it in known if it is not None]
    )


def embed_lines(index: LineIndex) -> bool:
    """Embed lines of an index that are not yet; return False if a model embeds them."""
    # Vectors of two models cannot be compared: that of the operator's choice goes first.
    if index.vectors.model not in {"", MODEL}:
        return False
    for line in index.unembedded(MODEL, LINES_MAX):
        if vector := vector_of(line.embedded):
            index.vectors.put(line.number, vector)
        else:
            index.vectors.drop(line.number)
    return True


def embedded_prompt(prompt: str) -> Embedding | None:
    """Return the embedding of a prompt; None if it has no known word."""
    vector = vector_of(prompt[-PROMPT_CHARACTERS:])
    return Embedding(MODEL, vector) if vector else None
