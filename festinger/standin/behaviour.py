"""Adjustable behaviour of the stand-in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class StandinBehaviour:
    """Behaviour of the stand-in; may be changed at any time.

    Attributes:
        reply: Text of the answers; None for a sentence about the prompt.
        calls: Tool calls, as name and arguments, to make until a result is received.
        delay: Seconds before each chunk.
        status: HTTP status to fail prompts with.
        cut_after: Number of chunks after which the connection is broken.
        end_after: Number of chunks after which the answer ends normally.
        hold_after: Number of chunks after which nothing is sent until the request is
            cancelled; with 0 not even the headers are.
        systems: The Modelfile's SYSTEM by model.
        contexts: The Modelfile's `num_ctx` by model.
        show_delay: Seconds before `/api/show` is answered.
        show_status: HTTP status to fail `/api/show` with; 0 breaks the connection.
    """

    reply: str | None = None
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    delay: float = 0.0
    status: int | None = None
    cut_after: int | None = None
    end_after: int | None = None
    hold_after: int | None = None
    # For `/api/show`, which the shim asks before it adds a system text (D6).
    systems: dict[str, str] = field(default_factory=dict)
    contexts: dict[str, int] = field(default_factory=dict)
    show_delay: float = 0.0
    show_status: int | None = None
