"""Find lines that the prompt itself changes, so that they are not recalled for it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from festinger.core.language.marks import SentenceMark, changing_marks_of, marks_of
from festinger.core.language.sentences import split
from festinger.core.language.terms import term_set
from festinger.core.language.utterances import is_worth_keeping
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import IndexedLine
from festinger.core.recollection.succession import EarlierLine, LaterText
from festinger.core.recollection.weighing import RelevanceWeights

SENTENCE_CHARACTERS_MAX: Final = 400
"""Maximum length of a rough piece; a text without full stops is cut there."""
_CHANGING: Final = SentenceMark.CHANGE | SentenceMark.NEGATION
# A full stop behind a single letter usually belongs to an abbreviation.
_ROUGH_END: Final = re.compile(r"(?<=[^\W_]{2}[.!?…])\s+|\n")


class PromptChanges:
    """The changes that a prompt makes to lines."""

    def __init__(
        self, index: LineIndex, prompt: str, weighing: RelevanceWeights
    ) -> None:
        self._index = index
        self._prompt = prompt
        self._weighing = weighing
        self._known: dict[int, bool] = {}

    def replace(self, line: IndexedLine) -> bool:
        """Return whether the prompt changes what a line says."""
        # A line is asked about as a candidate, as a neighbour and as a successor.
        if line.number not in self._known:
            # Most prompts change nothing, and reading a long one takes longer than recalling
            # lines for it: only what passes the rough check is read.
            self._known[line.number] = self._is_replaced(
                line, self._rough
            ) and self._is_replaced(line, self._read)
        return self._known[line.number]

    @cached_property
    def _rough(self) -> Sequence[LaterText]:
        return [
            # By default, as if said by the line's speaker and in its project.
            LaterText(text, term_set(text), marks)
            # The rough check must miss no change: it also looks at code and pasted text.
            for text in rough_pieces(self._prompt)
            if (marks := changing_marks_of(text))
        ]

    @cached_property
    def _read(self) -> Sequence[LaterText]:
        return [
            LaterText(each.text, term_set(each.text), marks)
            for each in split(self._prompt)
            if (marks := marks_of(each.text)) & _CHANGING
            # A question changes nothing: "did prod move to kubernetes?"
            and SentenceMark.QUESTION not in marks
            and is_worth_keeping(each)
        ]

    def _is_replaced(self, line: IndexedLine, stated: Sequence[LaterText]) -> bool:
        """Return whether any of some new sentences would change what a line says."""
        if not stated:
            return False
        earlier = EarlierLine(self._index, line)
        return any(
            earlier.probability(each, self._weighing) >= self._weighing.later_from
            for each in stated
            if earlier.may_change(each)
        )


def rough_pieces(text: str) -> list[str]:
    """Return a text split at apparent sentence ends, without the white space there."""
    return [
        piece[at : at + SENTENCE_CHARACTERS_MAX]
        for piece in _ROUGH_END.split(text)
        for at in range(0, len(piece), SENTENCE_CHARACTERS_MAX)
    ]
