"""Facts: whatever is written, it is refused in words or reads as it is shown."""

from __future__ import annotations

from typing import Any

from festinger import _fast
from festinger.core.graph.proposal import Triple
from festinger.core.graph.statement import parse_fact
from festinger.core.graph.tokens import is_renderable
from festinger.errors import FactSyntaxError, NotATokenError
from tests import oracle

BYTES_MAX = 800

SEEDS = (
    "gnommoweb -isa repo in context of glitch_university",
    "Glitch University -not -ispart Agent Pool",
    "  cafe\u0301   -ISA\n straße\tin  context of  tech ",
    "gnommoweb -isa <parent> in context of <dimension>",
    "x -isa y -isa z in context of in context of w",
)


def check(text: str) -> None:
    """Fail for a text that neither is a fact nor is refused as none."""
    plain, fast = outcome(oracle, text), outcome(_fast, text)
    assert fast == plain
    if isinstance(fast, Triple):
        names = fast.concept, fast.parent, fast.dimension
        assert all(map(is_renderable, names)), fast
        assert outcome(_fast, str(fast)) == fast


def outcome(build: Any, text: str) -> Triple | str:
    """The triple that is read with a scan of a module, or the message with which it refuses."""
    chosen = _fast.scan
    _fast.scan = build.scan
    is_renderable.cache_clear()
    try:
        return parse_fact(text)
    except (FactSyntaxError, NotATokenError) as error:
        return error.message
    finally:
        _fast.scan = chosen
        is_renderable.cache_clear()
