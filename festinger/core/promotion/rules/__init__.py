"""Rules that read prose: what people marked as such, or said in so many words."""

from __future__ import annotations

from festinger.core.cues import Lexicon
from festinger.core.promotion.extractors import Extractor


def extractors(lexicon: Lexicon | None = None) -> tuple[Extractor, ...]:
    """The rules; `lexicon` is what the cue scanner asks."""
    return ()
