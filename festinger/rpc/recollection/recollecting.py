"""Answers to prompts, of Recollect calls and of streams."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import perf_counter

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.rpc.filling import fill_response
from festinger.rpc.recollection.decoding import (
    conversation_of,
    hinted_of,
    told_of,
    turns_of,
)
from festinger.rpc.system.callers import RpcCaller
from festinger.services.recollection.recollect import answer_prompt
from festinger.services.world.tenant_memory import TenantMemory


def tell(
    memory: TenantMemory,
    asked: pb.RecollectRequest,
    caller: RpcCaller,
    *,
    as_of: float | None,
) -> pb.RecollectResponse:
    """Answer a prompt.

    Args:
        as_of: When the database last answered, in seconds since the epoch, if its
            silence makes the answer stale; else None.

    Raises:
        InvalidArgument: A digest or the session's name is invalid.
    """
    began = perf_counter()
    recollection, keep = answer_prompt(
        memory,
        turns_of(asked.turns),
        principal=caller.principal,
        subject=caller.subject,
        hinted=hinted_of(asked),
        told=told_of(asked),
        where=conversation_of(asked, caller.project),
    )
    try:
        # The database is silent: lines are marked with the time at which they held.
        if as_of is not None:
            recollection = recollection.marked(as_of)
        response = pb.RecollectResponse()
        # Filled in place, since copying messages takes longer than the rest (see `filling`).
        fill_response(response, recollection, as_of is not None)
        return response
    finally:
        # Two iterations of the loop later, since the next one sends the answer; and
        # even if the call fails.
        seconds = perf_counter() - began
        loop = asyncio.get_running_loop()
        loop.call_soon(loop.call_soon, _keep, keep, memory, seconds)


def _keep(keep: Callable[[], None], memory: TenantMemory, seconds: float) -> None:
    """Run the deferred work of a prompt, and count its duration."""
    keep()
    memory.statistics.recollections.add(seconds)
