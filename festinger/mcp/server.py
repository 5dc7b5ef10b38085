"""The server's tools, and what a client is told about them."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated, Any, Final

from mcp.server.auth.provider import TokenVerifier
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import InputRequiredResult, ToolAnnotations
from pydantic import Field

from festinger.api.v1 import line_service_pb2 as lines
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.conflict_service_pb2 import (
    GetConflictRequest,
    ListConflictsRequest,
)
from festinger.mcp import answers
from festinger.mcp.answers import (
    ConflictsAnswer,
    ForgetAnswer,
    RecallAnswer,
    RememberAnswer,
    ResolveAnswer,
)
from festinger.mcp.callers import CallerSource
from festinger.mcp.context import add_context
from festinger.mcp.deciding import BY_HAND, ask, can_ask, settle
from festinger.mcp.forgetting import forget
from festinger.mcp.http import TOKENS_ONLY
from festinger.mcp.memory import MemoryCalls
from festinger.mcp.reasons import WhyAnswer, why

INSTRUCTIONS: Final = (
    "A memory that people and agents share. Call recall before you answer about people, "
    "projects or decisions, and remember when somebody states something that will matter "
    "later. What contradicts what is held is not held: a person decides."
)

CONFLICTS_MAX: Final = 50

READS: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ADDS: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, open_world_hint=False
)
REMOVES: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, open_world_hint=False
)

Project = Annotated[str, Field(description="Project it belongs to; empty for none.")]


def memory_server(
    memory: MemoryCalls, callers: CallerSource, tokens: TokenVerifier | None = None
) -> MCPServer[Any]:
    """Return a server with the tools of the memory.

    Args:
        memory: The memory server.
        callers: Finds on whose behalf a tool is called.
        tokens: Verifies the tokens of HTTP requests; None for no HTTP.
    """
    server: MCPServer[Any] = MCPServer(
        "festinger",
        title="Festinger memory",
        instructions=INSTRUCTIONS,
        version=version("festinger"),
        log_level="ERROR",
        auth=TOKENS_ONLY if tokens else None,
        token_verifier=tokens,
    )

    @server.tool(name="remember", annotations=ADDS, structured_output=True)
    async def _remember(
        text: Annotated[
            str,
            Field(
                description="One or more plain sentences. Example: Shop runs on port 8080."
            ),
        ],
        ctx: Context[Any, Any],
        project: Project = "",
    ) -> RememberAnswer | InputRequiredResult:
        """Store a fact or a sentence that will matter later."""
        if ctx.request_state is not None:
            # The client makes the call again, with the answer to what it was asked.
            told = RememberAnswer.model_validate_json(ctx.request_state)
        else:
            request = lines.SayRequest(text=text, project=project)
            caller = callers.caller(ctx.headers)
            told = answers.remembered(await memory.call("lines.Say", request, caller))
        if not told.contradictions or not can_ask(ctx):
            return told
        choice = await ask(ctx, told.contradictions[0], "", told.model_dump_json())
        if isinstance(choice, InputRequiredResult):
            return choice
        number, decider = told.contradictions[0].conflict, callers.decider(ctx.headers)
        decided = await settle(memory, decider, number, choice)
        return told.model_copy(update={"decision": decided})

    @server.tool(name="recall", annotations=READS, structured_output=True)
    async def _recall(
        query: Annotated[
            str, Field(description="Words to look for; empty for what is newest.")
        ],
        ctx: Context[Any, Any],
        project: Project = "",
        limit: Annotated[
            int, Field(ge=1, le=50, description="At most so many lines.")
        ] = 10,
    ) -> RecallAnswer:
        """Look up what is remembered about some words."""
        request = lines.SearchLinesRequest(
            query=query, project=project, page_size=limit
        )
        caller = callers.caller(ctx.headers)
        found = await memory.call("lines.SearchLines", request, caller)
        return answers.recalled(found)

    @server.tool(name="forget", annotations=REMOVES, structured_output=True)
    async def _forget(
        what: Annotated[
            str,
            Field(
                description="The `line` that recall returned, or a fact word for word."
            ),
        ],
        ctx: Context[Any, Any],
        reason: Annotated[str, Field(description="Why.")] = "",
    ) -> ForgetAnswer:
        """Forget one thing that is remembered."""
        return await forget(memory, callers.caller(ctx.headers), what, reason)

    @server.tool(name="conflicts", annotations=READS, structured_output=True)
    async def _conflicts(
        ctx: Context[Any, Any],
        about: Annotated[str, Field(description="Only about this name.")] = "",
    ) -> ConflictsAnswer:
        """List the contradictions that wait for a person."""
        request = ListConflictsRequest(
            states=[Conflict.STATE_PENDING], concept=about, page_size=CONFLICTS_MAX
        )
        caller = callers.caller(ctx.headers)
        found = await memory.call("conflicts.ListConflicts", request, caller)
        return ConflictsAnswer(
            conflicts=[answers.contradiction(it) for it in found.conflicts],
            more=bool(found.next_page_token),
        )

    @server.tool(name="resolve", annotations=REMOVES, structured_output=True)
    async def _resolve(
        conflict: Annotated[int, Field(ge=1, description="Number of the conflict.")],
        ctx: Context[Any, Any],
        reason: Annotated[str, Field(description="What to tell the person.")] = "",
    ) -> ResolveAnswer | InputRequiredResult:
        """Have the person decide which side of a contradiction holds."""
        request = GetConflictRequest(conflict_id=conflict)
        caller = callers.caller(ctx.headers)
        found = (await memory.call("conflicts.GetConflict", request, caller)).conflict
        if found.state != Conflict.STATE_PENDING:
            return ResolveAnswer(decision=f"Conflict {conflict} is settled already.")
        if not can_ask(ctx):
            raise ToolError(f"this client cannot ask its user. {BY_HAND}")
        sides = answers.contradiction(found)
        choice = await ask(ctx, sides, reason, f"conflict {conflict}")
        if isinstance(choice, InputRequiredResult):
            return choice
        decider = callers.decider(ctx.headers)
        decision = await settle(memory, decider, conflict, choice)
        return ResolveAnswer(decision=decision)

    @server.tool(name="why", annotations=READS, structured_output=True)
    async def _why(
        subject: Annotated[str, Field(description="A name. Example: checkout")],
        ctx: Context[Any, Any],
    ) -> WhyAnswer:
        """Explain what is held about something: who said it, and when."""
        return await why(memory, callers.caller(ctx.headers), subject)

    add_context(server, memory, callers)
    return server
