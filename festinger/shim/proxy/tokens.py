"""Tokens of requests, which an address beyond loopback demands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from aiohttp import hdrs, web
from multidict import CIMultiDict

from festinger.config import is_loopback
from festinger.core.system.principals import bearer_in
from festinger.errors import PermissionDenied
from festinger.shim.proxy.guard import RequestRefused

NameOf = Callable[[str], str | None]
"""Returns the name that a token proves, empty if it proves none, and None if it is not
known; raises `PermissionDenied` if it may not be used here."""

_KEY: Final = "X-Api-Key"
# Remembered for `without_tokens`: which headers carried a token of ours.
_CARRIERS: Final = web.RequestKey("token_headers", frozenset)
_NO_TOKEN: Final = (
    "this address can be reached from other machines, and takes no request without a "
    "token. Put one into the address, as in http://HOST:PORT/token/TOKEN, or send "
    "Authorization: Bearer TOKEN. The data directory has one in local.token; "
    "`festinger system tokens create NAME` makes another"
)


class TokenGuard:
    """Check of the tokens of requests.

    Args:
        listening: The host that is listened on; beyond loopback a token is needed.
        always: Whether a token is needed on loopback as well.
    """

    def __init__(
        self, listening: str, name_of: NameOf, *, always: bool = False
    ) -> None:
        # On loopback the operating system's users are trusted, as by Ollama.
        self._needed = always or not is_loopback(listening)
        self._name_of = name_of

    def check(
        self,
        request: web.BaseRequest,
        in_path: str | None = None,
        *,
        open: bool = False,
    ) -> str:
        """Return the name that the token of a request proves; empty for none.

        Args:
            in_path: The token that stands in the path; None if none does.
            open: Whether the request needs no token on any address.

        Raises:
            RequestRefused: A token is needed, and there is none that is known, or one
                may not be used here; it must not reach the upstream.
        """
        known: dict[str, str] = {}
        # Three ways: OpenAI's and Anthropic's clients, and those that only know a URL.
        for carrier, token in (
            (hdrs.AUTHORIZATION, bearer_of(request)),
            (_KEY, request.headers.get(_KEY, "").strip()),
            ("", in_path),
        ):
            try:
                name = self._name_of(token) if token else None
            except PermissionDenied as error:
                raise RequestRefused(403, error.message) from None
            # Other tokens are the client's own for the upstream, and pass through.
            if name is not None:
                known[carrier] = name
        # A known token is enough, even one that proves no name.
        if self._needed and not known and not open:
            raise RequestRefused(401, _NO_TOKEN)
        request[_CARRIERS] = frozenset(known)
        return next(filter(None, known.values()), "")


def without_tokens(request: web.BaseRequest) -> Mapping[str, str]:
    """Return the headers of a checked request, but for those with a token of ours."""
    # Mostly there is nothing to remove, and so no copy.
    if not (carriers := request.get(_CARRIERS)):
        return request.headers
    headers = CIMultiDict(request.headers)
    # Nobody else may see such a token. The path's carrier is the empty name.
    for name in carriers:
        headers.popall(name, None)
    return headers


def bearer_of(request: web.BaseRequest) -> str:
    """Return the bearer token of a request; empty if there is none."""
    return bearer_in(request.headers.get(hdrs.AUTHORIZATION, "")) or ""
