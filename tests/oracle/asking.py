"""Selection of the unknown tokens to ask about."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from festinger._fast.values import (
    HINT,
    LOOKED_FOR_MAX,
    PLAIN_LETTERS_MAX,
    GraphLineKind,
    GraphLines,
    Line,
)
from tests.oracle.scanner import Scan

_PLAIN_WORD: Final = re.compile(f"[a-z]{{1,{PLAIN_LETTERS_MAX}}}")


def ask(
    telling: GraphLines,
    spoken: Sequence[Scan],
    hinted: Container[str],
    everyday: Container[str],
    is_name: Callable[[str], bool],
    most: int,
) -> Sequence[Line]:
    """Add questions about unknown tokens that occur in some texts as plain words.

    A token that only occurs in a path, a URL, an address or a variable is left out. The
    search ends when enough tokens are found, and covers a limited number of tokens, so
    that the work stays linear.

    Args:
        telling: The lines and the unknown tokens of the same memory.
        spoken: The scans of the texts.
        hinted: Tokens that were asked about before.
        everyday: Tokens that are never asked about.
        is_name: Returns whether a token is worth a question. It is not called for a
            short word of plain letters, which always is.
        most: Maximum number of questions.

    Returns:
        The telling's lines, followed by the questions in order of their tokens.
    """
    names = (
        token
        for token in telling.unknown
        if token not in hinted
        and token not in everyday
        and (_PLAIN_WORD.fullmatch(token) or is_name(token))
    )
    found = islice(_standing(spoken, names), most)
    asked = [
        Line(
            token,
            HINT.replace("{}", token),
            GraphLineKind.HINT,
            "met often, and unknown",
        )
        for token in sorted(found)
    ]
    return [*telling.lines, *asked]


def _standing(spoken: Sequence[Scan], tokens: Iterable[str]) -> Iterator[str]:
    for token in islice(tokens, LOOKED_FOR_MAX):
        if any(scan.stands_plainly(token) for scan in spoken):
            yield token
