"""Extractors of prose: rules for statements that are marked or explicit.

headings    `## Decision: …`                0.7
items       `- [Decision] …`                0.65
measures    `mass = 4.8 kg`                 0.6
sentences   `I prefer …`, `… must …`        0.5
cues        `gnommoweb is a repo`           confidence of the cue scanner

Doubtful statements are left out: a false memory costs a person's time, while a missed
one costs nothing that was there before.
"""

from __future__ import annotations

from festinger.core.language.cues import Lexicon
from festinger.core.review.extractors import Extractor
from festinger.core.review.rules.cues import Cues
from festinger.core.review.rules.headings import Headings
from festinger.core.review.rules.items import Items
from festinger.core.review.rules.measures import Measures
from festinger.core.review.rules.sentences import Sentences


def extractors(lexicon: Lexicon | None = None) -> tuple[Extractor, ...]:
    """Return the extractors of prose."""
    # The order decides which of two equal findings is kept: the clearest mark first.
    return Headings(), Items(), Measures(), Sentences(), Cues(lexicon)
