"""A chain: what a fact comes from, as one value that can be carried off and checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from festinger.core.provenance.trail import MetaTriple, Object
from festinger.core.system.cid import canonical


@dataclass(frozen=True, slots=True)
class Chain:
    """Objects, and how they hang together.

    Attributes:
        start: The names of those that were asked for, the newest first.
        objects: By name, from those that were asked for to the oldest.
        links: What is said of them.
        more: Whether there is more than is told.
    """

    start: tuple[str, ...]
    objects: Mapping[str, Object] = field(default_factory=dict)
    links: frozenset[MetaTriple] = frozenset()
    more: bool = False


def to_json(chain: Chain) -> str:
    """A chain as a file: each object's content, of which anybody can compute its name."""
    said: dict[str, Any] = {
        "start": chain.start,
        "objects": [_object_json(each) for each in chain.objects.values()],
        "links": sorted(chain.links),
        "more": chain.more,
    }
    return json.dumps(said, ensure_ascii=False, indent=2)


def of_json(text: str) -> Chain:
    """The chain of a file.

    Raises:
        ValueError: It is none; the message says why.
    """
    try:
        said = json.loads(text, object_pairs_hook=_once, parse_constant=_number)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    try:
        objects = [_object(each) for each in said["objects"]]
        links = frozenset(MetaTriple(*map(_name, link)) for link in said["links"])
        start, more = tuple(map(_name, said["start"])), said["more"] is not False
    except (KeyError, TypeError):
        raise ValueError("it is not what `festinger trace --json` prints") from None
    found = {each.cid: each for each in objects}
    if len(found) < len(objects):
        raise ValueError("an object is there twice")
    return Chain(start, found, links, more)


def _object_json(each: Object) -> dict[str, Any]:
    said: dict[str, Any] = {"cid": each.cid, "kind": each.kind}
    if each.withheld:
        return said | {"withheld": each.withheld}
    return said | {"content": each.content}


def _object(said: Mapping[str, Any]) -> Object:
    cid, kind = _name(said["cid"]), _name(said["kind"])
    if "withheld" in said:
        return Object(cid, kind, b"", withheld=_name(said["withheld"]) or "unknown")
    return Object(cid, kind, canonical(said["content"]))


def _name(text: object) -> str:
    if not isinstance(text, str):
        raise TypeError("not a name")
    return text


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A map of which every field is there once: what is read is what is shown."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field is there twice")
    return found


def _number(text: str) -> None:
    raise ValueError(f"{text} is no number")
