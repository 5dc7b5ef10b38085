"""Extractors of files whose form says what they mean."""

from __future__ import annotations

from festinger.core.promotion.extractors import Extractor


def extractors() -> tuple[Extractor, ...]:
    """One for each kind of file."""
    return ()
