"""Decisions of contradictions: the client asks its user, and the user decides."""

from __future__ import annotations

from typing import Any, Final, Literal

import grpc
from mcp.server.elicitation import render_elicitation_schema
from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError
from mcp_types import (
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import is_version_at_least
from pydantic import BaseModel, Field, ValidationError

from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.memory_service_pb2 import ResolveRequest
from festinger.mcp.answers import Contradiction
from festinger.mcp.memory import McpCaller, MemoryCalls, MemoryRefusal

Choice = Literal["the new one", "what is held", "decide later"]

_ASKED: Final = "decision"
_ASKS_BY_RESULT: Final = "2026-07-28"
"""Version of the protocol from which on a question is the result of a call, which the
client makes again with the answer."""
# "Decide later" decides nothing, and so is no decision of the API.
_DECISIONS: Final = {
    "the new one": Conflict.DECISION_UPDATE,
    "what is held": Conflict.DECISION_DISMISS,
}
BY_HAND: Final = (
    "It waits for a person: in the console at /admin/inbox, or with `festinger inbox`."
)


class DecisionForm(BaseModel):
    """Question to a person."""

    holds: Choice = Field(description="Which of the two is true?")


def can_ask(ctx: Context[Any, Any]) -> bool:
    """Return whether the client can ask its user by a form."""
    capabilities = ctx.client_capabilities
    elicitation = capabilities.elicitation if capabilities else None
    if elicitation is None:
        return False
    # Older clients declare the capability without its kinds, which means forms.
    return elicitation.form is not None or elicitation.url is None


async def ask(
    ctx: Context[Any, Any], sides: Contradiction, reason: str, state: str
) -> Choice | InputRequiredResult:
    """Ask the client's user which side of a contradiction holds.

    Args:
        sides: The contradiction.
        reason: What the model says about it; empty for nothing.
        state: What the call needs when the client makes it again with the answer.
    """
    # The call was made again: the answer is in it.
    if ctx.request_state is not None:
        return _choice((ctx.input_responses or {}).get(_ASKED))
    # A model decides nothing (E6): what it says is shown to the person and does no more.
    said = f"\nThe agent says: {reason[:400]}" if reason else ""
    message = (
        f"Two statements contradict each other.\nHeld: {sides.held or '(a circle)'}\n"
        f"New: {sides.new}{said}"
    )
    form = ElicitRequestFormParams(
        message=message, requested_schema=render_elicitation_schema(DecisionForm)
    )
    if is_version_at_least(ctx.protocol_version or "", _ASKS_BY_RESULT):
        return InputRequiredResult(
            input_requests={_ASKED: ElicitRequest(params=form)}, request_state=state
        )
    # Before that version the server asks in the middle of the call, and waits.
    try:
        answer = await ctx.session.elicit_form(
            message, form.requested_schema, ctx.request_id
        )
    # The client failed to ask, or sent something else than the form.
    except (MCPError, ValidationError):
        return "decide later"
    return _choice(answer)


async def settle(
    memory: MemoryCalls, decider: McpCaller | None, conflict: int, choice: Choice
) -> str:
    """Settle a conflict as a person chose, and return what became of it."""
    if choice == "decide later":
        return f"Nobody decided. {BY_HAND}"
    if decider is None:
        return f"Here is no credential for decisions. {BY_HAND}"
    # The history says that a person chose, and how they were asked.
    request = ResolveRequest(
        conflict_id=conflict,
        decision=_DECISIONS[choice],
        reasoning=f"a person, asked by an agent's client, chose: {choice}",
    )
    try:
        await memory.call(request, decider)
    except MemoryRefusal as error:
        # A token of HTTP need not be an operator's.
        if error.code is grpc.StatusCode.PERMISSION_DENIED:
            return f"This credential may not decide. {BY_HAND}"
        return str(error)
    return f"A person decided: {choice}."


def _choice(answer: object) -> Choice:
    """Return what a person chose; to decline is to decide later."""
    # Declined, cancelled and unreadable answers leave the conflict for the inbox.
    if isinstance(answer, ElicitResult) and answer.action == "accept":
        try:
            return DecisionForm.model_validate(answer.content).holds
        except ValidationError:
            pass
    return "decide later"
