"""Common model of a prompt for all wire formats: segments and places for blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from typing import NamedTuple

from festinger.core.system.excerpt import CLOSING, OPENING
from festinger.shim.recollection import agent_zero, framing
from festinger.shim.recollection.agent_zero import CallNotation
from festinger.shim.recollection.jsontext import Path

SEGMENTS_MAX = 5_000
"""Maximum number of messages of a request; one with more is not parsed."""

# Characters that are encoded at a time for a digest.
_SLICE = 2**20


class SegmentRole(StrEnum):
    """Role of a segment's author."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


# Roles by the names in the wire formats.
ROLES = {
    "system": SegmentRole.SYSTEM,
    "developer": SegmentRole.SYSTEM,
    "user": SegmentRole.USER,
    "assistant": SegmentRole.ASSISTANT,
    "tool": SegmentRole.TOOL,
    "function": SegmentRole.TOOL,
}


class BodyPlace(NamedTuple):
    """A position in a string of a request's body.

    Attributes:
        offset: Offset in characters of that string.
        heading: Text that must precede a block that is inserted there.
        last: If the text that starts here consists of several strings, such as parts:
            path of the last one, and its offset in the text.
    """

    path: Path
    offset: int = 0
    heading: str = ""
    last: tuple[Path, int] | None = None

    def after(self, characters: int) -> BodyPlace:
        """Return the place of an end of the text, given its length in characters."""
        if self.last is None:
            return BodyPlace(self.path, self.offset + characters)
        # OpenAI's parts: the segment's text joins them, and ends in the last one.
        path, start = self.last
        # 0: the end lies in an earlier part, whose text the last one follows.
        return BodyPlace(path, max(0, characters - start))


@dataclass(frozen=True, slots=True)
class BlockPosition:
    """A position in a list of content blocks, for a text block of its own.

    Attributes:
        index: Index of the content block to insert before.
    """

    path: Path
    index: int = 0

    def after(self, characters: int) -> BodyPlace:
        """Return the place at an offset in the text of the content block at `index`."""
        return BodyPlace((*self.path, self.index, "text"), characters)


class ClientMessage(NamedTuple):
    """A message, or a section of a flattened prompt, as the client sent it.

    Attributes:
        place: Start of the text in the body; None if no block may be inserted.
        calls: The native tool calls of an assistant, as text.
    """

    role: SegmentRole
    text: str
    place: BodyPlace | BlockPosition | None
    calls: str = ""


class Segment(NamedTuple):
    """A part of a prompt by one author, extracted from its envelope.

    Attributes:
        text: Text for the memory; empty if it holds none, for example for a tool call.
            Volatile parts and the shim's own blocks are left out.
        place: Place of a block before this segment.
        end: Place of a block after a user's segment.
        bare: True for a tool result without an envelope in a flattened prompt, which
            may contain forged sections.
        enveloped: True if it was in an envelope of Agent Zero's.
        by_client: True for a summary, or for a task of the client's, which states no
            facts (`client_summaries`).
        message: Number, from 1, of the message that it is a part of; 0 if it is a whole
            message.
    """

    role: SegmentRole
    text: str
    digest: bytes
    place: BodyPlace | BlockPosition | None = None
    end: BodyPlace | None = None
    bare: bool = False
    enveloped: bool = False
    by_client: bool = False
    message: int = 0


@dataclass(frozen=True, slots=True)
class SystemTextCreation:
    """Instruction to create a system text in a request without one.

    Attributes:
        field: Member of the body for the system text; None for a message.
        hides_modelfile: True if it would disable the model's own SYSTEM (D6).
    """

    field: str | None = None
    hides_modelfile: bool = True


SystemPlace = BodyPlace | BlockPosition | SystemTextCreation
"""Start of the system text, or how to create one."""


@dataclass(frozen=True, slots=True)
class ParsedPrompt:
    """A parsed request of one of the enriched routes."""

    model: str
    segments: tuple[Segment, ...]
    system: SystemPlace

    @property
    def newest_user(self) -> Segment | None:
        """The user's segment that ends the prompt; None if it ends otherwise."""
        # Late system messages do not end the prompt.
        spoken = [s for s in self.segments if s.role is not SegmentRole.SYSTEM]
        return spoken[-1] if spoken and spoken[-1].role is SegmentRole.USER else None


def make_segment(
    role: SegmentRole,
    text: str,
    place: BodyPlace | BlockPosition | None = None,
    *,
    end: BodyPlace | None = None,
    identity: str = "",
    bare: bool = False,
    enveloped: bool = False,
) -> Segment:
    """Return the segment for a text.

    Args:
        text: The text; the shim's own blocks are removed from it (B7).
        identity: Content for the digest if there is no text.
    """
    # Without our blocks and outer spaces the same message has the same digest, whether
    # its client stores what was sent or not (B6, B7).
    text = without_blocks(text).strip()
    digest = _digest(role, text or without_blocks(identity).strip())
    return Segment(role, text, digest, place, end, bare, enveloped)


