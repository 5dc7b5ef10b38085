"""Masking of code, quotes and markup in a text.

Text that is not prose is masked character by character, so that all offsets stay valid:
with `OPAQUE` where a sentence cannot be read across it (code, a quoted sentence, an
address), with `HIDDEN` where the rendered page shows nothing (tags, link targets). A
single word in backticks or quotes is a name in a sentence and is kept.
"""

from __future__ import annotations

import re
from typing import Final

from festinger._fast.values import HIDDEN, OPAQUE, SENTENCE_CHARACTERS_MAX
from festinger._fast.words import ELEMENTS

# Each branch begins with a literal, so that the engine skips to the next of them.
_SPECIAL: Final = re.compile(
    r"""`|<(?=[A-Za-z/!])|'(?=\w)|"|“|„|«|‘|\]\(|\]\[|!\[|://|~~~?|iknowthat"""
)
_TICKS: Final = re.compile("`+")
_TAG: Final = re.compile(r"<(?:!--|/?([A-Za-z][\w-]{0,30})[^<>]{0,300}>)")
_BLANK_LINE: Final = re.compile(r"\n[ \t\r]*\n")
_SINGLE: Final = re.compile(r"[\w.+#'-]{1,64}")
_CLOSERS: Final = {
    '"': re.compile('"'),
    "“": re.compile("[”“]"),
    "„": re.compile("[“”]"),
    "«": re.compile("»"),
    "‘": re.compile(r"’(?!\w)"),
    "'": re.compile(r"(?<=\S)'(?!\w)"),
    "~~": re.compile("~~"),
}
#: A fence may be indented in a list, or quoted.
INDENT_CHARACTERS_MAX: Final = 9
_LINK_ENDS: Final = {
    "](": re.compile(r"\)"),
    "][": re.compile(r"\]"),
    "![": re.compile(r"[)\]](?!\()"),
}
#: How far behind a position its sentence may reach, with the marks that end it.
NEAR: Final = 500
_ADDRESS_END: Final = re.compile(r"[\s<>)\]\"']")


def readable(text: str, near: list[int] | None = None, fenced: bool = True) -> str:
    """Return the text with everything that is not prose masked.

    Args:
        near: Ascending positions. Text may be left unmasked outside the range that a
            sentence around one of them can reach: from the beginning of its paragraph
            to `NEAR` characters behind it.
        fenced: Whether the text may hold a character at which a fence or tag begins.
    """
    return _Blotter(text).blot()


