"""Step 5: ask the memory, and look for loops."""

from __future__ import annotations

from festinger.api.v1.memory_service_pb2 import Turn
from festinger.shim.memories.capture_queue import said_in
from festinger.shim.recollection.capabilities import runs_commands
from festinger.shim.recollection.memory import MemoryUnavailable
from festinger.shim.recollection.offload import offload
from festinger.shim.recollection.quotes import REQUEST_PIECES_MAX
from festinger.shim.recollection.segments import SegmentRole
from festinger.shim.steps.context import PromptContext
from festinger.shim.steps.question import question_of
from festinger.shim.steps.state import ShimState
from festinger.shim.wire import ForwardUnchanged


async def ask(context: PromptContext, shim: ShimState) -> None:
    """Ask the memory about a prompt, and look for loops in it.

    Raises:
        ForwardUnchanged: There is nothing to ask, or the prompt is not forwarded.
    """
    settings, session = shim.settings, context.session
    context.question = question_of(context, shim, hints=_may_hint(context, shim))
    # Before anything can raise: what was said is captured even if the memory is down.
    context.captured = said_in(
        context.question.said, session, context.caller, settings.capture
    )
    if watch := context.watch:
        # `look` may run in a thread; `meet`, which touches shared counters, runs here.
        await offload(len(context.raw), watch.look, context.body.value)
        watch.meet(session.id)
    # A prompt of images or tool calls only has nothing to look up.
    if not any(segment.text for segment in context.segments):
        raise ForwardUnchanged("empty")
    await _embed(context, shim)
    try:
        # Also for a prompt that a loop keeps from the model: it may hold statements.
        context.response = await shim.memory.recollect(
            context.question.message, context.caller
        )
    except MemoryUnavailable as error:
        context.missed = str(error)
    else:
        context.account.record_answer(context.question.message, context.response)
        _remember_read(context, shim)
    if context.stops:
        raise ForwardUnchanged("loop")


async def _embed(context: PromptContext, shim: ShimState) -> None:
    """Add the embedding of the newest message, if there is one in time."""
    message = context.question.message
    # Only a question of the user's: a tool's result asks nothing.
    if message.turns and message.turns[-1].role == Turn.ROLE_USER:
        embedding = await shim.embed(message.turns[-1].text)
        if embedding is not None:
            message.embedding.CopyFrom(embedding)


def _may_hint(context: PromptContext, shim: ShimState) -> bool:
    """Return whether the memory may answer with hints about unknown concepts."""
    if shim.settings.hints == "auto":
        # A hint is answered with `gutask`, so it is noise to whoever cannot run commands (J9).
        return runs_commands(context.body.value, context.segments)
    return shim.settings.hints == "always"


def _remember_read(context: PromptContext, shim: ShimState) -> None:
    """Record the segments that the memory has read."""
    # A client's own text does not count as read: the user may send the same text in the
    # next request, for example if a client asks for a title first.
    read = [segment for segment in context.question.read if not segment.by_client]
    room = REQUEST_PIECES_MAX
    for segment in read:  # the newest first
        is_new = not context.session.has_seen(segment)
        if is_new and segment.role is not SegmentRole.SYSTEM:
            room -= shim.quotes.add(context.caller.principal, segment, room)
    context.session.see(read)