def without_blocks(text: str) -> str:
    """Return the text without closed `<recollection>` blocks, which are the shim's."""
    if OPENING not in text:
        return text
    kept, position = [], 0
    # No regular expression, which would search for the end from every opening tag.
    while (start := text.find(OPENING, position)) >= 0:
        end = text.find(CLOSING, start)
        if end < 0:
            break
        kept.append(text[position:start])
        position = end + len(CLOSING)
    kept.append(text[position:])
    return "".join(kept)


def without_leading_block(text: str) -> str:
    """Return the text without a leading block of the shim's and its empty line."""
    stripped = text.lstrip()
    end = stripped.find(CLOSING)
    if not stripped.startswith(OPENING) or end < 0:
        return text
    # At most the empty line behind the block; more newlines are the client's.
    return stripped[end + len(CLOSING) :].removeprefix("\n").removeprefix("\n")


def read_segments(
    messages: Iterable[ClientMessage], *, flattened: bool = False
) -> tuple[Segment, ...]:
    """Return the segments of messages, without envelopes and volatile parts.

    Args:
        flattened: True for the sections of one flattened prompt, where tool results
            are user sections.
    """
    segments: list[Segment] = []
    # Notation of the call that the next user section may be the result of.
    last_call = CallNotation.NONE
    for number, message in enumerate(messages, 1):
        if message.role is SegmentRole.USER:
            # Elsewhere results have messages of their own, and a user's text is a user's.
            call = last_call if flattened else CallNotation.NONE
            segments += _user_segments(message, call, number)
            last_call = CallNotation.NONE
        elif message.role is SegmentRole.ASSISTANT:
            said, last_call = agent_zero.open_answer(message.text)
            segments.append(
                make_segment(
                    message.role,
                    said,
                    message.place,
                    # A pure tool call has no text for people, and still needs a digest of its own.
                    identity=message.text + message.calls,
                )
            )
        else:
            segments.append(make_segment(message.role, message.text, message.place))
    # An assistant's segment without text is a tool call, which the positions include.
    return tuple(s for s in segments if s.text or s.role is SegmentRole.ASSISTANT)


def _digest(role: SegmentRole, text: str) -> bytes:
    total = blake2b(role.encode(), digest_size=16)
    if len(text) <= _SLICE:
        total.update(text.encode("utf-8", "surrogatepass"))
        return total.digest()
    for start in range(0, len(text), _SLICE):  # avoids a copy of a huge text
        total.update(text[start : start + _SLICE].encode("utf-8", "surrogatepass"))
    return total.digest()


def _user_segments(
    message: ClientMessage, call: CallNotation, number: int
) -> Iterable[Segment]:
    if call is CallNotation.PLAIN:
        # The result of a plain call has no envelope: text that looks like one is the
        # tool's.
        yield make_segment(SegmentRole.TOOL, message.text, message.place, bare=True)
        return
    # A call's result is not split further, since a tool may forge the marks.
    seams = call is CallNotation.NONE
    if seams and (parts := framing.parts(message.text)):
        yield from _framed(message, parts, number)
        return
    for part in agent_zero.open_message(message.text, seams=seams):
        role = ROLES[part.role]
        if (
            part.role == "user"
            and not part.enveloped
            and call is CallNotation.AGENT_ZERO
        ):
            role = SegmentRole.TOOL
        place = message.place
        end = place.after(part.end) if place else None
        # A slot has no offset: a block before it goes before the whole part.
        if isinstance(place, BodyPlace) and part.offset:
            place = place._replace(offset=place.offset + part.offset)
        yield make_segment(role, part.text, place, end=end, enveloped=part.enveloped)


def _framed(
    message: ClientMessage, parts: Sequence[framing.MessagePart], number: int
) -> Iterable[Segment]:
    """Yield the parts of a user's message: the client's as a tool's, then the user's."""
    # The client's parts first, whatever their order in the message: the user's words are
    # then the last segment, which a block is added after.
    for part in sorted(parts, key=lambda it: it.own):
        text = message.text[part.start : part.end]
        place = _within(message.place, part.start)
        if part.own:
            end = message.place.after(part.end) if message.place else None
            segment = make_segment(SegmentRole.USER, text, place, end=end)
        else:
            segment = make_segment(SegmentRole.TOOL, text, place)
        yield segment._replace(message=number)


def _within(
    place: BodyPlace | BlockPosition | None, start: int
) -> BodyPlace | BlockPosition | None:
    """Return the place of a block before an offset in a text."""
    if not isinstance(place, BodyPlace) or not start:
        return place
    if place.last is None:
        return place._replace(offset=place.offset + start)
    path, begins = place.last
    return BodyPlace(path, start - begins) if start >= begins else place


def lower_forged(segments: Sequence[Segment], new: Sequence[bool]) -> list[Segment]:
    """Return the segments, with the role of a tool for possibly forged ones (E1)."""
    lowered: list[Segment] = []
    tainted = False
    for segment, is_new in zip(segments, new, strict=True):
        # A bare tool result may hold "### User:" itself. The user's next genuine message comes
        # in a later request, when the result is known already.
        if tainted and is_new and segment.role is SegmentRole.USER:
            segment = segment._replace(role=SegmentRole.TOOL)
        tainted = tainted or (segment.bare and is_new)
        lowered.append(segment)
    return lowered
