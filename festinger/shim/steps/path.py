"""The path of a prompt: its steps in order.

If a step fails, the prompt is forwarded unchanged (D8).
"""

from __future__ import annotations

from time import perf_counter
from typing import Final

import structlog
from aiohttp import web

from festinger.shim.proxy.guard import is_of_foreign_page
from festinger.shim.steps.ask import ask
from festinger.shim.steps.context import PromptContext
from festinger.shim.steps.forward import forward
from festinger.shim.steps.identify import identify
from festinger.shim.steps.inject import inject
from festinger.shim.steps.parse import parse
from festinger.shim.steps.receive import receive
from festinger.shim.steps.record import record
from festinger.shim.steps.session import find_session
from festinger.shim.steps.state import ShimState
from festinger.shim.wire import ForwardUnchanged

log = structlog.get_logger(__name__)

# The order is fixed: each step reads what the ones before have set.
ENRICHING: Final = (parse, find_session, ask, inject)
"""The steps that may fail, or end with `ForwardUnchanged`, without an effect on the prompt."""


async def serve(context: PromptContext, shim: ShimState) -> web.StreamResponse:
    """Take a prompt through all steps, and return the response.

    Raises:
        RequestRefused: The prompt cannot be read, a header is invalid, or no upstream
            answers.
    """
    # Outside of `_enrich`: without its body a prompt cannot be forwarded at all.
    await receive(context, shim)
    if is_of_foreign_page(context.request):
        # Ollama decides whether to answer it; the memory is not involved.
        context.skip("origin")
    else:
        identify(context, shim)
        await _enrich(context, shim)
    # Before forwarding, so that it is the shim's latency and not the model's.
    context.milliseconds = (perf_counter() - context.started) * 1000
    record(context, shim)
    return await forward(context, shim)


async def _enrich(context: PromptContext, shim: ShimState) -> None:
    """Take a prompt through the enriching steps, as far as they go."""
    try:
        for step in ENRICHING:
            await step(context, shim)
    except ForwardUnchanged as untouched:
        context.skip(str(untouched))
    except Exception as error:
        # The message might quote the prompt, so only the error's type is logged.
        log.error("enrichment_failed", path=context.path, error=type(error).__name__)
        context.abandon()
