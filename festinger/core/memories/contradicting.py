"""Detection of contradictions between two statements about one person, without a model.

Limits: opposites by meaning alone are not detected ("is a vegetarian", "eats steak");
"lives in Germany" and "lives in Berlin" count as contradictory, and so do two jobs held
at once; subject and object are not distinguished.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from festinger._fast.words import CLOSED_CLASS
from festinger.core.language.grounding import StemmedSentence
from festinger.core.language.terms import stem


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


LIKING = _stems("love like enjoy prefer adore favor favour want appreciate fancy")
DISLIKING = _stems("hate dislike despise detest loathe avoid refuse reject")
ENDING = _stems("stop quit cease")
"""Verbs that negate what follows them."""
INTENSIFIERS = _stems(
    "absolutely really truly very so much always usually often totally definitely "
    "generally still currently now longer anymore"
)
"""Words that make a statement stronger or more recent without changing its content."""

EXCLUSIVE = tuple(
    re.compile(rf"(?:{frame})\s+(?P<what>.+)", re.IGNORECASE)
    for frame in (
        r"(?:is\s+)?(?:live[sd]?|living|resid(?:es?|ing)|based)\s+in",
        r"(?:is\s+)?(?:works?|working|employed)\s+(?:at|for)",
        # "Born in 1990" and "born in Rome" are two attributes.
        r"(?:was\s+)?born\s+in(?=\s+\d)",
        r"(?:was\s+)?born\s+in(?=\s+\D)",
        r"(?:was\s+)?born\s+on",
        r"(?:is\s+)?(?:named|called)|name\s+is",
        r"(?:is\s+)?married\s+to",
        r"(?:is\s+)?(?:stud(?:y|ies)|studying)\s+at",
        r"favou?rite\s+(?P<kind>\w+)\s+is",
        r"native\s+language\s+is|mother\s+tongue\s+is",
    )
)
"""Frames of attributes that have one value at a time, which follows the frame."""
_BEHIND = re.compile(
    r"\s+(?:since|with|for|because|and|as|in|on|at|near|from|until|where|who|which)\b"
    r"|[,;(]",
    re.IGNORECASE,
)
"""The beginning of further details, which are no part of the value."""
_AGE = re.compile(r"\b(\d+)\s+years?\s+old\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ComparedStatement:
    """Parts of a statement that are compared.

    Attributes:
        stems: Stems of its content, without its verb of liking.
        likes: True for a verb of liking, False for one of disliking; None for neither.
        frames: The attributes with one value that it sets, each with the value's stems.
    """

    stems: frozenset[str]
    likes: bool | None
    denied: bool
    frames: tuple[tuple[str, frozenset[str]], ...]


def contradicts(one: str, other: str) -> bool:
    """Return True if two statements about one person contradict each other."""
    first, second = _said(one), _said(other)
    if not first.stems or not second.stems:
        return False
    # "Plays piano", "does not play piano"
    if first.stems == second.stems and first.likes is None and second.likes is None:
        if first.denied != second.denied:
            return True
    # "Loves tea", "hates tea"
    elif first.stems == second.stems and None not in (first.likes, second.likes):
        # "Does not hate" is less than "loves", but no contradiction: compare polarity.
        return (first.likes != first.denied) != (second.likes != second.denied)
    # "Does not live in Rome" leaves room for "lives in Berlin".
    if first.denied or second.denied:
        return False
    return any(
        # "Berlin" and "East Berlin" are no contradiction: one is more precise.
        place == elsewhere and not (what <= that or that <= what)
        for place, what in first.frames
        for elsewhere, that in second.frames
    )


# Each claim is compared with all known memories of the person.
@lru_cache(maxsize=8192)
def _said(text: str) -> ComparedStatement:
    sentence = StemmedSentence(unicodedata.normalize("NFC", text))
    words = [
        each
        for word, each in zip(sentence.words, sentence.stems, strict=True)
        # "Like" is also a preposition.
        if word.lower() not in CLOSED_CLASS or each in LIKING
    ]
    denied = sentence.negated
    likes: bool | None = None
    about = set()
    for each in words:
        # "Stopped smoking"; "does not stop smoking" denies twice.
        if each in ENDING:
            denied = not denied
        elif likes is None and each in LIKING | DISLIKING:
            likes = each in LIKING
        elif each not in INTENSIFIERS:
            about.add(each)
    return ComparedStatement(
        frozenset(about), likes, denied, tuple(_frames(sentence.text))
    )


def _frames(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    plain = " ".join(text.split()).rstrip(".!?…")
    for number, frame in enumerate(EXCLUSIVE):
        if found := frame.fullmatch(plain):
            # "Favourite food" and "favourite colour" are two attributes.
            kind = found.groupdict().get("kind") or ""
            what = _BEHIND.split(found["what"], maxsplit=1)[0]
            yield (
                f"{number} {stem(kind.lower())}",
                frozenset(StemmedSentence(what).content),
            )
    if age := _AGE.search(plain):
        yield "age", frozenset([age[1]])
