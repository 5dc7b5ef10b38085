"""The query to the memory about a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.core.system.excerpt import head
from festinger.shim.recollection import sticky
from festinger.shim.recollection.message_digests import TURN_ROLES, printable
from festinger.shim.recollection.segments import Segment, SegmentRole
from festinger.shim.steps.context import MemoryQuestion, PromptContext
from festinger.shim.steps.state import ShimState

# Comparing costs time for each piece, and transcripts are found within this much.
QUOTES_CHARACTERS_MAX: Final = 200_000
"""Maximum text of a request that is compared with earlier conversations."""

EARLIER_CHARACTERS_MAX: Final = 1_500
EARLIER_MAX: Final = 8
"""Limits of the user's earlier messages that are sent: characters and number."""

_SPEAKING: Final = frozenset({SegmentRole.USER, SegmentRole.ASSISTANT})


def question_of(
    context: PromptContext, shim: ShimState, *, hints: bool
) -> MemoryQuestion:
    """Return the query for a prompt: the relevant turns, and earlier lines to check.

    Args:
        shim: Holds the index of quotations, and the limit of the text to send; the
            newest takes precedence.
        hints: Whether the memory may answer with hints about unknown concepts.
    """
    session, principal = context.session, context.caller.principal
    turns: list[pb.Turn] = []
    read: list[Segment] = []
    said: list[Segment] = []
    room = shim.settings.scan_characters_max
    comparable = QUOTES_CHARACTERS_MAX
    # The newest first: what does not fit in `room` is the oldest text.
    for segment, is_new in reversed(_asked_about(context)):
        text = head(segment.text, room)
        # A cut text ends the room, although `head` stops at a whole word, short of it.
        room = room - len(text) if text == segment.text else 0
        # What was cut off entirely is not read: a later request may still teach it.
        if text or not segment.text:
            read.append(segment)
        if not text:
            continue
        repeats = is_new and segment.by_client
        if is_new and not repeats and segment.role is SegmentRole.USER:
            repeats = shim.quotes.repeats(principal, segment, comparable)
            comparable = max(0, comparable - len(text))
        if is_new and not repeats and segment.role in _SPEAKING:
            said.append(segment)
        # Text that clients write in the user's place is looked up, but is no question
        # of the user's.
        role = SegmentRole.SYSTEM if repeats or segment.by_client else segment.role
        turns.append(
            pb.Turn(
                role=TURN_ROLES[role],
                text=printable(text),
                seen=not is_new or repeats,
                # Without a digest the memory does not mark the turn as read.
                digest=b"" if segment.by_client else session.turn_digest(segment),
            )
        )
    message = pb.RecollectRequest(
        turns=reversed(turns),
        told=_told(context),
        earlier=_earlier(context.segments),
        present=shim.present.of(context.segments),
        session=session.id,
        without_hints=not hints,
    )
    return MemoryQuestion(message, read, said[::-1])


def _asked_about(context: PromptContext) -> list[tuple[Segment, bool]]:
    """Return the segments to look up, and whether each may state facts."""
    # In a new conversation, or after a cut history, everything is looked up.
    every = list(zip(context.segments, context.new, strict=True))
    ledger = context.session.ledger
    if ledger.is_new_to(context.layout):
        return every
    if context.layout.newest is None:
        # No block can be added after a tool's result. It is looked up again with the
        # user's next message.
        return [(segment, new) for segment, new in every if new]
    # What an earlier block answered is skipped.
    return every[ledger.unread(context.layout) :]


def _told(context: PromptContext) -> list[pb.RecollectRequest.Told]:
    # Lines in blocks are checked by text; others, such as hints, by concept and digest.
    standing = sticky.standing_lines(context.session.ledger, context.layout)
    concepts = {told.concept for told in standing}
    earlier = [
        pb.RecollectRequest.Told(concept=concept, digest=line.digest, hint=line.hint)
        for concept, line in context.session.told.items()
        if concept not in concepts
    ]
    return standing + earlier


def _earlier(segments: Sequence[Segment]) -> list[str]:
    """Return the user's messages before the newest, the newest first."""
    said = [it for it in segments if it.role is SegmentRole.USER and not it.by_client]
    earlier = []
    room = EARLIER_CHARACTERS_MAX
    # Without the newest, which is a turn of its own.
    for segment in reversed(said[:-1]):
        # The end is kept: a question stands mostly at the end of a message.
        text = printable(segment.text[-room:])
        earlier.append(text)
        room -= len(text)
        if room <= 0 or len(earlier) == EARLIER_MAX:
            break
    return earlier
