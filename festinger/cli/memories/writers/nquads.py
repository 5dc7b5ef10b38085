"""N-Quads with PROV-O: each statement in a graph of its own, with its origin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from festinger.api.v1 import line_service_pb2 as pb

BASE: Final = "urn:festinger:"
PROV: Final = "http://www.w3.org/ns/prov#"
RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
TIME: Final = "http://www.w3.org/2001/XMLSchema#dateTime"
DENIED: Final = f"<{BASE}denies>"
"""Type of a graph whose statement is denied."""
_ESCAPES: Final = {
    "\\": "\\\\",
    '"': '\\"',
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
}
_Status = pb.MemoryLine.Status


def write(lines: Iterator[pb.MemoryLine]) -> Iterator[str]:
    """Yield the quads of lines: what holds, and what does not hold any more."""
    agents: set[str] = set()
    for line in lines:
        # What waits for a person is nobody's statement yet.
        if line.status == _Status.STATUS_CANDIDATE:
            continue
        if line.speaker and line.speaker not in agents:
            agents.add(line.speaker)
            yield from _agent(line.speaker)
        # The line is the entity: where it comes from is said of it.
        entity = _iri("line", _identity(line))
        yield _quad(entity, _rdf("type"), f"<{PROV}Entity>")
        if line.HasField("held"):
            yield from _statement(line, entity)
        else:
            yield _quad(entity, _prov("value"), _text(line.quote or line.text))
        yield from _origin(line, entity)


def _identity(line: pb.MemoryLine) -> str:
    """Return a unique name: a statement may have ended before, and more than once."""
    if line.status != _Status.STATUS_CLOSED:
        return line.name
    return f"{line.name}/{line.say_time.ToJsonString()}"


def _agent(name: str) -> Iterator[str]:
    agent = _iri("agent", name)
    yield _quad(agent, _rdf("type"), f"<{PROV}Agent>")
    yield _quad(agent, f"<{RDFS}label>", _text(name))


def _statement(line: pb.MemoryLine, entity: str) -> Iterator[str]:
    triple = line.held.triple
    subject, predicate, value = (
        _iri("concept", triple.concept),
        _iri("dimension", triple.dimension),
        _iri("concept", triple.parent),
    )
    if triple.negated:
        # A graph with the statement in it would assert it.
        yield _quad(entity, _rdf("type"), DENIED)
        for name, node in zip(
            ("subject", "predicate", "object"), (subject, predicate, value), strict=True
        ):
            yield _quad(entity, _rdf(name), node)
    else:
        yield _quad(subject, predicate, value, entity)
    if line.quote:
        yield _quad(entity, _prov("value"), _text(line.quote))


def _origin(line: pb.MemoryLine, entity: str) -> Iterator[str]:
    """Yield who said it, when, in which conversation and project."""
    if line.speaker:
        agent = _iri("agent", line.speaker)
        yield _quad(entity, _prov("wasAttributedTo"), agent)
    if line.HasField("say_time"):
        is_closed = line.status == _Status.STATUS_CLOSED
        # The time of a closed line is that of its end.
        name = "invalidatedAtTime" if is_closed else "generatedAtTime"
        time = f'"{line.say_time.ToJsonString()}"^^<{TIME}>'
        yield _quad(entity, _prov(name), time)
    for kind, name in (("session", line.session), ("project", line.project)):
        if name:
            place = _iri(kind, name)
            yield _quad(entity, _prov("wasDerivedFrom"), place)
            yield _quad(place, _rdf("type"), f"<{PROV}Entity>")
            yield _quad(place, f"<{RDFS}label>", _text(name))


def _quad(subject: str, predicate: str, value: str, graph: str = "") -> str:
    return " ".join(filter(None, (subject, predicate, value, graph, ".\n")))


def _prov(name: str) -> str:
    return f"<{PROV}{name}>"


def _rdf(name: str) -> str:
    return f"<{RDF}{name}>"


def _iri(kind: str, name: str) -> str:
    # Any character in UTF-8: names are no IRIs.
    return f"<{BASE}{kind}:{quote(name.encode('utf-8', 'replace'), safe='')}>"


def _text(text: str) -> str:
    escaped = "".join(_ESCAPES.get(it, it) for it in text)
    return f'"{escaped}"'
