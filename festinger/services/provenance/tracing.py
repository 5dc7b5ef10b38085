"""Trace the provenance of facts through content-addressed objects."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from festinger.core.provenance.chain import Chain
from festinger.core.provenance.forms import Content
from festinger.core.provenance.trail import (
    LinkPredicate,
    MetaTriple,
    ObjectKind,
    TrailObject,
    WithholdReason,
    links_of,
    place,
)
from festinger.core.system.cid import is_cid
from festinger.core.system.principals import is_same
from festinger.errors import InvalidArgument, ObjectNotFound
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.provenance.trail import CandidateVisibility
from festinger.store.world.reads import PostgresReads

OBJECTS_MAX = 1000
BYTES_MAX = 400_000
"""Limit for all objects together: JSON can be six times as large, an answer 4 MiB."""
LINKS_MAX = 5_000
FACTS_MAX = 20
"""Maximum number of facts per concept and dimension, the newest; each confirmation of a
fact counts."""

_VEILED_WHILE_OPEN = (ObjectKind.EVENT, ObjectKind.TRIPLE, ObjectKind.QUESTION)
"""Kinds that would reveal answers to a candidate; an answer links to its question."""


class Viewer(NamedTuple):
    """Principal who asks for a trace.

    Attributes:
        operator: Whether nothing is withheld from the principal.
    """

    principal: str
    operator: bool


async def trace(memory: TenantMemory, cid: str, viewer: Viewer) -> Chain:
    """Return all objects that an object comes from; for a candidate also its results.

    Raises:
        ObjectNotFound: There is no such object.
        InvalidArgument: The string is not a content identifier of this server.
    """
    async with memory.store.reading(memory.tenant) as reads:
        # An unknown start is an error; unknown objects further down are only missing.
        await _found(reads, cid)
        return await _shown(reads, await _walk(reads, [cid]), viewer, memory.now())


async def trace_fact(
    memory: TenantMemory, concept: str, dimension: str, viewer: Viewer
) -> Chain:
    """Return all objects that the facts about a concept come from, newest fact first.

    Args:
        dimension: Only the fact in this dimension; empty for every fact.

    Raises:
        ObjectNotFound: No such fact was confirmed by people.
    """
    async with memory.store.reading(memory.tenant) as reads:
        # One more than is shown, to know whether there are more.
        start = await reads.triples_about(concept, dimension, FACTS_MAX + 1)
        if not start:
            raise ObjectNotFound(
                # Facts that were stated outright have no trail of questions and answers.
                f"people were not asked about {_where(concept, dimension)}, or did not "
                "confirm it. `gutask whatis --history` tells who stated what is held "
                "there",
                concept=concept,
                dimension=dimension,
            )
        chain = await _walk(reads, start[:FACTS_MAX])
        if len(start) > FACTS_MAX:
            chain = replace(chain, more=True)
        return await _shown(reads, chain, viewer, memory.now())


async def get_object(memory: TenantMemory, cid: str, viewer: Viewer) -> TrailObject:
    """Return one object. Raises `ObjectNotFound` or `InvalidArgument`."""
    async with memory.store.reading(memory.tenant) as reads:
        chain = Chain((cid,), {cid: await _found(reads, cid)})
        shown = await _shown(reads, chain, viewer, memory.now())
    return shown.objects[cid]


async def _found(reads: PostgresReads, cid: str) -> TrailObject:
    # Before the query, since any string would be looked up.
    if not is_cid(cid):
        raise InvalidArgument(
            f"{cid[:80]!r} is not a content identifier of Festinger's: those begin with "
            "bafyrei and have 59 characters",
            field="cid",
        )
    objects = await reads.objects([cid])
    if cid not in objects:
        raise ObjectNotFound(f"there is no object {cid}", cid=cid)
    return objects[cid]


def _where(concept: str, dimension: str) -> str:
    return place(concept, dimension) if dimension else concept


async def _walk(reads: PostgresReads, start: list[str]) -> Chain:
    """Return the chain of objects, breadth first, with one query per level."""
    objects: dict[str, TrailObject] = {}
    links: set[MetaTriple] = set()
    looked: set[str] = set()
    wanted = start
    more = False
    while wanted and not more:
        # The limit counts what is sent, not what could be reached.
        asked = wanted[: OBJECTS_MAX - len(objects)]
        met = await reads.objects(asked)
        taken = _bearable(objects, [met[cid] for cid in asked if cid in met])
        objects |= taken
        found = await reads.links_from(taken, LINKS_MAX)
        # An object links to its sources; a candidate's results link to it, the other way.
        made = [cid for cid, each in taken.items() if each.kind == ObjectKind.CANDIDATE]
        upwards = await reads.links_to(made, [LinkPredicate.ASSERTED_FROM], LINKS_MAX)
        links.update(found)
        more = (
            # Anything that was cut off is told, so that nobody takes the chain for complete.
            len(asked) < len(wanted)
            or len(taken) < len(met)
            or LINKS_MAX in (len(found), len(upwards))
            or len(links) > LINKS_MAX
        )
        looked.update(wanted)
        ends = [*(it.object for it in found), *(it.subject for it in upwards)]
        # Some links end in names, such as the place of a fact, which are no objects.
        named = dict.fromkeys(end for end in ends if is_cid(end))
        wanted = [cid for cid in named if cid not in looked]
    return Chain(tuple(start), objects, frozenset(links), more)


def _bearable(
    known: Mapping[str, TrailObject], met: Iterable[TrailObject]
) -> dict[str, TrailObject]:
    """Return the new objects that fit into an answer in addition to known ones."""
    room = BYTES_MAX - sum(len(each.data) for each in known.values())
    taken: dict[str, TrailObject] = {}
    # The first object always fits, however large: its own content is what was asked for.
    for each in met:
        room -= len(each.data)
        if room < 0 and (known or taken):
            break
        taken[each.cid] = each
    return taken


async def _shown(
    reads: PostgresReads, chain: Chain, viewer: Viewer, now: float
) -> Chain:
    """Return a chain without what the viewer may not see."""
    if viewer.operator:
        return chain
    readable = dict(_readable(chain.objects))
    candidates = await _candidates_of(reads, readable)
    veils = await reads.veils({cid for of in candidates.values() for cid in of}, now)
    # A corrupted object cannot be shown to be harmless.
    hidden = {
        cid: WithholdReason.PRIVATE for cid in chain.objects.keys() - readable.keys()
    }
    # A message is private if one of its candidates is.
    for cid, content in readable.items():
        mine = [veils[of] for of in candidates[cid] if of in veils]
        if why := _why(content, mine, viewer.principal):
            hidden[cid] = why
    unshown: set[MetaTriple] = set()
    shown: set[MetaTriple] = set()
    # A link that also a visible object has may be shown.
    for cid, content in readable.items():
        (unshown if cid in hidden else shown).update(links_of(cid, content))
    # Answers of an open candidate are left out altogether: their number would tell.
    left_out = {
        cid
        for cid, why in hidden.items()
        if why is WithholdReason.OPEN and cid not in chain.start
    }
    objects = {
        cid: replace(each, data=b"", withheld=hidden[cid]) if cid in hidden else each
        for cid, each in chain.objects.items()
        if cid not in left_out
    }
    links = chain.links - (unshown - shown)
    return Chain(chain.start, objects, links, chain.more or bool(left_out))


def _readable(objects: Mapping[str, TrailObject]) -> Iterator[tuple[str, Content]]:
    """Yield objects with their content, without corrupted ones."""
    for cid, each in objects.items():
        with suppress(ValueError):
            yield cid, each.content


async def _candidates_of(
    reads: PostgresReads, contents: Mapping[str, Content]
) -> dict[str, list[str]]:
    """Return the candidates that objects belong to; a message may have several."""
    found: dict[str, list[str]] = {}
    for cid, content in contents.items():
        own = [cid] if content["kind"] == ObjectKind.CANDIDATE else []
        found[cid] = [content["factoid"]] if "factoid" in content else own
    messages = [
        cid for cid, each in contents.items() if each["kind"] == ObjectKind.MESSAGE
    ]
    # Messages have no field for their candidates; several may stand in one.
    for link in await reads.links_to(messages, [LinkPredicate.FROM_MESSAGE], LINKS_MAX):
        found[link.object].append(link.subject)
    return found


def _why(
    content: Content, veils: Collection[CandidateVisibility], principal: str
) -> WithholdReason | None:
    if any(veil.private for veil in veils):
        return WithholdReason.PRIVATE
    # Whoever has answered may see the others' answers (I5).
    if content["kind"] in _VEILED_WHILE_OPEN and any(
        veil.open and not any(is_same(name, principal) for name in veil.responders)
        for veil in veils
    ):
        return WithholdReason.OPEN
    return None
