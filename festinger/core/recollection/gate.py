"""Whether a prompt is told anything: does it ask for what only this memory can know?

Prompts that any model answers by itself (general knowledge, rewording, puzzles) share
words with a memory as well; what tells them apart is how they are put, how well the best
lines fit, and whether they ask about a name that everyday language does not have.

How many of the words a memory knows at all is no sign: a large one knows most.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import log
from typing import Final

from festinger.core.lines.index import LineIndex
from festinger.core.recollection.features import LINE
from festinger.core.recollection.query import Query
from festinger.core.recollection.scoring import Scored
from festinger.core.recollection.weighing import Logistic

TOP: Final = 6
"""The best lines, whose mean is looked at."""
PRIVATE_LINES_MIN: Final = 2
"""Lines that have a private name, at least: what was said once may be a slip."""
FORM_CHARACTERS: Final = 300
"""Of a prompt, the last ones: there it says what is wanted."""

_FORMS: Final = {
    # What any model knows: how the world, a language or a tool works.
    "world": r"\b(?:explain|diff(?:erence)? between|in (?:general|theory)|generally|basically|defin(?:e|ition)"
    r"|what(?:'s|s| is| are| does| do)? (?:a|an|it mean)|mean(?:s|ing)?|stands? for|history of|pronounce"
    r"|how (?:does|do|is|are|to)|why (?:is|are|do|does)|like i'?m|eli5|cheat ?sheet|best practices?"
    r"|regex|formula|one-?liner|command|function|variable|syntax|shortcut|algorithm"
    r"|is (?:it|there) (?:a|an|any|ok|okay|true|possible|correct|normal|bad|safe)|sum|convert|calculate|round|percent)\b|`[^`]+`",
    # How something is put, and what is made up.
    "wording": r"\b(?:re-?(?:phrase|word|write)|short(?:er|en)\b|summar|translat|spell|grammar\b|proof-?read|typos?\b|sounds?\b"
    r"|(?:im)?polite(?:ly)?\b|(?:more|less|too|very) (?:formal|friendly|casual|stiff|bossy|rude|direct|professional)\b|synonyms?\b"
    r"|in (?:english|german|french|spanish|italian|polish|portuguese|dutch|latin|welsh)\b|(?:another|better|nicer|good) (?:word|way|name|title)s?\b"
    r"|(?:name|title|word|caption|slogan|wording) for\b|ideas?\b|tips?\b|puns?\b|jokes?\b|riddles?\b|quiz\b|poems?\b|haiku\b|limerick\b"
    r"|rhym|stor(?:y|ies) about\b|song\b|fun fact)|[\"“][^\"”]{12,}[\"”]",
    # What is to be done here.
    "task": r"\b(?:write|draft|prepare|plan|book|order|make|create|set up|send|remind|update|fix|add|list|put|schedule|tell|call|invite"
    r"|reserve|pack|answer|reply|fill|assign|deploy|ship|open|check|compose|arrange|text|mail|email|build|move|run|start|change|cancel|pay)\b",
    # Somebody's own affairs, and their days.
    "ours": r"\b(?:we|our|ours|us|my|mine|today|tonight|tomorrow|tmrw|(?:this|next) (?:week|month|year)|mondays?|tuesdays?|wednesdays?|thursdays?"
    r"|fridays?|saturdays?|sundays?|still|again|now|who|whom|whose|when|where)\b",
}
"""In lower case, as the prompt: to ignore case takes four times as long."""
_PATTERNS: Final = {name: re.compile(form) for name, form in _FORMS.items()}

_LEAST: Final = 1e-3
_COVERED: Final = LINE.index("covered_rare")


def values_of_prompt(
    index: LineIndex, query: Query, scored: Sequence[Scored]
) -> tuple[float, ...]:
    """Return the features of a prompt (`features.GATE`).

    Args:
        scored: Its lines, the likeliest first.
    """
    end = query.prompt[-FORM_CHARACTERS:].lower()
    return (
        *values_of_lines(scored),
        _share_of_private_names(index, query),
        log(1 + len(query.prompt.split())),
        float(bool(query.project)),
        *(float(it.search(end) is not None) for it in _PATTERNS.values()),
    )


def values_of_lines(scored: Sequence[Scored]) -> tuple[float, ...]:
    """Return the first of a prompt's features, those of its lines."""
    mean = sum(it.probability for it in scored[:TOP]) / TOP
    return log(_LEAST + mean), scored[0].values[_COVERED] if scored else 0.0


def _share_of_private_names(index: LineIndex, query: Query) -> float:
    """Return how much of what is asked about are names that this memory alone knows."""
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
    """Return how likely a prompt goes better with something from this memory."""
    if not scored:
        return 0.0
    return gate.probability(values_of_prompt(index, query, scored))
