"""RDF: N-Quads and N-Triples, which are read by line, and Turtle, by rdflib."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote

from festinger.cli.memories.formats.records import (
    FileRefusal,
    FileStatement,
    PlacedRecord,
    Record,
)
from festinger.cli.memories.formats.registry import FileFormat, FileSample
from festinger.cli.memories.formats.source import ImportSource
from festinger.errors import ConfigurationError

TURTLE_BYTES_MAX: Final = 64 * 2**20  # rdflib holds the whole graph
_LINES: Final = (".nq", ".nt", ".nquads", ".ntriples")
_TURTLE: Final = (".ttl", ".turtle")
# From the grammar of N-Quads: an IRI in `<>`, a blank node `_:b0`, a text in quotes.
_IRI: Final = r"<[^<>\"{}|^`\\\x00-\x20]*>"
_NODE: Final = rf"{_IRI}|_:\S+"
_QUAD: Final = re.compile(
    rf"\s*(?P<subject>{_NODE})\s*(?P<predicate>{_IRI})\s*(?:(?P<node>{_NODE})"
    # A language or a type may follow: `"04:30"@en`.
    rf'|"(?P<text>(?:[^"\\\n\r]|\\.)*)"(?:@[A-Za-z][\w-]*|\^\^{_IRI})?)'
    rf"\s*(?P<graph>{_NODE})?\s*\.\s*(?:#.*)?"
)
_ESCAPE: Final = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)")
_PLAIN: Final = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_TYPE: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
# Where statements come from (PROV-O), labels and the terms themselves are nothing of the world.
_UNTOLD: Final = (
    "http://www.w3.org/ns/prov#",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "http://www.w3.org/2000/01/rdf-schema#",
    "http://www.w3.org/2002/07/owl#",
)
UNNAMED: Final = "a node has no name"
ABOUT: Final = "it is about statements or terms, not about the world"


def _recognises(sample: FileSample) -> bool:
    suffix = sample.path.suffix.lower()
    # By the suffix: a line of N-Quads looks like nothing else, but Turtle like many things.
    return not sample.objects and suffix in (*_LINES, *_TURTLE)


def _read(source: ImportSource) -> Iterator[PlacedRecord]:
    if source.path.suffix.lower() in _TURTLE:
        yield from _turtle(source)
        return
    for place, line in source.lines():
        if line.lstrip().startswith("#"):
            continue
        match = _QUAD.fullmatch(line)
        if match is None:
            raise source.unreadable(place, "it is no statement of N-Quads or N-Triples")
        # Texts have escapes, IRIs keep theirs until they are names.
        value = match["node"] or _unescaped(match["text"])
        is_text = match["node"] is None
        yield PlacedRecord(
            place, _record(match["subject"], match["predicate"], value, is_text)
        )


def _turtle(source: ImportSource) -> Iterator[PlacedRecord]:
    if source.path.stat().st_size > TURTLE_BYTES_MAX:
        raise source.unreadable(
            "the beginning",
            f"it is larger than {TURTLE_BYTES_MAX >> 20} MB. Convert it to N-Triples",
        )
    try:
        import rdflib
    except ImportError:
        raise ConfigurationError(
            "Turtle needs rdflib: `pip install 'festinger[rdf]'`, or convert the file to "
            "N-Triples"
        ) from None
    graph: Any = rdflib.Graph()
    try:
        graph.parse(source.path.as_posix(), format="turtle")
    # rdflib raises errors of many kinds over files that are no Turtle.
    except Exception as error:
        why = " ".join(str(error).split())[:200]
        raise source.unreadable("somewhere", f"it is no Turtle: {why}") from None
    # Sorted, since a graph has no order, and a repeated import should read the same.
    for subject, predicate, value in sorted(graph):
        is_text = isinstance(value, rdflib.Literal)
        yield PlacedRecord(
            str(subject),
            _record(
                _node(subject),
                f"<{predicate}>",
                str(value) if is_text else _node(value),
                is_text,
            ),
        )


def _node(node: Any) -> str:
    return node.n3() if node.__class__.__name__ == "BNode" else f"<{node}>"


def _record(subject: str, predicate: str, value: str, is_text: bool) -> Record:
    # A blank node has an id that is valid in this file only.
    if subject.startswith("_:") or (not is_text and value.startswith("_:")):
        return FileRefusal(UNNAMED)
    relation = predicate[1:-1]
    # `rdf:type` says what something is, unless it is a term such as `prov:Entity`.
    if relation == _TYPE and not value[1:-1].startswith(_UNTOLD):
        words = "is a"
    elif relation.startswith(_UNTOLD):
        return FileRefusal(ABOUT)
    else:
        # `runsOn` and `runs_on` are "runs on".
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_-]+", " ", _name(predicate)).lower()
    return FileStatement(_name(subject), words, value if is_text else _name(value))


def _name(iri: str) -> str:
    """Return the last part of an IRI."""
    # `…/gnommoweb/` and `…#gnommoweb` are gnommoweb; `urn:x:gnommoweb` as well.
    whole = unquote(_unescaped(iri[1:-1])).rstrip("/#")
    return re.split(r"[/#]|(?<=\w):(?!//)", whole)[-1]


def _unescaped(text: str) -> str:
    def plain(match: re.Match[str]) -> str:
        """Return the character of an escape sequence."""
        escape = match[1]
        if len(escape) == 1:
            return _PLAIN.get(escape, escape)
        number = int(escape[1:], 16)
        # Beyond Unicode, though the grammar has it.
        return chr(number) if number < 0x110000 else "\N{REPLACEMENT CHARACTER}"

    return _ESCAPE.sub(plain, text)


FORMAT: Final = FileFormat(
    "rdf", "N-Quads, N-Triples, or Turtle (with rdflib)", _recognises, _read
)
