"""Read names that stand behind what they name: `a separate box, rack-c`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from festinger.core.language.clausereading import ClauseReading
from festinger.core.language.clauses import Clause, ClauseWord, small_words
from festinger.core.language.literals import LiteralKind
from festinger.core.language.persons import may_be_people

_INDEFINITE: Final = frozenset(["a", "an"])


def with_name(
    read: Sequence[ClauseReading],
    words: Sequence[ClauseWord],
    following: Sequence[Clause],
    speaker: str,
) -> list[ClauseReading]:
    """Return readings with the name of their value, if it stands in the next clause.

    Args:
        read: Readings of a clause.
        words: The clause.
        following: The clause behind it; empty for the last one.
    """
    if len(read) != 1 or not following or following[0].joint != ",":
        return list(read)
    value = read[0].value.lower().split()
    before = small_words(words)[: -len(value)]
    # "The separate box, Tom" may speak to somebody: only "a box" has yet to be named.
    is_unnamed = before[-1:] and before[-1] in _INDEFINITE
    if not is_unnamed or small_words(words)[-len(value) :] != value:
        return list(read)
    name = following[0].words[0].text if len(following[0].words) == 1 else ""
    if not _is_written_like_a_name(name) or may_be_people(name, speaker):
        return list(read)
    return [read[0]._replace(value=name, kind=LiteralKind.NONE)]


def _is_written_like_a_name(word: str) -> bool:
    """Return whether a word has a capital, or is a code such as `rack-c`."""
    is_code = "-" in word or "." in word or any(map(str.isdigit, word))
    return any(map(str.isalpha, word)) and (is_code or word[:1].isupper())
