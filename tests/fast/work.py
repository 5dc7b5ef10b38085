"""Counts the work that reading a text takes: steps, not seconds.

A step is a line of ours that runs, or a character that a search, a match or a slice in C
walks over. A regex' backtracking within one match is not seen; that it comes back to the
same characters from one match to the next is, and that is how scanners become quadratic.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from types import FrameType, ModuleType
from typing import Any

import pytest

from festinger._fast import alphabet
from festinger.core.graph import statement, tokens
from tests.oracle import cuefilter, prose, scanner
from tests.oracle.cues import oracle_cues

_OURS = ("/festinger/_fast/", "/festinger/core/")


class Work:
    """Counts the steps of calls; from `watch` on also what patterns walk over."""

    def __init__(self) -> None:
        self.steps = 0

    def of(self, call: Callable[[str], object], text: str) -> int:
        """Return the steps that a call takes for a text."""
        self.steps = 0
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            call(_text(text, self))
        finally:
            sys.settrace(before)
        return self.steps

    def watch(self, patch: pytest.MonkeyPatch) -> None:
        """Put every pattern of the modules that read text under the count."""
        for module in _modules():
            for name, value in list(vars(module).items()):
                if isinstance(value, re.Pattern):
                    patch.setattr(module, name, _Pattern(value, self))
                elif value is re:
                    patch.setattr(module, name, _Patterns(self))
                elif isinstance(value, dict) and name.startswith("_"):
                    for key, pattern in value.items():
                        if isinstance(pattern, re.Pattern):
                            patch.setitem(value, key, _Pattern(pattern, self))

    def _enter(self, frame: FrameType, event: str, argument: object) -> Any:
        ours = any(part in frame.f_code.co_filename for part in _OURS)
        return self._line if ours else None

    def _line(self, frame: FrameType, event: str, argument: object) -> Any:
        self.steps += event == "line"
        return self._line


def _modules() -> list[ModuleType]:
    return [
        alphabet,
        cuefilter,
        prose,
        scanner,
        tokens,
        statement,
        *oracle_cues().values(),
    ]


class _Text(str):
    """A text that counts what is searched and cut, and so does what is cut out of it."""

    work: Work

    def find(self, part: str, *bounds: Any) -> int:
        found = super().find(part, *bounds)
        begin, end, _ = slice(*[*bounds, None, None][:2]).indices(len(self))
        self.work.steps += (end if found < 0 else found) - begin
        return found

    def rfind(self, part: str, *bounds: Any) -> int:
        found = super().rfind(part, *bounds)
        begin, end, _ = slice(*[*bounds, None, None][:2]).indices(len(self))
        self.work.steps += end - (begin if found < 0 else found)
        return found

    def __getitem__(self, at: Any) -> str:
        part = super().__getitem__(at)
        self.work.steps += len(part)
        return _text(part, self.work) if isinstance(at, slice) else part


def _text(text: str, work: Work) -> _Text:
    counted = _Text(text)
    counted.work = work
    return counted


class _Pattern:
    """A pattern that counts the characters from where it begins to where it ends.

    A match that fails at its place is one step: how far it looked cannot be seen.
    """

    def __init__(self, pattern: re.Pattern[str], work: Work) -> None:
        self.pattern = pattern
        self.work = work

    def search(self, text: str, at: int = 0, end: int = sys.maxsize) -> Any:
        found = self.pattern.search(text, at, end)
        self.work.steps += (found.end() if found else min(end, len(text))) - at
        return found

    def match(self, text: str, at: int = 0, end: int = sys.maxsize) -> Any:
        found = self.pattern.match(text, at, end)
        self.work.steps += found.end() - at if found else 1
        return found

    def fullmatch(self, text: str, at: int = 0, end: int = sys.maxsize) -> Any:
        self.work.steps += min(end, len(text)) - at
        return self.pattern.fullmatch(text, at, end)

    def finditer(
        self, text: str, at: int = 0, end: int = sys.maxsize
    ) -> Iterator[re.Match[str]]:
        for found in self.pattern.finditer(text, at, end):
            self.work.steps += found.end() - at
            at = found.end()
            yield found
        self.work.steps += min(end, len(text)) - at

    def sub(self, by: Any, text: str) -> str:
        self.work.steps += len(text)
        return self.pattern.sub(by, text)


class _Patterns:
    """The module `re`, whose patterns count."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def __getattr__(self, name: str) -> Any:
        return getattr(re, name)

    def compile(self, *arguments: Any) -> _Pattern:
        return _Pattern(re.compile(*arguments), self.work)

    def finditer(self, pattern: str, text: str) -> Iterator[re.Match[str]]:
        return self.compile(pattern).finditer(text)

    def findall(self, pattern: str, text: str) -> list[str]:
        self.work.steps += len(text)
        return re.findall(pattern, text)

    def split(self, pattern: str, text: str) -> list[str | Any]:
        self.work.steps += len(text)
        return re.split(pattern, text)
