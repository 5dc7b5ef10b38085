"""How likely each line helps with a prompt: features, weighed by a logistic function.

The weights are data (`weights.json`, with their origin); `python -m benchmarks.relevance
--fit` makes them anew from labelled conversations.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, log
from typing import Any, Final

from festinger.core.language.marks import Mark
from festinger.core.language.terms import terms
from festinger.core.recollection.index import (
    FACT_KINDS,
    IndexedLine,
    LineIndex,
    Match,
)
from festinger.core.recollection.query import Query
from festinger.core.recollection.scopes import ELSEWHERE, is_elsewhere, shares_name

FEATURES: Final = (
    "own", "relative", "context", "covered", "covered_rare", "shared", "rarest",
    "same_project", "no_project", "asker_said", "asker_named", "speaker_named",
    "question", "request", "change", "negation", "knowledge", "number", "hedge",
    "recent", "length", "outdated",
)  # fmt: skip
"""What a line is judged by, in the order of `features_of`."""

RECENT_LINES: Final = 60.0
"""Lines after which one counts as half as recent."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A line, how likely it helps, and why."""

    line: IndexedLine
    probability: float
    features: Mapping[str, float]
    shared: int


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of one logistic function."""

    bias: float
    weights: Mapping[str, float]

    def probability(self, features: Mapping[str, float]) -> float:
        """Return the function's value."""
        total = self.bias + sum(
            weight * features[name] for name, weight in self.weights.items()
        )
        return 1 / (1 + exp(-max(-40.0, min(40.0, total))))


@cache
def weights(name: str) -> Weights:
    """Return the weights of a name: `line` or `gate`."""
    found = weights_file()[name]
    return Weights(found["bias"], found["weights"])


@cache
def weights_file() -> dict[str, Any]:
    """Return all that `weights.json` holds."""
    text = (
        files("festinger.core.recollection").joinpath("weights.json").read_text("utf-8")
    )
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def score(index: LineIndex, query: Query) -> list[Scored]:
    """Return the lines that may help, the likeliest first."""
    matches = [
        *index.search(query.wanted, query.project),
        *index.facts(query.named, query.asker, query.names),
    ]
    features = features_of(index, query, matches)
    line_weights = weights("line")
    scored = [
        Scored(
            match.line,
            line_weights.probability(each) * _nearness(query, match),
            each,
            match.shared,
        )
        for match, each in zip(matches, features, strict=True)
    ]
    # Of lines that are as likely, the newer one.
    scored.sort(key=lambda it: (it.probability, it.line.number), reverse=True)
    return scored


def _nearness(query: Query, match: Match) -> float:
    """Return 1, or less for a line of another project that shares no name (J5)."""
    if not is_elsewhere(match.line, query.project):
        return 1.0
    shared = [query.terms[at] for at in _bits(match.shared)]
    everyday = [term for term in shared if query.is_everyday(term)]
    return 1.0 if shares_name(match.line, shared, everyday) else ELSEWHERE


def features_of(
    index: LineIndex, query: Query, matches: Sequence[Match]
) -> list[dict[str, float]]:
    """Return the features of lines that share terms with a query.

    Args:
        matches: The best first; some features are relative to the others.
    """
    if not matches:
        return []
    worth = [w * it for w, it in zip(query.weights, query.idf, strict=True)]
    rare = [w * it for w, it in zip(query.weights, query.rarities, strict=True)]
    turns = _terms_of_turns(index, query, matches)
    best = {True: 0.0, False: 0.0}
    for match in matches:
        is_fact = match.line.kind in FACT_KINDS
        best[is_fact] = max(best[is_fact], match.score)
    asker, asked = _name(query.asker), set(query.terms)
    outdated = _outdated(matches, worth)
    found = []
    for match, late in zip(matches, outdated, strict=True):
        line, shared = match.line, match.shared
        around = turns[line.kind, line.key] & ~shared
        marks = line.marks
        found.append(
            dict(
                zip(
                    FEATURES,
                    (
                        match.score,
                        match.score / (best[line.kind in FACT_KINDS] or 1.0),
                        _sum(worth, around),
                        _sum(worth, shared) / (sum(worth) or 1.0),
                        _sum(rare, shared) / (sum(rare) or 1.0),
                        float(shared.bit_count()),
                        max((query.idf[at] for at in _bits(shared)), default=0.0),
                        float(
                            bool(query.project)
                            and _is_same(line.project, query.project)
                        ),
                        float(not line.project),
                        float(
                            bool(line.speaker) and _is_same(line.speaker, query.asker)
                        ),
                        float(bool(asker) and asker in terms(line.content)),
                        float(bool(line.speaker) and _name(line.speaker) in asked),
                        float(Mark.QUESTION in marks),
                        float(Mark.REQUEST in marks),
                        float(Mark.CHANGE in marks),
                        float(Mark.NEGATION in marks),
                        float(Mark.KNOWLEDGE in marks),
                        float(Mark.NUMBER in marks),
                        float(Mark.HEDGE in marks),
                        1 / (1 + index.age_of(line) / RECENT_LINES),
                        log(1 + len(line.text.split())),
                        late,
                    ),
                    strict=True,
                )
            )
        )
    return found


def _terms_of_turns(
    index: LineIndex, query: Query, matches: Sequence[Match]
) -> dict[tuple[Any, Any], int]:
    """Return which terms of the query the other lines of each turn have, as bits."""
    found: dict[tuple[Any, Any], int] = {}
    for match in matches:
        source = match.line.kind, match.line.key
        if source not in found:
            words: set[str] = set()
            for line in index.lines_of(*source):
                words.update(terms(line.content), terms(line.heading))
            found[source] = query.shared(words)
    return found


def _outdated(matches: Sequence[Match], worth: Sequence[float]) -> list[float]:
    """Return how far a later line that speaks of a change shares what a line matched by."""
    changes = [match for match in matches if Mark.CHANGE in match.line.marks]
    outdated = []
    for match in matches:
        whole = _sum(worth, match.shared) or 1.0
        outdated.append(
            max(
                (
                    _sum(worth, match.shared & other.shared) / whole
                    for other in changes
                    if other.line.number > match.line.number
                    and other.line.key != match.line.key
                    and (
                        _is_same(other.line.project, match.line.project)
                        or not (other.line.project and match.line.project)
                    )
                ),
                default=0.0,
            )
        )
    return outdated


def _bits(mask: int) -> list[int]:
    return [at for at in range(mask.bit_length()) if mask >> at & 1]


def _sum(values: Sequence[float], mask: int) -> float:
    return sum(values[at] for at in _bits(mask))


def _is_same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _name(name: str) -> str:
    """Return the term of somebody's first name; empty if there is none."""
    found = terms(name.replace("-", " ").replace("_", " "))
    return found[0] if found else ""
