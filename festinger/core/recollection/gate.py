"""Decide whether a prompt needs anything that only this memory knows.

Prompts that any model can answer alone (general knowledge, rewording, puzzles) share
words with a memory as well. Features that separate them are their wording, the scores
of the best lines, and names that everyday language does not have. The share of words
that the memory knows is no feature: a large memory knows most words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import log
from typing import Final

from festinger.core.lines.index import LineIndex
from festinger.core.recollection.features import LINE, STATEMENT
from festinger.core.recollection.query import Query
from festinger.core.recollection.scoring import Scored
from festinger.core.recollection.weighing import Logistic

TOP: Final = 6
"""Number of best lines that are features of a prompt."""
LINES_COUNTED: Final = 200
"""Number of lines from which the size of a memory makes no difference."""
PRIVATE_LINES_MIN: Final = 2
"""Minimum number of lines with a private name: a single one may be a typo."""
FORM_CHARACTERS: Final = 300
"""Number of characters at the end of a prompt that are matched for its wording."""

_FORMS: Final = {
    # General knowledge: how the world, a language or a tool works.
    "world": r"\b(?:explain|diff(?:erence)? between|in (?:general|theory)|generally|basically|defin(?:e|ition)"
    r"|what(?:'s|s| is| are| does| do)? (?:a|an|it mean)|mean(?:s|ing)?|stands? for|history of|pronounce"
    r"|how (?:does|do|is|are|to)|why (?:is|are|do|does)|like i'?m|eli5|cheat ?sheet|best practices?"
    r"|regex|formula|one-?liner|command|function|variable|syntax|shortcut|algorithm"
    r"|is (?:it|there) (?:a|an|any|ok|okay|true|possible|correct|normal|bad|safe)|sum|convert|calculate|round|percent)\b|`[^`]+`",
    # Wording and fiction.
    "wording": r"\b(?:re-?(?:phrase|word|write)|short(?:er|en)\b|summar|translat|spell|grammar\b|proof-?read|typos?\b|sounds?\b"
    r"|(?:im)?polite(?:ly)?\b|(?:more|less|too|very) (?:formal|friendly|casual|stiff|bossy|rude|direct|professional)\b|synonyms?\b"
    r"|in (?:english|german|french|spanish|italian|polish|portuguese|dutch|latin|welsh)\b|(?:another|better|nicer|good) (?:word|way|name|title)s?\b"
    r"|(?:name|title|word|caption|slogan|wording) for\b|ideas?\b|tips?\b|puns?\b|jokes?\b|riddles?\b|quiz\b|poems?\b|haiku\b|limerick\b"
    r"|rhym|stor(?:y|ies) about\b|song\b|fun fact)|[\"“][^\"”]{12,}[\"”]",
    # Tasks.
    "task": r"\b(?:write|draft|prepare|plan|book|order|make|create|set up|send|remind|update|fix|add|list|put|schedule|tell|call|invite"
    r"|reserve|pack|answer|reply|fill|assign|deploy|ship|open|check|compose|arrange|text|mail|email|build|move|run|start|change|cancel|pay)\b",
    # The speaker's own affairs and dates.
    "ours": r"\b(?:we|our|ours|us|my|mine|today|tonight|tomorrow|tmrw|(?:this|next) (?:week|month|year)|mondays?|tuesdays?|wednesdays?|thursdays?"
    r"|fridays?|saturdays?|sundays?|still|again|now|who|whom|whose|when|where)\b",
}
"""Patterns for the prompt in lower case: ignoring case takes four times as long."""
_PATTERNS: Final = {name: re.compile(form) for name, form in _FORMS.items()}

_LEAST: Final = 1e-3
_COVERED: Final = LINE.index("covered_rare")
_TOPIC: Final = LINE.index("topic")
_SUBJECT: Final = STATEMENT.index("subject")


def values_of_prompt(
    index: LineIndex, query: Query, scored: Sequence[Scored]
) -> tuple[float, ...]:
    """Return the features of a prompt (`features.GATE`).

    Args:
        index: The index.
        query: The prompt.
        scored: Lines for the prompt, likeliest first.
    """
    end = query.prompt[-FORM_CHARACTERS:].lower()
    return (
        *values_of_lines(scored),
        _share_of_private_names(index, query),
        log(1 + min(len(index), LINES_COUNTED)),
        log(1 + len(query.prompt.split())),
        float(bool(query.project)),
        *(float(it.search(end) is not None) for it in _PATTERNS.values()),
    )


def values_of_lines(scored: Sequence[Scored]) -> tuple[float, ...]:
    """Return the features of a prompt that depend on its lines, the first of all."""
    best = scored[:TOP]
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
        if rarity == 1.0
        and any(map(str.isalpha, term))
        and index.frequency(term) >= PRIVATE_LINES_MIN
    )
    return private / (sum(query.rarities) or 1.0)


def openness(
    index: LineIndex, query: Query, scored: Sequence[Scored], gate: Logistic
) -> float:
    """Return the probability that a prompt benefits from this memory."""
    if not scored:
        return 0.0
    return gate.probability(values_of_prompt(index, query, scored))
