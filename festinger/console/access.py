"""Who may look and decide: this machine's people, and who shows the operator's token.

A browser proves where a request comes from by `Sec-Fetch-Site`, else by `Origin`; pages of
other sites are refused whatever they show.
"""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable
from enum import StrEnum
from hashlib import sha256
from typing import Final

from aiohttp import HttpVersion11, web

from festinger.config import is_loopback, url_parts
from festinger.console.errors import PageRefused
from festinger.console.server import CallCredential

SAFE_METHODS: Final = frozenset({"GET", "HEAD"})

COOKIE: Final = "festinger_console"
COOKIE_PATH: Final = "/admin"

SESSION_SECONDS: Final = 12 * 3600
"""How long a sign-in holds."""
SESSIONS_MAX: Final = 100
"""Sign-ins at once; the oldest ends before one more begins."""

ATTEMPTS_MAX: Final = 10
ATTEMPTS_SECONDS: Final = 60.0
"""Wrong tokens within so many seconds, from everybody; then nobody can try."""

_FORWARDED: Final = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")
"""What a proxy adds: the peer is then not the one who asks."""

_NOBODY: Final = "local"
"""Whom the shim takes a client for that says nothing of itself."""

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
    """Whom a path that answers JSON is for."""

    OPERATORS = "operators"
    """Them alone."""
    CALLERS = "callers"
    """Whoever shows a token; the memory server knows what it permits."""
    AGENTS = "agents"
    """Everybody: who shows no token asks as the shim's clients do."""


class Access:
    """Tells operators from others.

    Args:
        credential: Gives the operator's token; None if there is none to be had.
        agents: Gives the shim's, on whose behalf its clients are; None as well.
        now: The time, in seconds since the epoch.

    Attributes:
        sign_in_always: Whether people of this machine have to show the token as well.
    """

    def __init__(
        self,
        credential: Callable[[], str | None],
        now: Callable[[], float],
        *,
        agents: Callable[[], str | None] = lambda: None,
        sign_in_always: bool = False,
    ) -> None:
        self._credential = credential
        self._agents = agents
        self._now = now
        self.sign_in_always = sign_in_always
        # By the hash of the cookie: until when, and with which token.
        self._sessions: OrderedDict[bytes, tuple[float, bytes]] = OrderedDict()
        self._failures: deque[float] = deque(maxlen=ATTEMPTS_MAX)

    def is_local(self, request: web.BaseRequest) -> bool:
        """Whether somebody on this machine asks, with nobody in between."""
        return (
            not self.sign_in_always
            and is_loopback(request.remote or "")
            and is_loopback(url_parts(f"//{request.host}").hostname or "")
            and not any(name in request.headers for name in _FORWARDED)
            # Some proxies add nothing, but speak to what they serve as of old.
            and request.version >= HttpVersion11
        )

    def is_signed_in(self, request: web.BaseRequest) -> bool:
        """Whether a browser shows the cookie of a sign-in that holds."""
        key = _hash(request.cookies.get(COOKIE, ""))
        until, token = self._sessions.get(key, (0.0, b""))
        if until <= self._now():
            self._sessions.pop(key, None)
            return False
        # A token that was replaced lets nobody in any more.
        return self._is_token(token)

    def sign_in(self, token: str) -> str | None:
        """The cookie for who shows a token; None if it is not the operator's.

        Raises:
            Refused: Too many were wrong lately.
        """
        shown = _hash(token.strip())
        if not self._tried(shown):
            return None
        cookie = secrets.token_urlsafe(32)
        while len(self._sessions) >= SESSIONS_MAX:
            self._sessions.popitem(last=False)
        self._sessions[_hash(cookie)] = (self._now() + SESSION_SECONDS, shown)
        return cookie

    def sign_out(self, request: web.BaseRequest) -> None:
        """Ends a sign-in."""
        self._sessions.pop(_hash(request.cookies.get(COOKIE, "")), None)

    def asker(
        self,
        request: web.BaseRequest,
        audience: PathAudience,
        *,
        acts: bool,
        principal: str,
    ) -> CallCredential | None:
        """Who asks for JSON; None for the operator.

        A page of this console may ask from this machine; programs show a token.

        Args:
            acts: Whether something is changed by it.
            principal: Whom the shim takes the client for.

        Raises:
            Refused: Another site's page asks, or somebody who may not.
        """
        check_reader(request)
        token = _bearer(request)
        local = self.is_local(request)
        if audience is PathAudience.AGENTS:
            if token and self._is_token(_hash(token)):
                return None
            # Who says nothing of themselves is nobody, and so no author of anything.
            named = "" if principal == _NOBODY else principal
            client = CallCredential(self._agents(), named, own=not local)
            return CallCredential(token, otherwise=client) if token else client
        if token and audience is PathAudience.CALLERS:
            self._check_failures()
            return None if self._is_token(_hash(token)) else CallCredential(token)
        if token is not None and self._tried(_hash(token)):
            return None
        if local and (not acts or is_own_page(request)):
            return None
        needed = _FOR_CALLERS if audience is PathAudience.CALLERS else _FOR_OPERATORS
        raise PageRefused(401, needed)

    def fail(self) -> None:
        """Hears that somebody showed a token that nobody knows."""
        self._failures.append(self._now())

    def _check_failures(self) -> None:
        now = self._now()
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
        token = self._credential()
        return bool(token) and hmac.compare_digest(shown, _hash(token or ""))


def _bearer(request: web.BaseRequest) -> str | None:
    """The bearer token that a request shows; None if it shows none."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def is_own_page(request: web.BaseRequest) -> bool:
    """Whether a browser says that a page of this very host asks."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in {"same-origin", "none"}
    return url_parts(request.headers.get("Origin", "")).netloc == request.host


def check_origin(request: web.BaseRequest) -> None:
    """Refuses what another site's page makes a browser send.

    Another site may lead to a page, as a link in a chat does, and no more.

    Raises:
        Refused: It comes from another origin, or does not say from where.
    """
    if request.method not in SAFE_METHODS:
        if not is_own_page(request):
            raise PageRefused(403, _FOREIGN)
    elif request.headers.get("Sec-Fetch-Mode") != "navigate":
        check_reader(request)


def check_reader(request: web.BaseRequest) -> None:
    """Refuses a request that names another origin. Raises `PageRefused`."""
    headers = request.headers
    named = "Sec-Fetch-Site" in headers or "Origin" in headers
    if named and not is_own_page(request):
        raise PageRefused(403, _FOREIGN)


def _hash(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogateescape")).digest()
