"""GraphML: concepts as nodes, what is held as edges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from festinger.api.v1 import line_service_pb2 as pb

# GraphML declares the data of edges before it is used.
_KEYS: Final = ("predicate", "negated", "quote", "by", "project", "since")
_UNSEEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot have."""


def write(lines: Iterator[pb.MemoryLine]) -> Iterator[str]:
    """Yield the document, a node before the first edge that has it."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    yield '  <key id="name" for="node" attr.name="name" attr.type="string"/>\n'
    for key in _KEYS:
        kind = "boolean" if key == "negated" else "string"
        yield f'  <key id="{key}" for="edge" attr.name="{key}" attr.type="{kind}"/>\n'
    yield '  <graph edgedefault="directed">\n'
    nodes: dict[str, int] = {}  # numbers, since a name may be no XML id
    for line in lines:
        # What holds: a statement that waits or has ended is no edge.
        if line.HasField("held") and line.status == pb.MemoryLine.STATUS_ACTIVE:
            yield from _edge(line, nodes)
    yield "  </graph>\n</graphml>\n"


def _edge(line: pb.MemoryLine, nodes: dict[str, int]) -> Iterator[str]:
    triple = line.held.triple
    for name in (triple.concept, triple.parent):
        if name not in nodes:
            nodes[name] = len(nodes)
            data = f'<data key="name">{_text(name)}</data>'
            yield f'    <node id="n{nodes[name]}">{data}</node>\n'
    since = line.say_time.ToJsonString() if line.HasField("say_time") else ""
    # "false" would be written for nearly all edges.
    negated = "true" if triple.negated else ""
    values = (
        triple.dimension, negated, line.quote, line.speaker, line.project, since,
    )  # fmt: skip
    ends = [quoteattr(f"n{nodes[it]}") for it in (triple.concept, triple.parent)]
    yield f"    <edge source={ends[0]} target={ends[1]}>"
    for key, value in zip(_KEYS, values, strict=True):
        if value:
            yield f'<data key="{key}">{_text(value)}</data>'
    yield "</edge>\n"


def _text(text: str) -> str:
    # Escaped after: neither makes the other's characters.
    return escape(_UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text))
