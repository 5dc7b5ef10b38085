"""Messages about a loop, for the model and for people."""

from __future__ import annotations

import re
from typing import Final

from festinger.config import LoopRule
from festinger.shim.loops.rules import Loop

REPEATED_ANSWER: Final = (
    "the answer said the same again and again and was cut by Festinger. Ask again, "
    "perhaps with a higher temperature; X-Festinger-Loops: off leaves it alone"
)
"""Reason for cutting an answer."""

_NAMES_MAX: Final = 5
_NAME_CHARACTERS_MAX: Final = 64
# Only names of tools are quoted from the conversation: text of a web page must not
# reappear as the user's, not even as the name of a tool.
_UNSAFE: Final = re.compile(r"[^\w.:-]")

_WAY_OUT: Final = (
    "Do something else now: use other arguments or another tool, or tell the user "
    "what stands in the way."
)


def to_model(loop: Loop) -> str:
    """Return the notice that forbids the model to repeat itself again."""
    # Nothing was repeated, so there is nothing to forbid.
    if loop.rule is LoopRule.CAP:
        return (
            f"Notice: you have taken {loop.count} turns since the user last spoke. Do "
            "not call a tool now. Tell the user what is done and what is not."
        )
    return (
        f"Notice: {_what(loop, 'you')}. Doing that again is forbidden, it will not "
        f"help. {_WAY_OUT}"
    )


def to_people(loop: Loop) -> str:
    """Return the reason why a request was not forwarded, and the remedy."""
    return (
        f"stopped by Festinger: {_what(loop, 'the agent')}. Tell it something new, or "
        "send X-Festinger-Loops: off; shim.loops in the configuration has the rules"
    )


def _what(loop: Loop, who: str) -> str:
    times = f"{loop.count} times in a row"
    called = f"called {_tools(loop)} {times}" if loop.names else ""
    if loop.rule is LoopRule.CAP:
        return f"{who} took {loop.count} turns since the user last spoke"
    if loop.rule is LoopRule.CYCLE:
        by = f" (with {_tools(loop)})" if loop.names else ""
        return (
            f"{who} went through the same {loop.unit} steps{by} {times}, with the same "
            "results"
        )
    # The rule finds calls only, so that `called` is not empty.
    if loop.rule is LoopRule.ERROR:
        return f"{who} {called} in exactly the same way, and it failed each time"
    if loop.rule is LoopRule.NEAR:
        return f"{who} {called or f'said {times}'} almost the same"
    if loop.names:
        return f"{who} {called} in exactly the same way, with the same result"
    return f"{who} said exactly the same {times}"


def _tools(loop: Loop) -> str:
    names = [
        _UNSAFE.sub("_", name)[:_NAME_CHARACTERS_MAX]
        for name in loop.names[:_NAMES_MAX]
    ]
    return ", ".join(f"`{name}`" for name in names)
