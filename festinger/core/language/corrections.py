"""Read corrections without a subject: "no, that's 24 minutes", "I meant friday"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from festinger.core.graph.origins import ReadStatement
from festinger.core.language.clauses import (
    ClauseWord,
    Piece,
    all_words,
    small_text,
    small_words,
    words_of,
)
from festinger.core.language.literals import AMOUNTS, LiteralKind, is_like, literal_kind
from festinger.core.language.phrases import ClauseReading, SubjectPhrase
from festinger.core.language.replacing import any_value
from festinger.core.system.wordsets import word_set

_OPENED: Final = r"(?:(?:oh|ah|ok|okay|sorry|oops|hm|wait|no wait|wait no|hang on|well|yes|but|and) )*"
_NOT: Final = r"(?: (?:and )?(?:not|instead of|rather than) (?P<old>[^,;]+?))?"
_CORRECTING: Final = tuple(
    (re.compile(form), literal)
    for form, literal in (
        (  # "No, that's 24 minutes", "it should be 20, not 30"
            rf"{_OPENED}(?:no|nope|nah|wrong|correction|actually|small correction|sorry)"
            rf" (?:(?:(?:it|that|this) is|they are)(?: (?:on|in|at|by))?|it should be)"
            rf" (?P<new>.+?){_NOT}",
            False,
        ),
        # "Sorry, i meant friday."
        (rf"{_OPENED}(?:i meant|i mean) (?P<new>.+?){_NOT}", False),
        (  # "Make that 24 minutes", "no, 24 minutes"
            rf"{_OPENED}(?:wait no|(?:no )?wait|no|nope|nah|hang on|oops|correction|update|sorry|make that|make it|should be"
            rf"|it should be|that should be) (?P<new>.+?){_NOT}",
            True,
        ),
        (  # "It's 24 minutes, not 20"
            rf"{_OPENED}(?:(?:it|that|this) is )?(?:now )?(?P<new>.+?)"
            rf" (?:and )?(?:not|instead of|rather than) (?P<old>.+)",
            False,
        ),
        (  # "It isn't 20 but 24 minutes"
            rf"{_OPENED}(?:it|that|this) is not (?P<old>.+?) (?:but|it is|that is) (?P<new>.+)",
            False,
        ),
        (  # "No more mondays, it's tuesday and thursday now", "no longer 20 but 24 minutes"
            rf"{_OPENED}(?:not|no|no more|no longer) (?:(?:on|at|in) )?(?P<old>\S+(?: \S+)?)"
            r" (?:but|(?:but )?(?:it|they|that) (?:is|are))(?: now)?(?: (?:on|at|in))? (?P<new>.+?)(?: (?:now|instead))?",
            True,
        ),
        # "Not 20 minutes, 24 minutes": marks between words are gone here.
        (
            rf"{_OPENED}not (?P<old>\S+(?: \S+)?)"
            r" (?P<new>(?!now\b)\S+(?: (?!now\b|instead\b)\S+)?)(?: (?:now|instead))?",
            True,
        ),
    )
)
"""Patterns, and whether only a literal is a correction: "no cash" is none."""
_ITS: Final = re.compile(r"\bits (?=\d)")  # "its 24 minutes"
_HINTS: Final = word_set("""
    no nope nah wrong wait hang oops correction update actually sorry should meant mean make
    not instead rather
""")
"""Words of which each pattern has one."""
WORDS_MAX: Final = 14  # longer sentences have a subject


_DENYING: Final = word_set("no nope nah wrong wait correction")


def read_correction(
    text: str, pieces: Sequence[Piece], before: Sequence[ReadStatement]
) -> list[ClauseReading]:
    """Return the correction of an earlier statement in a sentence.

    Args:
        pieces: The sentence, as `pieces_of` returns it.
        before: Statements made before it; if there are several, the sentence must name
            the value that it corrects.
    """
    for size in range(len(pieces), 0, -1):
        words = all_words(pieces[:size])
        # "No, it's on the 13th, they moved it": a reason may follow behind a denial.
        if size < len(pieces) and _DENYING.isdisjoint(small_words(words)):
            break
        if found := _correction(text, words, before):
            return found
    return []


def _correction(
    text: str, words: Sequence[ClauseWord], before: Sequence[ReadStatement]
) -> list[ClauseReading]:
    """Return the correction that words make, without a reason behind it."""
    if len(words) > WORDS_MAX or not any(small in _HINTS for _, small in words):
        return []
    small = _ITS.sub("it is ", small_text(words))
    for form, literal in _CORRECTING:
        match = form.fullmatch(small)
        if match is None:
            continue
        new = any_value(words_of(_without_counted(match["new"], before)))
        old = (match.groupdict().get("old") or "").strip()
        if new is None or (literal and new.kind is LiteralKind.NONE):
            continue
        target = _corrected(before, old, new.text, new.kind)
        # "No, that's 20 minutes" repeats what was said.
        if target is None or target.value.lower() == new.text:
            continue
        return [
            ClauseReading(
                SubjectPhrase(target.subject),
                target.predicate,
                _typed(new.text, text),
                new.kind,
                single=target.single is not False,
                changes=True,
                old_value=target.value,
            )
        ]
    return []


def _corrected(
    before: Sequence[ReadStatement], old: str, new: str, kind: LiteralKind
) -> ReadStatement | None:
    """Return the corrected statement; None if there is none or it is ambiguous."""
    fitting = [
        each
        for each in before
        if not each.negated
        # "That's 24 minutes" does not correct a bare number.
        and (_has_unit(each.value) or not _has_unit(new) or kind not in AMOUNTS) and is_like(literal_kind(each.value), kind)
        and (not old or _is_said(old, each.value))
    ]  # fmt: skip
    # With the old value the latest of several statements is meant, without it only a single one.
    if old:
        return fitting[-1] if fitting else None
    return fitting[0] if len(before) == 1 and fitting else None


def _without_counted(new: str, before: Sequence[ReadStatement]) -> str:
    """Return "86" for "86 members" if a number of members was stated."""
    counted = f" {before[0].predicate.lower()}" if len(before) == 1 else ""
    return new.removesuffix(counted) if counted else new


def _has_unit(text: str) -> bool:
    return any(it.isalpha() or it in "%$€£" for it in text)


def _is_said(old: str, value: str) -> bool:
    """Return whether words name a value: "20" names "20 minutes"."""
    named = set(old.lower().split())
    return bool(named & set(value.lower().split()))


def _typed(new: str, text: str) -> str:
    """Return a value given in lower case as it was typed."""
    at = text.lower().find(new)
    return text[at : at + len(new)] if at >= 0 else new
