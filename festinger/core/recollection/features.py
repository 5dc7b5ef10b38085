"""Names of the features of lines, prompts and later lines, in the order of values."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from festinger.core.language.marks import SentenceMark
from festinger.core.recollection.wording import FORM_FEATURES, WORD_FEATURES

_MARKS: Final = (
    "question", "request", "change", "negation", "knowledge", "number", "hedge",
)  # fmt: skip

LINE: Final = (
    "own", "context", "covered", "covered_rare", "topic", "rarest",
    "same_project", "asker_said", "speaker_named",
    *_MARKS,
    "recent", "length", "size",
)  # fmt: skip
"""Features of a line that may help with a prompt."""

STATEMENT: Final = (*LINE, "subject", "predicate", "answers")
"""Features of a statement with an origin that may help with a prompt."""

EMBEDDED: Final = ("likeness",)
"""Features of both kinds of lines besides, if the prompt has an embedding."""

GATE: Final = (
    "mean_log", "covered_rare", "topic", "subject", "private", "size", "length", "project", "follows",
    *FORM_FEATURES, *WORD_FEATURES,
)  # fmt: skip
"""Features of a prompt, for the gate."""

GENERAL: Final = (
    *_MARKS,
    "upper_case", "colon", "comma", "sentences", "inflected", "quoted",
    "long", "follows", "offered", "asked",
    *FORM_FEATURES, *WORD_FEATURES,
)  # fmt: skip
"""Features of a turn that may be a prompt for any model."""

_LATER: Final = (
    "change", "negation", "hedge", "same_speaker", "same_project", "same_session", "new",
)  # fmt: skip

SUCCESSOR: Final = (*_LATER, "old")
"""Features of a later sentence that may change what an earlier one says."""

STATEMENT_SUCCESSOR: Final = (*_LATER, "subject", "predicate", "value", "differs")
"""Features of a later sentence that may change a statement with an origin."""


def features_of(*wanted: SentenceMark) -> Callable[[int], tuple[float, ...]]:
    """Return a function from the marks of a sentence to the values of some of them."""
    # As numbers: flags are slow to combine, and this is done for each candidate.
    masks = tuple(map(int, wanted))

    @lru_cache(maxsize=1024)
    def _values(marks: int) -> tuple[float, ...]:
        return tuple(1.0 if marks & it else 0.0 for it in masks)

    return _values


values_of_marks: Final = features_of(*(SentenceMark[it.upper()] for it in _MARKS))
"""Function from the marks of a sentence to the values of those in `LINE` and `GENERAL`."""
