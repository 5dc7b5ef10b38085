"""How the stand-in behaves."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Knobs:
    """How the stand-in behaves; may be turned at any time.

    Attributes:
        reply: What it says, word by word; None for a sentence about the prompt.
        calls: Tool calls, name and arguments, that it makes until it gets a result.
        delay: Seconds before each chunk.
        status: A status to answer prompts with instead.
        cut_after: Breaks the connection after so many chunks.
        end_after: Ends the answer in good order after so many chunks.
        hold_after: Says nothing more after so many chunks, until it is cancelled; 0
            is before the headers.
        systems: The Modelfile's SYSTEM by model.
        contexts: The Modelfile's `num_ctx` by model.
        show_delay: Seconds before it answers `/api/show`.
        show_status: A status to answer it with instead; 0 breaks the connection.
    """

    reply: str | None = None
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    delay: float = 0.0
    status: int | None = None
    cut_after: int | None = None
    end_after: int | None = None
    hold_after: int | None = None
    systems: dict[str, str] = field(default_factory=dict)
    contexts: dict[str, int] = field(default_factory=dict)
    show_delay: float = 0.0
    show_status: int | None = None
