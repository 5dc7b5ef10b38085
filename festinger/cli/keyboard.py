"""Keys of a terminal, as they are pressed: also those pressed ahead."""

from __future__ import annotations

import os
import re
import sys
import termios
import tty
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

_ARROWS: Final = {"A": "k", "B": "j", "C": "j", "D": "k"}
_SEQUENCE: Final = re.compile(r"\x1b(?:\[|O)[0-9;]*([A-Za-z~])|\x1b")
_CHUNK: Final = 1024


class Keyboard:
    """A terminal that gives every key at once; it is as it was before when closed."""

    def __init__(self) -> None:
        self._descriptor = sys.stdin.fileno()
        self._before = termios.tcgetattr(self._descriptor)
        self._waiting: deque[str] = deque()
        self._begin()

    def close(self) -> None:
        """Gives the terminal back."""
        termios.tcsetattr(self._descriptor, termios.TCSANOW, self._before)

    def next(self) -> str:
        """The next key, an arrow as the letter that does the same; `q` if none comes."""
        while not self._waiting:
            try:
                pressed = os.read(self._descriptor, _CHUNK).decode(errors="ignore")
            except KeyboardInterrupt:
                return "q"
            # Ctrl-D comes as any other key.
            keys = _SEQUENCE.sub(_letter, pressed or "q").replace("\x04", "q")
            self._waiting.extend(keys)
        return self._waiting.popleft()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Lets somebody write whole lines."""
        self.close()
        try:
            yield
        finally:
            self._begin()

    def _begin(self) -> None:
        # What was typed already is not thrown away.
        tty.setcbreak(self._descriptor, termios.TCSANOW)


def _letter(sequence: re.Match[str]) -> str:
    return _ARROWS.get(sequence[1] or "", "")


def edited(text: str) -> str:
    """A text after somebody edited it: in $EDITOR if one is named, else in the line."""
    if os.environ.get("VISUAL") or os.environ.get("EDITOR") or "\n" in text:
        return (click.edit(text) or "").strip()
    import readline

    readline.set_startup_hook(lambda: readline.insert_text(text))
    try:
        return input("> ").strip()
    except (EOFError, KeyboardInterrupt):
        return ""
    finally:
        readline.set_startup_hook(None)
