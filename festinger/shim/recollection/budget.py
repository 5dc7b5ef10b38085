"""How much room a model's context leaves for a block.

A prompt that is longer than the context is cut by Ollama, so a block must not make it
so. Tokens are not counted but guessed: three bytes of text each. English takes about
four, code three, most other scripts three bytes for a character that is a token or
less; so the guess is too many rather than too few, and what it leaves over is room for
the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import Any, Final

from festinger.core.lines.quotes import NOTICE
from festinger.shim.recollection.ledger import ToldBlock, ToldLine

BYTES_PER_TOKEN: Final = 3

CONTEXT_MIN: Final = 2048
"""Tokens that every model takes; a shorter prompt needs no look-up."""

_PROMPT_KEYS: Final = ("messages", "prompt", "system", "tools", "instructions", "input")
_NO_TEXT: Final = frozenset({"images", "image_url", "input_audio", "data"})
_TAGS_BYTES: Final = 40  # opening, closing and the empty line


def requested_context(body: dict[str, Any]) -> int | None:
    """The context length that a request asks for, in tokens."""
    options = body.get("options")
    asked = options.get("num_ctx") if isinstance(options, dict) else None
    if not isinstance(asked, float) or isinstance(asked, bool) or not 0 < asked < inf:
        return None
    return int(asked)


def room(size: int, context: int | None) -> float:
    """Bytes that blocks may take beside a prompt.

    Args:
        size: What the prompt weighs.
        context: In tokens; None if nobody knows.
    """
    return inf if context is None else context * BYTES_PER_TOKEN - size


def always_fits(size: int) -> bool:
    """Whether a prompt of this size, blocks included, is short enough for any model."""
    return size <= CONTEXT_MIN * BYTES_PER_TOKEN


def prompt_bytes(body: dict[str, Any]) -> int:
    """What the texts of a request weigh, pictures left out."""
    size, left = 0, [body.get(key) for key in _PROMPT_KEYS]
    while left:  # not by recursion, for a body may be nested deeply
        value = left.pop()
        if isinstance(value, str):
            size += _length(value)
        elif isinstance(value, list):
            left += value
        elif isinstance(value, dict):
            left += [
                it for pair in value.items() if pair[0] not in _NO_TEXT for it in pair
            ]
    return size


def blocks_bytes(blocks: Iterable[ToldBlock]) -> int:
    """What some blocks weigh."""
    return sum(lines_bytes(block.lines) for block in blocks)


def lines_bytes(lines: Sequence[ToldLine]) -> int:
    """What a block of these lines weighs."""
    if not lines:
        return 0
    return _frame_bytes(lines) + sum(_length(line.text) + 1 for line in lines)


def fitting(lines: Sequence[ToldLine], room: float) -> list[ToldLine]:
    """As many lines as there is room for: doubts first, hints last."""
    chosen: list[ToldLine] = []
    room -= _frame_bytes(lines)
    for line in sorted(lines, key=lambda line: (line.hint, "?]" not in line.text)):
        room -= _length(line.text) + 1
        if room < 0:
            break
        chosen.append(line)
    return [line for line in lines if line in chosen]


def _frame_bytes(lines: Sequence[ToldLine]) -> int:
    """What the tags of a block weigh, and what introduces its quotations."""
    return _TAGS_BYTES + any(line.quote for line in lines) * (len(NOTICE) + 1)


def _length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
