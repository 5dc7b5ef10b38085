"""Recollect's requests, read from their bytes past the messages.

To have a message made, and to ask it for its fields one by one, takes three times as
long. Whatever is not quite as clients send it, the generated classes read instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from festinger._fast import Layout, filled
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.core.reading import Role, Turn
from festinger.core.retelling import Told
from festinger.errors import InvalidArgument
from festinger.rpc.fields import tag_of

DIGEST_BYTES_MAX = 32

_ROLES: Final[Mapping[int, Role]] = {
    pb.Turn.ROLE_UNSPECIFIED: Role.SYSTEM,
    pb.Turn.ROLE_SYSTEM: Role.SYSTEM,
    pb.Turn.ROLE_USER: Role.USER,
    pb.Turn.ROLE_ASSISTANT: Role.ASSISTANT,
    pb.Turn.ROLE_TOOL: Role.TOOL,
}


_TURN: Final = Layout(
    [
        (tag_of(pb.Turn, "role"), "number"),
        (tag_of(pb.Turn, "text"), "text"),
        (tag_of(pb.Turn, "seen"), "number"),
        (tag_of(pb.Turn, "digest"), "data"),
    ]
)
_TOLD: Final = Layout(
    [
        (tag_of(pb.RecollectRequest.Told, "concept"), "text"),
        (tag_of(pb.RecollectRequest.Told, "digest"), "data"),
        (tag_of(pb.RecollectRequest.Told, "hint"), "number"),
        (tag_of(pb.RecollectRequest.Told, "text"), "text"),
        (tag_of(pb.RecollectRequest.Told, "kept"), "number"),
    ]
)
_REQUEST: Final = Layout(
    [
        (tag_of(pb.RecollectRequest, "turns"), _TURN),
        (tag_of(pb.RecollectRequest, "told"), _TOLD),
    ]
)
_STREAMED: Final = Layout(
    [
        (tag_of(pb.RecollectStreamRequest, "id"), "number"),
        (tag_of(pb.RecollectStreamRequest, "request"), _REQUEST),
        (tag_of(pb.RecollectStreamRequest, "principal"), "text"),
        (tag_of(pb.RecollectStreamRequest, "subject"), "text"),
        (tag_of(pb.RecollectStreamRequest, "tenant"), "text"),
        (tag_of(pb.RecollectStreamRequest, "min_version"), "number"),
    ]
)


class Asked(NamedTuple):
    """A `RecollectRequest`: of each message in it the fields, by their numbers."""

    turns: list[tuple[int, str, int, bytes]]
    told: list[tuple[str, bytes, int, str, int]]


class StreamAsked(NamedTuple):
    """A `RecollectStreamRequest`."""

    id: int
    request: Asked
    principal: str
    subject: str
    tenant: str
    min_version: int


def read_request(data: bytes) -> Asked:
    """A request of `Recollect`.

    Raises:
        DecodeError: It is none.
    """
    read = _REQUEST.read(data)
    if read is None:
        return _asked(pb.RecollectRequest.FromString(data))
    return filled(Asked, read)


def read_stream_request(data: bytes) -> StreamAsked:
    """A request of `RecollectStream`.

    Raises:
        DecodeError: It is none.
    """
    read = _STREAMED.read(data)
    if read is None or len(read[1]) != 1:
        message = pb.RecollectStreamRequest.FromString(data)
        return StreamAsked(
            message.id,
            _asked(message.request),
            message.principal,
            message.subject,
            message.tenant,
            message.min_version,
        )
    number, (request,), principal, subject, tenant, version = read
    asked = filled(Asked, request)
    return StreamAsked(number, asked, principal, subject, tenant, version)


def turns_of(asked: Asked) -> list[Turn]:
    """The turns to read.

    Raises:
        InvalidArgument: A digest is too long.
    """
    turns = []
    for role, text, seen, digest in asked.turns:
        if len(digest) > DIGEST_BYTES_MAX:
            raise InvalidArgument(
                f"a turn's digest has at most {DIGEST_BYTES_MAX} bytes, this one has "
                f"{len(digest)}",
                field="turns.digest",
            )
        # A role of a later version is trusted as little as possible.
        known = _ROLES.get(role, Role.SYSTEM)
        turns.append(filled(Turn, (known, text, seen != 0, digest)))
    return turns


def told_of(asked: Asked) -> list[Told]:
    """What the session was told, in the order of the request."""
    return [Told(concept, text, kept != 0) for concept, _, _, text, kept in asked.told]


def hinted_of(asked: Asked) -> set[str]:
    """The concepts that the session was asked about."""
    return {concept for concept, _, hint, _, _ in asked.told if hint}


def from_turns(messages: Iterable[pb.Turn]) -> list[Turn]:
    """Messages of a conversation.

    Raises:
        InvalidArgument: A digest is too long.
    """
    return turns_of(Asked(_fields(messages), []))


def _fields(turns: Iterable[pb.Turn]) -> list[tuple[int, str, int, bytes]]:
    return [(turn.role, turn.text, turn.seen, turn.digest) for turn in turns]


def _asked(message: pb.RecollectRequest) -> Asked:
    return Asked(
        _fields(message.turns),
        [
            (told.concept, told.digest, told.hint, told.text, told.kept)
            for told in message.told
        ],
    )
