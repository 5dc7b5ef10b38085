"""Check how well a sentence supports a statement that a model derived from it (E3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from festinger.core.graph.advice import said
from festinger.core.graph.proposal import Triple
from festinger.core.graph.tokens import tokenise
from festinger.core.language.grounding import (
    THRESHOLDS,
    Band,
    Grounding,
    Guard,
    SourceText,
    StemmedSentence,
    Thresholds,
    ground,
    stands_in,
)
from festinger.core.language.terms import stem

PRIOR = 0.80
"""Maximum confidence of a grounded statement of a model."""
TRIPLES_MAX = 12
"""Maximum number of statements of an answer that are checked."""


def ground_triple(
    triple: Triple, text: str, thresholds: Thresholds = THRESHOLDS
) -> Grounding:
    """Return how well a sentence supports a statement."""
    tokens = {stem(token.text) for token in tokenise(text)}
    # Both names must stand in it, in any form of the word: "repos" names `repo`.
    if not {stem(triple.concept), stem(triple.parent)} <= tokens:
        return Grounding(0.0, Band.REJECTED)
    held = SourceText(text)
    said_so = [
        each for each in _phrases(triple) if stands_in(StemmedSentence(each), held)
    ]
    # A common phrasing that stands in the sentence grounds the statement.
    best = ground(
        said_so[0] if said_so else _plainly(triple), held, thresholds=thresholds
    )
    # A negation may belong to something else in the sentence: then people decide.
    if StemmedSentence(text).negated == triple.negated:
        return best
    failed = tuple({*best.failed, Guard.NEGATION})
    band = thresholds.band(best.score, failed) if said_so else Band.REJECTED
    return replace(best, band=band, failed=failed)


def _phrases(triple: Triple) -> Iterator[str]:
    """Yield common phrasings of a statement."""
    concept, parent = _spaced(triple.concept), _spaced(triple.parent)
    yield _spaced(said(triple))
    if triple.negated:
        return
    if triple.is_isa:
        yield f"{concept} is an {parent}"
        yield f"{concept} is the {parent}"
        yield f"{concept}, a {parent}"
        yield f"{concept}, an {parent}"
        yield f"{concept}, the {parent}"
        yield f"{concept} {parent}"
        yield f"{parent} {concept}"
    else:
        links = (triple.dimension, "of", "in", "at", "on", "is part of", "runs on")
        for link in links:
            yield f"{concept} {_spaced(link)} {parent}"
            yield f"{concept} {_spaced(link)} the {parent}"
        yield f"{parent}'s {concept}"


def _plainly(triple: Triple) -> str:
    """Return a statement in words, for a sentence without a common phrasing."""
    if triple.is_isa or triple.negated:
        return _spaced(said(triple))
    return _spaced(f"{triple.concept} in {triple.parent}")


def _spaced(name: str) -> str:
    return name.replace("_", " ")
