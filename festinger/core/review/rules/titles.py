"""Titles above a statement, which say what it is about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from festinger.core.language.grounding import StemmedSentence
from festinger.core.review.extractors import FOUND_CHARACTERS_MAX, ExtractionSource
from festinger.core.review.prose import NUMBERED, Paragraph, plain

TITLE_WORDS_MIN = 2
"""Number of words that titles should add: a single one ("Weight") is that of a part."""

# "Known limitations", "How it works": titles that are in every document.
_GENERAL = re.compile(
    r"(?:current |known |general |other |additional |basic |technical |manual |key )?"
    r"(?:overview|introduction|intro|general|notes?|background|summary|details?|about"
    r"|usage|description|rules?|guidelines?|polic(?:y|ies)|steps?|process|procedure"
    r"|requirements?|constraints?|decisions?(?: outcome)?|conventions?|criteria|context"
    r"|consequences|rationale|motivation|approach|principles?|basics|miscellaneous"
    r"|index|readme|main|fields?|parameters?|attributes|properties|goals?|howto|how-to"
    r"|purpose|scope|status|positives?|negatives?|neutral|limitations|caveats|prerequisites|lines? \d.*"
    r"|(?:what|why|how|when|who|where)\b.*|.*\b(?:it|this|that|they|them|you|your)\b.*)",
    re.IGNORECASE,
)
"""Titles that do not say what a section is about."""
_INTRODUCTION = re.compile(
    r"(?:overview|introduction|intro|about|background|summary|description|definition"
    r"|what (?:(?:is|are)\b.*|it is|they are)|terminology|concepts?)",
    re.IGNORECASE,
)
_FRONT_TITLE = re.compile(r"---\r?\n(?:[^\n]*\n){0,20}?title:[ \t]*[\"']?([^\n\"']+)")
FRONT_CHARACTERS = 1000
_WORDS = re.compile(r"[^\W\d_]{2}")  # two letters: "1.2" names nothing
_DECISION = re.compile(r"(?:[\d.]+ +)?decision(?: outcome)?:?", re.IGNORECASE)
_NAME = re.compile(
    r"(?:(?i:the|an?|our) )?(?![A-Z]{2,4}s?\b)"
    r"(?:[^\W\d_]*[A-Z0-9_.][^\W_]*[A-Z0-9]|(?<=[a-z] )[A-Z][a-z])"
)
"""A name at the begin: a word in capitals, with a mark in it, or a capital within.

Short words in capitals ("PR", "API", "URL") are those of any project.
"""


def topics(source: ExtractionSource, passage: Paragraph) -> list[str]:
    """Return the titles above a passage that say what it is about, the nearest first.

    The last are the title of its front matter and the name of the file, in words.
    """
    # "docs/user-guide.md" is about "user guide".
    name = source.path.rsplit("/", 1)[-1].partition(".")[0]
    front = _FRONT_TITLE.match(source.text[:FRONT_CHARACTERS])
    above = [
        passage.under,
        *reversed(source.headings),
        front[1] if front else "",
        # A file is often named after its subject where it has no title.
        re.sub(r"[-_]+", " ", name),
    ]
    titles = [_bare(each) for each in above]
    said = (it for it in titles if _WORDS.search(it) and not _GENERAL.fullmatch(it))
    return list(dict.fromkeys(said))  # nearest first, each once


def introduces(source: ExtractionSource, passage: Paragraph) -> bool:
    """Return whether a passage is where a reader expects what its topic is."""
    # Directly below the title, or in an overview: under "How it helps" it would be praised.
    nearest = _nearest(source, passage)
    return not _GENERAL.fullmatch(nearest) or bool(_INTRODUCTION.fullmatch(nearest))


def is_decision(source: ExtractionSource, passage: Paragraph) -> bool:
    """Return whether a passage is in the section "Decision" of a decision record."""
    return _DECISION.fullmatch(_nearest(source, passage)) is not None


def with_title(content: str, subject: str, titles: Sequence[str]) -> str:
    """Return a statement with the titles above it that it needs to be understood.

    Args:
        subject: What it is about, in its own words. A name needs no title.
    """
    if _NAME.match(subject):
        return content
    words = set(StemmedSentence(content).content)
    chosen: list[str] = []
    added: set[str] = set()
    for title in titles:
        stems = set(StemmedSentence(title).content)
        # A title of which three quarters are in the statement adds nothing.
        if stems and 4 * len(stems & (words | added)) < 3 * len(stems):
            chosen.insert(0, title)
            added |= stems - words
        # Two words are enough to tell which; more titles would only make it longer.
        if len(added) >= TITLE_WORDS_MIN or len(stems) >= TITLE_WORDS_MIN:
            break
    titled = ": ".join([*chosen, content])
    # Without titles rather than cut.
    return titled if len(titled) <= FOUND_CHARACTERS_MAX else content


def _nearest(source: ExtractionSource, passage: Paragraph) -> str:
    # In a chunk, the heading may be above it.
    return _bare(passage.under or next(iter(reversed(source.headings)), ""))


def _bare(title: str) -> str:
    return NUMBERED.sub("", plain(title)).strip(" \t:.")
