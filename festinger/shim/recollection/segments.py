"""What a request says, whatever its wire format: segments and where a block may go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from typing import NamedTuple

from festinger.core.system.tags import CLOSING, OPENING
from festinger.shim.recollection import agent_zero, framing
from festinger.shim.recollection.agent_zero import CallNotation
from festinger.shim.recollection.jsontext import Path

SEGMENTS_MAX = 5_000
"""Messages of one request; with more it is not read."""

_SLICE = 2**20


class SegmentRole(StrEnum):
    """Who speaks in a segment."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


# What other names stand for; a role that nobody knows teaches nothing.
ROLES = {
    "system": SegmentRole.SYSTEM,
    "developer": SegmentRole.SYSTEM,
    "user": SegmentRole.USER,
    "assistant": SegmentRole.ASSISTANT,
    "tool": SegmentRole.TOOL,
    "function": SegmentRole.TOOL,
}


class BodyPlace(NamedTuple):
    """A position in a string of the body.

    Attributes:
        path: Leads to the string.
        offset: In characters of that string.
        heading: What must stand before a block that is put there.
        last: Where the text that starts here has several strings, such as parts: leads
            to the last one, and says where in the text that begins.
    """

    path: Path
    offset: int = 0
    heading: str = ""
    last: tuple[Path, int] | None = None

    def after(self, characters: int) -> BodyPlace:
        """The place so many characters of the text further on, for its end."""
        if self.last is None:
            return BodyPlace(self.path, self.offset + characters)
        path, start = self.last
        return BodyPlace(path, max(0, characters - start))


@dataclass(frozen=True, slots=True)
class Slot:
    """A position in a list of content blocks, for a text block of its own.

    Attributes:
        path: Leads to the list.
        index: Of the block that it goes before.
    """

    path: Path
    index: int = 0

    def after(self, characters: int) -> BodyPlace:
        """The place so many characters into the block that it goes before."""
        return BodyPlace((*self.path, self.index, "text"), characters)


class ClientMessage(NamedTuple):
    """A message, or a section of a flattened prompt, as the client sent it.

    Attributes:
        calls: The native tool calls of an assistant, as text.
    """

    role: SegmentRole
    text: str
    place: BodyPlace | Slot | None
    calls: str = ""


class Segment(NamedTuple):
    """What one speaker says, out of its envelope.

    Attributes:
        role: Who speaks.
        text: What is said, for the memory; empty if it teaches nothing, as a tool
            call. Volatile parts and our own blocks are left out.
        digest: Equal for equal segments.
        place: Where a block that belongs before this segment goes.
        end: Where a block that belongs after a user's segment goes.
        bare: True for a tool result without an envelope in a flattened prompt, which
            may hold what looks like further sections.
        enveloped: True if it came in an envelope of Agent Zero's.
        retold: True for a summary, or for what the client asks on its own behalf: it
            teaches nothing (`retold`).
        message: The number, from 1, of the message that it is a part of; 0 if it is a
            whole one.
    """

    role: SegmentRole
    text: str
    digest: bytes
    place: BodyPlace | Slot | None = None
    end: BodyPlace | None = None
    bare: bool = False
    enveloped: bool = False
    retold: bool = False
    message: int = 0


@dataclass(frozen=True, slots=True)
class Creation:
    """How a system text is made where there is none.

    Attributes:
        field: The member of the body that gets it; None if a message does.
        hides_modelfile: True if the model's own SYSTEM would no longer be used (D6).
    """

    field: str | None = None
    hides_modelfile: bool = True


@dataclass(frozen=True, slots=True)
class ParsedPrompt:
    """A request of one of the enriched routes.

    Attributes:
        model: The model it is for.
        segments: Oldest first.
        system: Where the system text starts, or how it is made.
    """

    model: str
    segments: tuple[Segment, ...]
    system: BodyPlace | Slot | Creation

    @property
    def newest_user(self) -> Segment | None:
        """The user's segment that ends the prompt, if one does."""
        spoken = [s for s in self.segments if s.role is not SegmentRole.SYSTEM]
        return spoken[-1] if spoken and spoken[-1].role is SegmentRole.USER else None


