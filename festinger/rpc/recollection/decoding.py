"""Conversion of Recollect requests to core values, with limits checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from festinger._fast.values import VECTOR_WIDTH_MAX
from festinger.api.v1 import embedding_pb2
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.core.language.turns import Role, Turn
from festinger.core.lines.turns import DIGEST_BYTES
from festinger.core.lines.vectors import Embedding
from festinger.core.recollection.age import without_age
from festinger.core.recollection.retelling import StandingLine
from festinger.errors import InvalidArgument
from festinger.rpc import convert
from festinger.services.recollection.recollect import PromptOrigin

DIGEST_BYTES_MAX: Final = 32  # as long as a SHA-256
SESSION_CHARACTERS_MAX: Final = 128
MODEL_CHARACTERS_MAX: Final = 200
# Messages before the new ones, which give "it" and "there" a meaning.
EARLIER_MAX: Final = 16
EARLIER_CHARACTERS_MAX: Final = 4_000
# Digests of people's messages that the prompt holds, which are not quoted back.
PRESENT_MAX: Final = 1_024

_ROLES: Final[Mapping[int, Role]] = {
    # A client that does not say gets the least trust (E1), as does an unknown role below.
    pb.Turn.ROLE_UNSPECIFIED: Role.SYSTEM,
    pb.Turn.ROLE_SYSTEM: Role.SYSTEM,
    pb.Turn.ROLE_USER: Role.USER,
    pb.Turn.ROLE_ASSISTANT: Role.ASSISTANT,
    pb.Turn.ROLE_TOOL: Role.TOOL,
}


def embedding_of(message: embedding_pb2.Embedding) -> Embedding | None:
    """Return a prompt's embedding, None if empty; or raise `InvalidArgument`."""
    if not message.vector:
        return None
    if len(message.vector) > VECTOR_WIDTH_MAX:
        raise InvalidArgument(
            f"a vector has at most {VECTOR_WIDTH_MAX} values", field="embedding.vector"
        )
    model = convert.checked(message.model, "model", MODEL_CHARACTERS_MAX)
    return Embedding(model, message.vector)


def turns_of(messages: Iterable[pb.Turn]) -> list[Turn]:
    """Convert a request's turns; raise `InvalidArgument` if a digest is too long."""
    turns = []
    for message in messages:
        # Digests are kept to know a turn again (B6), so that their size is bounded.
        if len(message.digest) > DIGEST_BYTES_MAX:
            raise InvalidArgument(
                f"a turn's digest has at most {DIGEST_BYTES_MAX} bytes, this one has "
                f"{len(message.digest)}",
                field="turns.digest",
            )
        # An unknown role of a later version gets the least trust.
        role = _ROLES.get(message.role, Role.SYSTEM)
        turns.append(Turn(role, message.text, message.seen, message.digest))
    return turns


def told_of(request: pb.RecollectRequest) -> list[StandingLine]:
    """Return the lines that the session was given earlier, in request order."""
    # The age of a line told by a stale server is left out: the line is still the same.
    return [
        StandingLine(it.concept, without_age(it.text), it.kept) for it in request.told
    ]


def hinted_of(request: pb.RecollectRequest) -> set[str]:
    """Return the concepts that the session was given a hint about."""
    # A word is asked about once in a session (D3); a line about it does not count as that.
    return {it.concept for it in request.told if it.hint}


def conversation_of(request: pb.RecollectRequest, project: str) -> PromptOrigin:
    """Return the conversation that the prompt of a request belongs to.

    Args:
        project: The caller's project.

    Raises:
        InvalidArgument: The session's name or the embedding is too long, or a digest is
            of the wrong length.
    """
    if len(request.session) > SESSION_CHARACTERS_MAX:
        raise InvalidArgument(
            f"session has at most {SESSION_CHARACTERS_MAX} characters, this one has "
            f"{len(request.session)}",
            field="session",
        )
    # A longer prompt is no mistake: what is beyond the limit may be quoted back.
    present = frozenset(request.present[:PRESENT_MAX])
    # A digest of another length could never match, and would hide a client's defect.
    if any(len(digest) != DIGEST_BYTES for digest in present):
        raise InvalidArgument(
            f"a digest in present has {DIGEST_BYTES} bytes", field="present"
        )
    # Characters that are left: the nearest messages come first and keep their ends.
    room = EARLIER_CHARACTERS_MAX
    earlier = []
    # More than is read is no mistake of the client: it is cut, not refused.
    for text in request.earlier[:EARLIER_MAX]:
        earlier.append(text[-room:])
        room -= len(text)
        if room <= 0:
            break
    return PromptOrigin(
        session=request.session,
        project=project,
        earlier=earlier,
        present=present,
        # Negated, so that clients that do not know it get hints.
        hints=not request.without_hints,
        embedding=embedding_of(request.embedding),
    )
