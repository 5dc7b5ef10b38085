"""Chains: the provenance of facts as self-contained values that can be verified."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from festinger.core.provenance.trail import MetaTriple, TrailObject
from festinger.core.system.cid import canonical


@dataclass(frozen=True, slots=True)
class Chain:
    """Objects of the trail, and the links between them.

    Attributes:
        start: The CIDs of the requested objects, newest first.
        objects: The objects by CID, from the requested ones to the oldest.
        more: Whether the chain was cut off: there are further objects.
    """

    start: tuple[str, ...]
    objects: Mapping[str, TrailObject] = field(default_factory=dict)
    links: frozenset[MetaTriple] = frozenset()
    more: bool = False


def to_json(chain: Chain) -> str:
    """Serialise a chain to JSON, with the content that each CID is computed from."""
    said: dict[str, Any] = {
        "start": chain.start,
        "objects": [_object_json(each) for each in chain.objects.values()],
        "links": sorted(chain.links),
        "more": chain.more,
    }
    return json.dumps(said, ensure_ascii=False, indent=2)


def of_json(text: str) -> Chain:
    """Parse the JSON of a chain.

    Raises:
        ValueError: It is not the JSON of a chain; the message says why.
    """
    try:
        # A file of somebody else: no repeated fields, no NaN, and no deep nesting may pass.
        said = json.loads(text, object_pairs_hook=_once, parse_constant=_number)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    try:
        objects = [_object(each) for each in said["objects"]]
        links = frozenset(MetaTriple(*map(_name, link)) for link in said["links"])
        # Anything but `false` counts as cut off, which proves less.
        start, more = tuple(map(_name, said["start"])), said["more"] is not False
    except (KeyError, TypeError):
        raise ValueError(
            "it is not what `festinger provenance trace --json` prints"
        ) from None
    found = {each.cid: each for each in objects}
    # Two contents under one name: readers could differ in which one they use.
    if len(found) < len(objects):
        raise ValueError("an object is there twice")
    return Chain(start, found, links, more)


def _object_json(each: TrailObject) -> dict[str, Any]:
    said: dict[str, Any] = {"cid": each.cid, "kind": each.kind}
    if each.withheld:
        # Without content: the CID alone tells that there is an object.
        return said | {"withheld": each.withheld}
    return said | {"content": each.content}


def _object(said: Mapping[str, Any]) -> TrailObject:
    cid, kind = _name(said["cid"]), _name(said["kind"])
    if "withheld" in said:
        return TrailObject(
            cid, kind, b"", withheld=_name(said["withheld"]) or "unknown"
        )
    # The bytes are computed again, and never taken from the file: `verify` hashes them.
    return TrailObject(cid, kind, canonical(said["content"]))


def _name(text: object) -> str:
    if not isinstance(text, str):
        raise TypeError("not a name")
    return text


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object's fields as a dict; raise ValueError if a key is repeated."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field is there twice")
    return found


def _number(text: str) -> None:
    raise ValueError(f"{text} is no number")
