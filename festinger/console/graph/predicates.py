"""Page of predicates: their dimensions, cardinalities, synonyms and suggestions."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from festinger.api.v1 import validation_service_pb2 as pb
from festinger.console.errors import PageRefused
from festinger.console.visit import PathRoute, Visit
from festinger.console.words import cardinality

PATH: Final = "/admin/predicates"
CARDINALITIES: Final = [
    cardinality(value) for value in pb.Predicate.Cardinality.values() if value
]
FILLED: Final = ("uri", "dimension", "is_isa", "question", "cardinality", "synonyms")


async def listed(visit: Visit) -> web.Response:
    """List the predicates, or those with a name that contains the search term."""
    return await _show(visit)


async def write(visit: Visit) -> web.StreamResponse:
    """Set a predicate, or dismiss its suggestion."""
    try:
        await visit.ask("ValidationService.SetPredicate", await _request(visit))
    except PageRefused as refusal:
        return await _show(visit, refusal.status, str(refusal))
    return visit.go(PATH, q=visit.query("q"), done=visit.said("uri"))


async def _request(visit: Visit) -> pb.SetPredicateRequest:
    uri = visit.said("uri")
    if visit.said("dismiss"):
        # A suggestion is dismissed by its URI alone; nothing is set.
        return pb.SetPredicateRequest(predicate=pb.Predicate(uri=uri), dismiss=True)
    many = visit.said("cardinality")
    # Any other word leaves it unspecified.
    many = many if many in CARDINALITIES else "unspecified"
    said = visit.said("synonyms").lower().split(",")
    synonyms = [it for each in said if (it := each.strip())]
    known = await visit.ask(
        "ValidationService.ListPredicates", pb.ListPredicatesRequest()
    )
    # The form holds the whole list: what is missing in it was removed.
    before = {
        it for each in known.predicates if each.uri == uri for it in each.synonyms
    }
    return pb.SetPredicateRequest(
        predicate=pb.Predicate(
            uri=uri,
            dimension=visit.said("dimension"),
            is_isa=visit.said("is_isa") == "1",
            question=visit.said("question"),
            cardinality=f"CARDINALITY_{many.upper()}",
            # Only new ones are written.
            synonyms=[it for it in synonyms if it not in before],
        ),
        remove_synonyms=sorted(before - set(synonyms)),
    )


async def _show(visit: Visit, status: int = 200, error: str = "") -> web.Response:
    answer = await visit.ask(
        "ValidationService.ListPredicates", pb.ListPredicatesRequest()
    )
    sought = visit.query("q").strip()
    return visit.page(
        "predicates.html",
        status,
        predicates=[it for it in answer.predicates if _is_sought(it, sought)],
        suggestions=answer.suggestions,
        cardinalities=CARDINALITIES,
        sought=sought,
        error=error,
        said={name: visit.said(name) for name in FILLED},
        done=visit.query("done"),
    )


def _is_sought(predicate: pb.Predicate, sought: str) -> bool:
    """Return whether any name of a predicate contains the search term."""
    names = (
        predicate.uri,
        predicate.dimension,
        *predicate.words,
        *predicate.synonyms,
    )
    return any(sought.lower() in name.lower() for name in names)


ROUTES: Final = (PathRoute("GET", PATH, listed), PathRoute("POST", PATH, write))
