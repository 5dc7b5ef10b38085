"""Whether rules that hold statements without asking still read as they used to.

What rules held outright is compared with what people, and models at night, said of the same
later: that it is so, or that it is not. Statements of the last weeks are set beside older
ones, rule by rule, and Fisher's exact test says how probably chance alone would have made
the new ones so much worse. With many rules one of them always looks bad, so the level is
divided by how many are tested (Bonferroni).

Not every reversal is an error of a rule: the world changes too. It does so at all times, so
what a comparison with older statements shows is something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, lgamma
from typing import NamedTuple

RECENT_SECONDS = 30 * 86_400.0
"""What is newer is compared with what is older."""
LOOKED_SECONDS = 365 * 86_400.0
"""What is older than this is not looked at."""
COMPARED_MIN = 10
"""A rule with fewer comparisons, new or old, is not tested."""
LEVEL = 0.01
"""So probably chance is called drift, of all rules together."""
SHOWN_MAX = 5


class Count(NamedTuple):
    """How a rule's statements compare, of one period.

    Attributes:
        rule: The pattern that found them. Example: `is a`.
        recent: Whether they are of the last weeks.
        agreed: So many were said again by people or at night.
        denied: So many were denied, retracted, replaced or rejected.
    """

    rule: str
    recent: bool
    agreed: int
    denied: int


@dataclass(frozen=True, slots=True)
class RuleDrift:
    """What of a rule's statements was denied, and before.

    Attributes:
        chance: How probably chance made it so much worse; 1 where too few are known.
    """

    rule: str
    agreed: int
    denied: int
    agreed_before: int
    denied_before: int
    chance: float = 1.0

    @property
    def compared(self) -> int:
        """How many of the last weeks could be compared."""
        return self.agreed + self.denied

    @property
    def compared_before(self) -> int:
        """How many of before could be."""
        return self.agreed_before + self.denied_before

    @property
    def is_tested(self) -> bool:
        """Whether there are enough of both."""
        return min(self.compared, self.compared_before) >= COMPARED_MIN

    def __str__(self) -> str:
        text = f"{self.rule}: {self.denied} of {self.compared} denied"
        if self.compared_before:
            text += f", before {self.denied_before} of {self.compared_before}"
        return text + (f" (p = {self.chance:.2g})" if self.is_tested else "")


@dataclass(frozen=True, slots=True)
class Drift:
    """How what rules held differs from what was said later.

    Attributes:
        rules: All that were compared, those that differ most first.
        drifting: Those whose change is more than chance explains.
        whole: All rules together.
    """

    rules: tuple[RuleDrift, ...] = ()
    drifting: tuple[str, ...] = ()
    whole: RuleDrift = RuleDrift("all rules", 0, 0, 0, 0)


def compare(counts: Iterable[Count]) -> Drift:
    """Compares what is new with what is old; the order means nothing."""
    found: dict[str, list[int]] = {}
    for count in counts:
        at = 0 if count.recent else 2
        sums = found.setdefault(count.rule, [0, 0, 0, 0])
        sums[at] += count.agreed
        sums[at + 1] += count.denied
    rules = [_tested(rule, sums) for rule, sums in found.items()]
    whole = _tested(
        Drift().whole.rule, [sum(it) for it in zip(*found.values(), strict=True)]
    )
    together = (whole,) if len(rules) > 1 else ()
    tested = [rule for rule in (*rules, *together) if rule.is_tested]
    drifting = sorted(it.rule for it in tested if it.chance * len(tested) < LEVEL)
    return Drift(tuple(sorted(rules, key=_worst_first)), tuple(drifting), whole)


def _worst_first(rule: RuleDrift) -> tuple[float, float, str]:
    return rule.chance, -rule.denied / max(1, rule.compared), rule.rule


def _tested(rule: str, sums: Sequence[int]) -> RuleDrift:
    agreed, denied, agreed_before, denied_before = sums or (0, 0, 0, 0)
    untested = RuleDrift(rule, agreed, denied, agreed_before, denied_before)
    if not untested.is_tested:
        return untested
    chance = fisher(denied, untested.compared, denied_before, untested.compared_before)
    return RuleDrift(rule, agreed, denied, agreed_before, denied_before, chance)


def fisher(denied: int, compared: int, denied_before: int, before: int) -> float:
    """How probably as many or more of the denied are new ones, by chance alone.

    The one-sided test of Fisher: the tail of the hypergeometric distribution.
    """
    whole, all_denied = compared + before, denied + denied_before
    most = min(compared, all_denied)
    ways = _log_ways(whole, all_denied)
    tail = sum(
        exp(_log_ways(compared, it) + _log_ways(before, all_denied - it) - ways)
        for it in range(denied, most + 1)
    )
    return min(1.0, tail)


def _log_ways(of: int, some: int) -> float:
    """The logarithm of in how many ways some can be chosen."""
    return lgamma(of + 1) - lgamma(some + 1) - lgamma(of - some + 1)
