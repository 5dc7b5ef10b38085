"""Drift of the rules that hold statements without asking people.

Statements that rules held are compared with the later answers of people and dreaming
models, which agree or deny. For each rule, recent statements are compared with older
ones: the world changes too, but that affects both alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import exp, lgamma
from typing import NamedTuple

from festinger.core.graph.values.dates import DAY

RECENT_SECONDS = 30 * DAY
"""Age up to which statements are recent."""
LOOKED_SECONDS = 365 * DAY
"""Age up to which statements are compared at all."""
COMPARED_MIN = 10
"""Minimum number of comparisons, recent and older, to test a rule."""
LEVEL = 0.01
"""Significance level of all rules together."""
SHOWN_MAX = 5


class RuleCounts(NamedTuple):
    """Counts of a rule's statements in one period.

    Attributes:
        rule: The pattern that found the statements. Example: `is a`.
        recent: Whether they are recent (`RECENT_SECONDS`).
        agreed: Number of statements that people or dreaming models repeated.
        denied: Number of statements that were denied, retracted, replaced or rejected.
    """

    rule: str
    recent: bool
    agreed: int
    denied: int


@dataclass(frozen=True, slots=True)
class RuleDrift:
    """Comparison of a rule's recent statements with its older ones.

    Attributes:
        rule: The pattern that found the statements.
        chance: Probability of so many denials by chance (the p-value); 1 if there are
            too few comparisons.
    """

    rule: str
    agreed: int
    denied: int
    agreed_before: int
    denied_before: int
    chance: float = 1.0

    @property
    def compared(self) -> int:
        """The number of recent comparisons."""
        return self.agreed + self.denied

    @property
    def compared_before(self) -> int:
        """The number of older comparisons."""
        return self.agreed_before + self.denied_before

    @property
    def is_tested(self) -> bool:
        """True if there are enough recent and older comparisons for a test."""
        return min(self.compared, self.compared_before) >= COMPARED_MIN

    def __str__(self) -> str:
        text = f"{self.rule}: {self.denied} of {self.compared} denied"
        if self.compared_before:
            text += f", before {self.denied_before} of {self.compared_before}"
        return text + (f" (p = {self.chance:.2g})" if self.is_tested else "")


@dataclass(frozen=True, slots=True)
class Drift:
    """Comparison of all rules.

    Attributes:
        rules: The comparison of each rule, the most significant first.
        drifting: Names of the rules whose change is significant.
    """

    rules: tuple[RuleDrift, ...] = ()
    drifting: tuple[str, ...] = ()
    whole: RuleDrift = RuleDrift("all rules", 0, 0, 0, 0)


def compare(counts: Iterable[RuleCounts]) -> Drift:
    """Compare recent with older statements; the counts may be in any order."""
    found: dict[str, list[int]] = {}
    for count in counts:
        # Four sums of a rule: agreed and denied recently, agreed and denied before.
        at = 0 if count.recent else 2
        sums = found.setdefault(count.rule, [0, 0, 0, 0])
        sums[at] += count.agreed
        sums[at + 1] += count.denied
    rules = [_tested(rule, sums) for rule, sums in found.items()]
    # Without any rule the zip is empty, and `_tested` gets no sums.
    whole = _tested(
        Drift().whole.rule, [sum(it) for it in zip(*found.values(), strict=True)]
    )
    # Of a single rule, "all rules" would be the same test twice.
    together = (whole,) if len(rules) > 1 else ()
    tested = [rule for rule in (*rules, *together) if rule.is_tested]
    # Bonferroni: one of many rules always looks bad, so the level is shared by all tests.
    drifting = sorted(it.rule for it in tested if it.chance * len(tested) < LEVEL)
    rules.sort(key=lambda it: (it.chance, -it.denied / max(1, it.compared), it.rule))
    return Drift(tuple(rules), tuple(drifting), whole)


def _tested(rule: str, sums: Sequence[int]) -> RuleDrift:
    agreed, denied, agreed_before, denied_before = sums or (0, 0, 0, 0)
    untested = RuleDrift(rule, agreed, denied, agreed_before, denied_before)
    if not untested.is_tested:
        return untested
    chance = fisher(denied, untested.compared, denied_before, untested.compared_before)
    return replace(untested, chance=chance)


def fisher(denied: int, compared: int, denied_before: int, before: int) -> float:
    """Return the p-value of Fisher's one-sided exact test.

    Args:
        denied: Number of recent statements that were denied.
        compared: Number of recent statements.
        denied_before: Number of older statements that were denied.
        before: Number of older statements.
    """
    # Exact, since the counts of a rule are often too small for a normal approximation.
    whole, all_denied = compared + before, denied + denied_before
    most = min(compared, all_denied)
    # In logarithms: the binomial coefficients of a thousand statements overflow a float.
    ways = _log_ways(whole, all_denied)
    # The tail of the hypergeometric distribution: so many denials, or more, by chance.
    tail = sum(
        exp(_log_ways(compared, it) + _log_ways(before, all_denied - it) - ways)
        for it in range(denied, most + 1)
    )
    return min(1.0, tail)  # rounding may lead beyond 1


def _log_ways(of: int, some: int) -> float:
    """Return the logarithm of the binomial coefficient `of` over `some`."""
    return lgamma(of + 1) - lgamma(some + 1) - lgamma(of - some + 1)
