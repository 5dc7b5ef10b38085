"""Parser of LiteLLM's flattened layout: a whole conversation in one prompt.

    ### System:
    …

    ### User:
    …

Agent Zero speaks to Ollama through LiteLLM's `ollama/` provider, which sends this to
`/api/generate`.
"""

from __future__ import annotations

import re

from festinger.shim.recollection.segments import BodyPlace, ClientMessage, SegmentRole

SYSTEM_HEADING = "### System:\n"

# The text before a heading is checked afterwards: an expression that does not begin
# with a literal is tried at every character.
_HEADING = re.compile(r"### (System|User|Assistant):\n")


def is_flattened(prompt: str) -> bool:
    """Return whether a prompt begins with a section's heading."""
    return _HEADING.match(prompt) is not None


def sections(prompt: str) -> list[ClientMessage]:
    """Return the sections of a flattened prompt as messages."""
    headings = [
        match
        for match in _HEADING.finditer(prompt)
        if match.start() == 0 or prompt.endswith("\n\n", 0, match.start())
    ]
    genuine = headings[:1]
    for heading in headings[1:]:
        # LiteLLM merges consecutive user messages, so a second heading belongs to the
        # text of the first.
        if not heading[1] == genuine[-1][1] == "User":
            genuine.append(heading)
    ends = [heading.start() for heading in genuine[1:]] + [len(prompt)]
    return [
        ClientMessage(
            SegmentRole(heading[1].lower()),
            prompt[heading.end() : end],
            BodyPlace(("prompt",), heading.end()),
        )
        for heading, end in zip(genuine, ends, strict=True)
    ]


def system_place(messages: list[ClientMessage]) -> BodyPlace:
    """Return the start of the system text, or the place of a section for it."""
    for message in messages:
        if message.role is SegmentRole.SYSTEM and isinstance(message.place, BodyPlace):
            return message.place
    return BodyPlace(("prompt",), 0, heading=SYSTEM_HEADING)
