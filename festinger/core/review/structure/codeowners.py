"""Extractor of CODEOWNERS: the owners of the parts of a repository."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from festinger.core.language.cues.patterns import OWNED_BY
from festinger.core.review.extractors import ExtractionSource, ExtractorFinding
from festinger.core.review.structure.relations import (
    base,
    fact,
    one_parent_each,
    relation,
)

EXTRACTOR_VERSION = "0.1.0"

_LINE = re.compile(r"[^\r\n]+")
# GitLab: "[Section][2]", "^[Optional]".
_SECTION = re.compile(r"\^?\[[^\[\]]*\](?:\[\d+\])?")
# Files without an ending: "Makefile", "LICENSE"; but "profile" may be a directory.
_NO_ENDING = re.compile(r"(?i:.*(?<!pro)file)|[A-Z_-]{4,}")
_OWNER = re.compile(r"@[\w.-]+(?:/[\w./-]+)?|[^\s@]+@[^\s@]+\.[^\s@]+")


class Codeowners:
    """Extractor of CODEOWNERS files, as of GitHub and GitLab."""

    name = "codeowners"
    version = EXTRACTOR_VERSION
    whole = True

    def wants(self, path: str) -> bool:
        """Return True for files of that name, in any directory."""
        return base(path) == "codeowners"

    def extract(self, source: ExtractionSource) -> Sequence[ExtractorFinding]:
        """Return the owners of each pattern, some of them as facts."""
        # A directory is called by its name, and `*` is the project. File patterns,
        # mailboxes and several owners give a content without a fact.
        lines: dict[str, tuple[list[str], tuple[int, int]]] = {}
        for pattern, owners, span in _lines(source.text):
            # Of a repeated pattern the last line counts, as in GitHub.
            lines.pop(pattern, None)
            if owners:  # a pattern without owners takes them away
                lines[pattern] = owners, span
        found = [
            _owned(pattern, owners, span, source.project)
            for pattern, (owners, span) in lines.items()
        ]
        return one_parent_each(found)


def _lines(text: str) -> Iterator[tuple[str, list[str], tuple[int, int]]]:
    for match in _LINE.finditer(text):
        bare = match[0].removeprefix("\ufeff").split("#", 1)[0].strip()
        if not bare or _SECTION.match(bare):
            continue
        # "\ " is a blank within a pattern.
        pattern, *words = re.split(r"(?<!\\)\s+", bare)
        owners = [word for word in words if _OWNER.fullmatch(word)]
        yield pattern, owners, match.span()


def _owned(
    pattern: str, owners: list[str], span: tuple[int, int], project: str
) -> ExtractorFinding:
    whole = pattern in ("*", "/", "/*", "/**", "**")
    concept = project if whole else _directory(pattern)
    shown = f"{concept} ({pattern})" if concept else pattern
    # Ownership has one place: of two owners nobody can tell which is it.
    owner = owners[0] if len(owners) == 1 else ""
    # "@acme/payments" is the team, "@alice" the person, "a@b.c" a mailbox.
    called = owner.rsplit("/", 1)[-1].lstrip("@") if owner.startswith("@") else ""
    held = fact(concept, called, OWNED_BY) if concept and called else ""
    content = f"{shown} is owned by {', '.join(owners)}"
    return relation("codeowners.owner", content, span, held)


def _directory(pattern: str) -> str:
    """Return the name of the directory of a pattern; empty if it matches files."""
    bare = re.sub(r"(?:/\*{1,2})+$", "/", pattern)  # "src/**" is the directory "src"
    last = bare.rstrip("/").rsplit("/", 1)[-1]
    if any(each in last for each in "*?[]!\\"):
        return ""
    if bare.endswith("/"):
        return last
    return "" if "." in last.lstrip(".") or _NO_ENDING.fullmatch(last) else last
