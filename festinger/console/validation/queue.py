"""Lists of pending and decided candidates for moderators, with their facets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from festinger.api.v1 import candidate_service_pb2 as pb
from festinger.api.v1.candidate_pb2 import Candidate
from festinger.api.v1.validation_pb2 import LANE_MODERATOR
from festinger.console.facets import (
    FacetChoice,
    PropertyFacet,
    choice_of,
    grade,
    loaded,
    narrowed,
)
from festinger.console.visit import Visit
from festinger.console.words import candidate_state, lane, priority

DECIDED_MAX: Final = 200
"""The maximum number of decided candidates that are loaded, the newest ones."""
NEVER: Final = 2**62

VIEWS: Final[Mapping[str, str]] = {"": "Waiting", "decided": "Decided"}
FACETS: Final = (
    "predicate", "priority", "lane", "state", "flagged", "sensitive", "contradicts",
    "extractor", "confidence",
)  # fmt: skip
DECIDED: Final = (
    Candidate.STATE_CONFIRMED,
    Candidate.STATE_REJECTED,
    Candidate.STATE_EXPIRED,
)


@dataclass(frozen=True, slots=True)
class WaitingView:
    """Selected candidates.

    Attributes:
        choice: The selected view and filters.
        candidates: The selected candidates: pending ones by urgency, decided ones by the
            time of the decision, latest first.
        facets: The facets with their options.
        more: Whether there are candidates that were not loaded.
    """

    choice: FacetChoice
    candidates: Sequence[Any]
    facets: Sequence[PropertyFacet]
    more: bool

    def focus(self, at: int) -> int | None:
        """Return the index of a candidate, or else 0; None if the list is empty."""
        numbers = [candidate.id for candidate in self.candidates]
        if at in numbers:
            return numbers.index(at)
        return 0 if numbers else None

    def alike(self, candidate: Any) -> list[Any]:
        """Return the other candidates of the same sentence."""
        return [
            other
            for other in self.candidates
            if candidate.evidence
            and said(other) == said(candidate)
            and other.id != candidate.id
        ]


def said(candidate: Any) -> str:
    """Return a candidate's sentence, normalized for comparison."""
    return " ".join(candidate.evidence.split()).casefold()


def chosen(visit: Visit) -> FacetChoice:
    """Return the selection of a request's query."""
    return choice_of(visit, VIEWS, FACETS)


async def opened(visit: Visit) -> WaitingView:
    """Load the candidates of a request's query. Raises `PageRefused`."""
    choice = chosen(visit)
    if choice.view == "decided":
        found, more = await _decided(visit)
    else:
        found, more = await pending(visit)
    shown, facets = narrowed(found, _values, choice, FACETS)
    return WaitingView(choice, shown, facets, more)


async def pending(visit: Visit) -> tuple[list[Any], bool]:
    """Return pending candidates by urgency, and whether there are more.

    Raises:
        PageRefused: They cannot be read.
    """
    request = pb.ListCandidatesRequest(states=[Candidate.STATE_PENDING_VALIDATION])
    found, more = await loaded(
        visit, "candidates.ListCandidates", request, "candidates"
    )
    return sorted(found, key=_urgency), more


async def for_moderators(visit: Visit) -> tuple[list[Any], bool]:
    """Return the candidates for moderators, and whether there are more.

    They are the pending ones of the moderators' lane and all flagged ones.

    Raises:
        PageRefused: They cannot be read.
    """
    found, more = await pending(visit)
    again = await visit.ask(
        "candidates.ListCandidates",
        pb.ListCandidatesRequest(
            states=DECIDED, flagged=True, newest_first=True, page_size=DECIDED_MAX
        ),
    )
    mine = [it for it in found if it.lane == LANE_MODERATOR or it.flagged]
    return [*mine, *again.candidates], more or bool(again.next_page_token)


async def _decided(visit: Visit) -> tuple[list[Any], bool]:
    page = await visit.ask(
        "candidates.ListCandidates",
        pb.ListCandidatesRequest(
            states=DECIDED, newest_first=True, page_size=DECIDED_MAX
        ),
    )
    last = sorted(page.candidates, key=lambda it: -it.decide_time.ToNanoseconds())
    return last, bool(page.next_page_token)


def _urgency(candidate: Any) -> tuple[int, int, int]:
    """Return the sort key: by priority, then by expiry, then by age."""
    over = NEVER
    if candidate.HasField("expire_time"):
        over = candidate.expire_time.ToNanoseconds()
    return candidate.priority, over, candidate.id


def _values(candidate: Any) -> dict[str, str]:
    """Return a candidate's value of each facet."""
    return {
        "predicate": candidate.predicate or candidate.triple.dimension,
        "priority": priority(candidate.priority),
        "lane": lane(candidate.lane),
        "state": "belief" if candidate.belief else candidate_state(candidate.state),
        "flagged": _yes(candidate.flagged),
        "sensitive": _yes(candidate.sensitive),
        "contradicts": _yes(candidate.contradicts),
        "extractor": candidate.extractor_version or candidate.proposer,
        "confidence": grade(candidate.confidence),
    }


def _yes(value: object) -> str:
    return "yes" if value else "no"
