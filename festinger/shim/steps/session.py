"""Step 4: find the conversation, and what is new in it."""

from __future__ import annotations

from collections.abc import Sequence

from festinger.shim.recollection.ledger import RequestLayout
from festinger.shim.recollection.segments import Segment, lower_forged
from festinger.shim.recollection.sessions import Session
from festinger.shim.steps.context import PromptContext
from festinger.shim.steps.state import ShimState


async def find_session(context: PromptContext, shim: ShimState) -> None:
    """Find the session of a prompt, the new segments, and the places for blocks."""
    prompt = context.prompt
    session = shim.sessions.find(context.caller, prompt, context.name)
    context.session, context.session_id = session, session.id
    # In this order: what is new decides what may be forged, and roles decide the layout.
    context.new = _newness(prompt.segments, session)
    context.segments = lower_forged(prompt.segments, context.new)
    context.layout = RequestLayout.of(context.segments, prompt.system)
    # Before the answer: a ledger must not shrink between asking and injecting.
    session.ledger.make_room(context.layout)


def _newness(segments: Sequence[Segment], session: Session) -> list[bool]:
    """Return for each segment whether it is new.

    A new segment is unknown to the session, and the first with its digest.
    """
    new: list[bool] = []
    met: set[bytes] = set()
    for segment in segments:
        # The second "yes" of a request says nothing that the first did not.
        new.append(segment.digest not in met and not session.has_seen(segment))
        met.add(segment.digest)
    return new
