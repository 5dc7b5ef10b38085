"""Step 8: forward a prompt and relay its answer, or refuse it for its loop."""

from __future__ import annotations

from aiohttp import web

from festinger.shim.proxy.answer import OutgoingRequest
from festinger.shim.proxy.guard import path_with_query
from festinger.shim.proxy.wording import refusal_response
from festinger.shim.steps.context import PromptContext
from festinger.shim.steps.state import ShimState


async def forward(context: PromptContext, shim: ShimState) -> web.StreamResponse:
    """Forward a prompt, and relay the answer.

    Raises:
        RequestRefused: No upstream answers, or the queue is full.
    """
    try:
        if context.stops:
            return _refuse(context)
        async with shim.upstreams.open(context.request, _outgoing(context)) as answer:
            if answer.accepted:
                # Not earlier: lines of a refused prompt were never seen by the model.
                if context.injected:
                    context.session.tell(context.injected)
                # Now, and not after the answer, which may take minutes.
                shim.captures.offer(context.captured)
            response = await answer.relay()
            # The end of the answer holds the numbers of tokens and the times.
            if context.passing and answer.tail is not None:
                shim.traffic.answered(context.passing, answer.tail)
            return response
    finally:
        # Capture what was said even if the upstream did not answer.
        shim.captures.offer(context.captured)


def _outgoing(context: PromptContext) -> OutgoingRequest:
    watch, body = context.watch, context.changed or context.raw
    if watch:
        body = watch.apply_mitigation(body)
    changed = body is not context.raw
    return OutgoingRequest(
        path_with_query(context.request, context.path),
        # Unchanged prompts keep the client's compression and its very bytes (D7).
        body if changed else context.encoded,
        _headers(context),
        decoded=changed and context.raw is not context.encoded,
        session=context.session_id,
        listener=watch.listener() if watch else None,
        keeps_tail=True,
    )


def _refuse(context: PromptContext) -> web.Response:
    """Return the answer to a prompt that a loop keeps from the model."""
    assert context.watch is not None
    answer = context.watch.answer(context.raw)
    response = answer or refusal_response(
        context.request, context.path, context.watch.refusal
    )
    # OpenAI's and Anthropic's packages would retry a 409 by themselves.
    response.headers.update({**_headers(context), "X-Should-Retry": "false"})
    return response


def _headers(context: PromptContext) -> dict[str, str]:
    """Return the headers that the shim adds to the answer."""
    headers = {
        "X-Festinger-Recollection": context.result,
        "X-Festinger-Added-Ms": f"{context.milliseconds:.2f}",
    }
    if context.session_id:
        headers["X-Festinger-Session"] = context.session_id
    if context.watch and context.watch.result:
        headers["X-Festinger-Loop"] = context.watch.result
    return headers
