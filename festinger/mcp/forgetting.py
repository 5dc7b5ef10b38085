"""The tool `forget`: find what is meant, and forget exactly that."""

from __future__ import annotations

import re
from typing import Final

import grpc
from mcp.server.mcpserver.exceptions import ToolError

from festinger.api.v1 import line_service_pb2 as lines
from festinger.api.v1.concept_service_pb2 import GetConceptRequest
from festinger.api.v1.memory_service_pb2 import RetractRequest
from festinger.api.v1.triple_pb2 import Triple
from festinger.mcp.answers import ForgetAnswer, fact_of
from festinger.mcp.memory import McpCaller, MemoryCalls, MemoryRefusal

LOOKED_MAX: Final = 50
"""Maximum number of lines that are compared with what is to be forgotten."""
REASON_CHARACTERS_MAX: Final = 400

# What was said in a conversation, by numbers: `said-12.3`.
_UTTERANCE: Final = re.compile(r"said-\d+\.\d+")
# `gnommoweb -isa repo`.
_STRICT: Final = re.compile(r"\s-(?:isa|ispart)\s", re.IGNORECASE)
Kind = lines.MemoryLine.Kind


async def forget(
    memory: MemoryCalls, caller: McpCaller, what: str, reason: str
) -> ForgetAnswer:
    """Forget one thing and return it as it was.

    Args:
        what: Name of a line, a fact in the strict form, or a line word for word.
        reason: Why; kept with the retraction of a fact.

    Raises:
        ToolError: Nothing is remembered of that name or in these words, or the memory
            server refused it.
    """
    reason = reason[:REASON_CHARACTERS_MAX]
    # By form: the name of a sentence, a fact, or else the words of a line.
    if _UTTERANCE.fullmatch(what):
        return await _forget_sentence(memory, caller, what)
    if _STRICT.search(what):
        answer = await memory.call(RetractRequest(fact=what, reasoning=reason), caller)
        return ForgetAnswer(forgotten=[fact_of(answer.triple)])
    line = await _find(memory, caller, what)
    if line.kind == Kind.KIND_UTTERANCE:
        return await _forget_sentence(memory, caller, line.name)
    if line.kind == Kind.KIND_STATEMENT:
        return await _retract(memory, caller, line, reason)
    # Memories about people and trusted state are decided in the console, not by a model.
    raise ToolError(
        f"{line.name} is no sentence and no fact: it is changed in the console"
    )


async def _forget_sentence(
    memory: MemoryCalls, caller: McpCaller, name: str
) -> ForgetAnswer:
    answer = await memory.call(lines.ForgetLinesRequest(name=name), caller)
    return ForgetAnswer(forgotten=[it.quote or it.text for it in answer.lines])


async def _find(memory: MemoryCalls, caller: McpCaller, what: str) -> lines.MemoryLine:
    """Return the line of a name, or with exactly these words."""
    # `statement-checkout/runs-on` is searched for by its words.
    request = lines.SearchLinesRequest(
        query=what.removeprefix("statement-").replace("/", " ")[:4000],
        page_size=LOOKED_MAX,
    )
    answer = await memory.call(request, caller)
    # Exactly: what only resembles it must not be forgotten by mistake.
    wanted = _plain(what)
    for line in answer.lines:
        if line.name == what or wanted in (_plain(line.quote), _plain(line.text)):
            found: lines.MemoryLine = line
            return found
    raise ToolError(
        "nothing is remembered in exactly these words. Call recall, and forget the "
        "`line` of what it returns"
    )


async def _retract(
    memory: MemoryCalls, caller: McpCaller, line: lines.MemoryLine, reason: str
) -> ForgetAnswer:
    """Retract the fact that a line tells."""
    try:
        answer = await memory.call(GetConceptRequest(token=line.subject), caller)
    except MemoryRefusal as error:
        # The concept may have been forgotten since the line was written.
        if error.code is not grpc.StatusCode.NOT_FOUND:
            raise
        raise ToolError(f"{line.subject} is not known any more") from None
    edges = [
        it
        for it in answer.concept.edges
        if _plain(it.dimension) == _plain(line.predicate)
    ]
    # A dimension with several values has an edge for each: the value tells which. Otherwise
    # the value may be written differently in the line, and the first is the only one.
    exact = [it for it in edges if _plain(it.parent) == _plain(line.value)]
    for edge in exact or edges[:1]:  # at most one is retracted
        triple = Triple(
            concept=edge.concept,
            parent=edge.parent,
            dimension=edge.dimension,
            is_isa=edge.is_isa,
        )
        await memory.call(RetractRequest(triple=triple, reasoning=reason), caller)
        return ForgetAnswer(forgotten=[fact_of(edge)])
    raise ToolError(f"{line.text!r} is not held any more")


def _plain(text: str) -> str:
    # `Runs-on` and `runs on` are alike, and so are a sentence with and without a full stop.
    return " ".join(re.sub(r"[\s_-]+", " ", text).casefold().split()).strip(" .!\"'")
