"""What items have in common, and how a list of them is narrowed down by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from festinger.console.visit import Visit

OPTIONS_MAX: Final = 12
"""Values of a facet that are offered, the most frequent ones."""
HIGH: Final = 0.7
MEDIUM: Final = 0.5
"""Where high and medium confidence begin."""

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class FacetChoice:
    """What somebody chose to see.

    Attributes:
        view: Which list.
        values: The chosen value of each facet that was narrowed.
    """

    view: str
    values: Mapping[str, str]

    @property
    def kept(self) -> dict[str, str]:
        """What a link says to choose the same."""
        return {"view": self.view, **self.values}

    def without(self, facet: str, value: str = "") -> dict[str, str]:
        """What a link says to choose another value of a facet, or any."""
        return self.kept | {facet: value}


@dataclass(frozen=True, slots=True)
class PropertyFacet:
    """A property of items, and how many have which value of it."""

    name: str
    chosen: str
    options: Sequence[tuple[str, int]]


def choice_of(
    visit: Visit, views: Collection[str], facets: Iterable[str]
) -> FacetChoice:
    """What a visit's address says to show."""
    view = visit.query("view")
    values = {name: visit.query(name) for name in facets}
    return FacetChoice(
        view if view in views else "", {name: it for name, it in values.items() if it}
    )


def narrowed(
    items: Iterable[_Item],
    values_of: Callable[[_Item], Mapping[str, str]],
    choice: FacetChoice,
    facets: Iterable[str],
) -> tuple[list[_Item], list[PropertyFacet]]:
    """The items that were chosen, and what can be chosen of each facet."""
    values = [(item, values_of(item)) for item in items]
    return (
        [item for item, has in values if _fits(has, choice.values)],
        [_facet(name, choice, [has for _, has in values]) for name in facets],
    )


def grade(confidence: float) -> str:
    """A confidence in a word."""
    if confidence >= HIGH:
        return "high"
    return "medium" if confidence >= MEDIUM else "low"


def _fits(has: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    return all(has[name] == value for name, value in wanted.items())


def _facet(
    name: str, choice: FacetChoice, values: Iterable[Mapping[str, str]]
) -> PropertyFacet:
    """What can be chosen of one facet, given what was chosen of the others."""
    others = {key: value for key, value in choice.values.items() if key != name}
    counts = Counter(has[name] for has in values if _fits(has, others))
    mine = choice.values.get(name, "")
    options = [it for it in counts.most_common(OPTIONS_MAX) if it[0] != mine]
    if mine:
        options.insert(0, (mine, counts[mine]))
    return PropertyFacet(name, mine, options)
