"""A vault of Markdown: a page a concept, with links and quotes, and one a speaker."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Final

from festinger.api.v1 import line_service_pb2 as pb

NAME_BYTES_MAX: Final = 160  # file systems take 255, the suffix included
SAID: Final = "said"
"""Folder of what people said."""
# Characters that file systems refuse, or that links use.
_UNSAFE: Final = re.compile(r"[^\w .+'-]")


def write(lines: Iterator[pb.MemoryLine], folder: Path) -> int:
    """Write the pages into a folder, and return their number."""
    pages: set[Path] = set()
    for line in lines:
        # What ended would read as if it held.
        if line.status == pb.MemoryLine.STATUS_CLOSED:
            continue
        if line.HasField("held"):
            name = line.held.triple.concept
            page = folder / f"{page_name(name)}.md"
            text = _statement(line)
        # Sentences, and notes that wait: they were said, whoever confirms them.
        elif line.status == pb.MemoryLine.STATUS_ACTIVE or line.HasField("kept"):
            name = line.speaker or "nobody"
            page = folder / SAID / f"{page_name(name)}.md"
            text = f"- {_quote(line)}\n"
        else:
            continue
        is_new = page not in pages
        pages.add(page)
        # Opened for each line: there may be more pages than files can be open.
        page.parent.mkdir(parents=True, exist_ok=True)
        # A name may hold half of a surrogate pair.
        with page.open("a", encoding="utf-8", errors="replace") as file:
            file.write((f"# {name}\n\n" if is_new else "") + text)
    return len(pages)


def page_name(name: str) -> str:
    """Return the name of a concept's page, which no file system refuses."""
    safe = _UNSAFE.sub("-", name).encode("utf-8", "replace")[:NAME_BYTES_MAX]
    # A cut character; Windows drops dots and blanks at the end.
    cut = safe.decode("utf-8", "ignore").strip(". ")
    if cut == name != "":
        return name
    # Two names that differ in what is replaced have two pages.
    digest = blake2b(name.encode("utf-8", "replace"), digest_size=4).hexdigest()
    return f"{cut or 'page'}-{digest}"


def _statement(line: pb.MemoryLine) -> str:
    triple = line.held.triple
    target, name = page_name(triple.parent), triple.parent
    link = f"[[{target}]]" if target == name else f"[[{target}|{name}]]"
    denied = "not " if triple.negated else ""
    quote = f"  > {_quote(line)}\n" if line.quote else ""
    # `runs-on:: [[kubernetes]]`, as Dataview reads it, and our import.
    return f"- {triple.dimension}:: {denied}{link}\n{quote}"


def _quote(line: pb.MemoryLine) -> str:
    """Return the words on one line, with who said them and when."""
    words = " ".join((line.quote or line.text).split())
    when = f"{line.say_time.ToDatetime():%Y-%m-%d}" if line.HasField("say_time") else ""
    about = ", ".join(filter(None, (line.speaker, when, line.project)))
    return f"{words} — {about}" if about else words
