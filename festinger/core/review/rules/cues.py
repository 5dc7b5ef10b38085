"""Extractor of the statements that the cue scanner finds in prose.

The scanner's own prior is kept: a plain statement about a name is more reliable than
one about a common word. Negated statements are left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from festinger import _fast
from festinger.core.graph.tokens import blank_own_blocks
from festinger.core.language.cues import CueVerdict, Lexicon, find_cues
from festinger.core.memories.types import MemoryType
from festinger.core.review.extractors import ExtractionSource, ExtractorFinding
from festinger.core.review.prose import is_prose, legible, only, passages, visible
from festinger.core.review.rules.doubts import cleaned
from festinger.core.review.rules.typed import marked

EXTRACTOR_VERSION = "0.1.0"


class Wary:
    """Default lexicon, for which every word is everyday and no concept is known."""

    def is_everyday(self, token: str) -> bool:
        """Return True if a token may be an everyday word: if it has letters only."""
        return token.isalpha()

    def is_known(self, token: str) -> bool:
        """Return False: no concept is known."""
        return False


class Cues:
    """Extractor of statements such as `gnommoweb is a repo`, which the graph can hold.

    Args:
        lexicon: Lexicon of everyday words and known concepts.
    """

    name = "cues"
    version = EXTRACTOR_VERSION
    whole = False

    def __init__(self, lexicon: Lexicon | None = None) -> None:
        self._lexicon = lexicon or Wary()

    def wants(self, path: str) -> bool:
        """Return True for documents in prose."""
        return is_prose(path)

    def extract(self, source: ExtractionSource) -> Sequence[ExtractorFinding]:
        """Return the statements of the prose, in the order of the text."""
        text = _untyped(blank_own_blocks(only(source, passages(source))))
        shown = visible(text)
        composed = unicodedata.is_normalized("NFC", text)
        found: list[ExtractorFinding] = []
        for cue in find_cues(_fast.scan(text), self._lexicon):
            if cue.verdict is CueVerdict.DROPPED or cue.triple.negated:
                continue
            # Offsets in the NFC form are those of the text only if that is in NFC.
            span = (cue.start, cue.end) if composed else (0, len(text))
            said = shown[cue.start : cue.end] if composed else visible(cue.sentence)
            content = cleaned(legible(said))
            if content and len(content) <= _fast.values.SENTENCE_CHARACTERS_MAX:
                kind, fact = MemoryType.COMPONENT, str(cue.triple)
                rule = f"cue {cue.rule}"
                found.append(
                    ExtractorFinding(kind, content, rule, cue.confidence, span, fact)
                )
        return found


def _untyped(text: str) -> str:
    """Blank lines with a type, which say themselves what they are."""
    return _LINE.sub(
        lambda line: (
            " " * len(line[0]) if marked(line[0].lstrip(" -*+").rstrip()) else line[0]
        ),
        text,
    )


_LINE = re.compile(r"[^\r\n]+")
