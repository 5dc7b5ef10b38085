"""Access control: local users, and holders of the operator's token.

The origin of a browser's request is taken from `Sec-Fetch-Site`, or else from `Origin`;
requests from pages of other sites are refused whatever their credentials.
"""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Final

from aiohttp import HttpVersion11, web

from festinger.config import is_loopback, url_parts
from festinger.console.errors import PageRefused
from festinger.console.server import CallCredential
from festinger.core.system.principals import bearer_in

SAFE_METHODS: Final = frozenset({"GET", "HEAD"})

COOKIE: Final = "festinger_console"
COOKIE_PATH: Final = "/admin"  # browsers send it to the console only

SESSION_SECONDS: Final = 12 * 3600
"""Lifetime of a sign-in in seconds."""
SESSIONS_MAX: Final = 100
"""The maximum number of concurrent sign-ins; the oldest is evicted."""

ATTEMPTS_MAX: Final = 10
ATTEMPTS_SECONDS: Final = 60.0
"""The window in seconds: after `ATTEMPTS_MAX` wrong tokens in it, from all clients
together, further attempts are refused."""

_FORWARDED: Final = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")
"""Headers that proxies add: the peer is then not the client."""

_NOBODY: Final = "local"
"""The shim's principal of a client that does not identify itself."""

_FOREIGN: Final = "requests from other origins are not taken here"


_FOR_CALLERS: Final = (
    "this needs a token. Send Authorization: Bearer with the one in bots.token (it speaks "
    "for whom it names) or in operator.token, in the data directory of the memory server"
)
_FOR_OPERATORS: Final = (
    "this is for operators. Send Authorization: Bearer with the token in "
    "operator.token, in the data directory of the memory server"
)


class PathAudience(StrEnum):
    """Clients that may call a JSON path."""

    OPERATORS = "operators"
    """Operators only."""
    CALLERS = "callers"
    """Clients with a token; the memory server decides what it permits."""
    AGENTS = "agents"
    """All clients; one without a token has the rights of the shim's clients."""


_FOR_HOLDERS: Final = (
    "this names another memory than the one that the shim's clients share: send a token "
    "that holds it, as Authorization: Bearer"
)


