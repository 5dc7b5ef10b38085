"""Page of a trail: the provenance of a fact as a tree of content-addressed objects."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote

from aiohttp import web

from festinger.api.v1 import provenance_service_pb2 as pb
from festinger.console.context import PathRoute, RequestContext
from festinger.console.errors import PageRefused
from festinger.core.provenance.trail import LinkPredicate, ObjectKind
from festinger.core.system.cid import cid_of

TITLES: Final[Mapping[str, str]] = {
    ObjectKind.TRIPLE: "fact",
    ObjectKind.CANDIDATE: "candidate",
    ObjectKind.EVENT: "answer",
    ObjectKind.MESSAGE: "message",
    ObjectKind.QUESTION: "question",
}
_ORDER: Final = list(TITLES)  # of roots and of children
_LINKS: Final[Mapping[str, str]] = {
    LinkPredicate.ASSERTED_FROM: "asserted from",
    LinkPredicate.FROM_MESSAGE: "from the message",
    LinkPredicate.EXTRACTED_BY: "extracted by",
    LinkPredicate.VALIDATION_EVENT: "validated in",
    LinkPredicate.VALIDATED_BY: "validated by",
    LinkPredicate.RESPONDED_BY: "responded by",
    LinkPredicate.ANSWERS: "answers",
    LinkPredicate.ASKS_ABOUT: "asks about",
    LinkPredicate.ABOUT: "about",
}


@dataclass(slots=True)
class TrailNode:
    """Object in the tree.

    Attributes:
        object: The object of the trace.
        link: The label of the link from its parent; empty for a root.
        content: The content; empty if it is withheld.
        true: Whether the content's hash is the object's CID; None if it is withheld.
        asked: Whether the request was for this object.
        again: Whether the object is a repetition, shown elsewhere with its children.
        ends: Links to names that are no objects: the labels and the names.
        below: The children.
    """

    object: pb.Object
    link: str
    content: Mapping[str, Any]
    true: bool | None
    asked: bool
    again: bool = False
    ends: list[tuple[str, str]] = field(default_factory=list)
    below: list[TrailNode] = field(default_factory=list)


async def shown(context: RequestContext) -> web.Response:
    """Show the origins of an object, and the objects made from it."""
    return await _show(context, pb.TraceRequest(cid=context.path_params["cid"]))


async def found(context: RequestContext) -> web.Response:
    """Show the provenance of a concept's facts, or a search form."""
    concept, dimension = context.query("concept"), context.query("dimension")
    if cid := context.query("cid"):
        # The form also takes an identifier, whose page has an address to be shared.
        return context.go(f"/admin/trail/{quote(cid, safe='')}")
    if not concept:
        return context.page("trail.html", trees=[], more=False, asked="", error="")
    return await _show(context, pb.TraceRequest(concept=concept, dimension=dimension))


async def _show(context: RequestContext, request: pb.TraceRequest) -> web.Response:
    asked = request.cid or " ".join(filter(None, (request.concept, request.dimension)))
    try:
        answer = await context.ask(request)
    except PageRefused as refusal:
        return context.page(
            "trail.html",
            refusal.status,
            trees=[],
            more=False,
            asked=asked,
            concept=request.concept,
            error=str(refusal),
        )
    return context.page(
        "trail.html", trees=trees(answer), more=answer.more, asked=asked, error=""
    )


def trees(answer: pb.TraceResponse) -> list[TrailNode]:
    """Return the trees of a trace; each object is below the objects made from it."""
    objects = {each.cid: each for each in answer.objects}
    below: dict[str, list[tuple[str, str]]] = {}
    led_to: set[str] = set()
    for link in answer.links:
        if link.predicate == LinkPredicate.ASKS_ABOUT:
            # The candidate is above its questions already: both ways would be a circle.
            continue
        below.setdefault(link.subject, []).append((link.predicate, link.object))
        led_to.add(link.object)
    # Roots are what nothing was made from: facts, then candidates, then others.
    tops = sorted(
        (each for each in answer.objects if each.cid not in led_to),
        key=lambda each: _place(each.kind),
    )
    grower = _TreeBuilder(objects, below, set(answer.start))
    return [grower.grow(each.cid, "") for each in tops]


@dataclass(eq=False)
class _TreeBuilder:
    """Builder of trees in which a repeated object has no children."""

    objects: Mapping[str, pb.Object]
    below: Mapping[str, list[tuple[str, str]]]
    asked: set[str]
    _met: set[str] = field(default_factory=set, init=False)

    def grow(self, cid: str, link: str) -> TrailNode:
        """Return the node of an object, with its children."""
        each = self.objects[cid]
        node = TrailNode(each, link, _content(each), _true(each), cid in self.asked)
        # A message that several answers cite is shown with its origins only once.
        if cid in self._met:
            node.again = True
            return node
        self._met.add(cid)
        for predicate, target in sorted(self.below.get(cid, ()), key=self._key):
            word = _LINKS.get(predicate, predicate)
            if target in self.objects:
                node.below.append(self.grow(target, word))
            # People, extractors and places in the graph are names, not objects.
            else:
                node.ends.append((word, target))
        return node

    def _key(self, link: tuple[str, str]) -> tuple[int, int, str]:
        target = self.objects.get(link[1])
        if target is None:
            # Names first, then objects by kind and age.
            return -1, 0, link[1]
        return _place(target.kind), target.create_time.ToNanoseconds(), link[1]


def _place(kind: str) -> int:
    return _ORDER.index(kind) if kind in _ORDER else len(_ORDER)


def _content(each: pb.Object) -> Mapping[str, Any]:
    # The content of a withheld object is empty, and so no JSON.
    with suppress(ValueError):
        content = json.loads(each.json)
        if isinstance(content, dict):
            return content
    return {}


def _true(each: pb.Object) -> bool | None:
    """Return whether the hash of an object is its CID; None if it has no data."""
    # The page recomputes the hash itself instead of trusting the server.
    return cid_of(each.data) == each.cid if each.data else None


ROUTES: Final = (
    PathRoute("GET", "/admin/trail", found),
    PathRoute("GET", "/admin/trail/{cid}", shown),
)
