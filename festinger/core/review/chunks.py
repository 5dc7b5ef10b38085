"""Chunks of a document: parts of a few hundred words with stable ids.

A heading begins a chunk. A long section is cut between its blocks, a long paragraph
between its sentences.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from festinger.core.review.blocks import (
    BlockKind,
    DocumentBlock,
    blocks,
    is_document,
    sentences,
)

WORDS_MAX = 300
"""Maximum number of words of a chunk, unless it cannot be cut."""
CHARACTERS_MAX = 4000
"""Maximum number of characters of a chunk, for text with few blanks."""
WORD_CHARACTERS = 8
"""A long word counts once for each time that it has this many characters, so that text
without blanks is cut as well."""

_WORD = re.compile(r"\S+")
_BY_LINES = (BlockKind.TABLE, BlockKind.QUOTE, BlockKind.ITEM, BlockKind.LINES)
"""Blocks that are cut between lines, since each line is complete by itself."""
# Never cut, whatever their length: the second half of a fence would read as prose.
_WHOLE = (
    BlockKind.FENCE,
    BlockKind.FRONT,
    BlockKind.HTML,
    BlockKind.CODE,
    BlockKind.HEADING,
)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Part of a document.

    Attributes:
        id: 32 hexadecimal digits; stable as long as the project, the path, the headings
            and the text are the same, whatever changes elsewhere.
        ordinal: Index of the chunk in the document, from 0.
        headings: Headings above it, its own included, the highest first.
        start: Offset of its first character in the document.
        end: Offset after it, where the next chunk begins.
        text: The text between the two offsets.
    """

    id: str
    ordinal: int
    headings: tuple[str, ...]
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class _Piece:
    """Part of a block that is not cut any further.

    Attributes:
        joined: Whether it should stay with the piece before it.
    """

    start: int
    end: int
    words: int
    joined: bool


def chunks(text: str, *, project: str = "", path: str = "") -> list[Chunk]:
    """Divide a document into chunks, which together are the whole document."""
    if not text.strip("\ufeff \t\r\n\f\v"):  # a blank text has no chunks
        return []
    # Twins: equal parts, such as two empty templates, need different ids.
    twins: Counter[str] = Counter()
    found: list[Chunk] = []
    # In a configuration file "#" begins a comment and no heading.
    whole = DocumentBlock(BlockKind.LINES, 0, len(text))
    document = blocks(text) if is_document(path) else [whole]
    for headings, section in _sections(document):
        for start, end in _packed(_pieces(text, section)):
            part = text[start:end]
            # The place in the document is no part of the id: a change above renames nothing.
            key = _digest(project, path, headings, _bare(part), 0)
            twin = twins[key]
            twins[key] += 1
            name = key if not twin else _digest(project, path, headings, key, twin)
            found.append(Chunk(name, len(found), headings, start, end, part))
    return found


def _sections(
    document: Sequence[DocumentBlock],
) -> Iterator[tuple[tuple[str, ...], list[DocumentBlock]]]:
    """Yield the blocks under each heading, with the titles of its headings."""
    trail: list[tuple[int, str]] = []
    section: list[DocumentBlock] = []
    for block in document:
        if block.kind is BlockKind.HEADING:
            if section:
                yield tuple(title for _, title in trail), section
            while trail and trail[-1][0] >= block.level:
                trail.pop()
            trail.append((block.level, block.title))
            section = [block]
        elif section and section[-1].kind is BlockKind.FRONT:
            # Front matter is a section of its own.
            yield (), section
            section = [block]
        else:
            section.append(block)
    if section:
        yield tuple(title for _, title in trail), section


def _pieces(text: str, section: Sequence[DocumentBlock]) -> Iterator[_Piece]:
    follows_heading = False
    for block in section:
        # A heading stays with its text, an item's second paragraph with the item.
        joined = block.continues or follows_heading
        for start, end in _cut(text, block):
            yield _Piece(start, end, _words(text, start, end), joined)
            joined = False
        follows_heading = block.kind is BlockKind.HEADING


def _cut(text: str, block: DocumentBlock) -> Iterator[tuple[int, int]]:
    """Yield a block, or its parts if it is too long."""
    size = block.end - block.start
    small = size <= CHARACTERS_MAX and _words(text, block.start, block.end) <= WORDS_MAX
    if small or block.kind in _WHOLE:
        yield block.start, block.end
        return
    if block.kind in _BY_LINES:
        for start, end in _by_lines(text, block.start, block.end):
            # Lines of a quote need their markers, and lines of a table are rows.
            if block.kind is BlockKind.ITEM:
                yield from _by_sentences(text, start, end)
            else:
                yield start, end
        return
    yield from _by_sentences(text, block.start, block.end)


def _by_lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        at = text.find("\n", start, end)
        stop = end if at == -1 else at + 1
        yield start, stop
        start = stop


def _by_sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield parts that end with a sentence and the blanks after it."""
    begins = [each.start for each in sentences(text, start, end)][1:]
    for stop in [*begins, end]:
        # A table of contents or a key: no stops in it.
        if _words(text, start, stop) > WORDS_MAX or stop - start > CHARACTERS_MAX:
            yield from _by_words(text, start, stop)
        else:
            yield start, stop
        start = stop


def _by_words(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield parts of a text that is too long for a sentence, cut between words."""
    # By characters only: a single word of Chinese may be a page.
    while end - start > CHARACTERS_MAX:
        # At the last blank that there is room for; without one, in the middle of a word.
        blank = max(text.rfind(each, start, start + CHARACTERS_MAX) for each in " \n\t")
        stop = blank + 1 if blank > start else start + CHARACTERS_MAX
        yield start, stop
        start = stop
    if start < end:
        yield start, end


def _packed(pieces: Iterator[_Piece]) -> Iterator[tuple[int, int]]:
    """Combine successive pieces, as many as there is room for."""
    start = end = words = 0
    for piece in pieces:
        full = words + piece.words > WORDS_MAX
        # Joined pieces stay together up to one and a half times the limit.
        if full and piece.joined:
            full = words + piece.words > WORDS_MAX * 3 // 2
        if full and end > start:
            yield start, end
            start, words = end, 0
        if not words and end <= start:  # the first piece of a chunk
            start = piece.start
        end = piece.end
        words += piece.words
    if end > start:
        yield start, end


def _words(text: str, start: int, end: int) -> int:
    return sum(
        max(1, (match.end() - match.start()) // WORD_CHARACTERS)
        for match in _WORD.finditer(text, start, end)
    )


def _bare(part: str) -> str:
    """Return a part with normalised line ends and without outer blanks."""
    # Invisible differences, such as a checkout on Windows, must not rename a chunk.
    lines = part.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def _digest(
    project: str, path: str, headings: tuple[str, ...], text: str, twin: int
) -> str:
    # As JSON, so that no two lists of parts give the same text.
    named = json.dumps([project, path, headings, text, twin])
    return blake2b(named.encode("ascii"), digest_size=16).hexdigest()
