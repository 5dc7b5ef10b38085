"""Single key presses of a terminal, including type-ahead."""

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

# Left and right as up and down: a list has no other direction.
_ARROWS: Final = {"A": "k", "B": "j", "C": "j", "D": "k"}
# `ESC [ A` and `ESC O A` are arrows, depending on the terminal's mode; a lone ESC is no key.
_SEQUENCE: Final = re.compile(r"\x1b(?:\[|O)[0-9;]*([A-Za-z~])|\x1b")
_CHUNK: Final = 1024


class Keyboard:
    """Terminal in cbreak mode; closing it restores the previous mode."""

    def __init__(self) -> None:
        self._descriptor = sys.stdin.fileno()
        # Restored at the end, or the shell would not echo.
        self._before = termios.tcgetattr(self._descriptor)
        # Keys typed ahead, such as `aaa` for three items.
        self._waiting: deque[str] = deque()
        self._begin()

    def close(self) -> None:
        """Restore the previous mode of the terminal."""
        termios.tcsetattr(self._descriptor, termios.TCSANOW, self._before)

    def next(self) -> str:
        """Return the next key; arrows as `j` or `k`, and the end of input as `q`."""
        while not self._waiting:
            try:
                pressed = os.read(self._descriptor, _CHUNK).decode(errors="ignore")
            except KeyboardInterrupt:
                return "q"
            # An empty read is the end of input; Ctrl-D arrives as an ordinary key.
            keys = _SEQUENCE.sub(_letter, pressed or "q").replace("\x04", "q")
            self._waiting.extend(keys)
        return self._waiting.popleft()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Restore line input for the duration of the context."""
        # An editor, and a line with Backspace, need the previous mode.
        self.close()
        try:
            yield
        finally:
            self._begin()

    def _begin(self) -> None:
        # TCSANOW keeps pending input.
        tty.setcbreak(self._descriptor, termios.TCSANOW)


def _letter(sequence: re.Match[str]) -> str:
    return _ARROWS.get(sequence[1] or "", "")


def edited(text: str) -> str:
    """Let the user edit a text in $VISUAL or $EDITOR, or else in a line."""
    # A line cannot hold a text of several lines.
    if os.environ.get("VISUAL") or os.environ.get("EDITOR") or "\n" in text:
        # None if the editor was left without saving.
        return (click.edit(text) or "").strip()
    import readline

    readline.set_startup_hook(lambda: readline.insert_text(text))
    try:
        return input("> ").strip()
    except (EOFError, KeyboardInterrupt):
        return ""
    finally:
        readline.set_startup_hook(None)
