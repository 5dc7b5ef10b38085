"""How well a sentence supports a statement that a model made of it (E3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from festinger.core.graph.counsel import said
from festinger.core.graph.proposal import Triple
from festinger.core.graph.tokens import tokenise
from festinger.core.language.grounding import (
    THRESHOLDS,
    Band,
    Grounding,
    Guard,
    StemmedSentence,
    Text,
    Thresholds,
    ground,
    stands_in,
    stem,
)

PRIOR = 0.80
"""How far a grounded statement of a model's is relied on, at most."""
TRIPLES_MAX = 12
"""How many statements of an answer are looked at."""


def ground_triple(
    triple: Triple, text: str, thresholds: Thresholds = THRESHOLDS
) -> Grounding:
    """How well a sentence supports a statement.

    Both names must stand in it. What is said of the one in so many words grounds the
    statement, unless anything is denied in the same sentence; then people decide.
    """
    tokens = {stem(token.text) for token in tokenise(text)}
    if not {stem(triple.concept), stem(triple.parent)} <= tokens:
        return Grounding(0.0, Band.REJECTED)
    held = Text(text)
    said_so = [
        each for each in _phrases(triple) if stands_in(StemmedSentence(each), held)
    ]
    best = ground(
        said_so[0] if said_so else _plainly(triple), held, thresholds=thresholds
    )
    if StemmedSentence(text).negated == triple.negated:
        return best
    failed = tuple({*best.failed, Guard.NEGATION})
    band = thresholds.band(best.score, failed) if said_so else Band.REJECTED
    return replace(best, band=band, failed=failed)


def _phrases(triple: Triple) -> Iterator[str]:
    """The ways in which people say such a thing."""
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
    """A statement in words that a sentence has whose own words are others."""
    if triple.is_isa or triple.negated:
        return _spaced(said(triple))
    return _spaced(f"{triple.concept} in {triple.parent}")


def _spaced(name: str) -> str:
    return name.replace("_", " ")
