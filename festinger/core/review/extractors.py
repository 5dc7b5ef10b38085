"""What an extractor is, which there are, and how a further one is plugged in.

An extractor reads a text and returns what it found. A package brings its own by an
entry point of the group `festinger.extractors` that names an extractor, or something
that makes one when it is called without arguments.
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
"""The group of entry points under which further extractors are found."""
FOUND_MAX = 500
"""What one extractor may find in one text: more than that is no reading."""
CONTENT_CHARACTERS_MAX = 500
"""Longer than that is a document, and no memory."""


@dataclass(frozen=True, slots=True)
class ExtractionSource:
    """What is extracted from.

    Attributes:
        text: A chunk of a document, or the whole of it.
        path: Where the document lies, with `/`; empty if it lies nowhere.
        headings: Those that the text stands under, the highest first.
        project: Whose document it is; empty if unknown.
    """

    text: str
    path: str = ""
    headings: tuple[str, ...] = ()
    project: str = ""


@dataclass(frozen=True, slots=True)
class ExtractorFinding:
    """What an extractor found.

    Attributes:
        content: What is to be remembered, in one sentence.
        rule: What found it, within its extractor. Example: `heading`.
        prior: How far the rule is relied on, in [0.0, 1.0].
        span: Where it stands in the text, half-open, in characters.
        fact: The relation that it states, as `gutask iknowthat` takes it; empty if
            it states none, or none that the graph can hold beside its others.
    """

    type: MemoryType
    content: str
    rule: str
    prior: float
    span: tuple[int, int]
    fact: str = ""


class Extractor(Protocol):
    """Something that reads a text.

    Attributes:
        name: Names it among the others.
        version: The `EXTRACTOR_VERSION` of its module.
        whole: Whether it wants whole files; else it wants chunks.
    """

    @property
    def name(self) -> str:
        """Names it among the others."""

    @property
    def version(self) -> str:
        """The `EXTRACTOR_VERSION` of its module."""

    @property
    def whole(self) -> bool:
        """Whether it wants whole files; else it wants chunks."""

    def wants(self, path: str) -> bool:
        """Whether it reads files of that path."""

    def extract(self, source: ExtractionSource) -> Sequence[ExtractorFinding]:
        """What it finds, in the order of the text.

        Raises:
            Unreadable: The file is broken.
        """


@dataclass(frozen=True, slots=True)
class Broken:
    """An extractor that cannot be used.

    Attributes:
        name: The name of its entry point.
        reason: What is wrong with it.
    """

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class ExtractorReading:
    """What came of letting an extractor read a text.

    Attributes:
        error: Why it could not, or what of its findings cannot be used; empty if
            nothing went wrong.
    """

    found: tuple[ExtractorFinding, ...] = ()
    error: str = ""


def builtin(lexicon: Lexicon | None = None) -> tuple[Extractor, ...]:
    """The extractors that come with this package.

    Args:
        lexicon: What the cue scanner asks; without one every word is an everyday word
            and nothing is known, so that it doubts whatever can be doubted.
    """
    # They know this module.
    from festinger.core.review import rules, structure

    return (*structure.extractors(), *rules.extractors(lexicon))


def further() -> tuple[tuple[Extractor, ...], tuple[Broken, ...]]:
    """The extractors of other packages, and those of them that cannot be used."""
    working: list[Extractor] = []
    broken: list[Broken] = []
    for point in sorted(entry_points(group=GROUP), key=lambda it: it.name):
        loaded = _load(point)
        if isinstance(loaded, Broken):
            broken.append(loaded)
        else:
            working.append(loaded)
    return tuple(working), tuple(broken)


def attempt(extractor: Extractor, source: ExtractionSource) -> ExtractorReading:
    """Lets an extractor read a text; whatever goes wrong in it is a value.

    What it found is taken only as far as it keeps its promises: a span within the
    text, a prior in [0.0, 1.0], a content, and a fact that can be read.
    """
    try:
        looked_at = [
            (each, _what_is_wrong(each, source)) for each in extractor.extract(source)
        ]
    except UnreadableFile as error:
        return ExtractorReading(error=f"{extractor.name}: {error.message}")
    except Exception as error:  # whoever wrote it
        return ExtractorReading(error=f"{extractor.name} failed: {_said(error)}")
    sound = tuple(each for each, wrong in looked_at if not wrong)
    complaints = [wrong for _, wrong in looked_at if wrong]
    if len(sound) > FOUND_MAX:
        complaints.append(f"{len(sound) - FOUND_MAX} findings beyond {FOUND_MAX}")
    return ExtractorReading(
        sound[:FOUND_MAX], f"{extractor.name}: {complaints[0]}" if complaints else ""
    )


def _load(point: EntryPoint) -> Extractor | Broken:
    try:
        loaded: Any = point.load()
        if isinstance(loaded, type) or not hasattr(loaded, "extract"):
            loaded = loaded()
        if missing := _missing(loaded):
            return Broken(point.name, f"it has no {missing}")
    except (Exception, SystemExit) as error:  # it is somebody else's code
        return Broken(point.name, _said(error))
    extractor: Extractor = loaded
    return extractor


def _missing(loaded: Any) -> str:
    promised = {"name": str, "version": str, "whole": bool}
    for attribute, kind in promised.items():
        if not isinstance(getattr(loaded, attribute, None), kind):
            return attribute
    methods = ("wants", "extract")
    return next((it for it in methods if not callable(getattr(loaded, it, None))), "")


def _what_is_wrong(found: ExtractorFinding, source: ExtractionSource) -> str:
    start, end = found.span
    if not 0 <= start <= end <= len(source.text):
        return f"the span {found.span} is not within the text"
    if not 0.0 <= found.prior <= 1.0:
        return f"the prior {found.prior} is not in [0.0, 1.0]"
    if not 0 < len(found.content.strip()) <= CONTENT_CHARACTERS_MAX:
        return f"a content has between 1 and {CONTENT_CHARACTERS_MAX} characters"
    try:
        MemoryType(found.type)
        if found.fact:
            parse_fact(found.fact)
    except (ValueError, FestingerError) as error:
        return _said(error)
    return ""


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:300]