@dataclass(eq=False)
class Access:
    """Authenticator of the console's requests.

    Args:
        credential: Returns the operator's token, or None if it cannot be read.
        agents: Returns the shim's token, which its clients use, or None.
        sign_in_always: The initial value of the attribute.

    Attributes:
        sign_in_always: Whether local users have to sign in as well.
    """

    credential: Callable[[], str | None]
    now: Callable[[], float]
    _: KW_ONLY
    agents: Callable[[], str | None] = lambda: None
    sign_in_always: bool = False
    # By the hash of the cookie: the expiry, and the hash of the token.
    _sessions: OrderedDict[bytes, tuple[float, bytes]] = field(
        default_factory=OrderedDict, init=False
    )
    # Only the latest can matter.
    _failures: deque[float] = field(
        default_factory=lambda: deque(maxlen=ATTEMPTS_MAX), init=False
    )

    def is_local(self, request: web.BaseRequest) -> bool:
        """Return whether a request comes from this machine, without a proxy."""
        return (
            not self.sign_in_always
            and is_loopback(request.remote or "")
            # A site that rebinds its DNS name to this machine still sends that name as the host.
            and is_loopback(url_parts(f"//{request.host}").hostname or "")
            and not any(name in request.headers for name in _FORWARDED)
            # Some proxies add no headers, but use HTTP/1.0 to the upstream.
            and request.version >= HttpVersion11
        )

    def is_signed_in(self, request: web.BaseRequest) -> bool:
        """Return whether a request has the cookie of a valid sign-in."""
        key = _hash(request.cookies.get(COOKIE, ""))
        until, token = self._sessions.get(key, (0.0, b""))
        if until <= self.now():
            self._sessions.pop(key, None)
            return False
        # Replacing the token ends its sign-ins.
        return self._is_token(token)

    def sign_in(self, token: str) -> str | None:
        """Return the cookie of a sign-in; None for a wrong token. Raises `PageRefused`."""
        shown = _hash(token.strip())
        if not self._tried(shown):
            return None
        cookie = secrets.token_urlsafe(32)
        while len(self._sessions) >= SESSIONS_MAX:
            self._sessions.popitem(last=False)
        self._sessions[_hash(cookie)] = (self.now() + SESSION_SECONDS, shown)
        return cookie

    def sign_out(self, request: web.BaseRequest) -> None:
        """End the sign-in of a request's cookie."""
        self._sessions.pop(_hash(request.cookies.get(COOKIE, "")), None)

    def asker(
        self,
        request: web.BaseRequest,
        audience: PathAudience,
        *,
        acts: bool,
        principal: str,
        elsewhere: bool = False,
    ) -> CallCredential | None:
        """Return the credential of a JSON request, or None for the operator.

        Args:
            audience: The clients that may call the path.
            acts: Whether the request changes something.
            principal: The principal that the shim attributes to the client.
            elsewhere: Whether the request names another tenant than the shim's.

        Raises:
            PageRefused: The request comes from another site, or is not authorized.
        """
        # First of all: a page of another site may have made the browser send the token.
        check_reader(request)
        token = bearer_in(request.headers.get("Authorization", ""))
        local = self.is_local(request)
        if audience is PathAudience.AGENTS:
            if token and self._is_token(_hash(token)):
                return None
            # A client that does not identify itself has no principal, and is no author.
            named = "" if principal == _NOBODY else principal
            # Others' candidates are shown to remote clients only with a token of their own.
            client = CallCredential(self.agents(), named, own=not local)
            # A key for the upstream, which the memory server does not know, is no obstacle.
            if not elsewhere:
                return CallCredential(token, otherwise=client) if token else client
            # The shim's own token holds every tenant; its clients do not.
            if not token:
                raise PageRefused(403, _FOR_HOLDERS)
            return CallCredential(token)
        if token and audience is PathAudience.CALLERS:
            # Only the memory server knows the callers' tokens; `fail` counts those it refuses.
            self._check_failures()
            return None if self._is_token(_hash(token)) else CallCredential(token)
        needed = _FOR_CALLERS if audience is PathAudience.CALLERS else _FOR_OPERATORS
        if token is not None:
            # Also from this machine, where none is needed: a wrong one reads nothing.
            if not self._tried(_hash(token)):
                raise PageRefused(401, needed)
            return None
        # From this machine the console's own pages may act; other programs need a token.
        if local and (not acts or is_own_page(request)):
            return None
        raise PageRefused(401, needed)

    def fail(self) -> None:
        """Count a wrong token."""
        self._failures.append(self.now())

    def _check_failures(self) -> None:
        now = self.now()
        # Sliding window: forget failures older than a minute before counting.
        while self._failures and self._failures[0] <= now - ATTEMPTS_SECONDS:
            self._failures.popleft()
        if len(self._failures) >= ATTEMPTS_MAX:
            raise PageRefused(429, "too many wrong tokens. Wait a minute and try again")

    def _tried(self, shown: bytes) -> bool:
        self._check_failures()
        if self._is_token(shown):
            return True
        self.fail()
        return False

    def _is_token(self, shown: bytes) -> bool:
        token = self.credential()
        # With no token of the operator nobody is let in, not even with an empty one.
        return bool(token) and hmac.compare_digest(shown, _hash(token or ""))


def is_own_page(request: web.BaseRequest) -> bool:
    """Return whether a request comes from a page of the same origin."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        # `none` is a typed address or a bookmark, which no page made the browser open.
        return site in {"same-origin", "none"}
    # Older browsers name only the origin. A form without either was sent by no browser.
    return url_parts(request.headers.get("Origin", "")).netloc == request.host


def check_origin(request: web.BaseRequest) -> None:
    """Refuse cross-site requests of browsers. Raises `PageRefused`."""
    if request.method not in SAFE_METHODS:
        if not is_own_page(request):
            raise PageRefused(403, _FOREIGN)
    # Another site may link to a page, as in a chat, but not embed, fetch or submit it.
    elif request.headers.get("Sec-Fetch-Mode") != "navigate":
        check_reader(request)


def check_reader(request: web.BaseRequest) -> None:
    """Raise `PageRefused` if a request names another origin."""
    headers = request.headers
    # Programs send neither header.
    named = "Sec-Fetch-Site" in headers or "Origin" in headers
    if named and not is_own_page(request):
        raise PageRefused(403, _FOREIGN)


def _hash(text: str) -> bytes:
    # Header bytes that are no UTF-8 arrive as surrogates, which plain encoding refuses.
    return sha256(text.encode("utf-8", "surrogateescape")).digest()
