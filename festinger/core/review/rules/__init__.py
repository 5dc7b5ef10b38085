"""Rules that read prose: what people marked as such, or said in so many words.

headings    `## Decision: …`                0.7
items       `- [Decision] …`                0.65
measures    `mass = 4.8 kg`                 0.6
sentences   `I prefer …`, `… must …`        0.5
cues        `gnommoweb is a repo`           as the cue scanner relies on it

A false memory costs a person's time, a missed one nothing that was there before:
whatever is doubtful is left out.
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
    """The rules; `lexicon` is what the cue scanner asks."""
    return Headings(), Items(), Measures(), Sentences(), Cues(lexicon)
