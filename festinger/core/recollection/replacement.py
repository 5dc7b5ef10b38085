"""Find lines that the prompt itself changes, so that they are not recalled for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Final

from festinger._fast.values import LENGTH_MEAN, SATURATION
from festinger.core.language.marks import SentenceMark, changing_marks_of, marks_of
from festinger.core.language.sentences import split
from festinger.core.language.terms import terms
from festinger.core.language.utterances import is_worth_keeping
from festinger.core.lines.index import IndexedLine, LineIndex
from festinger.core.recollection.succession import terms_of_line, values_of
from festinger.core.recollection.weighing import Weighing

SENTENCE_CHARACTERS_MAX: Final = 400
"""Maximum length of a rough piece; a text without full stops is cut there."""
_CHANGING: Final = SentenceMark.CHANGE | SentenceMark.NEGATION
# A full stop behind a single letter usually belongs to an abbreviation.
_ROUGH_END: Final = re.compile(r"(?<=[^\W_]{2}[.!?…])\s+|\n")


@dataclass(frozen=True, slots=True)
class ChangingSentence:
    """A sentence of a prompt that may change an earlier one.

    Attributes:
        counts: Number of occurrences by term.
        length: Total number of terms.
        marks: Marks of the sentence.
    """

    counts: Mapping[str, int]
    length: int
    marks: SentenceMark

    @classmethod
    def of(cls, text: str, marks: SentenceMark) -> ChangingSentence:
        """Return the sentence for a text with its marks."""
        words = terms(text)
        return cls(Counter(words), len(words), marks)


class PromptChanges:
    """The changes that a prompt makes to lines.

    Most prompts change nothing, and reading a long one takes longer than recalling
    lines for it, so that a rough check of its sentences comes first.

    Args:
        index: Index of the lines, for the rarities of terms.
        prompt: Newest message.
        weighing: Model that judges later lines.
    """

    def __init__(self, index: LineIndex, prompt: str, weighing: Weighing) -> None:
        self._index = index
        self._prompt = prompt
        self._weighing = weighing
        self._known: dict[int, bool] = {}
        self._rarities: dict[str, float] = {}

    def replace(self, line: IndexedLine) -> bool:
        """Return whether the prompt changes what a line says."""
        if line.number not in self._known:
            self._known[line.number] = self._is_replaced(
                line, self._rough
            ) and self._is_replaced(line, self._read)
        return self._known[line.number]

    @cached_property
    def _rough(self) -> Sequence[ChangingSentence]:
        return [
            ChangingSentence.of(text, marks)
            for text in rough_pieces(self._prompt)
            if (marks := changing_marks_of(text))
        ]

    @cached_property
    def _read(self) -> Sequence[ChangingSentence]:
        return [
            ChangingSentence.of(each.text, marks)
            for each in split(self._prompt)
            if (marks := marks_of(each.text)) & _CHANGING
            and SentenceMark.QUESTION not in marks
            and is_worth_keeping(each)
        ]

    def _is_replaced(
        self, line: IndexedLine, stated: Iterable[ChangingSentence]
    ) -> bool:
        """Return whether any of some new sentences would change what a line says.

        Args:
            line: The line.
            stated: The sentences, assumed to be in the line's project and by its
                speaker.
        """
        weighed = terms_of_line(line)
        judge = self._weighing.successor
        for each in stated:
            if shared := weighed.keys() & each.counts.keys():
                score = sum(weighed[term] * self._worth(term, each) for term in shared)
                values = values_of(score, each.marks, 1.0, 1.0, 1.0)
                if judge.probability(values) >= self._weighing.later_from:
                    return True
        return False

    def _worth(self, term: str, stated: ChangingSentence) -> float:
        """Return the BM25 score of a sentence for a term that it contains."""
        length = SATURATION * (0.6 + 0.4 * stated.length / LENGTH_MEAN)
        count = stated.counts[term]
        return self._rarity(term) * count * (SATURATION + 1) / (count + length)

    def _rarity(self, term: str) -> float:
        found = self._rarities.get(term)
        if found is None:
            size, having = self._index.counted, self._index.frequency(term)
            found = log(1 + (size - having + 0.5) / (having + 0.5))
            self._rarities[term] = found
        return found


def rough_pieces(text: str) -> list[str]:
    """Return a text split at apparent sentence ends, without the white space there."""
    return [
        piece[at : at + SENTENCE_CHARACTERS_MAX]
        for piece in _ROUGH_END.split(text)
        for at in range(0, len(piece), SENTENCE_CHARACTERS_MAX)
    ]
