"""Blocks of a markdown document: headings, prose, code, tables …

The blocks cover the text without gaps and are read in one pass over its lines. Parsing
follows CommonMark as far as it matters whether a text is prose. Nesting is not kept,
but a block knows whether it continues the list item before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

TITLE_CHARACTERS_MAX = 200
SETEXT_LINES_MAX = 2
"""A longer paragraph above a line of dashes is no heading: the line is a break."""


class BlockKind(StrEnum):
    """Kind of a block."""

    FRONT = "front matter"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "list item"
    QUOTE = "quote"
    TABLE = "table"
    FENCE = "fence"
    CODE = "indented code"
    HTML = "html"
    RULE = "thematic break"
    LINES = "lines"
    """All lines of a file that is not a document."""


_SETTINGS = (
    "codeowners", "containerfile", "dockerfile", "gemfile", "jenkinsfile", "makefile",
    "procfile", "vagrantfile",
)  # fmt: skip
_ENDINGS = ("", "md", "markdown", "mdx", "txt", "text", "rst", "adoc", "org")


@dataclass(slots=True)
class DocumentBlock:
    """Part of a document, with the blank lines after it.

    Attributes:
        start: Offset of its first character.
        end: Offset after it and the blank lines that follow.
        level: Level of a heading, from 1.
        title: Text of a heading, without its markers.
        continues: Whether it belongs to the list item before it.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    title: str = ""
    continues: bool = False


_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*")
_FENCE = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,})(?P<info>.*)", re.DOTALL)
_ITEM = re.compile(r"(?P<indent>[ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(?=\S)|[ \t]*$)")
_QUOTE = re.compile(r" {0,3}>")
_HTML = re.compile(r" {0,3}</?[a-zA-Z][a-zA-Z0-9-]*(?=[\s/>]|$)")
_RAW = re.compile(r" {0,3}<(pre|script|style|textarea)(?=[\s>]|$)", re.IGNORECASE)
_DELIMITERS = frozenset(" \t:|-")
_FRONT_LINE = re.compile(r"\s*(?:#.*|[\w.\"'-]+\s*:.*|-(?:\s.*)?|\s+\S.*|[\]}].*|)")
_INDENTED = re.compile(r"(?: {4}| {0,3}\t)")


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    start: int
    end: int

    @property
    def blank(self) -> bool:
        return not self.text or self.text.isspace()

    @property
    def indent(self) -> int:
        expanded = self.text[:40].expandtabs(4)
        return len(expanded) - len(expanded.lstrip())


def is_document(path: str) -> bool:
    """Return True if a path is that of a markdown or plain text file, or is empty."""
    name = path.rsplit("/", 1)[-1].lower()
    _, _, ending = name.rpartition(".") if "." in name else ("", "", "")
    return ending in _ENDINGS and not name.startswith((".", *_SETTINGS))


def blocks(text: str) -> list[DocumentBlock]:
    """Return the blocks of a document, in order."""
    lines = list(_lines(text))
    reader = _BlockReader(lines)
    found = reader.read()
    if found:
        found[0].start = 0
        found[-1].end = len(text)
    return found


def _lines(text: str) -> Iterator[_Line]:
    for match in _LINE.finditer(text):
        yield _Line(match[0].rstrip("\r\n"), match.start(), match.end())


