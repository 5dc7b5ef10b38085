"""Extractor of what prose says that something is: statements of the graph, definitions.

The content is the defining clause as a whole: "a set" says nothing, "a set of practices
to …" does. The scanner's own prior is kept: a plain statement about a name is more
reliable than one about a common word. Negated statements are left out.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from festinger import _fast
from festinger.core.graph.proposal import TYPE, Triple
from festinger.core.graph.seeddata import EMPTY_HEADS
from festinger.core.graph.tokens import blank_own_blocks
from festinger.core.language.cues import Cue, CueVerdict, Lexicon, find_cues
from festinger.core.language.grounding import StemmedSentence
from festinger.core.memories.types import MemoryType
from festinger.core.review.blocks import BlockKind
from festinger.core.review.extractors import ExtractionSource, ExtractorFinding
from festinger.core.review.prose import (
    PlainSentence,
    ProseExtractor,
    legible,
    only,
    passages,
    sentences_of,
    topics,
    visible,
)
from festinger.core.review.rules.doubts import (
    NO_SUBJECT,
    cleaned,
    is_boilerplate,
    is_meant,
)
from festinger.core.review.rules.typed import marked

EXTRACTOR_VERSION = "0.2.0"
DEFINITION_PRIOR = 0.6
LEAD_CHARACTERS_MAX = 80
"""Maximum length of what stands before a subject without being part of the statement."""
LEFT_MAX = 2
"""Maximum number of words of a clause that its fact does not have."""
SAID_MIN = 3
"""Minimum number of words beyond its subject and an empty head ("tool", "set") that a
definition has to have."""

_DEFINES = re.compile(
    r"(?P<subject>(?:(?:an?|the|our) )?[^\s,;:()?!]+(?: [^\s,;:()?!]+){0,5}?)"
    r"(?: \([^()]{1,40}\))?(?:,? (?:or|also|often|commonly|sometimes)\b[^,]{1,60},)?"
    r" (?:is|are|refers? to|describes?|means|denotes?|represents?|provides?|allows?"
    r"|enables?|lets?|handles?|manages?|contains?|stores?|holds?|runs?|helps?|defines?"
    r"|determines?|tracks?|lists?|serves?|consists? of|acts? as|processes|reads?|writes?"
    r"|sends?|receives?|keeps?|gives?|works?|exists?|happens?|occurs?"
    r"|collects?|shows?|maps?|builds?) (?!not\b)\S",
    re.IGNORECASE,
)

_NO_TITLE = re.compile(
    r"(?:if|most|many|several|all|any|every|[^\w\"'“`])", re.IGNORECASE
)
_PRAISE = re.compile(
    r" (?:is|are)(?: an?| the| one of the)?(?: \w+)? ?(?<= )(?:important|valuable|useful|helpful|essential"
    r"|critical|crucial|vital|key|great|good|best|widely|well|also|still|easy|hard|no"
    r"|difficult|ideal|convenient|recurring|unique|simple|truly|available|expected|complex|popular|common|appropriate)\b",
    re.IGNORECASE,
)
"""What people think of something does not say what it is."""


class Wary:
    """Default lexicon, for which every word is everyday and no concept is known."""

    def is_everyday(self, token: str) -> bool:
        """Return True if a token may be an everyday word: if it has letters only."""
        return token.isalpha()

    def is_known(self, token: str) -> bool:
        """Return False: no concept is known."""
        return False


class Cues(ProseExtractor):
    """Extractor of statements such as `gnommoweb is a repo`, which the graph can hold.

    Besides, it finds the sentence that says what the title of a document or section is.

    Args:
        lexicon: Lexicon of everyday words and known concepts.
    """

    name = "cues"
    version = EXTRACTOR_VERSION

    def __init__(self, lexicon: Lexicon | None = None) -> None:
        self._lexicon = lexicon or Wary()

    def extract(self, source: ExtractionSource) -> Sequence[ExtractorFinding]:
        """Return the statements and definitions of the prose, in the order of the text."""
        found: dict[str, ExtractorFinding] = {}
        for each in (*self._stated(source), *_defined(source)):
            found.setdefault(each.content, each)
        return sorted(found.values(), key=lambda it: it.span)

    def _stated(self, source: ExtractionSource) -> Iterator[ExtractorFinding]:
        text = _untyped(blank_own_blocks(only(source, passages(source))))
        shown = visible(text)
        # Offsets in the NFC form are those of the text only if that is in NFC.
        composed = unicodedata.is_normalized("NFC", text)
        ends = _ends(source) if composed else []
        for cue in find_cues(_fast.scan(text), self._lexicon):
            if cue.verdict is CueVerdict.DROPPED or cue.triple.negated:
                continue
            span = _clause(cue, ends) if composed else (0, len(text))
            text = shown[slice(*span)] if composed else visible(cue.sentence)
            content = cleaned(legible(text))
            if 0 < len(content) <= _fast.values.SENTENCE_CHARACTERS_MAX and _says(
                content, cue
            ):
                fact = str(cue.triple) if _covers(cue.triple, content) else ""
                yield ExtractorFinding(
                    MemoryType.COMPONENT,
                    content,
                    f"cue {cue.rule}",
                    cue.confidence,
                    span,
                    fact,
                )


def _ends(source: ExtractionSource) -> list[tuple[int, int]]:
    """Return the spans of the sentences of a source."""
    return [
        sentence.span
        for passage in passages(source)
        for sentence in sentences_of(source, passage)
    ]


def _clause(cue: Cue, sentences: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the span of a statement with all that its sentence says of it."""
    at = bisect_right(sentences, (cue.start, cue.start)) - 1
    if at + 1 < len(sentences) and sentences[at + 1][0] == cue.start:
        at += 1
    if at < 0 or not sentences[at][0] <= cue.start < cue.end <= sentences[at][1]:
        return cue.start, cue.end
    start, end = sentences[at]
    return (start if cue.start - start > LEAD_CHARACTERS_MAX else cue.start), end