class _Blotter:
    """A single pass over the marks at which text that is not prose may begin.

    A failed search for a closing mark is remembered, so that a further mark of the
    same kind does not search the same characters again: thousands of opening quotes
    cost as much as one.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.parts: list[str] = []
        self.done = 0
        self.none_before: dict[str, int] = {}
        self.paragraph = -1

    def blot(self) -> str:
        text = self.text
        at = 0
        while match := _SPECIAL.search(text, at):
            at = max(self.special(match), match.start() + 1)
        if not self.parts:
            return text
        self.parts.append(text[self.done :])
        return "".join(self.parts)

    def special(self, match: re.Match[str]) -> int:
        """Mask the text that begins at a mark, if any; return where to continue."""
        mark, start, end = match[0], *match.span()
        if mark == "`":
            end = _end_of_run(self.text, start)
            mark = self.text[start:end]
            if len(mark) >= 3 and self.opens_line(start):
                return self.fence(start, end, mark)
            return self.code(start, end, mark)
        if mark == "~~~":
            return self.fence(start, end, mark) if self.opens_line(start) else end
        if mark == "<":
            return self.tag(start)
        if mark in ("](", "][", "!["):
            return self.link(start, end, mark)
        if mark == "://":
            return self.address(start, end)
        if mark == "iknowthat":
            return self.own_line(start, end)
        return self.quote(start, end, mark)

    def cover(self, start: int, end: int, character: str) -> int:
        start = max(start, self.done)
        if start < end:
            self.parts.append(self.text[self.done : start])
            self.parts.append(character * (end - start))
            self.done = end
        return end

    def opens_line(self, start: int) -> bool:
        low = max(0, start - INDENT_CHARACTERS_MAX)
        line = self.text.rfind("\n", low, start)
        if line < 0 < low:
            return False
        return not self.text[max(line + 1, low) : start].strip(" \t>")

    def fence(self, start: int, end: int, mark: str) -> int:
        """Mask a fenced block; an unclosed one reaches to the end of the text."""
        closing = re.compile(rf"^[ \t>]*{re.escape(mark)}", re.MULTILINE)
        found = closing.search(self.text, end)
        return self.cover(start, found.end() if found else len(self.text), OPAQUE)

    def code(self, start: int, end: int, mark: str) -> int:
        found = self.closing(f"`{len(mark)}", _run(mark), end)
        if found is None:
            return end
        if _SINGLE.fullmatch(self.text, end, found.start()):
            return found.end()
        return self.cover(start, found.end(), OPAQUE)

    def quote(self, start: int, end: int, mark: str) -> int:
        if mark in "\"'" and self.text[start - 1 : start].isalnum():
            return end  # 5", don't
        found = self.closing(mark, _CLOSERS[mark], end)
        if found is None:
            return end
        if _SINGLE.fullmatch(self.text, end, found.start()):
            return found.end()
        return self.cover(start, found.end(), OPAQUE)

    def tag(self, start: int) -> int:
        tag = _TAG.match(self.text, start)
        if tag is None:
            return start + 1
        if tag[1] is None:
            close = self.text.find("-->", tag.end())
            return self.cover(start, len(self.text) if close < 0 else close + 3, HIDDEN)
        name = tag[1].lower()
        if name in ELEMENTS and tag[0][1] != "/" and tag[0][-2] != "/":
            if name not in self.none_before:
                end = end_of_element(self.text, name, tag.end())
                if end >= 0:
                    return self.cover(start, end, OPAQUE)
                self.none_before[name] = len(self.text)
            if name == "recollection":
                return self.cover(start, len(self.text), OPAQUE)
        return self.cover(start, tag.end(), HIDDEN)

    def link(self, start: int, end: int, mark: str) -> int:
        found = self.closing(mark, _LINK_ENDS[mark], end)
        if found is None:
            return end
        if mark == "![":
            return self.cover(start, found.end(), OPAQUE)
        return self.cover(start, found.end(), HIDDEN)

    def address(self, start: int, end: int) -> int:
        scheme = start
        while scheme > self.done and start - scheme < 16:
            if not self.text[scheme - 1].isalnum():
                break
            scheme -= 1
        found = _ADDRESS_END.search(self.text, end)
        return self.cover(scheme, found.start() if found else len(self.text), OPAQUE)

    def own_line(self, start: int, end: int) -> int:
        """Mask the line of our own hint, which is full of cues (B7)."""
        line = self.text.rfind("\n", self.done, start) + 1
        close = self.text.find("\n", end)
        return self.cover(
            max(line, self.done), len(self.text) if close < 0 else close, OPAQUE
        )

    def closing(
        self, kind: str, pattern: re.Pattern[str], start: int
    ) -> re.Match[str] | None:
        """Find a closing mark in the same paragraph and within a sentence's length."""
        begin = max(start, self.none_before.get(kind, 0))
        limit = min(start + SENTENCE_CHARACTERS_MAX, self.end_of_paragraph(start))
        found = pattern.search(self.text, begin, limit) if begin < limit else None
        if found is None:
            self.none_before[kind] = max(begin, limit)
        return found

    def end_of_paragraph(self, start: int) -> int:
        if start > self.paragraph:
            blank = _BLANK_LINE.search(self.text, start)
            self.paragraph = blank.start() if blank else len(self.text)
        return self.paragraph


def _end_of_run(text: str, start: int) -> int:
    run = _TICKS.match(text, start)
    assert run is not None
    return run.end()


def _run(mark: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!`){mark}(?!`)")


def end_of_element(text: str, name: str, start: int) -> int:
    """Return the place behind the tag that closes an element, or -1."""
    closing = re.compile(rf"</{name}\s*>", re.IGNORECASE)
    close_tag = closing.search(text, start)
    return close_tag.end() if close_tag else -1
