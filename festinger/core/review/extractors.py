"""Protocol of extractors, the built-in ones, and plug-ins of other packages.

An extractor reads a text and returns findings. A package provides its own by an entry
point of the group `festinger.extractors` that names an extractor, or a callable without
arguments that returns one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Protocol

from festinger.core.graph.statement import parse_fact
from festinger.core.language.cues import Lexicon
from festinger.core.memories.types import MemoryType
from festinger.errors import FestingerError, UnreadableFile

GROUP = "festinger.extractors"
"""The group of entry points of further extractors."""
FOUND_MAX = 500
"""Maximum number of findings of one extractor in one text; the rest is dropped."""
FOUND_CHARACTERS_MAX = 500
"""A longer content is a document and no memory."""


@dataclass(frozen=True, slots=True)
class ExtractionSource:
    """Text to extract from.

    Attributes:
        text: A chunk of a document, or the whole document.
        path: Path of the document, with `/`; empty if it has none.
        headings: Headings above the text, the highest first.
        project: Project of the document; empty if unknown.
    """

    text: str
    path: str = ""
    headings: tuple[str, ...] = ()
    project: str = ""


@dataclass(frozen=True, slots=True)
class ExtractorFinding:
    """Finding of an extractor.

    Attributes:
        content: The statement to remember, in one sentence.
        rule: Rule of the extractor that found it. Example: `heading`.
        prior: Reliability of the rule, in [0.0, 1.0].
        span: Position in the text, half-open, in characters.
        fact: The relation that it states, in the form that `gutask iknowthat` takes;
            empty if it states none, or none that the graph can hold beside others.
    """

    type: MemoryType
    content: str
    rule: str
    prior: float
    span: tuple[int, int]
    fact: str = ""


class Extractor(Protocol):
    """Reader of texts that returns findings."""

    @property
    def name(self) -> str:
        """The unique name of the extractor."""

    @property
    def version(self) -> str:
        """The `EXTRACTOR_VERSION` of its module."""

    @property
    def whole(self) -> bool:
        """True if it reads whole files, False if it reads chunks."""

    def wants(self, path: str) -> bool:
        """Return True if it reads files of that path."""

    def extract(self, source: ExtractionSource) -> Sequence[ExtractorFinding]:
        """Return the findings, in the order of the text.

        Raises:
            UnreadableFile: The file is malformed.
        """


@dataclass(frozen=True, slots=True)
class BrokenExtractor:
    """Extractor that cannot be used.

    Attributes:
        name: The name of its entry point.
    """

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class ExtractorReading:
    """Result of running an extractor on a text.

    Attributes:
        error: Why it failed, or why one of its findings is invalid; empty if there was
            no error.
    """

    found: tuple[ExtractorFinding, ...] = ()
    error: str = ""


def builtin(lexicon: Lexicon | None = None) -> tuple[Extractor, ...]:
    """Return the extractors of this package.

    Args:
        lexicon: Lexicon of the cue scanner; without one every word counts as an
            everyday word and no concept as known, so that it doubts whatever can be
            doubted.
    """
    # Imported here, since they import this module.
    from festinger.core.review import rules, structure

    return (*structure.extractors(), *rules.extractors(lexicon))


def further() -> tuple[tuple[Extractor, ...], tuple[BrokenExtractor, ...]]:
    """Return the extractors of other packages, and those that cannot be used."""
    working: list[Extractor] = []
    broken: list[BrokenExtractor] = []
    for point in sorted(entry_points(group=GROUP), key=lambda it: it.name):
        loaded = _load(point)
        if isinstance(loaded, BrokenExtractor):
            broken.append(loaded)
        else:
            working.append(loaded)
    return tuple(working), tuple(broken)


def attempt(extractor: Extractor, source: ExtractionSource) -> ExtractorReading:
    """Run an extractor on a text; its errors are returned and not raised."""
    try:
        looked_at = [
            (each, _what_is_wrong(each, source)) for each in extractor.extract(source)
        ]
    except UnreadableFile as error:
        return ExtractorReading(error=f"{extractor.name}: {error.message}")
    except Exception as error:  # third-party code
        return ExtractorReading(error=f"{extractor.name} failed: {_said(error)}")
    # A finding that breaks the protocol is left out, the others are kept.
    sound = tuple(each for each, wrong in looked_at if not wrong)
    complaints = [wrong for _, wrong in looked_at if wrong]
    if len(sound) > FOUND_MAX:
        complaints.append(f"{len(sound) - FOUND_MAX} findings beyond {FOUND_MAX}")
    return ExtractorReading(
        sound[:FOUND_MAX], f"{extractor.name}: {complaints[0]}" if complaints else ""
    )


def _load(point: EntryPoint) -> Extractor | BrokenExtractor:
    try:
        loaded: Any = point.load()
        # An entry point may name a class or a function, or an object that is ready.
        if isinstance(loaded, type) or not hasattr(loaded, "extract"):
            loaded = loaded()
        if missing := _missing(loaded):
            return BrokenExtractor(point.name, f"it has no {missing}")
    # A module that exits on import must not end the server.
    except (Exception, SystemExit) as error:  # third-party code
        return BrokenExtractor(point.name, _said(error))
    extractor: Extractor = loaded
    return extractor


def _missing(loaded: Any) -> str:
    # A protocol is not checked at run time, and a missing attribute would fail much later.
    promised = {"name": str, "version": str, "whole": bool}
    for attribute, kind in promised.items():
        if not isinstance(getattr(loaded, attribute, None), kind):
            return attribute
    methods = ("wants", "extract")
    return next((it for it in methods if not callable(getattr(loaded, it, None))), "")


def _what_is_wrong(found: ExtractorFinding, source: ExtractionSource) -> str:
    start, end = found.span
    # A span outside of the text could not be shown to a reviewer.
    if not 0 <= start <= end <= len(source.text):
        return f"the span {found.span} is not within the text"
    if not 0.0 <= found.prior <= 1.0:
        return f"the prior {found.prior} is not in [0.0, 1.0]"
    if not 0 < len(found.content.strip()) <= FOUND_CHARACTERS_MAX:
        return f"a content has between 1 and {FOUND_CHARACTERS_MAX} characters"
    try:
        MemoryType(found.type)  # raises for an unknown type
        if found.fact:
            parse_fact(found.fact)
    except (ValueError, FestingerError) as error:
        return _said(error)
    return ""


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:300]  # an error may hold a whole file