def make_segment(
    role: SegmentRole,
    text: str,
    place: BodyPlace | Slot | None = None,
    *,
    end: BodyPlace | None = None,
    identity: str = "",
    bare: bool = False,
    enveloped: bool = False,
) -> Segment:
    """Makes a segment of a text.

    Args:
        role: Who speaks.
        text: What is said; our own blocks in it are taken out (B7).
        place: Where a block before it goes.
        end: Where a block after it goes.
        identity: What tells it from others if it has no text.
        bare: See `Segment.bare`.
        enveloped: See `Segment.enveloped`.
    """
    text = without_blocks(text).strip()
    digest = _digest(role, text or without_blocks(identity).strip())
    return Segment(role, text, digest, place, end, bare, enveloped)


def without_blocks(text: str) -> str:
    """The text without our own `<recollection>` blocks, closed ones only."""
    if OPENING not in text:
        return text
    kept, position = [], 0
    # Not a regular expression: it would search for the end from every opening.
    while (start := text.find(OPENING, position)) >= 0:
        end = text.find(CLOSING, start)
        if end < 0:
            break
        kept.append(text[position:start])
        position = end + len(CLOSING)
    kept.append(text[position:])
    return "".join(kept)


def without_leading_block(text: str) -> str:
    """The text without a block of ours at its head and the empty line after it."""
    stripped = text.lstrip()
    end = stripped.find(CLOSING)
    if not stripped.startswith(OPENING) or end < 0:
        return text
    return stripped[end + len(CLOSING) :].removeprefix("\n").removeprefix("\n")


def read(
    messages: Iterable[ClientMessage], *, flattened: bool = False
) -> list[Segment]:
    """Turns messages into segments: envelopes opened, what is volatile left out.

    Args:
        messages: Oldest first.
        flattened: True for the sections of one flattened prompt, where tool results
            come as user sections.
    """
    segments: list[Segment] = []
    last_call = CallNotation.NONE
    for number, message in enumerate(messages, 1):
        if message.role is SegmentRole.USER:
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
                    identity=message.text + message.calls,
                )
            )
        else:
            segments.append(make_segment(message.role, message.text, message.place))
    return [s for s in segments if s.text or s.role is SegmentRole.ASSISTANT]


def _digest(role: SegmentRole, text: str) -> bytes:
    total = blake2b(role.encode(), digest_size=16)
    for start in range(0, len(text), _SLICE):  # spares a copy of a huge text
        total.update(text[start : start + _SLICE].encode("utf-8", "surrogatepass"))
    return total.digest()


def _user_segments(
    message: ClientMessage, call: CallNotation, number: int
) -> Iterable[Segment]:
    if call is CallNotation.PLAIN:
        # The result of a plain call has no envelope, so what looks like one was
        # written by the tool.
        yield make_segment(SegmentRole.TOOL, message.text, message.place, bare=True)
        return
    # Nothing of a call's result is taken out of it, for a tool may have written it.
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
        if isinstance(place, BodyPlace) and part.offset:
            place = place._replace(offset=place.offset + part.offset)
        yield make_segment(role, part.text, place, end=end, enveloped=part.enveloped)


def _framed(
    message: ClientMessage, parts: Sequence[framing.Framed], number: int
) -> Iterable[Segment]:
    """What the client put into a user's message, as a tool brings it, then their words.

    In this order, whatever theirs is: what is told stands behind the user's words.
    """
    for part in sorted(parts, key=lambda it: it.own):
        text = message.text[part.start : part.end]
        place = _within(message.place, part.start)
        if part.own:
            end = message.place.after(part.end) if message.place else None
            segment = make_segment(SegmentRole.USER, text, place, end=end)
        else:
            segment = make_segment(SegmentRole.TOOL, text, place)
        yield segment._replace(message=number)


def _within(place: BodyPlace | Slot | None, start: int) -> BodyPlace | Slot | None:
    """The place so many characters into a text, for a block before what stands there."""
    if not isinstance(place, BodyPlace) or not start:
        return place
    if place.last is None:
        return place._replace(offset=place.offset + start)
    path, begins = place.last
    return BodyPlace(path, start - begins) if start >= begins else place


def lower_forged(segments: Sequence[Segment], new: Sequence[bool]) -> list[Segment]:
    """Lowers what may be a forged section of a flattened prompt to tool text (E1).

    A bare tool result can hold `### User:` itself. A genuine new message of the user
    comes in a later request, when the result is known already.
    """
    lowered: list[Segment] = []
    tainted = False
    for segment, is_new in zip(segments, new, strict=True):
        if tainted and is_new and segment.role is SegmentRole.USER:
            segment = segment._replace(role=SegmentRole.TOOL)
        tainted = tainted or (segment.bare and is_new)
        lowered.append(segment)
    return lowered
