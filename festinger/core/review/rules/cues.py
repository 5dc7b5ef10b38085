"""Extractor of what prose says that something is: statements of the graph, definitions.

The scanner's own prior is kept: a plain statement about a name is more reliable than one
about a common word.
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
from festinger.core.review.extractors import ExtractionSource, ExtractorFinding
from festinger.core.review.prose import (
    ProseExtractor,
    is_prose,
    legible,
    only,
    passages,
    sentences_of,
    visible,
)
from festinger.core.review.rules.definitions import SAID_MIN, definitions, praises
from festinger.core.review.rules.doubts import cleaned, is_boilerplate, points_back
from festinger.core.review.rules.sentences import marked
from festinger.core.review.standing import is_record

EXTRACTOR_VERSION = "0.3.0"
LEAD_CHARACTERS_MAX = 80
"""Maximum length of what stands before a subject without being part of the statement."""
LEFT_MAX = 2
"""Maximum number of words of a clause that its fact does not have."""


# Without a dictionary everything is doubted that can be: fewer findings, and no wrong ones.
class EmptyLexicon:
    """Default lexicon, for which every word is everyday and no concept is known."""

    def is_everyday(self, token: str) -> bool:
        """Return True if a token may be an everyday word: if it has letters only."""
        return token.isalpha()  # digits and marks make a name

    def is_known(self, token: str) -> bool:
        """Return False: no concept is known."""
        return False


class Cues(ProseExtractor):
    """Extractor of statements such as `gnommoweb is a repo`, which the graph can hold.

    Besides, it finds the sentence that says what the title of a document or section is.
    """

    name = "cues"
    version = EXTRACTOR_VERSION

    def __init__(self, lexicon: Lexicon | None = None) -> None:
        self._lexicon = lexicon or EmptyLexicon()

    def wants(self, path: str) -> bool:
        """Return True for documents in prose, except for decision records."""
        # What a record says of a tool is an argument, and often for another one.
        return is_prose(path) and not is_record(path)

    def extract(self, source: ExtractionSource) -> Sequence[ExtractorFinding]:
        """Return the statements and definitions of the prose, in the order of the text."""
        found: dict[str, ExtractorFinding] = {}
        for each in (*self._stated(source), *definitions(source)):
            # A statement that is also a definition is found once.
            found.setdefault(each.content, each)
        return sorted(found.values(), key=lambda it: it.span)

    def _stated(self, source: ExtractionSource) -> Iterator[ExtractorFinding]:
        # Our own blocks may have been pasted into a document, and typed lines say what they are.
        text = _untyped(blank_own_blocks(only(source, passages(source))))
        shown = visible(text)
        # Offsets in the NFC form are those of the text only if that is in NFC.
        composed = unicodedata.is_normalized("NFC", text)
        ends = _ends(source) if composed else []
        for cue in find_cues(_fast.scan(text), self._lexicon):
            # A denial is no definition; it would need its context.
            if cue.verdict is CueVerdict.DROPPED or cue.triple.negated:
                continue
            span = _clause(cue, ends) if composed else (0, len(text))
            # The whole clause: "a set" says nothing, "a set of practices to …" does.
            text = shown[slice(*span)] if composed else visible(cue.sentence)
            content = cleaned(legible(text))
            if 0 < len(content) <= _fast.values.SENTENCE_CHARACTERS_MAX and _says(
                content, cue
            ):
                # No fact beside a clause that says more: people accept both as one.
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
    # The last sentence that begins at the cue or before it.
    at = bisect_right(sentences, (cue.start, cue.start)) - 1
    # A sentence that begins with the cue sorts behind it.
    if at + 1 < len(sentences) and sentences[at + 1][0] == cue.start:
        at += 1
    # A cue across two sentences is read as the scanner found it.
    if at < 0 or not sentences[at][0] <= cue.start < cue.end <= sentences[at][1]:
        return cue.start, cue.end
    start, end = sentences[at]
    # A short lead ("In Kubernetes, a pod …") is dropped, a long one is kept.
    return (start if cue.start - start > LEAD_CHARACTERS_MAX else cue.start), end


def _says(content: str, cue: Cue) -> bool:
    """Return whether a statement says more than that something is a thing."""
    if is_boilerplate(content) or points_back(content):
        return False
    if content.count("(") != content.count(")"):
        return False  # it begins or ends within parentheses
    if cue.triple.is_isa and praises(content):  # "is a great tool" is praise
        return False
    # "X is a tool" needs more words than its head and its subject.
    if cue.triple.dimension != TYPE or not _is_empty(cue.triple.parent):
        return True
    subject = set(StemmedSentence(cue.triple.concept.replace("_", " ")).content)
    words = set(StemmedSentence(content).content) - subject
    return len(words) > SAID_MIN  # one of them is the head


def _covers(triple: Triple, content: str) -> bool:
    """Return whether a fact says what the clause says, but for a word or two."""
    if triple.dimension == TYPE and _is_empty(triple.parent):
        return False  # it would take the place of a better one
    # "serverless: [type] model" beside the clause that defines it would tell nothing.
    names = f"{triple.concept} {triple.parent} {triple.dimension}".replace("_", " ")
    left = set(StemmedSentence(content).content) - set(StemmedSentence(names).content)
    return len(left) <= LEFT_MAX


def _is_empty(parent: str) -> bool:
    # "systems" as well as "system".
    return not EMPTY_HEADS.isdisjoint((parent, parent.removesuffix("s")))


def _untyped(text: str) -> str:
    """Blank lines with a type, which say themselves what they are."""
    # Blanks of the same length, so that offsets stay.
    return _LINE.sub(
        lambda line: (
            " " * len(line[0]) if marked(line[0].lstrip(" -*+").rstrip()) else line[0]
        ),
        text,
    )


_LINE = re.compile(r"[^\r\n]+")
