"""Page of predicates: their dimensions, cardinalities, synonyms and suggestions."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from festinger.api.v1 import validation_service_pb2 as pb
from festinger.console.context import PathRoute, RequestContext
from festinger.console.enum_names import cardinality
from festinger.console.errors import PageRefused

PATH: Final = "/admin/predicates"
CARDINALITIES: Final = [
    cardinality(value) for value in pb.Predicate.Cardinality.values() if value
]
FILLED: Final = ("uri", "dimension", "is_isa", "question", "cardinality", "synonyms")


async def write(context: RequestContext) -> web.StreamResponse:
    """Set a predicate, or dismiss its suggestion."""
    try:
        await context.ask(await _request(context))
    except PageRefused as refusal:
        return await listed(context, refusal.status, str(refusal))
    return context.go(PATH, q=context.query("q"), done=context.field("uri"))


async def _request(context: RequestContext) -> pb.SetPredicateRequest:
    uri = context.field("uri")
    if context.field("dismiss"):
        # A suggestion is dismissed by its URI alone; nothing is set.
        return pb.SetPredicateRequest(predicate=pb.Predicate(uri=uri), dismiss=True)
    many = context.field("cardinality")
    # Any other word leaves it unspecified.
    many = many if many in CARDINALITIES else "unspecified"
    said = context.field("synonyms").lower().split(",")
    synonyms = [it for each in said if (it := each.strip())]
    known = await context.ask(pb.ListPredicatesRequest())
    # The form holds the whole list: what is missing in it was removed.
    before = {
        it for each in known.predicates if each.uri == uri for it in each.synonyms
    }
    return pb.SetPredicateRequest(
        predicate=pb.Predicate(
            uri=uri,
            dimension=context.field("dimension"),
            is_isa=context.field("is_isa") == "1",
            question=context.field("question"),
            cardinality=f"CARDINALITY_{many.upper()}",
            # Only new ones are written.
            synonyms=[it for it in synonyms if it not in before],
        ),
        remove_synonyms=sorted(before - set(synonyms)),
    )


async def listed(
    context: RequestContext, status: int = 200, error: str = ""
) -> web.Response:
    """List the predicates, or those with a name that contains the search term."""
    answer = await context.ask(pb.ListPredicatesRequest())
    sought = context.query("q").strip()
    return context.page(
        "predicates.html",
        status,
        predicates=[it for it in answer.predicates if _is_sought(it, sought)],
        suggestions=answer.suggestions,
        cardinalities=CARDINALITIES,
        sought=sought,
        error=error,
        said=context.fields(*FILLED),
        done=context.query("done"),
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
