"""Compute how well a text supports a claim, by words and without a model.

    support = mean of  stem coverage in the text
                       idf-weighted coverage in the best window of three sentences
                       bigram support
                       the best sentence's cosine of character 3-to-5-grams
              − 0.1 per failed guard

A claim that occurs in the text, but for the endings of its words, is grounded without
the score. The score cannot detect entities that are swapped within a true sentence.
"""

# ruff: noqa: RUF002 - typographic marks are the subject of this file
from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from math import log, sqrt

from festinger._fast.words import CLOSED_CLASS
from festinger.core.language.terms import stem

GROUNDED_MIN = 0.87
"""Minimum score of a grounded claim."""
CANDIDATE_MIN = 0.50
"""Minimum score of a candidate for people to decide; below it a claim is rejected."""
GUARD_COST = 0.1
"""Deduction from the score for each failed guard."""
WINDOW_SENTENCES = 3  # a fact may be spread over some sentences
PATTERN_FRAME = frozenset(["prefers", "prefer"])
"""Words of the phrasing of a habit, which its text need not contain."""

_GRAMS = (3, 4, 5)  # characters, for other forms of the same word
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_PIECE = re.compile(rf"{_WORD.pattern}|[^\w\s'’\"“”`*-]")  # without quotes and hyphens
# After a closing mark, behind a full stop of Chinese or Japanese, or at a blank line.
_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])|\n\s*\n")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_POSSESSIVE = re.compile(r"['’]s$")  # tokens have no 's either (B2)
_NEGATION = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|without|cannot)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)


_TURNS = frozenset(["but", "however", "though", "although", "because"])
_JOINTS = frozenset(["and", "while", ",", ";"])
_SUBJECTS = frozenset(["i", "we", "you", "he", "she", "it", "they", "that"])
"""Markers of a new clause: a contrast, or a joint followed by a subject."""


class Band(StrEnum):
    """Band of a claim's score."""

    GROUNDED = "grounded"
    CANDIDATE = "candidate"
    """People decide, whatever the confidence of its author."""
    REJECTED = "rejected"


class Guard(StrEnum):
    """Feature of a claim that its text must have as well."""

    NUMBER = "number"
    NAME = "name"
    NEGATION = "negation"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Minimum scores of the bands."""

    grounded: float = GROUNDED_MIN
    candidate: float = CANDIDATE_MIN

    def band(self, score: float, failed: Collection[Guard] = ()) -> Band:
        """Return the band of a score; a failed guard excludes the highest (G1)."""
        if score >= self.grounded and not failed:
            return Band.GROUNDED
        return Band.CANDIDATE if score >= self.candidate else Band.REJECTED


THRESHOLDS = Thresholds()


@dataclass(frozen=True, slots=True)
class Grounding:
    """Result of checking a claim against a text.

    Attributes:
        score: In [0.0, 1.0].
        failed: Features that the claim has and the text lacks.
        window: Sentences that support it best.
    """

    score: float
    band: Band
    failed: tuple[Guard, ...] = ()
    window: str = ""


class SourceText:
    """A text to check claims against, with cached derived values."""

    def __init__(self, text: str) -> None:
        # Claims are composed as well, so that "é" is the same letter however it was typed.
        text = unicodedata.normalize("NFC", text)
        self.sentences = [
            StemmedSentence(part.strip()) for part in _END.split(text) if part.strip()
        ]

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all its words."""
        return frozenset(stem for each in self.sentences for stem in each.stems)

    @cached_property
    def bigrams(self) -> frozenset[tuple[str, str]]:
        """The pairs of adjacent stems within sentences."""
        return frozenset(pair for each in self.sentences for pair in each.bigrams)

    @cached_property
    def windows(self) -> list[tuple[StemmedSentence, ...]]:
        """The windows of three consecutive sentences."""
        last = max(1, len(self.sentences) - WINDOW_SENTENCES + 1)
        return [tuple(self.sentences[at : at + WINDOW_SENTENCES]) for at in range(last)]

    def weight(self, stem: str) -> float:
        """Return the weight of a stem in the text: rarer stems weigh more."""
        found = sum(stem in each.stem_set for each in self.sentences)
        # As idf, but finite for a stem that the text lacks.
        return log(1 + (1 + len(self.sentences)) / (1 + found))


