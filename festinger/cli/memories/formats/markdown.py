"""Markdown: a page, or a folder such as a vault of Obsidian; and rules for agents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml
from markdown_it import MarkdownIt

from festinger.cli.memories.formats.records import (
    FileNote,
    FileRefusal,
    FileStatement,
    PlacedRecord,
    word_of,
)
from festinger.cli.memories.formats.registry import FileFormat, FileSample
from festinger.cli.memories.formats.source import ImportSource
from festinger.core.language.turns import Role
from festinger.services.language.evaluating import ChatMessage

PAGE_BYTES_MAX: Final = 4 * 2**20  # a page is parsed as a whole
RULES: Final = ("agents.md", "claude.md", "gemini.md", ".cursorrules", ".windsurfrules")
_SUFFIXES: Final = (".md", ".markdown", ".mdc")
# Properties in YAML, between two `---` at the very beginning.
_HEAD: Final = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
# `deadline:: Friday`, also as an item of a list.
_FIELD: Final = re.compile(r"^\s*(?:[-*]\s+)?([\w -]{1,40})::\s*(\S.*)$", re.MULTILINE)
# `[[Page#part|shown]]`.
_LINK: Final = re.compile(r"!?\[\[([^\]|#]+)(?:#[^\]|]*)?(?:\|([^\]]+))?\]\]")
# Properties that say something of the page, and not of its subject.
_UNTOLD: Final = ("tags", "aliases", "cssclasses", "publish", "id", "uid")


def _recognises(sample: FileSample) -> bool:
    path = sample.path
    if path.is_dir():
        return any(_pages(path))
    return not sample.objects and _is_page(path)


def _read(source: ImportSource) -> Iterator[PlacedRecord]:
    root = source.path
    done = 0
    for page in _pages(root) if root.is_dir() else [root]:
        place = page.relative_to(root).as_posix() if page != root else page.name
        size = page.stat().st_size
        done += size
        source.progress(done)
        if size > PAGE_BYTES_MAX:
            why = f"it is larger than {PAGE_BYTES_MAX >> 20} MB"
            yield PlacedRecord(place, FileRefusal(why))
            continue
        try:
            text = page.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            yield PlacedRecord(place, FileRefusal("it is not in UTF-8"))
            continue
        # Each item of AGENTS.md and the like is an instruction in its project.
        if page.name.lower() in RULES or page.suffix == ".mdc":
            yield from _rules(text, page, place)
        else:
            yield from _page(text, page, place)


def _pages(folder: Path) -> Iterator[Path]:
    """Yield the pages of a folder in their order; links may lead out of it."""
    for path in sorted(folder.rglob("*")):
        within = path.relative_to(folder).parts
        # `.obsidian`, `.git`, `.trash`; links may lead out of the folder, or in circles.
        if any(it.startswith(".") for it in within[:-1]) or path.is_symlink():
            continue
        if path.is_file() and _is_page(path):
            yield path


def _is_page(path: Path) -> bool:
    return path.suffix.lower() in _SUFFIXES or path.name.lower() in RULES


def _rules(text: str, page: Path, place: str) -> Iterator[PlacedRecord]:
    project = page.resolve().parent.name
    for words in blocks_of(_HEAD.sub("", text, count=1)):
        # Without a time: an edit of the file leaves the other rules as they are.
        note = FileNote(words, instruction=True, collection=place, project=project)
        yield PlacedRecord(place, note)


def _page(text: str, page: Path, place: str) -> Iterator[PlacedRecord]:
    name, said = page.stem, page.stat().st_mtime
    head = _HEAD.match(text)
    properties = list(_properties(head[1])) if head else []
    body = text[head.end() :] if head else text
    # Behind the head: properties within the text are statements about the page as well.
    properties += [(it[1].strip(), it[2].strip()) for it in _FIELD.finditer(body)]
    for key, value in properties:
        # `runs_on` and `runs-on` are one relation.
        words = key.replace("_", " ").replace("-", " ").lower()
        yield PlacedRecord(place, FileStatement(name, words, _unlinked(value)))
    # Without the fields, which were read above.
    for words in blocks_of(_FIELD.sub("", body)):
        message = ChatMessage(Role.USER, _unlinked(words), session=place, said=said)
        yield PlacedRecord(place, message)


def _properties(head: str) -> Iterator[tuple[str, str]]:
    """Yield the properties at the head of a page, one for each value."""
    try:
        found: Any = yaml.safe_load(head)
    # A head that is no YAML is left out; the page is read all the same.
    except (yaml.YAMLError, ValueError, RecursionError):
        return
    for key, value in found.items() if isinstance(found, dict) else ():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(key, str) and key not in _UNTOLD and (word := word_of(each)):
                yield key, word


def blocks_of(text: str) -> Iterator[str]:
    """Yield the paragraphs and the items of lists, without headings, code and tables."""
    is_heading = False
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        # Headings and cells have no sentence; what follows them does.
        if token.type in ("heading_open", "th_open", "td_open"):
            is_heading = True
        elif token.type == "inline":
            if not is_heading and (words := " ".join(token.content.split())):
                yield words
            is_heading = False


def _unlinked(text: str) -> str:
    """Return a text with the names of linked pages instead of the links."""
    return _LINK.sub(lambda it: it[2] or it[1], text)


FORMAT: Final = FileFormat(
    "markdown",
    "a page or a vault (Markdown, Obsidian), AGENTS.md, CLAUDE.md, .cursorrules",
    _recognises,
    _read,
)
