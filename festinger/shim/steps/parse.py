"""Step 3: parse the body."""

from __future__ import annotations

from festinger.shim.recollection import client_summaries
from festinger.shim.recollection.jsontext import Body, UnreadableBody
from festinger.shim.recollection.jsontext import parse as parse_json
from festinger.shim.recollection.offload import READ_BYTES_MAX, offload
from festinger.shim.recollection.segments import ParsedPrompt
from festinger.shim.steps.context import PromptContext
from festinger.shim.steps.state import ShimState
from festinger.shim.wire import ROUTES, ForwardUnchanged


async def parse(context: PromptContext, shim: ShimState) -> None:
    """Parse the body by the format of its route.

    Raises:
        ForwardUnchanged: The memory is switched off for the prompt or its model, or the body
            is unreadable.
    """
    headers, raw = context.headers, context.raw
    # The client's wish comes first, before its body costs any time.
    if headers.get("X-Festinger", "").strip().lower() == "off":
        raise ForwardUnchanged("off")
    # Still compressed: `receive` opens only the encodings that Ollama accepts.
    if headers.get("Content-Encoding", "identity").lower() != "identity":
        raise ForwardUnchanged("encoded")
    context.body, context.prompt = await offload(
        len(raw), _read, context.path, raw, shim.words
    )
    model = context.prompt.model
    # Only local models occupy this machine, and can be asked by the reader later.
    if not _is_cloud(model):
        shim.traffic.asked(model, context.body.value.get("options"))
    elif not shim.settings.cloud_models:
        # What is told to a remote model leaves the machine: only if the operator permits it.
        raise ForwardUnchanged("cloud")


def _read(
    path: str, raw: bytes, words: client_summaries.ClientTextPrefixes
) -> tuple[Body, ParsedPrompt]:
    """Return the parsed body and prompt of a request."""
    if not raw:
        raise ForwardUnchanged("empty")
    if len(raw) > READ_BYTES_MAX:
        raise ForwardUnchanged("size")
    try:
        body = parse_json(raw)
    except UnreadableBody:
        raise ForwardUnchanged("not-json") from None
    # Ollama refuses it with an error of its own, which clients know.
    if not isinstance(body.value, dict):
        raise ForwardUnchanged("unreadable")
    return body, client_summaries.mark(ROUTES[path](body.value), words)


def _is_cloud(model: str) -> bool:
    """Return whether a model is a remote one: `name:cloud`, `name:120b-cloud`."""
    # `registry/name:tag`; a name such as `cloud-coder:7b` is not remote.
    tag = model.lower().rpartition("/")[2].partition(":")[2]
    return tag == "cloud" or tag.endswith("-cloud")
