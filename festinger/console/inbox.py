"""The candidates that a reviewer chose to see, and what they have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.api.v1.claim_pb2 import Claim
from festinger.console.visit import Visit
from festinger.console.words import claim_kind, claim_type

LOADED_MAX: Final = 2000
"""Candidates that are looked at; behind them, none is shown or counted."""
PAGE_SIZE: Final = 1000
OPTIONS_MAX: Final = 12
"""Values of a facet that are offered, the most frequent ones."""
DAY: Final = 86_400.0
HIGH: Final = 0.7
MEDIUM: Final = 0.5
"""Where high and medium confidence begin."""

NOWHERE: Final = "(none)"
BY_HAND: Final = "(by hand)"

VIEWS: Final[Mapping[str, str]] = {
    "": "Waiting",
    "deferred": "Deferred",
    "stale": "Stale",
}
FACETS: Final = (
    "kind", "type", "project", "extractor", "subject", "conflict", "age", "confidence",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Choice:
    """What a reviewer chose to see.

    Attributes:
        view: One of `VIEWS`.
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
class Facet:
    """A property of candidates, and how many have which value of it."""

    name: str
    chosen: str
    options: Sequence[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Inbox:
    """What is seen.

    Attributes:
        claims: Those that were chosen, oldest first.
        count: How many there are in each view, whatever else was chosen.
        more: Whether there are some that were not looked at.
    """

    choice: Choice
    claims: Sequence[Any]
    facets: Sequence[Facet]
    count: Mapping[str, int]
    more: bool

    def focus(self, at: int) -> int | None:
        """Where the claim is that is looked at: this one, or the next; None if none is."""
        numbers = [claim.id for claim in self.claims]
        if at in numbers:
            return numbers.index(at)
        behind = [place for place, number in enumerate(numbers) if number > at]
        return (behind or [0])[0] if numbers else None


def chosen(visit: Visit) -> Choice:
    """What a visit's address says to show."""
    view = visit.query("view")
    values = {name: visit.query(name) for name in FACETS}
    return Choice(
        view if view in VIEWS else "", {name: it for name, it in values.items() if it}
    )


async def opened(visit: Visit) -> Inbox:
    """What a visit's address says to show. Raises `Refused`."""
    choice = chosen(visit)
    claims, more = await _loaded(visit)
    now = visit.pages.now()
    views: dict[str, list[Any]] = {
        "": [it for it in claims if not it.HasField("defer_time")],
        "deferred": [it for it in claims if it.HasField("defer_time")],
        "stale": [it for it in claims if it.stale],
    }
    values = [(it, _values(it, now)) for it in views[choice.view]]
    return Inbox(
        choice,
        [it for it, has in values if _fits(has, choice.values)],
        [_facet(name, choice, [has for _, has in values]) for name in FACETS],
        {view: len(those) for view, those in views.items()},
        more,
    )


async def _loaded(visit: Visit) -> tuple[list[Any], bool]:
    request = pb.ListClaimsRequest(
        statuses=[Claim.STATUS_CANDIDATE], deferred=True, page_size=PAGE_SIZE
    )
    claims: list[Any] = []
    while len(claims) < LOADED_MAX:
        page = await visit.ask("promotion.ListClaims", request)
        claims += page.claims
        request.page_token = page.next_page_token
        if not request.page_token:
            return claims, False
    return claims, True


def _values(claim: Any, now: float) -> dict[str, str]:
    """What a claim's value of each facet is."""
    days = (now - claim.pending_time.seconds) / DAY
    confidence = claim.confidence
    return {
        "kind": claim_kind(claim.kind),
        "type": claim_type(claim.type),
        "project": claim.project or NOWHERE,
        "extractor": claim.origin.extractor or BY_HAND,
        "subject": claim.subject or NOWHERE,
        "conflict": "yes" if claim.contradicts else "no",
        "age": "today" if days < 1 else "week" if days < 7 else "older",
        "confidence": "high"
        if confidence >= HIGH
        else "medium"
        if confidence >= MEDIUM
        else "low",
    }


def _fits(has: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    return all(has[name] == value for name, value in wanted.items())


def _facet(name: str, choice: Choice, values: Iterable[Mapping[str, str]]) -> Facet:
    """What can be chosen of one facet, given what was chosen of the others."""
    others = {key: value for key, value in choice.values.items() if key != name}
    counts = Counter(has[name] for has in values if _fits(has, others))
    mine = choice.values.get(name, "")
    options = [it for it in counts.most_common(OPTIONS_MAX) if it[0] != mine]
    if mine:
        options.insert(0, (mine, counts[mine]))
    return Facet(name, mine, options)
