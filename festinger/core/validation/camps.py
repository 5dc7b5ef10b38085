"""Two camps of raters: the split that explains most of the disagreement.

Honest raters err each in tasks of their own. Raters who were told what to answer disagree
with all others in the same tasks, however well they answer the rest, and though no two of
them answer many tasks together. So their disagreement has one common factor: the first
singular vector of the matrix of answers, each less the mean answer to its task. Community
Notes explains ratings by such a factor. Time is linear in the number of answers.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import sqrt

from festinger.core.validation.votes import Tally

ROUNDS = 40
"""Rounds of the power iteration."""
GOLDEN = 0.618
"""Golden ratio: its multiples are spread evenly over [0.0, 1.0)."""
APART_MIN = 1.5
"""Minimum score of a member, in standard deviations of independent disagreement."""
LEANING_MIN = 0.5
"""Minimum score of who may be a member."""

Residuals = list[tuple[int, float]]
"""Numbers of tasks and the disagreement of one rater there; of length 1 as a vector."""


@dataclass(frozen=True, slots=True)
class Camp:
    """Raters who disagree with the others in the same tasks.

    Attributes:
        core: Those who surely do, in the order of their names.
        leaning: Those who may, the core among them.
    """

    core: list[str]
    leaning: list[str]


def camps(tally: Tally, raters: Collection[str]) -> list[Camp]:
    """Return the two camps of raters; none if there is no disagreement."""
    # The factor says who differs together, not who is right: `blocs` tries both ends.
    rows = _residuals(tally, raters)
    if len(rows) < 2:  # one rater cannot differ from the others
        return []
    loading = _first_factor(rows, len(tally))
    scores = _scores(rows, loading, len(tally))
    return [
        Camp(
            [rater for rater in rows if side * scores[rater] >= APART_MIN],
            [rater for rater in rows if side * scores[rater] >= LEANING_MIN],
        )
        for side in (1.0, -1.0)
    ]


def _residuals(tally: Tally, raters: Collection[str]) -> dict[str, Residuals]:
    """Return the disagreement of each rater with the mean answer, in contested tasks."""
    rows: dict[str, Residuals] = {rater: [] for rater in sorted(raters)}
    for at, task in enumerate(sorted(tally)):
        answers = tally[task]
        if len(set(answers.values())) < 2:  # all agree: says nothing of camps
            continue
        # Yes is 1 and no is -1, so that the mean tells how even it was.
        mean = sum(2 * yes - 1 for yes in answers.values()) / len(answers)
        for rater, yes in answers.items():
            if rater in rows:
                # The more even the answers, the more a task tells of the camps.
                rows[rater].append((at, (2 * yes - 1 - mean) * (1.0 - mean * mean)))
    return {rater: _unit(row) for rater, row in rows.items() if row}


def _unit(row: Residuals) -> Residuals:
    # Length 1: who answers a thousand tasks must not be the factor by themselves.
    length = sqrt(sum(value * value for _, value in row))
    return [(at, value / length) for at, value in row]


def _first_factor(rows: dict[str, Residuals], size: int) -> dict[str, float]:
    """Return the loadings of the raters on the first factor, by power iteration."""
    # Spread evenly by position: no draw, so that the same answers have the same camps.
    loading = {rater: at * GOLDEN % 1.0 - 0.5 for at, rater in enumerate(rows, 1)}
    for _ in range(ROUNDS):
        factor = _factor(rows, loading, size)
        loading = {
            rater: sum(value * factor[at] for at, value in row)
            for rater, row in rows.items()
        }
        length = sqrt(sum(value * value for value in loading.values())) or 1.0
        loading = {rater: value / length for rater, value in loading.items()}
    return loading


def _factor(
    rows: dict[str, Residuals], loading: dict[str, float], size: int
) -> list[float]:
    """Return the factor of each task, given the loadings of the raters."""
    factor = [0.0] * size
    for rater, row in rows.items():
        own = loading[rater]
        for at, value in row:
            factor[at] += value * own
    return factor


def _scores(
    rows: dict[str, Residuals], loading: dict[str, float], size: int
) -> dict[str, float]:
    """Return how far each rater follows the factor of the others, in deviations."""
    factor = _factor(rows, loading, size)
    scores: dict[str, float] = {}
    for rater, row in rows.items():
        # Less what the rater adds to the factor: nobody agrees with themselves.
        parts = [value * (factor[at] - value * loading[rater]) for at, value in row]
        spread = sqrt(sum(part * part for part in parts))
        scores[rater] = sum(parts) / spread if spread > 0.0 else 0.0
    return scores
