"""Sessions: the seen messages of each conversation, and the lines sent to it (B6).

Clients send the whole history with every request and seldom name the conversation.
A request is assigned to the recent session with the same beginning.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

from festinger.shim.recollection.ledger import Ledger
from festinger.shim.recollection.segments import ParsedPrompt, Segment, SegmentRole
from festinger.shim.system.identity import RequestCaller

SEEN_MAX = 20_000
"""Maximum number of remembered digests of a session, the newest."""

TOLD_MAX = 2_000
"""Maximum number of remembered concepts of a session, the newest."""

# Sessions of a client that are compared, and beginnings that a session may have had.
_RECENT = 8
_STARTS = 16
# A tool's result may propose facts, so it must be read once only as well.
_TEACHING = frozenset({SegmentRole.USER, SegmentRole.TOOL})

_Key = tuple[str, str, str, str]
"""Principal, subject, project and name."""


class ToldConcept(NamedTuple):
    """The line about a concept that a session was sent.

    Attributes:
        digest: The memory's digest of the line's content.
    """

    digest: bytes
    hint: bool


@dataclass(slots=True, eq=False)
class Session:
    """A conversation.

    Attributes:
        origin: Stable identifier: the given name or a digest of the beginning, which is
            the same after a restart.
        told: Sent lines by concept; only hints of those in the ledger.
    """

    id: str
    principal: str
    subject: str
    origin: str
    project: str = ""
    told: dict[str, ToldConcept] = field(default_factory=dict)
    ledger: Ledger = field(default_factory=Ledger)
    # Dictionaries as ordered sets: the oldest entries are dropped first.
    _seen: dict[bytes, None] = field(default_factory=dict, init=False)
    _used: float = field(default=0.0, init=False)
    _client: bytes = field(default=b"", init=False)
    _starts: dict[bytes, None] = field(default_factory=dict, init=False)

    def has_seen(self, segment: Segment) -> bool:
        """Return whether the memory has read this segment before."""
        return segment.digest in self._seen

    def see(self, segments: Sequence[Segment]) -> None:
        """Record that the memory has read these segments."""
        self._seen.update((segment.digest, None) for segment in segments)
        while len(self._seen) > SEEN_MAX:
            del self._seen[next(iter(self._seen))]

    def tell(self, told: Mapping[str, ToldConcept]) -> None:
        """Record the lines that were sent."""
        self.told.update(told)
        while len(self.told) > TOLD_MAX:
            del self.told[next(iter(self.told))]

    def turn_digest(self, segment: Segment) -> bytes:
        """Return a digest of a segment within this session, stable across requests."""
        # With principal and session: the same words elsewhere are another turn (B6).
        named = f"{self.principal}\0{self.id}\0".encode() + segment.digest
        return blake2b(named, digest_size=16).digest()


def _new(caller: RequestCaller, name: str, origin: str) -> Session:
    return Session(name, caller.principal, caller.subject, origin, caller.project)


class Sessions:
    """Cache of the recent sessions, bounded in number and age."""

    def __init__(
        self,
        *,
        sessions_max: int,
        idle_seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sessions_max = sessions_max
        self._idle_seconds = idle_seconds
        self._clock = clock
        self._sessions: OrderedDict[_Key, Session] = OrderedDict()
        self._by_start: dict[bytes, Session] = {}
        # By the digest of client and model; see `find`.
        self._recent: dict[bytes, deque[Session]] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def limit(self, *, sessions_max: int, idle_seconds: float) -> None:
        """Set the limits; sessions beyond them are dropped by the next `find`."""
        self._sessions_max = sessions_max
        self._idle_seconds = idle_seconds

    def find(
        self, caller: RequestCaller, prompt: ParsedPrompt, name: str | None
    ) -> Session:
        """Return the session of a request; a new one if there is none."""
        self._drop_idle()
        if name:
            key = (caller.principal, caller.subject, caller.project, name)
            session = self._sessions.get(key)
            return self._use(session or _new(caller, name, name))
        # Sessions are never shared by callers, so that lines about one person do not
        # count as sent to another.
        client = _digest(
            caller.address,
            caller.principal,
            caller.subject,
            caller.project,
            prompt.model,
        )
        start = _start(client, prompt)
        # The same beginning is enough; the search for overlaps is for changed ones.
        session = self._by_start.get(start) or self._overlapping(client, prompt)
        if session is None:
            session = _new(caller, secrets.token_hex(8), start.hex())
        self._use(session)
        self._remember(client, start, session)
        return session

    def _overlapping(self, client: bytes, prompt: ParsedPrompt) -> Session | None:
        """Return a recent session that has seen later parts of this conversation.

        Returns:
            The session that has seen the most segments; None if none has seen enough.
        """
        # Without the assistant's greeting, which may be the same in all conversations.
        said = [s for s in prompt.segments if s.role in _TEACHING]
        # A client may cut or summarise the beginning, or put the time into its system text:
        # the statements of the conversation must not be read again as new.
        known = {
            session: sum(session.has_seen(segment) for segment in said)
            for session in self._recent.get(client, ())
        }
        best = max(known, key=lambda session: known[session], default=None)
        # A summary proves that there was an earlier part.
        enough = 1 if any(segment.by_client for segment in said) else 2
        return best if best and known[best] >= enough else None

    def _use(self, session: Session) -> Session:
        key = (session.principal, session.subject, session.project, session.id)
        session._used = self._clock()
        self._sessions[key] = session
        self._sessions.move_to_end(key)
        while len(self._sessions) > self._sessions_max:
            self._drop(next(iter(self._sessions)))
        return session

    def _remember(self, client: bytes, start: bytes, session: Session) -> None:
        self._by_start[start] = session
        session._starts[start] = None
        while len(session._starts) > _STARTS:
            self._forget_start(next(iter(session._starts)), session)
        session._client = client
        recent = self._recent.setdefault(client, deque(maxlen=_RECENT))
        if session not in recent:
            recent.append(session)

    def _drop_idle(self) -> None:
        earliest = self._clock() - self._idle_seconds
        while self._sessions:
            # The order is that of use, so that the first one is idle for longest.
            key, session = next(iter(self._sessions.items()))
            if session._used >= earliest:
                return
            self._drop(key)

    def _drop(self, key: _Key) -> None:
        session = self._sessions.pop(key)
        for start in list(session._starts):
            self._forget_start(start, session)
        recent = self._recent.get(session._client, deque())
        if session in recent:
            recent.remove(session)
        if not recent:
            self._recent.pop(session._client, None)

    def _forget_start(self, start: bytes, session: Session) -> None:
        del session._starts[start]
        # Another session may have taken over this beginning.
        if self._by_start.get(start) is session:
            del self._by_start[start]


def _start(client: bytes, prompt: ParsedPrompt) -> bytes:
    """Return a digest of a conversation's beginning, up to the first user's message."""
    parts = [client]
    for segment in prompt.segments:
        parts.append(segment.digest)
        # Not earlier: a framework's own greeting is the same in all conversations.
        if segment.role in _TEACHING:
            break
    return _digest(*parts)


def _digest(*parts: str | bytes) -> bytes:
    raws = [
        it if isinstance(it, bytes) else it.encode("utf-8", "replace") for it in parts
    ]
    # Lengths keep ("ab", "c") and ("a", "bc") apart.
    sized = b"".join([len(raw).to_bytes(8) + raw for raw in raws])
    return blake2b(sized, digest_size=16).digest()