class _BlockReader:
    """Parser of the lines. `item` is the column of the open list item's text."""

    def __init__(self, lines: list[_Line]) -> None:
        self.lines = lines
        self.at = 0
        self.found: list[DocumentBlock] = []
        self.item: int | None = None
        self.open = False
        """Whether the next line may continue the last block."""

    def read(self) -> list[DocumentBlock]:
        if end := _front_matter(self.lines):
            self._take(BlockKind.FRONT, end)
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.blank:
                self._skip(line)
            elif self.open and self.found[-1].kind in (BlockKind.QUOTE, BlockKind.HTML):
                self._lazily(line)
            else:
                self._begin(line)
        return self.found

    def _skip(self, line: _Line) -> None:
        """Add a blank line to the last block, and close that."""
        if self.found:
            self.found[-1].end = line.end
        self.open = False
        self.at += 1

    def _lazily(self, line: _Line) -> None:
        """Continue a quote or HTML with a line, unless it begins another block."""
        quote = self.found[-1].kind is BlockKind.QUOTE and not _QUOTE.match(line.text)
        if quote and (_HEADING.match(line.text) or _FENCE.match(line.text)):
            self.open = False
            return
        self.found[-1].end = line.end
        self.at += 1

    def _begin(self, line: _Line) -> None:
        text = line.text
        if self.at == 0:
            text = text.removeprefix("\ufeff")
        inside = self.item is not None and line.indent >= self.item
        if not (inside or self.open) and _INDENTED.match(text):
            return self._take(BlockKind.CODE, self._end_of_code())
        if fence := _opening(text):
            return self._take(BlockKind.FENCE, self._end_of_fence(fence), inside)
        if "<!--" in text and text.lstrip().startswith("<!--"):
            return self._take(BlockKind.HTML, self._end_of("-->"), inside)
        if heading := _HEADING.match(text):
            return self._heading(text[heading.end() :], len(heading[1]))
        if self._underlines(text):
            return None
        if _RULE.fullmatch(text):
            return self._take(BlockKind.RULE, self.at + 1)
        if item := _ITEM.match(text):
            return self._list_item(text, item)
        if _QUOTE.match(text):
            return self._take(BlockKind.QUOTE, self.at + 1, inside, more=True)
        if raw := _RAW.match(text):
            return self._take(
                BlockKind.HTML, self._end_of(f"</{raw[1].lower()}>"), inside
            )
        if not self.open and _HTML.match(text):
            return self._take(BlockKind.HTML, self.at + 1, inside, more=True)
        if self._is_table():
            return self._take(BlockKind.TABLE, self._end_of_table(), inside)
        return self._prose(line, inside)

    def _prose(self, line: _Line, inside: bool) -> None:
        if self.open:
            self.found[-1].end = line.end
            self.at += 1
            return
        if not inside:
            self.item = None
        kind = BlockKind.ITEM if inside else BlockKind.PARAGRAPH
        self._take(kind, self.at + 1, inside, more=True)

    def _take(
        self, kind: BlockKind, end: int, continues: bool = False, *, more: bool = False
    ) -> None:
        """Append a block of the lines before `end`."""
        if not continues and kind not in (
            BlockKind.ITEM,
            BlockKind.PARAGRAPH,
            BlockKind.CODE,
        ):
            self.item = None
        first, last = self.lines[self.at], self.lines[end - 1]
        self.found.append(
            DocumentBlock(kind, first.start, last.end, continues=continues)
        )
        self.at, self.open = end, more

    def _heading(self, title: str, level: int) -> None:
        self._take(BlockKind.HEADING, self.at + 1)
        bare = title.strip()
        shorn = bare.rstrip("#")
        # "## C#" has no closing sequence, which needs a blank before it.
        if shorn != bare and (not shorn or shorn[-1] in " \t"):
            bare = shorn.rstrip()
        self.found[-1].level = level
        self.found[-1].title = " ".join(bare.split())[:TITLE_CHARACTERS_MAX]

    def _underlines(self, text: str) -> bool:
        """Make a heading of the paragraph above if the line underlines it."""
        if not self.open or self.found[-1].kind is not BlockKind.PARAGRAPH:
            return False
        if not _UNDERLINE.fullmatch(text):
            return False
        block = self.found[-1]
        first = self.at - 1
        while first > 0 and self.lines[first - 1].start >= block.start:
            if self.at - first == SETEXT_LINES_MAX:
                return False
            first -= 1
        title = " ".join(each.text for each in self.lines[first : self.at])
        block.kind = BlockKind.HEADING
        block.level = 1 if "=" in text else 2
        block.title = " ".join(title.replace("\ufeff", "").split())
        block.title = block.title[:TITLE_CHARACTERS_MAX]
        block.end = self.lines[self.at].end
        self.at, self.open, self.item = self.at + 1, False, None
        return True

    def _list_item(self, text: str, item: re.Match[str]) -> None:
        # Within a paragraph, "2019. A year" does not begin a list.
        interrupts = text.lstrip()[0] in "-*+" or text.lstrip().startswith(("1.", "1)"))
        if self.open and self.found[-1].kind is BlockKind.PARAGRAPH and not interrupts:
            return self._prose(self.lines[self.at], False)
        column = len(item[0].expandtabs(4))
        if fence := _opening(text[item.end() :]):
            self._take(BlockKind.FENCE, self._end_of_fence(fence))
        else:
            self._take(BlockKind.ITEM, self.at + 1, more=True)
        self.item = min(column, len(item["indent"].expandtabs(4)) + 6)
        return None

    def _end_of_fence(self, fence: str) -> int:
        for at in range(self.at + 1, len(self.lines)):
            bare = self.lines[at].text.strip().removeprefix(">").strip()
            if bare.startswith(fence) and not bare.strip(fence[0]):
                return at + 1
        return len(self.lines)

    def _end_of(self, closing: str) -> int:
        for at in range(self.at, len(self.lines)):
            if closing in self.lines[at].text.lower():
                return at + 1
        return len(self.lines)

    def _end_of_code(self) -> int:
        at = self.at
        while at < len(self.lines) and _INDENTED.match(self.lines[at].text):
            at += 1
        return max(at, self.at + 1)

    def _is_table(self) -> bool:
        text = self.lines[self.at].text
        if self.open or "|" not in text:
            return False
        if text.lstrip().startswith("|"):
            return True
        after = self.lines[self.at + 1].text if self.at + 1 < len(self.lines) else ""
        return "|" in after and "-" in after and _DELIMITERS.issuperset(after)

    def _end_of_table(self) -> int:
        at = self.at
        while at < len(self.lines) and "|" in self.lines[at].text:
            at += 1
        return at


def _opening(text: str) -> str:
    """Return the marker of the fence that a line opens; empty if it opens none."""
    match = _FENCE.fullmatch(text)
    if match is None or (match["fence"][0] == "`" and "`" in match["info"]):
        return ""
    return match["fence"]


def _front_matter(lines: list[_Line]) -> int:
    """Return the number of lines of front matter: settings between lines of dashes."""
    if not lines or lines[0].text.removeprefix("\ufeff").rstrip() != "---":
        return 0
    for at in range(1, len(lines)):
        bare = lines[at].text.rstrip()
        if bare in ("---", "..."):
            return at + 1 if at > 1 else 0
        if not _FRONT_LINE.fullmatch(lines[at].text):
            return 0
    return 0
