"""Blocks of a markdown document: headings, prose, code, tables …

The blocks cover the text without gaps. A quotation is one block; nesting is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from festinger.core.system.wordsets import word_set

TITLE_CHARACTERS_MAX = 200
SETEXT_LINES_MAX = 2
"""A longer paragraph above a line of dashes is no heading: the line is a break."""
# The lookbehind keeps a long row of dots from being scanned once per dot.
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_`]*+(?=\s|$)|[。！？]")  # noqa: RUF001
_LAST_WORD = re.compile(r"[^\s(\[]+$")
_WORD_CHARACTERS_MAX = 24
_ABBREVIATIONS = word_set("approx. ca. cf. e.g. eg. i.e. ie. incl. resp. vs.")
_TITLES = word_set("Dr. Fig. Inc. Mr. Mrs. Ms. No. Prof. St.")


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


# Settings by name: neither "Dockerfile" nor "Makefile.am" is a document.
_SETTINGS = (
    "codeowners", "containerfile", "dockerfile", "gemfile", "jenkinsfile", "makefile",
    "procfile", "vagrantfile",
)  # fmt: skip
# "" is a file without an ending, such as README.
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
    start: int = 0
    end: int = 0
    level: int = 0
    title: str = ""
    continues: bool = False


# All three kinds of line ends, since documents are stored as they came.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
# A comment, `key: value`, a list item, a continued line, the end of a list, or blank.
_FRONT_LINE = re.compile(r"\s*(?:#.*|[\w.\"'-]+\s*:.*|-(?:\s.*)?|\s+\S.*|[\]}].*|)")
_KINDS: Final = {
    "heading_open": BlockKind.HEADING,
    "paragraph_open": BlockKind.PARAGRAPH,
    "blockquote_open": BlockKind.QUOTE,
    "table_open": BlockKind.TABLE,
    "fence": BlockKind.FENCE,
    "code_block": BlockKind.CODE,
    "html_block": BlockKind.HTML,
    "hr": BlockKind.RULE,
}
# References stay in the text, so they are paragraphs; what is within lines is not parsed.
_PARSER: Final = MarkdownIt("commonmark").enable("table").disable("reference")
_PARSER.core.ruler.disable(["inline", "text_join"])  # only blocks are needed


def is_document(path: str) -> bool:
    """Return True if a path is that of a markdown or plain text file, or is empty."""
    name = path.rsplit("/", 1)[-1].lower()
    _, _, ending = name.rpartition(".") if "." in name else ("", "", "")
    return ending in _ENDINGS and not name.startswith((".", *_SETTINGS))


def blocks(text: str) -> list[DocumentBlock]:
    """Return the blocks of a document, in order."""
    lines = list(_LINE.finditer(text))
    # Tokens count lines and no offsets: the parser gets lines, and offsets are looked up.
    rows = [line[0].rstrip("\r\n") for line in lines]
    if not lines:
        return []
    # A byte order mark would hide a heading; a blank of the same length keeps offsets.
    rows[0] = rows[0].replace("\ufeff", " ", 1)
    front = _front_matter(rows)
    found = [DocumentBlock(BlockKind.FRONT)] if front else []
    for first, block in _parsed(rows[front:]):
        block.start = lines[front + first].start()
        found.append(block)
    if not found and text.strip():
        found = [DocumentBlock(BlockKind.PARAGRAPH)]
    # Blank lines, and what is nested too deeply, belong to the block before.
    for block, after in pairwise(found):
        block.end = after.start
    if found:
        found[0].start, found[-1].end = 0, len(text)
    return found


def _parsed(rows: list[str]) -> Iterator[tuple[int, DocumentBlock]]:
    """Yield the blocks of these lines, with the index of the first line of each."""
    tokens = _PARSER.parse("\n".join(rows))
    depth = 0
    item: int | None = None  # the first line of an item whose content is still to come
    within: int | None = None  # the level of the quotation or table that is read
    for index, token in enumerate(tokens):
        # Nothing inside of a quotation or table is a block of its own.
        if within is not None:
            if token.level == within:
                within = None
        elif token.type == "list_item_open" and token.map:
            item = token.map[0] if item is None else item
            depth += 1
        elif token.type == "list_item_close":
            if item is not None:  # an item without any text
                yield item, DocumentBlock(BlockKind.ITEM)
            item = None
            depth -= 1
        elif (kind := _KINDS.get(token.type)) and token.map:
            first, last = token.map
            # The first block of an item is the item; those after it continue it.
            block = DocumentBlock(kind, continues=depth > 0 and item is None)
            if kind is BlockKind.PARAGRAPH and rows[first].lstrip().startswith("|"):
                block.kind = BlockKind.TABLE
            elif kind in (BlockKind.PARAGRAPH, BlockKind.HEADING) and depth:
                block.kind = BlockKind.ITEM
            elif kind is BlockKind.HEADING:
                _entitle(block, token, tokens[index + 1].content)
            elif kind in (BlockKind.QUOTE, BlockKind.TABLE):
                within = token.level
            yield first if item is None else item, block
            # A long text above dashes is a paragraph, and the dashes are a break.
            if kind is BlockKind.HEADING and block.kind is BlockKind.PARAGRAPH:
                yield last - 1, DocumentBlock(BlockKind.RULE)
            item = None


def _entitle(block: DocumentBlock, token: Token, content: str) -> None:
    """Give a heading its level and title; make a paragraph of a long underlined one."""
    if token.markup in ("=", "-") and content.count("\n") >= SETEXT_LINES_MAX:
        block.kind = BlockKind.PARAGRAPH
        return
    block.level = int(token.tag.removeprefix("h"))
    block.title = " ".join(content.split())[:TITLE_CHARACTERS_MAX]


def _front_matter(lines: list[str]) -> int:
    """Return the number of lines of front matter: settings between lines of dashes."""
    if not lines or lines[0].removeprefix(" ").rstrip() != "---":
        return 0
    for at in range(1, len(lines)):
        bare = lines[at].rstrip()
        if bare in ("---", "..."):
            return at + 1 if at > 1 else 0  # an empty one is two breaks
        if not _FRONT_LINE.fullmatch(lines[at]):
            return 0
    return 0


def sentences(text: str, start: int = 0, end: int | None = None) -> Iterator[range]:
    """Yield the sentences in a part of a text as ranges, without outer blanks.

    A stop ends a sentence unless the word before it is an abbreviation or an initial.
    """
    end = len(text) if end is None else end
    first = start
    for match in _END.finditer(text, start, end):
        if match.start() < first or not _ends(text, match, end):
            continue
        if found := _trimmed(text, first, match.end()):
            yield found
        first = match.end()
    if found := _trimmed(text, first, end):
        yield found


def _ends(text: str, stop: re.Match[str], end: int) -> bool:
    if stop[0][0] in "!?。！？":  # noqa: RUF001
        return True
    if (len(stop[0]) > 1 and stop[0][1] == ".") or stop[0][0] == "…":
        # "We tried … and failed" is one sentence: it continues in lower case.
        following = text[stop.end() : stop.end() + 40].lstrip()
        return not following[:1].islower()
    near = text[max(0, stop.start() - _WORD_CHARACTERS_MAX) : stop.start() + 1]
    word = _LAST_WORD.search(near)
    if word is None or stop.end() == end:
        return True
    bare = word[0].lstrip("\"'“*_`")
    initial = len(bare) == 2 and bare[0].isupper()
    # What follows is not looked at: some names ("gnommoweb") begin in lower case.
    return not initial and bare not in _TITLES and bare.lower() not in _ABBREVIATIONS


def _trimmed(text: str, start: int, end: int) -> range | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return range(start, end) if start < end else None
