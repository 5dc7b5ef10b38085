"""Which unknown tokens are asked about, in plain Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from ..values import HINT, LOOKED_FOR_MAX, PLAIN_LETTERS_MAX, Kind, Line, Telling
from .scanner import Scan

_PLAIN_WORD: Final = re.compile(f"[a-z]{{1,{PLAIN_LETTERS_MAX}}}")


def ask(
    telling: Telling,
    spoken: Sequence[Scan],
    hinted: Container[str],
    everyday: Container[str],
    is_name: Callable[[str], bool],
    most: int,
) -> Sequence[Line]:
    """Ask about tokens that stand somewhere in some texts as plain words.

    Left out is what only stands in a path, a URL, an address or a variable. The texts
    are looked at until enough is found, and for so many tokens only that the work stays
    linear.

    Args:
        telling: Of the same memory.
        hinted: Tokens that were asked about.
        everyday: Tokens that are no question.
        is_name: Whether a token is worth a question; asked of no others, nor of a
            short word of plain letters, which is.
        most: How many are asked about, at most.

    Returns:
        The telling's lines, and behind them the questions in order of their tokens.
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
        Line(token, HINT.replace("{}", token), Kind.HINT, "met often, and unknown")
        for token in sorted(found)
    ]
    return [*telling.lines, *asked]


def _standing(spoken: Sequence[Scan], tokens: Iterable[str]) -> Iterator[str]:
    for token in islice(tokens, LOOKED_FOR_MAX):
        if any(scan.stands_plainly(token) for scan in spoken):
            yield token
