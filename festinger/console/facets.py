"""Faceted filtering of lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from festinger.console.visit import Visit

LOADED_MAX: Final = 2000
"""The maximum number of items that are loaded; the rest is not counted."""
PAGE_SIZE: Final = 1000

OPTIONS_MAX: Final = 12
"""The maximum number of values of a facet that are offered, by frequency."""
HIGH: Final = 0.7
MEDIUM: Final = 0.5
"""The lower bounds of high (`HIGH`) and medium (`MEDIUM`) confidence."""

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class FacetChoice:
    """Selected view and filters of a list.

    Attributes:
        view: The name of the list; empty for the default one.
        values: The selected values by facet, without the facets that are not filtered.
    """

    view: str
    values: Mapping[str, str]

    @property
    def kept(self) -> dict[str, str]:
        """The query parameters of this selection."""
        return {"view": self.view, **self.values}

    def without(self, facet: str, value: str = "") -> dict[str, str]:
        """Return the query parameters with another value of a facet, or with none."""
        return self.kept | {facet: value}


@dataclass(frozen=True, slots=True)
class PropertyFacet:
    """Property of items, with the number of items per value.

    Attributes:
        name: The name of the facet.
        chosen: The selected value; empty if there is none.
        options: The values and their counts.
    """

    name: str
    chosen: str
    options: Sequence[tuple[str, int]]


def choice_of(
    visit: Visit, views: Collection[str], facets: Iterable[str]
) -> FacetChoice:
    """Return the selection of a request's query."""
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
    """Return the selected items, and the facets with their options."""
    values = [(item, values_of(item)) for item in items]
    return (
        [item for item, has in values if _fits(has, choice.values)],
        [_facet(name, choice, [has for _, has in values]) for name in facets],
    )


async def loaded(
    visit: Visit, method: str, request: Any, field: str
) -> tuple[list[Any], bool]:
    """Return the items of a listing call, and whether there are more.

    Args:
        request: The request of the first page.
        field: The field of the response with the items.

    Raises:
        PageRefused: They cannot be read.
    """
    request.page_size = PAGE_SIZE
    found: list[Any] = []
    while len(found) < LOADED_MAX:
        page = await visit.ask(method, request)
        found += getattr(page, field)
        request.page_token = page.next_page_token
        if not request.page_token:
            break
    return found, bool(request.page_token)


def grade(confidence: float) -> str:
    """Return a confidence as `high`, `medium` or `low`."""
    if confidence >= HIGH:
        return "high"
    return "medium" if confidence >= MEDIUM else "low"


def _fits(has: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    return all(has[name] == value for name, value in wanted.items())


def _facet(
    name: str, choice: FacetChoice, values: Iterable[Mapping[str, str]]
) -> PropertyFacet:
    """Return a facet with its options, given the filters of the other facets."""
    others = {key: value for key, value in choice.values.items() if key != name}
    counts = Counter(has[name] for has in values if _fits(has, others))
    mine = choice.values.get(name, "")
    options = [it for it in counts.most_common(OPTIONS_MAX) if it[0] != mine]
    if mine:
        options.insert(0, (mine, counts[mine]))
    return PropertyFacet(name, mine, options)
