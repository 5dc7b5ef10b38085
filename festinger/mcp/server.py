"""The server's tools, and what a client is told about them."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated, Any, Final

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ToolAnnotations
from pydantic import Field

from festinger.api.v1 import line_service_pb2 as lines
from festinger.mcp import answers
from festinger.mcp.answers import ForgetAnswer, RecallAnswer, RememberAnswer
from festinger.mcp.callers import CallerSource
from festinger.mcp.forgetting import forget
from festinger.mcp.memory import MemoryCalls

INSTRUCTIONS: Final = (
    "A memory that people and agents share. Call recall before you answer about people, "
    "projects or decisions, and remember when somebody states something that will matter "
    "later. What contradicts what is held is not held: a person decides."
)

READS: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ADDS: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, open_world_hint=False
)
REMOVES: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, open_world_hint=False
)

Project = Annotated[str, Field(description="Project it belongs to; empty for none.")]


def memory_server(memory: MemoryCalls, callers: CallerSource) -> MCPServer[Any]:
    """Return a server with the tools of the memory.

    Args:
        memory: The memory server.
        callers: Finds on whose behalf a tool is called.
    """
    server: MCPServer[Any] = MCPServer(
        "festinger",
        title="Festinger memory",
        instructions=INSTRUCTIONS,
        version=version("festinger"),
        log_level="ERROR",
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
    ) -> RememberAnswer:
        """Store a fact or a sentence that will matter later."""
        request = lines.SayRequest(text=text, project=project)
        caller = callers.caller(ctx.headers)
        return answers.remembered(await memory.call("lines.Say", request, caller))

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

    return server
