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
from festinger.mcp.context import add_context
from festinger.mcp.deciding import BY_HAND, ask, can_ask, settle
from festinger.mcp.forgetting import forget
from festinger.mcp.http import TOKENS_ONLY
from festinger.mcp.memory import CallerSource, MemoryCalls
from festinger.mcp.why import WhyAnswer, why

INSTRUCTIONS: Final = (
    "A memory that people and agents share. Call recall before you answer about people, "
    "projects or decisions, and remember when somebody states something that will matter "
    "later. What contradicts what is held is not held: a person decides."
)

# Answers of tools have no pages.
CONFLICTS_MAX: Final = 50

# Clients may ask their user before they call a tool that is not read-only.
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
        callers: Finds on whose behalf a tool is called.
        tokens: Verifies the tokens of HTTP requests; None for no HTTP.
    """
    server: MCPServer[Any] = MCPServer(
        "festinger",
        title="Festinger memory",
        instructions=INSTRUCTIONS,
        version=version("festinger"),
        # Standard error is the client's log.
        log_level="ERROR",
        auth=TOKENS_ONLY if tokens else None,
        token_verifier=tokens,
    )
    tools = MemoryTools(memory, callers)
    # Six, since small models choose badly among more.
    for tool, hints in (
        (tools.remember, ADDS),
        (tools.recall, READS),
        (tools.forget, REMOVES),
        (tools.conflicts, READS),
        (tools.resolve, REMOVES),
        (tools.why, READS),
    ):
        server.add_tool(tool, annotations=hints, structured_output=True)
    add_context(server, memory, callers)
    return server


class MemoryTools:
    """The tools; their docstrings are what clients are told of them."""

    def __init__(self, memory: MemoryCalls, callers: CallerSource) -> None:
        self._memory = memory
        self._callers = callers

    async def remember(
        self,
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
            # The client makes the call again, with the answer to what it was asked. What was
            # said is not said again: the state carries the first answer. The library seals it
            # with the tool and its arguments, and refuses any other.
            answer = RememberAnswer.model_validate_json(ctx.request_state)
        else:
            request = lines.SayRequest(text=text, project=project)
            said = await self._memory.call(request, self._callers.caller(ctx.headers))
            answer = answers.remembered(said)
        # If the client cannot ask anybody, the contradiction waits in the inbox.
        if not answer.contradictions or not can_ask(ctx):
            return answer
        # One question at a time; others wait in the inbox.
        first = answer.contradictions[0]
        choice = await ask(ctx, first, "", answer.model_dump_json())
        if isinstance(choice, InputRequiredResult):
            return choice
        # With the person's credential, not the agent's, which may not decide (E6).
        decider = self._callers.decider(ctx.headers)
        decided = await settle(self._memory, decider, first.conflict, choice)
        return answer.model_copy(update={"decision": decided})

    async def recall(
        self,
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
        found = await self._memory.call(request, self._callers.caller(ctx.headers))
        return answers.recalled(found)

    async def forget(
        self,
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
        return await forget(
            self._memory, self._callers.caller(ctx.headers), what, reason
        )

    async def conflicts(
        self,
        ctx: Context[Any, Any],
        about: Annotated[str, Field(description="Only about this name.")] = "",
    ) -> ConflictsAnswer:
        """List the contradictions that wait for a person."""
        request = ListConflictsRequest(
            states=[Conflict.STATE_PENDING], concept=about, page_size=CONFLICTS_MAX
        )
        found = await self._memory.call(request, self._callers.caller(ctx.headers))
        return ConflictsAnswer(
            conflicts=[answers.contradiction(it) for it in found.conflicts],
            more=bool(found.next_page_token),
        )

    async def resolve(
        self,
        conflict: Annotated[int, Field(ge=1, description="Number of the conflict.")],
        ctx: Context[Any, Any],
        reason: Annotated[str, Field(description="What to tell the person.")] = "",
    ) -> ResolveAnswer | InputRequiredResult:
        """Have the person decide which side of a contradiction holds."""
        request = GetConflictRequest(conflict_id=conflict)
        caller = self._callers.caller(ctx.headers)
        found = (await self._memory.call(request, caller)).conflict
        # Also when the call is made again: somebody may have decided meanwhile.
        if found.state != Conflict.STATE_PENDING:
            return ResolveAnswer(decision=f"Conflict {conflict} is settled already.")
        if not can_ask(ctx):
            raise ToolError(f"this client cannot ask its user. {BY_HAND}")
        sides = answers.contradiction(found)
        # The call looks at the conflict anew, so its state is just a mark.
        choice = await ask(ctx, sides, reason, f"conflict {conflict}")
        if isinstance(choice, InputRequiredResult):
            return choice
        decider = self._callers.decider(ctx.headers)
        decision = await settle(self._memory, decider, conflict, choice)
        return ResolveAnswer(decision=decision)

    async def why(
        self,
        subject: Annotated[str, Field(description="A name. Example: checkout")],
        ctx: Context[Any, Any],
    ) -> WhyAnswer:
        """Explain what is held about something: who said it, and when."""
        return await why(self._memory, self._callers.caller(ctx.headers), subject)
