"""Detection of agents that can run commands, and so can answer a hint."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from festinger.shim.recollection.segments import Segment, SegmentRole

# Names such as `run_command`, `bash`, `execute_code` or the type `shell`.
_COMMANDS: Final = re.compile(
    r"(?:\b|_)(?:bash|sh|shell|zsh|powershell|terminal|console|command|commands|cmd|exec"
    r"|execute_code|code_execution|subprocess)(?:\b|_)|^execute(?:\s|$)",
    re.IGNORECASE,
)
_DESCRIBED: Final = re.compile(
    r"\b(?:shell|terminal|bash|powershell|command[ -]line|cli) (?:command|session|tool)s?\b"
    r"|\b(?:run|runs|execute|executes)\b.{0,40}\b(?:shell|terminal|bash|command[ -]line)\b",
    re.IGNORECASE,
)
"""Pattern for descriptions, which may mention other commands and executions."""
_CLI: Final = "gutask"
# Limits of the time that this costs each prompt.
_TOOLS_MAX: Final = 256
_DESCRIPTION_CHARACTERS_MAX: Final = 400


def runs_commands(body: dict[str, Any], segments: Sequence[Segment]) -> bool:
    """Return whether an agent has a tool that runs commands, or knows `gutask`."""
    # Agent Zero always has a terminal.
    if any(it.enveloped for it in segments):
        return True
    if any(it.role is SegmentRole.SYSTEM and _CLI in it.text for it in segments):
        return True
    return any(
        _COMMANDS.search(name) or _DESCRIBED.search(description)
        for name, description in _tools(body)
    )


def _tools(body: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the name with the type, and the description, of a request's tools."""
    tools = body.get("tools")
    if not isinstance(tools, list):
        return
    for tool in islice(tools, _TOOLS_MAX):
        if isinstance(tool, dict):
            function = tool.get("function")
            # OpenAI's and Ollama's formats nest the tool in `function`, Anthropic's does not.
            described = function if isinstance(function, dict) else tool
            name, kind, description = (
                text[:_DESCRIPTION_CHARACTERS_MAX]
                if isinstance(text := described.get(key), str)
                else ""
                for key in ("name", "type", "description")
            )
            yield f"{name} {kind}", description
