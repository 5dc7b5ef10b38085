"""Whether a prompt is told anything: does it ask for what only this memory can know?

Prompts that any model answers by itself (general knowledge, rewording, puzzles) share
words with a memory as well; what tells them apart is how they are put, and how well the
best lines fit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import log
from typing import Final

from festinger.core.recollection.features import LINE
from festinger.core.recollection.index import LineIndex
from festinger.core.recollection.query import Query
from festinger.core.recollection.scoring import Scored
from festinger.core.recollection.weighing import Logistic

TOP: Final = 6
"""The best lines, whose mean is looked at."""

FORM_CHARACTERS: Final = 300
"""Of a prompt, the last ones: there it says what is wanted."""

_FORMS: Final = {
    # What any model knows: how the world, a language or a tool works.
    "world": r"\bexplain\b|\bdiff(?:erence)? between\b|\bin (?:general|theory)\b|\bgenerally\b|\bbasically\b|\bdefin(?:e|ition)\b"
    r"|\bwhat(?:'s|s| is| are| does| do)? (?:a|an|it mean)\b|\bmean(?:s|ing)?\b|\bstands? for\b|\bhistory of\b|\bpronounce\b"
    r"|\bhow (?:does|do|is|are|to)\b|\bwhy (?:is|are|do|does)\b|\blike i'?m\b|\beli5\b|\bcheat ?sheet\b|\bbest practices?\b"
    r"|\bregex\b|\bformula\b|\bone-?liner\b|\bcommand\b|\bfunction\b|\bvariable\b|\bsyntax\b|\bshortcut\b|\balgorithm\b|`[^`]+`"
    r"|\bis (?:it|there) (?:a|an|any|ok|okay|true|possible|correct|normal|bad|safe)\b|\bsum\b|\bconvert\b|\bcalculate\b|\bround\b|\bpercent\b",
    # How something is put, and what is made up.
    "wording": r"\bre-?(?:phrase|word|write)|\bshort(?:er|en)\b|\bsummar|\btranslat|\bspell|\bgrammar\b|\bproof-?read|\btypos?\b|\bsounds?\b"
    r"|\b(?:im)?polite(?:ly)?\b|\b(?:more|less|too|very) (?:formal|friendly|casual|stiff|bossy|rude|direct|professional)\b|\bsynonyms?\b"
    r"|\bin (?:english|german|french|spanish|italian|polish|portuguese|dutch|latin|welsh)\b|\b(?:another|better|nicer|good) (?:word|way|name|title)s?\b"
    r"|\b(?:name|title|word|caption|slogan|wording) for\b|\bideas?\b|\btips?\b|\bpuns?\b|\bjokes?\b|\briddles?\b|\bquiz\b|\bpoems?\b|\bhaiku\b|\blimerick\b"
    r"|\brhym|\bstor(?:y|ies) about\b|\bsong\b|\bfun fact|[\"“][^\"”]{12,}[\"”]",
    # What is to be done here.
    "task": r"\b(?:write|draft|prepare|plan|book|order|make|create|set up|send|remind|update|fix|add|list|put|schedule|tell|call|invite"
    r"|reserve|pack|answer|reply|fill|assign|deploy|ship|open|check|compose|arrange|text|mail|email|build|move|run|start|change|cancel|pay)\b",
    # Somebody's own affairs, and their days.
    "ours": r"\b(?:we|our|ours|us|my|mine|today|tonight|tomorrow|tmrw|(?:this|next) (?:week|month|year)|mondays?|tuesdays?|wednesdays?|thursdays?"
    r"|fridays?|saturdays?|sundays?|still|again|now|who|whom|whose|when|where)\b",
}
_PATTERNS: Final = {
    name: re.compile(form, re.IGNORECASE) for name, form in _FORMS.items()
}

_LEAST: Final = 1e-3
_COVERED: Final = LINE.index("covered_rare")


def values_of_prompt(
    index: LineIndex, query: Query, scored: Sequence[Scored]
) -> tuple[float, ...]:
    """Return the features of a prompt (`features.GATE`).

    Args:
        scored: Its lines, the likeliest first.
    """
    end = query.prompt[-FORM_CHARACTERS:]
    known = [index.frequency(term) > 0 for term in query.terms]
    rare = [r for r, it in zip(query.rarities, known, strict=True) if it]
    return (
        *values_of_lines(scored),
        sum(known) / (len(known) or 1),
        sum(rare) / (sum(query.rarities) or 1.0),
        log(1 + len(query.prompt.split())),
        float(bool(query.project)),
        *(float(it.search(end) is not None) for it in _PATTERNS.values()),
    )


def values_of_lines(scored: Sequence[Scored]) -> tuple[float, ...]:
    """Return the first of a prompt's features, those of its lines."""
    mean = sum(it.probability for it in scored[:TOP]) / TOP
    return log(_LEAST + mean), scored[0].values[_COVERED] if scored else 0.0


def openness(
    index: LineIndex, query: Query, scored: Sequence[Scored], gate: Logistic
) -> float:
    """Return how likely a prompt goes better with something from this memory."""
    if not scored:
        return 0.0
    return gate.probability(values_of_prompt(index, query, scored))
