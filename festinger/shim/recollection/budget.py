"""Room that a model's context leaves for blocks.

Ollama truncates a prompt that is longer than the context, so a block must not make it
too long.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import Any, Final

from festinger.core.lines.quotes import NOTICE
from festinger.shim.recollection.ledger import ToldBlock, ToldLine

# Estimated, as counting needs the model. English has about four bytes per token, code
# three, other scripts three and more: rather too many tokens, which leaves room to answer.
BYTES_PER_TOKEN: Final = 3

CONTEXT_MIN: Final = 2048
"""Context length in tokens that every model has; shorter prompts need no look-up."""

# Members that become text of the prompt; base64 data below them does not.
_PROMPT_KEYS: Final = ("messages", "prompt", "system", "tools", "instructions", "input")
_NO_TEXT: Final = frozenset({"images", "image_url", "input_audio", "data"})
_TAGS_BYTES: Final = 40  # opening, closing and the empty line


def requested_context(body: dict[str, Any]) -> int | None:
    """Return the context length in tokens that a request sets; None if it sets none."""
    options = body.get("options")
    asked = options.get("num_ctx") if isinstance(options, dict) else None
    # All numbers of a body are parsed as floats; a bool or a string sets no length.
    if not isinstance(asked, float) or not 0 < asked < inf:
        return None
    return int(asked)


def room(size: int, context: int | None) -> float:
    """Return the number of bytes that blocks may take in addition to a prompt.

    Args:
        context: Context length in tokens; None if it is unknown: the room is infinite.
    """
    return inf if context is None else context * BYTES_PER_TOKEN - size


def always_fits(size: int) -> bool:
    """Return whether a prompt of this size, including blocks, fits any model."""
    return size <= CONTEXT_MIN * BYTES_PER_TOKEN


def prompt_bytes(body: dict[str, Any]) -> int:
    """Return the size of a request's texts in bytes, without images."""
    size, left = 0, [body.get(key) for key in _PROMPT_KEYS]
    while left:  # not by recursion, for a body may be nested deeply
        value = left.pop()
        if isinstance(value, str):
            size += _length(value)
        elif isinstance(value, list):
            left += value
        # Keys count as well: tools are rendered into the prompt with their names.
        elif isinstance(value, dict):
            left += [
                it for pair in value.items() if pair[0] not in _NO_TEXT for it in pair
            ]
    return size


def blocks_bytes(blocks: Iterable[ToldBlock]) -> int:
    """Return the size of blocks in bytes."""
    return sum(lines_bytes(block.lines) for block in blocks)


def lines_bytes(lines: Sequence[ToldLine]) -> int:
    """Return the size of a block with these lines, in bytes."""
    if not lines:
        return 0
    return _frame_bytes(lines) + sum(_length(line.text) + 1 for line in lines)


def fitting(lines: Sequence[ToldLine], room: float) -> list[ToldLine]:
    """Return as many lines as fit: doubtful ones take precedence, hints come last.

    The lines keep their order.
    """
    chosen: list[ToldLine] = []
    room -= _frame_bytes(lines)
    # `[type?]` marks a doubtful line. Sorting is stable, so each kind keeps its order.
    for line in sorted(lines, key=lambda line: (line.hint, "?]" not in line.text)):
        room -= _length(line.text) + 1
        if room < 0:
            break
        chosen.append(line)
    return [line for line in lines if line in chosen]


def _frame_bytes(lines: Sequence[ToldLine]) -> int:
    """Return the size of a block's tags and of the notice before its quotations."""
    return _TAGS_BYTES + any(line.is_data for line in lines) * (len(NOTICE) + 1)


def _length(text: str) -> int:
    # A lone surrogate from an escape of the client's cannot be encoded strictly.
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