def _says(content: str, cue: Cue) -> bool:
    """Return whether a statement says more than that something is a thing."""
    if is_boilerplate(content) or (cue.triple.is_isa and _PRAISE.search(content)):
        return False
    if cue.triple.dimension != TYPE or not _is_empty(cue.triple.parent):
        return True
    subject = set(StemmedSentence(cue.triple.concept.replace("_", " ")).content)
    words = set(StemmedSentence(content).content) - subject
    return len(words) > SAID_MIN  # one of them is the head


def _covers(triple: Triple, content: str) -> bool:
    """Return whether a fact says what the clause says, but for a word or two.

    "serverless: [type] model" beside the clause that defines it would tell nothing.
    """
    if triple.dimension == TYPE and _is_empty(triple.parent):
        return False  # it would take the place of a better one
    names = f"{triple.concept} {triple.parent} {triple.dimension}".replace("_", " ")
    left = set(StemmedSentence(content).content) - set(StemmedSentence(names).content)
    return len(left) <= LEFT_MAX


def _is_empty(parent: str) -> bool:
    return not EMPTY_HEADS.isdisjoint((parent, parent.removesuffix("s")))


def _defined(source: ExtractionSource) -> Iterator[ExtractorFinding]:
    """Yield the first sentences that say what a title above them is."""
    for at, passage in enumerate(passages(source)):
        if passage.kind is not BlockKind.PARAGRAPH or (at and not passage.under):
            continue
        first = next(sentences_of(source, passage), None)
        if first is None or marked(first.text) or not is_meant(first):
            continue
        titles = topics(source, passage)
        if titles and _is_about(first, titles):
            content = cleaned(first.text)
            if not is_boilerplate(content):
                yield ExtractorFinding(
                    MemoryType.COMPONENT,
                    content,
                    "definition",
                    DEFINITION_PRIOR,
                    first.span,
                )


def _is_about(sentence: PlainSentence, titles: Sequence[str]) -> bool:
    """Return whether the subject of a sentence is the subject of a title."""
    match = _DEFINES.match(sentence.text)
    if match is None or NO_SUBJECT.match(sentence.text):
        return False
    if _NO_TITLE.match(sentence.text) or _PRAISE.search(sentence.text):
        return False
    subject = set(StemmedSentence(match["subject"]).content)
    rest = StemmedSentence(sentence.text[match.end() - 1 :])
    if len(set(rest.content) - subject) < SAID_MIN:
        return False
    return any(
        subject == stems
        or (len(subject) > 1 and subject <= stems and 2 * len(subject) >= len(stems))
        for title in titles
        if (stems := set(StemmedSentence(title).content))
    )


def _untyped(text: str) -> str:
    """Blank lines with a type, which say themselves what they are."""
    return _LINE.sub(
        lambda line: (
            " " * len(line[0]) if marked(line[0].lstrip(" -*+").rstrip()) else line[0]
        ),
        text,
    )


_LINE = re.compile(r"[^\r\n]+")
