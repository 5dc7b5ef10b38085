"""Step 1: read the body of a prompt."""

from __future__ import annotations

from time import perf_counter

from festinger.shim.proxy.encoding import open_body
from festinger.shim.proxy.guard import IncomingBody
from festinger.shim.proxy.tokens import without_tokens
from festinger.shim.steps.context import PromptContext
from festinger.shim.steps.state import ShimState


async def receive(context: PromptContext, shim: ShimState) -> None:
    """Read the whole body, and decompress it."""
    settings = shim.settings
    upload = IncomingBody(
        context.request,
        bytes_max=settings.body_bytes_max,
        pause_seconds_max=settings.body_seconds_max,
    )
    context.encoded = await upload.read()
    # After the upload: the client's own slowness is not latency of the shim.
    context.started = perf_counter()
    context.raw, context.headers = open_body(
        context.path,
        context.encoded,
        # Neither later steps nor upstreams see a token of ours.
        without_tokens(context.request),
        settings.body_bytes_max,
    )
