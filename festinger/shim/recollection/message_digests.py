"""Digests of the user's messages in a request, so that none of them is quoted to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.core.lines.turns import digest_of
from festinger.core.system.secrets import redact
from festinger.shim.recollection.segments import Segment, SegmentRole

# Limits of the time that this costs: digests need the redaction of secrets.
MESSAGES_MAX: Final = 256
"""Maximum number of messages of a request with digests, the newest."""
CHARACTERS_MAX: Final = 64_000
"""Maximum length of a message with a digest."""
REMEMBERED_MAX: Final = 20_000
"""Maximum number of cached digests: most messages were in earlier requests."""

TURN_ROLES: Final = {
    SegmentRole.SYSTEM: pb.Turn.ROLE_SYSTEM,
    SegmentRole.USER: pb.Turn.ROLE_USER,
    SegmentRole.ASSISTANT: pb.Turn.ROLE_ASSISTANT,
    SegmentRole.TOOL: pb.Turn.ROLE_TOOL,
}
"""Roles in the memory's terms."""


class DigestCache:
    """Cache of messages' digests, as the memory computes them (`digest_of`)."""

    def __init__(self) -> None:
        self._names: dict[bytes, bytes] = {}

    def of(self, segments: Sequence[Segment]) -> list[bytes]:
        """Return the digests of the user's messages among segments, newest first."""
        said = [it for it in segments if it.role is SegmentRole.USER and it.text]
        return [
            self._name(it)
            for it in said[: -MESSAGES_MAX - 1 : -1]
            if len(it.text) <= CHARACTERS_MAX
        ]

    def _name(self, segment: Segment) -> bytes:
        name = self._names.get(segment.digest)
        if name is None:
            # The same steps as in the memory, which stores a text without its secrets.
            name = digest_of(redact(printable(segment.text)))
            # A dictionary keeps the order of insertion, so the first key is the oldest.
            while len(self._names) >= REMEMBERED_MAX:
                del self._names[next(iter(self._names))]
            self._names[segment.digest] = name
        return name


def printable(text: str) -> str:
    """Return a text without lone surrogates and NUL, which cannot be sent."""
    try:
        text.encode()
    except UnicodeEncodeError:
        # Joins surrogates that belong together, and replaces those that do not.
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    # Postgres' text type has no NUL.
    return text.replace("\0", "\ufffd")
