"""Prose of a text: the sentences that its author states in their own name.

Code, tables, HTML and quotations are not the author's statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from festinger.core.review.blocks import (
    BlockKind,
    DocumentBlock,
    blocks,
    is_document,
    sentences,
)
from festinger.core.review.extractors import ExtractionSource

OPAQUE = "\x01"
"""Placeholder of each character of code and of quotations."""
SENTENCE_CHARACTERS_MAX = 400
"""A longer sentence is a list and no single statement."""

LEAD_CHARACTERS = 200
"""Number of characters at the end of a list's introduction that are kept."""

# By name, as "CHANGELOG.md", "LICENSE", "requirements.txt", "0000-template.md": no
# statements of what holds now.
_NO_PROSE = re.compile(
    r"(?:change[-_ ]?log|changes|history|news|releases?|release[-_ ]?notes?|licen[cs]e(?:[-_ ]\w+)?|copying"
    r"|notice|authors|contributors|codeowners|requirements[\w-]*|robots|cmakelists"
    r"|dockerfile|containerfile|makefile|summary|toc|third[-_]party[-_ ]?\w*"
    r"|(?:_|\d+[-_]|(?:adr|rfc|issue|pull[-_]request|merge[-_]request)[-_])?template)"
    r"(?:\.\w+)*",
    re.IGNORECASE,
)
_TEMPLATES = re.compile(
    r"(?:^|/)(?:issue|pull_request|merge_request)_templates?/", re.IGNORECASE
)
# Sections whose sentences do not state what holds: history, rejected options, plans.
_ASIDE = re.compile(
    r"change ?log|changes|release notes?|releases?|what'?s new|version history|history"
    r"|news|unreleased|table of contents|contents|toc|index|see also|references|links"
    r"|related\b.*|further reading|(?:an? )?examples?|sample\b.*|(?:.* )?template"
    r"|(?:.* )?alternatives?(?: .*)?|rejected\b.*|(?:considered )?options?"
    r"(?: considered)?|open (?:questions?|issues?|points?)|questions?|faq|ideas?"
    r"|(?:pros|cons|advantages|disadvantages|drawbacks|risks)\b.*|options? (?:\d|[a-z])\b.*"
    r"|brainstorm\w*|future(?: work)?|out of scope|non[- ]goals?|pros and cons\b.*"
    r"|quotes?|testimonials|to ?dos?|tasks?|superseded\b.*|deprecated\b.*"
    r"|obsolete\b.*|licen[cs]e|acknowledge?ments?|frequently asked questions",
    re.IGNORECASE,
)
# "[1.2.0]" or "v2.1 (May)": a section of a changelog.
_VERSION = re.compile(r"\[?v?\d+\.\d+(?:\.\d+)*\b", re.IGNORECASE)
NUMBERED = re.compile(r"^[\d.):\s]+(?=[^\W\d])")  # "2.1) Decision" is "Decision"
_BOX = re.compile(r"\[[ xX~/-]?\](?=\s|$)")  # a checkbox is a plan
_MARKER = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_ADMONITION = re.compile(r"(?:!!!|\?\?\?\+?|:::+)[^\r\n]*")
"""Line that begins a note, a warning and the like, or ends one."""
_LINK_ONLY = re.compile(r"(?:\[[^\[\]]*\](?:\([^()\s]*\)|\[[^\[\]]*\])[\s,;.]*)+")

