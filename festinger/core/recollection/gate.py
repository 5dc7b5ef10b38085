"""Decide whether a prompt needs anything that only this memory knows.

Prompts that any model can answer alone (general knowledge, rewording, puzzles) share
words with a memory as well.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence, Set
from functools import lru_cache
from math import log
from typing import Final

from festinger.core.language.persons import is_person
from festinger.core.language.terms import terms
from festinger.core.lines.index import LineIndex
from festinger.core.recollection.features import GATE, LINE, STATEMENT
from festinger.core.recollection.query import Query
from festinger.core.recollection.scoring import ScoredLine, value_of_size
from festinger.core.recollection.weighing import Logistic
from festinger.core.recollection.wording import (
    end_of,
    values_of_wording,
    values_of_words,
)

TOP: Final = 6
"""Number of best lines that are features of a prompt."""
WORDS_COUNTED: Final = 200
"""Number of words of a prompt from which its length makes no difference."""
PRIVATE_LINES_MIN: Final = 2
"""Minimum number of lines with a private name: a single one may be a typo."""

NAMED_WORDS_MAX: Final = 40
"""Maximum number of words of a prompt that is about whom or what it names."""

_NAME: Final = re.compile(r"\b[A-ZÀ-Þ][a-zà-ÿ]{2,}\b")
# "What is Kafka?" and "explain Kafka" ask for what everybody may know of it.
_DEFINITION: Final = re.compile(
    r"\b(?:explain|define|meaning of|stand for|history of)\b"
    r"|^\W*what(?:'?s| is| are)(?: an?| the)? [\w-]+\W*$",
    re.IGNORECASE,
)
_GENERAL: Final = tuple(
    GATE.index(it)
    for it in ("choice", "how_to", "arithmetic", "code", "fiction", "wording")
)
"""Forms of prompts that any model can answer, whomever they name."""
# Keeps the logarithm finite where all lines are unlikely.
_LEAST: Final = 1e-3
_COVERED: Final = LINE.index("covered_rare")
_TOPIC: Final = LINE.index("topic")
_SUBJECT: Final = STATEMENT.index("subject")


def values_of_prompt(
    index: LineIndex, query: Query, scored: Sequence[ScoredLine]
) -> tuple[float, ...]:
    """Return the features of a prompt (`features.GATE`).

    Args:
        scored: Lines for the prompt, likeliest first.
    """
    return (
        *values_of_lines(scored),
        _share_of_private_names(index, query),
        value_of_size(index),
        log(1 + min(len(query.prompt.split()), WORDS_COUNTED)),
        float(bool(query.project)),
        float(query.follows),
        *values_of_wording(query.prompt),
        *values_of_words(end_of(query.prompt)),
    )


def evidence(
    scored: Sequence[ScoredLine],
    present: Collection[bytes],
    told: Collection[int] = (),
) -> list[ScoredLine]:
    """Return the lines that may open the gate, in their order.

    What the conversation has already, or is told anyway, is no reason to tell more.

    Args:
        present: Digests of the turns in the request.
        told: Numbers of the lines that are told whatever the gate says.
    """
    return [
        it
        for it in scored
        if it.line.digest not in present and it.line.number not in told
    ]


def values_of_lines(scored: Sequence[ScoredLine]) -> tuple[float, ...]:
    """Return the features of a prompt that depend on its lines, the first of all."""
    best = scored[:TOP]
    # Only statements with an origin have this feature.
    subjects = [it.values[_SUBJECT] for it in best if it.line.origin is not None]
    return (
        log(_LEAST + sum(it.probability for it in best) / TOP),
        best[0].values[_COVERED] if best else 0.0,
        max((it.values[_TOPIC] for it in best), default=0.0),
        max(subjects, default=0.0),
    )


def _share_of_private_names(index: LineIndex, query: Query) -> float:
    """Return the share of names that only this memory knows among the query's terms."""
    private = sum(
        1.0
        for term, rarity in zip(query.terms, query.rarities, strict=True)
        # No everyday word, no plain number, and held in more than one line.
        if rarity == 1.0
        and any(map(str.isalpha, term))
        and index.frequency(term) >= PRIVATE_LINES_MIN
    )
    return private / (sum(query.rarities) or 1.0)


def openness(
    index: LineIndex, query: Query, scored: Sequence[ScoredLine], gate: Logistic
) -> float:
    """Return the probability that a prompt benefits from this memory."""
    # Nothing in the memory matches the prompt, or it says nothing but stop words.
    if not scored or not query.terms:
        return 0.0
    values = values_of_prompt(index, query, scored)
    # Names are too many and each too rare for a fit: of 140 labelled prompts with one that
    # the memory knows 3 need nothing.
    if not any(values[at] for at in _GENERAL) and _names_any(query, scored):
        return 1.0
    return gate.probability(values)


def _names_any(query: Query, scored: Sequence[ScoredLine]) -> bool:
    """Return whether a short prompt names somebody or something that a line names."""
    if len(query.prompt.split()) > NAMED_WORDS_MAX or _DEFINITION.search(query.prompt):
        return False
    words = _NAME.findall(query.prompt)
    people = {term for word in words if is_person(word, "") for term in terms(word)}
    # Of everyday words only a person's name in capitals: "will Mark pay?" is about somebody.
    wanted = [
        (1 << at, term)
        for at, (term, rarity) in enumerate(
            zip(query.terms, query.rarities, strict=True)
        )
        if (rarity == 1.0 and term.isalpha()) or term in people
    ]
    return any(
        found.shared & bit and term in _names_of(found.line.content)
        for bit, term in wanted
        for found in scored
    )


# Lines of a conversation are scored again for each of its prompts.
@lru_cache(maxsize=4096)
def _names_of(text: str) -> Set[str]:
    """Return the terms of the words of a line that are written like names."""
    return frozenset(term for name in _NAME.findall(text) for term in terms(name))