class StemmedSentence:
    """A sentence as words and their stems."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = [_bare(word) for word in _WORD.findall(text)]
        self.stems = [stem(word.lower()) for word in self.words]

    @cached_property
    def stem_set(self) -> frozenset[str]:
        """The distinct stems."""
        return frozenset(self.stems)

    @cached_property
    def content(self) -> list[str]:
        """The stems of content words; of all words if there are none."""
        content = [
            stem
            for word, stem in zip(self.words, self.stems, strict=True)
            if word.lower() not in CLOSED_CLASS
        ]
        # "To be or not to be" has function words only.
        return content or self.stems

    @cached_property
    def bigrams(self) -> list[tuple[str, str]]:
        """The pairs of adjacent stems without a mark between them."""
        return [
            (one, other)
            for one, other in pairwise(self.pieces)
            # A comma between two words means that they do not belong together.
            if one.isalnum() and other.isalnum()
        ]

    @cached_property
    def grams(self) -> Counter[str]:
        """The character 3-to-5-grams with their counts."""
        # Blanks at both ends, so that the grams know where words begin.
        text = f" {' '.join(self.words).lower()} "
        return Counter(
            text[at : at + size]
            for size in _GRAMS
            for at in range(max(0, len(text) - size + 1))
        )

    @cached_property
    def spoken(self) -> list[str]:
        """The words in lower case and the marks between them, without hyphens."""
        return [_bare(piece).lower() for piece in _PIECE.findall(self.text)]

    @cached_property
    def pieces(self) -> list[str]:
        """The stems and the marks between them."""
        return [stem(piece) for piece in self.spoken]

    @property
    def negated(self) -> bool:
        """True if it contains a negation."""
        return _NEGATION.search(self.text) is not None

    def has(self, pieces: Sequence[str]) -> bool:
        """Return whether it contains these stems and marks consecutively."""
        return self.find(pieces) is not None

    def find(self, pieces: Sequence[str]) -> int | None:
        """Return the first position of these stems and marks; None if it has none."""
        # Consecutive, since the same words in another order may say something else.
        size = len(pieces)
        return next(
            (
                at
                for at in range(len(self.pieces) - size + 1)
                if self.pieces[at : at + size] == pieces
            ),
            None,
        )

    def denies(self, pieces: Sequence[str]) -> bool:
        """Return whether it contains these stems with a negation in their clause."""
        at = self.find(pieces)
        if at is None or not self.negated:
            return False
        # A negation in another clause denies something else, so that the clause is looked for.
        start, end = at, at + len(pieces)
        while start > 0 and not self._begins(start):
            start -= 1
        while end < len(self.spoken) and not self._begins(end):
            end += 1
        return _NEGATION.search(" ".join(self.spoken[start:end])) is not None

    def _begins(self, at: int) -> bool:
        """Return whether a new clause, with its own negation, begins at a position."""
        before, word = self.spoken[at - 1], self.spoken[at]
        if word in _TURNS:
            return True
        # "not tea, coffee and milk" is one denial; "not tea, and she" is not.
        return before in _JOINTS and word in _SUBJECTS


def ground(
    claim: str,
    text: SourceText,
    *,
    thresholds: Thresholds = THRESHOLDS,
    frame: Collection[str] = (),
) -> Grounding:
    """Return how well a text supports a claim."""
    said = StemmedSentence(unicodedata.normalize("NFC", claim))
    if not said.stems or not text.sentences:
        return Grounding(0.0, Band.REJECTED)
    failed = _failed(said, text)
    if found := stands_in(said, text, frame):
        if found.denies(_framed(said, frame)) and not said.negated:
            # The sentence contains the claim and denies it.
            failed = (*failed, Guard.NEGATION)
        # The claim stands there word by word: only a failed guard can lower its score.
        score = max(0.0, 1.0 - GUARD_COST * len(failed))
        return Grounding(score, thresholds.band(score, failed), failed, found.text)
    share, window = _best_window(said, text)
    terms = (
        _share(said.content, text.stems),
        share,
        # A claim of one word has no pairs.
        _share(said.bigrams, text.bigrams) if said.bigrams else share,
        max(_cosine(said.grams, each.grams) for each in text.sentences),
    )
    score = max(0.0, sum(terms) / len(terms) - GUARD_COST * len(failed))
    return Grounding(score, thresholds.band(score, failed), failed, window)


def stands_in(
    said: StemmedSentence, text: SourceText, frame: Collection[str] = ()
) -> StemmedSentence | None:
    """Return the sentence that contains a claim, whatever the endings of its words."""
    pieces = _framed(said, frame)
    return next((each for each in text.sentences if each.has(pieces)), None)


def _framed(said: StemmedSentence, frame: Collection[str]) -> list[str]:
    """Return the stems and marks of a claim without the words of its frame."""
    # "Prefers" of "prefers tea" need not be said; the last word always must be.
    first = 0
    while first < len(said.words) - 1 and said.words[first].lower() in frame:
        first += 1
    return said.pieces[first:]


def _bare(word: str) -> str:
    return _POSSESSIVE.sub("", word)


def _best_window(said: StemmedSentence, text: SourceText) -> tuple[float, str]:
    # Rare stems count more, so that a window with the names wins over one with "is" and "use".
    weights = {stem: text.weight(stem) for stem in said.content}
    whole = sum(weights.values())
    best, sentences = -1.0, text.windows[0]
    for window in text.windows:
        found = sum(
            weight
            for stem, weight in weights.items()
            if any(stem in each.stem_set for each in window)
        )
        if found > best:
            best, sentences = found, window
    return best / whole, " ".join(each.text for each in sentences)


def _failed(said: StemmedSentence, text: SourceText) -> tuple[Guard, ...]:
    """Return the guards that a claim fails."""
    whole = " ".join(each.text for each in text.sentences)
    # A number that differs in one digit is alike by every other measure.
    numbers = set(_NUMBER.findall(said.text)) - set(_NUMBER.findall(whole))
    # The first word is capitalised anyway.
    names = {
        stem
        for word, stem in list(zip(said.words, said.stems, strict=True))[1:]
        if word[0].isupper() and word.lower() not in CLOSED_CLASS
    }
    # The reverse, a text that denies the claim, is found where the claim stands (`denies`).
    denied = said.negated and not any(each.negated for each in text.sentences)
    found = (
        (Guard.NUMBER, bool(numbers)),
        (Guard.NAME, not names <= text.stems),
        (Guard.NEGATION, denied),
    )
    return tuple(guard for guard, fails in found if fails)


def _share(
    wanted: Sequence[str] | Sequence[tuple[str, str]], there: Collection[object]
) -> float:
    return sum(each in there for each in wanted) / len(wanted)


def _cosine(one: Counter[str], other: Counter[str]) -> float:
    if not one or not other:
        return 0.0
    product = sum(count * other[gram] for gram, count in one.items())
    return product / sqrt(_square(one) * _square(other))


def _square(grams: Counter[str]) -> int:
    return sum(count * count for count in grams.values())