# Each pattern is linear: none searches beyond the next marker of its kind.
_CODE = re.compile(r"(?<!`)`++[^`]++`++")
_ESCAPED = re.compile(r"\\[!-/:-@\[-`{-~]")
_IMAGE = re.compile(r"!\[[^\[\]]*\]\([^()]*\)")
_LINK = re.compile(r"\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
# "[Postgres] is …": a reference without its target; at the begin only if it is a subject.
_SHORTCUT = re.compile(
    r"(?<!^)\[([^\[\]\n]{2,80})\](?![:(\[])|^\[([^\[\]\n]{2,80})\](?= (?:is|are)\b)"
)
_NOTE = re.compile(r"\[\^[^\[\]\s]*\]")
_TAG = re.compile(r"<[a-zA-Z/!][^<>]*>")
_EMOJI = re.compile(r"(?<![\w:]):[a-z][a-z0-9_+-]*:(?![\w:])")  # ":rocket:"
_STRUCK = re.compile(r"~~[^~]+~~")
_EMPHASIS = re.compile(r"\*+|(?<!\w)_+(?=\w)|(?<=[\w.!?])_+(?!\w)|`+")
_QUOTED = re.compile(
    r"“[^“”]*”?|„[^„“]*“?|«[^«»]*»?|\"[^\"]*\"|(?<!\w)\"(?=\w).*"
    r"|(?<![\w'])'(?=\w)[^']*'(?!\w)|(?<!\w)‘[^‘’]*’(?!\w)",  # noqa: RUF001
    re.DOTALL,
)
# Two placeholders: markup is left out of the text at the end, code is put back in.
_REMOVED = "\x00"
_HIDDEN = "\x02"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Paragraph or list item.

    Attributes:
        start: Offset of its text, after the list marker.
        end: Offset after its last character that is not blank.
        under: The heading directly above it; empty if there is none.
        lead: The end of the paragraph that introduces its list; empty if there is none.
    """

    kind: BlockKind
    start: int
    end: int
    under: str = ""
    lead: str = ""


@dataclass(frozen=True, slots=True)
class PlainSentence:
    """Sentence in one line and without markup.

    Attributes:
        guarded: The text, of the same length, with `OPAQUE` for each character of
            code and of quotations, so that rules do not match there.
        span: Position in the source.
    """

    text: str
    guarded: str
    span: tuple[int, int]


def is_prose(path: str) -> bool:
    """Return True if a path is that of a file in sentences, or is empty."""
    name = path.rsplit("/", 1)[-1]
    return is_document(path) and not (
        _NO_PROSE.fullmatch(name) or _TEMPLATES.search(path)
    )


class ProseExtractor:
    """Base of extractors that read documents in prose, by chunks."""

    whole = False

    def wants(self, path: str) -> bool:
        """Return True for documents in prose."""
        return is_prose(path)


def is_aside(heading: str) -> bool:
    """Return True if the section of a heading is an aside: a changelog, an example …"""
    bare = NUMBERED.sub("", plain(heading).strip(" \t:*_#[]"))
    return _ASIDE.fullmatch(bare) is not None or _VERSION.match(bare) is not None


def headings(source: ExtractionSource) -> Iterator[DocumentBlock]:
    """Yield the headings of a text that are neither asides nor below one."""
    for block, aside in _placed(source):
        if block.kind is BlockKind.HEADING and not aside:
            yield block


def passages(source: ExtractionSource) -> list[Paragraph]:
    """Return the paragraphs and list items of a text's prose, in order."""
    return list(_passages(source))


@lru_cache(maxsize=4)
def _passages(source: ExtractionSource) -> tuple[Paragraph, ...]:
    # Cached, since all rules ask for the same source, one after the other.
    # `lead` is the end of an introduction, such as "We use it if:".
    found: list[Paragraph] = []
    heading = lead = ""
    skipping = False
    for block, aside in _placed(source):
        if block.kind is BlockKind.HEADING:
            heading, lead = block.title, ""
            continue
        if block.kind in (BlockKind.PARAGRAPH, BlockKind.ITEM) and not aside:
            # Items need what introduces them: "Do not use it if:" turns their sense around.
            if block.kind is BlockKind.PARAGRAPH:
                text = source.text[block.start : block.end].rstrip(" \t\r\n*_")
                lead = text[-LEAD_CHARACTERS:] if text.endswith(":") else ""
            passage = _passage(source.text, block, heading, lead)
            # A second paragraph of a checkbox is a plan as well.
            skipping = passage is None or (skipping and block.continues)
            if passage is not None and not skipping:
                found.append(passage)
        heading = ""  # only the first block below a heading is directly under it
    return tuple(found)


def sentences_of(
    source: ExtractionSource, passage: Paragraph
) -> Iterator[PlainSentence]:
    """Yield the sentences of a passage; those that are too long are left out."""
    whole = _shown(source.text[passage.start : passage.end])
    # Rules must not match in quotations and code; the length stays, so that offsets do.
    guarded = _QUOTED.sub(_opaque, whole.replace("`", OPAQUE))
    shown = _CODE.sub(lambda it: it[0].replace("`", _REMOVED), whole)
    guarded = _guard_code(whole, guarded)
    # A stop within code ends no sentence.
    for each in sentences(guarded):
        sentence = _sentence(shown, guarded, each, passage.start)
        if 0 < len(sentence.text) <= SENTENCE_CHARACTERS_MAX:
            yield sentence


def statement(source: ExtractionSource, passage: Paragraph) -> PlainSentence | None:
    """Return a passage as one statement, or its first sentence if it is too long."""
    # A typed item is often two sentences.
    shown = visible(source.text[passage.start : passage.end])
    sentence = _sentence(shown, shown, range(len(shown)), passage.start)
    if len(sentence.text) <= SENTENCE_CHARACTERS_MAX:
        return sentence
    return next(sentences_of(source, passage), None)


def plain(text: str) -> str:
    """Return a line without markup, as a reader sees it."""
    return legible(visible(text))


def visible(text: str) -> str:
    """Replace each character of markup by a placeholder; the length stays the same."""
    return _CODE.sub(lambda it: it[0].replace("`", _REMOVED), _shown(text))


def legible(part: str) -> str:
    """Return a part of a visible text in one line, without the placeholders."""
    return " ".join(part.replace(_REMOVED, "").split())


def only(source: ExtractionSource, passages: list[Paragraph]) -> str:
    """Replace a text by blanks, except some passages; offsets stay the same."""
    parts: list[str] = []
    done = 0
    for passage in passages:
        parts.append(_blank(source.text[done : passage.start]))
        parts.append(source.text[passage.start : passage.end])
        done = passage.end
    parts.append(_blank(source.text[done:]))
    return "".join(parts)


def _placed(source: ExtractionSource) -> Iterator[tuple[DocumentBlock, bool]]:
    """Yield the blocks of a text, each with whether it is in an aside."""
    # A chunk does not have the headings above it in its text.
    outside = any(map(is_aside, source.headings))
    trail: list[tuple[int, bool]] = []
    for block in blocks(source.text):
        if block.kind is BlockKind.HEADING:
            while trail and trail[-1][0] >= block.level:
                trail.pop()
            trail.append((block.level, is_aside(block.title)))
        # Below an aside everything is one.
        yield block, outside or any(aside for _, aside in trail)


def _passage(
    text: str, block: DocumentBlock, heading: str, lead: str
) -> Paragraph | None:
    """Return the text of a block; None for a checkbox, a list of links or no text."""
    start, end = block.start, block.end
    if block.kind is BlockKind.ITEM and (marker := _MARKER.match(text, start, end)):
        start = marker.end()
        if _BOX.match(text, start, end):
            return None
    if mark := _ADMONITION.match(text, start, end):
        start = mark.end()
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end or _LINK_ONLY.fullmatch(text, start, end):
        return None
    if block.kind is not BlockKind.ITEM:  # only items have an introduction
        lead = ""
    return Paragraph(block.kind, start, end, heading, lead)


def _shown(text: str) -> str:
    """Replace markup by placeholders, but leave code as it is."""
    # A link may contain code, and code may contain what looks like a link.
    hidden = _CODE.sub(lambda it: _HIDDEN * len(it[0]), text)
    # An escaped mark is text: keep its character.
    hidden = _unmarked(_ESCAPED.sub(_REMOVED + _HIDDEN, hidden))
    if _HIDDEN not in hidden:
        return hidden
    pairs = zip(hidden, text, strict=True)
    return "".join(code if shown == _HIDDEN else shown for shown, code in pairs)


def _unmarked(text: str) -> str:
    for gone in (_IMAGE, _TAG, _STRUCK, _NOTE, _EMOJI):
        text = gone.sub(lambda it: _REMOVED * len(it[0]), text)
    text = _LINK.sub(
        lambda it: _REMOVED + it[1] + _REMOVED * (len(it[0]) - len(it[1]) - 1), text
    )
    text = _SHORTCUT.sub(lambda it: f"{_REMOVED}{it[1] or it[2]}{_REMOVED}", text)
    # Last, since marks of emphasis also occur within links and tags.
    return _EMPHASIS.sub(lambda it: _REMOVED * len(it[0]), text)


def _guard_code(whole: str, guarded: str) -> str:
    """Make the code of one text opaque in the other, which has the same length."""
    parts: list[str] = []
    done = 0
    for code in _CODE.finditer(whole):
        parts += guarded[done : code.start()], _opaque(code)
        done = code.end()
    parts.append(guarded[done:])
    return "".join(parts)


def _opaque(match: re.Match[str]) -> str:
    return OPAQUE * len(match[0])


def _sentence(shown: str, guarded: str, part: range, offset: int) -> PlainSentence:
    """Return a sentence in one line; both of its texts have the same length."""
    text: list[str] = []
    guard: list[str] = []
    # Both drop the same characters: a match in one is the same place in the other.
    for character, guarding in zip(
        shown[part.start : part.stop], guarded[part.start : part.stop], strict=True
    ):
        if character == _REMOVED:
            continue
        if character.isspace():
            if text and text[-1] == " ":
                continue
            character = guarding = " "
        text.append(character)
        guard.append(guarding)
    return PlainSentence(
        "".join(text).strip(),
        "".join(guard).strip(),
        (offset + part.start, offset + part.stop),
    )


def _blank(text: str) -> str:
    return re.sub(r"[^\r\n]", " ", text)
