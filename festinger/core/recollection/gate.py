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

from festinger.core.language.terms import terms
from festinger.core.recollection.features import LINE
from festinger.core.recollection.index import LineIndex
from festinger.core.recollection.query import Query
from festinger.core.recollection.scoring import Scored
from festinger.core.recollection.weighing import Logistic

TOP: Final = 6
"""The best lines, whose mean is looked at."""

_FORMS: Final = {
    "general": r"\bin general\b|\bgenerally\b|\busually\b|\btypical(?:ly)?\b|\bin theory\b|\bbasically\b|\bactually work\b",
    "explain": r"\bexplain\b|\bdifference between\b|\bdiff between\b|\bwhat(?:'s|s| is| are| does| do)? (?:a|an)\b|\bmeaning\b|\bmeans?\b"
    r"|\bhow (?:does|do|is|are) (?:a|an|the)?\b|\blike i'?m\b|\bwhat does\b|\bpronounce\b|\bwhy (?:is|are|do|does)\b",
    "suggest": r"\b(?:good|nice|nicer|better|funny|catchy) (?:name|word|way|title|reply|idea|recipe|book|film|song|toast)s?\b"
    r"|\banother word\b|\bsynonyms?\b|\bname for\b|\bideas?\b|\btips?\b|\bpuns?\b|\bjokes?\b|\briddle\b|\bfun fact\b",
    "reword": r"\brephrase|\bshorter\b|\bshorten\b|\breword|\bsummar|\btranslat|\bspell|\bgrammar\b|\bproofread|\bcorrect english\b"
    r"|\bsounds?\b|\bpolite(?:ly)?\b|\bless (?:stiff|bossy|formal|rude)\b|\bmore (?:formal|friendly|polite)\b|\brhym|\bhaiku\b|\bpoem\b"
    r"|\blimerick\b|[\"“][^\"”]{12,}[\"”]",
    "technique": r"\bregex\b|\bformula\b|\bone-?liner\b|\bcommand\b|\bfunction\b|\bvariable\b|\bsyntax\b|\bkeyboard shortcut\b|`[^`]+`",
    "calculate": r"\bconvert\b|\bcalculate\b|\bsum\b|\bhow many\b|\bpercent\b|\bround\b|\bplus\b|\btimes\b",
    "how_to": r"\bhow (?:do|can|should|would|did) (?:i|you|u|one|we)\b|\bis it (?:ok|true|possible|correct|normal|bad)\b|\bcan (?:i|one)\b"
    r"|\bis there (?:a|an)\b",
    "task": r"\b(?:write|draft|prepare|plan|book|order|make|create|set up|send|remind|update|fix|add|list|put|schedule|tell|call|invite"
    r"|reserve|pack|answer|reply|fill|assign|deploy|ship|open|check|compose|arrange|text|mail)\b",
    "ours": r"\b(?:we|our|ours|us|my|mine|today|tonight|tomorrow|this week|next week|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?"
    r"|saturdays?|sundays?|still|again|now|who|whom|when|where)\b",
}
_PATTERNS: Final = {
    name: re.compile(form, re.IGNORECASE) for name, form in _FORMS.items()
}

_LEAST: Final = 1e-3
_OWN: Final = LINE.index("own")
_COVERED: Final = LINE.index("covered_rare")


def values_of_prompt(
    index: LineIndex, query: Query, scored: Sequence[Scored]
) -> tuple[float, ...]:
    """Return the features of a prompt (`features.GATE`).

    Args:
        scored: Its lines, the likeliest first.
    """
    best = scored[0].probability if scored else 0.0
    mean = sum(it.probability for it in scored[:TOP]) / TOP
    known = [index.frequency(term) > 0 for term in query.terms]
    rare = [r for r, it in zip(query.rarities, known, strict=True) if it]
    people = {term for name in index.speakers for term in terms(name.replace("-", " "))}
    return (
        best,
        log(_LEAST + best),
        log(_LEAST + mean),
        log(1 + max((it.values[_OWN] for it in scored), default=0.0)),
        scored[0].values[_COVERED] if scored else 0.0,
        max(
            (
                r * i
                for r, i, it in zip(query.rarities, query.idf, known, strict=True)
                if it
            ),
            default=0.0,
        ),
        sum(known) / (len(known) or 1),
        sum(rare) / (sum(query.rarities) or 1.0),
        log(1 + len(query.prompt.split())),
        float(bool(query.project)),
        float(any(term in people for term in query.terms)),
        *(float(it.search(query.prompt) is not None) for it in _PATTERNS.values()),
    )


def openness(
    index: LineIndex, query: Query, scored: Sequence[Scored], gate: Logistic
) -> float:
    """Return how likely a prompt goes better with something from this memory."""
    if not scored:
        return 0.0
    return gate.probability(values_of_prompt(index, query, scored))
