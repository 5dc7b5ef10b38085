"""Checks of hosts, origins, sizes and speed, before a request is processed."""

from __future__ import annotations

import asyncio
import posixpath
from collections.abc import AsyncIterator, Iterable
from ipaddress import ip_address
from typing import Final
from urllib.parse import unquote

from aiohttp import HttpVersion11, hdrs, web

from festinger.config import is_loopback, url_parts
from festinger.errors import FestingerError

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

HEADER_BYTES_MAX: Final = 128 * 2**10
"""Maximum size of all headers of a request."""

# The schemes that Ollama admits by default. No page from the web has them.
_APPLICATIONS = frozenset({"app", "file", "tauri", "vscode-file", "vscode-webview"})
"""URL schemes of the origins of desktop applications."""

_MODEL_CHANGES = frozenset({"pull", "push", "create", "copy", "delete", "blobs"})


class RequestRefused(FestingerError, reason="REFUSED"):
    """A request is answered with an error by the shim.

    Args:
        message: The cause and the remedy.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class HostGuard:
    """Check of the `Host` header, against DNS rebinding.

    Args:
        listening: The host that the shim listens on.
        allowed: Further names, from the configuration.
        setting: Name of the setting that lists them, for the error message.
    """

    def __init__(
        self,
        listening: str,
        allowed: Iterable[str],
        setting: str = "shim.allowed_hosts",
    ) -> None:
        self._setting = setting
        self._names = {_normal(name) for name in (listening, *allowed)}
        # Then every address of this machine is one of its names.
        self._any_address = listening in {"0.0.0.0", "::"}

    def check(self, request: web.BaseRequest) -> None:
        """Check the `Host` of a request.

        Raises:
            RequestRefused: It is not a name of this machine or an allowed one.
        """
        # DNS rebinding: a page's own name that resolves to this machine stands in `Host`. A
        # request of HTTP/1.0 without a host comes from no browser.
        for value in request.headers.getall("Host", ()):
            name = _normal(value)
            if name in self._names or is_loopback(name):
                continue
            if self._any_address and _same_address(name, request):
                continue
            raise RequestRefused(
                403,
                f"the host {name!r} is not allowed here. Use 127.0.0.1 or localhost, "
                f"or add the name to {self._setting}",
            )


def check_origin(request: web.BaseRequest) -> None:
    """Refuse an unsafe request that a browser sends for a page of another origin.

    Raises:
        RequestRefused: It comes from another origin, or a browser sends it with a type
            other than `application/json`.
    """
    if request.method in SAFE_METHODS:
        return
    check_reader(request)
    # A form can send text/plain across origins without asking; JSON needs a preflight.
    if "Origin" in request.headers and request.content_type != "application/json":
        raise RequestRefused(415, "send application/json")


def check_reader(request: web.BaseRequest) -> None:
    """Refuse any request that a browser sends for a page of another origin."""
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    # Browsers set it themselves and pages cannot; `none` is a typed address.
    if site is not None:
        foreign = site not in {"same-origin", "none"}
    else:
        foreign = origin is not None and url_parts(origin).netloc != request.host
    if foreign:
        raise RequestRefused(403, "requests from other origins are not taken here")


def is_of_foreign_page(request: web.BaseRequest) -> bool:
    """Return whether a browser sends a request for a page of another machine."""
    origin = request.headers.get("Origin")
    # Not the same as a browser's "null", which has no host and is foreign.
    if origin is None:
        return False  # no browser: browsers send it with every POST
    parts = url_parts(origin)
    host = parts.hostname or ""
    # A chat window on another port of this machine is not foreign. Browsers resolve a
    # name under .localhost to this machine only.
    here = is_loopback(host) or host.endswith(".localhost")
    return parts.netloc != request.host and not (here or parts.scheme in _APPLICATIONS)


def check_headers(request: web.BaseRequest) -> None:
    """Refuse headers whose total size is too large."""
    # aiohttp limits single lines only.
    size = sum(len(name) + len(value) for name, value in request.raw_headers)
    if size > HEADER_BYTES_MAX:
        raise RequestRefused(
            431, f"the headers are over {HEADER_BYTES_MAX} bytes. Send fewer or shorter"
        )


def changes_models(method: str, path: str) -> bool:
    """Return whether a request may change models; its path is normalised."""
    # `/api/../api//PULL` and `/api/%70ull` must not get past: Ollama cleans paths too.
    name = posixpath.normpath(f"/{unquote(path)}".lower()).strip("/")
    first, _, rest = name.partition("/")
    # OpenAI's DELETE /v1/models/NAME.
    if first == "v1":
        return method == "DELETE" and rest.startswith("models/")
    return first == "api" and rest.partition("/")[0] in _MODEL_CHANGES


def check_model_changes(method: str, path: str) -> None:
    """Refuse a request that may change the models, which all clients share."""
    if changes_models(method, path):
        raise RequestRefused(
            403,
            "models are not changed through Festinger. Ask Ollama itself, at its own "
            "address, or set shim.model_changes: true "
            "(FESTINGER_SHIM__MODEL_CHANGES=true)",
        )


class IncomingBody:
    """Body of an incoming request, with limits of its size and of pauses.

    Attributes:
        refusal: The error that reading ended with, if any.

    Raises:
        RequestRefused: The declared size exceeds the limit.
    """

    def __init__(
        self,
        request: web.BaseRequest,
        *,
        bytes_max: int | None,
        pause_seconds_max: float,
    ) -> None:
        self._request = request
        self._content = request.content
        self._bytes_max = bytes_max
        self._pause_seconds_max = pause_seconds_max
        self.refusal: RequestRefused | None = None
        # Refused before a byte is read, or `100 Continue` is sent.
        if bytes_max is not None and (request.content_length or 0) > bytes_max:
            raise self._too_large()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the chunks of the body as they arrive."""
        size = 0
        await self._ask_for_it()
        while chunk := await self._read():
            size += len(chunk)
            # A chunked body does not declare its length.
            if self._bytes_max is not None and size > self._bytes_max:
                raise self._too_large()
            yield chunk

    async def read(self) -> bytes:
        """Return the whole body.

        Raises:
            RequestRefused: The body is too large, or the client pauses too long.
        """
        # Most bodies arrive with the headers: then no further turn of the loop is needed.
        if (whole := self.at_hand()) is not None:
            return whole
        return b"".join([chunk async for chunk in self])

    def at_hand(self) -> bytes | None:
        """Return the whole body if it is received completely and declares its length.

        Returns:
            None if it does not.
        """
        if self._request.content_length is None or not self._content.is_eof():
            return None
        return self._content.read_nowait()

    async def _ask_for_it(self) -> None:
        """Send `100 Continue` to a client that waits for it before sending the body."""
        request = self._request
        expects = request.headers.get(hdrs.EXPECT, "").lower() == "100-continue"
        # Once the answer has begun it is too late; the client does not wait any more.
        # HTTP/1.0 knows no such answer.
        writer = request.writer
        if expects and request.version >= HttpVersion11 and not writer.output_size:
            await writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            # The interim answer does not count as the beginning of the answer.
            writer.output_size = 0

    async def _read(self) -> bytes:
        # A timeout costs more than the read itself.
        if here := self._content.read_nowait():
            return here
        try:
            async with asyncio.timeout(self._pause_seconds_max):
                return await self._content.readany()
        except TimeoutError:
            self.refusal = RequestRefused(
                408,
                f"no more of the body came within {self._pause_seconds_max:g} seconds",
            )
            raise self.refusal from None

    def _too_large(self) -> RequestRefused:
        self.refusal = RequestRefused(
            413,
            f"the body is over {self._bytes_max} bytes. Send less, or raise "
            "shim.body_bytes_max",
        )
        return self.refusal


def path_with_query(request: web.BaseRequest, path: str) -> str:
    """Return a path with the query of a request, as the client wrote it."""
    query = request.rel_url.raw_query_string
    return f"{path}?{query}" if query else path


def _normal(host: str) -> str:
    """Return a host without its port, in lower case."""
    host = host.strip().lower()
    # An IPv6 address, `[::1]:11434`.
    if host.startswith("["):
        address, closed, port = host[1:].partition("]")
        return address if closed and port[:1] in {"", ":"} else host
    # More colons are an IPv6 address without brackets.
    if host.count(":") == 1:
        host = host.partition(":")[0]
    # `localhost.` is the same name, as a root is written.
    return host.removesuffix(".")


def _same_address(name: str, request: web.BaseRequest) -> bool:
    """Return whether a numeric host is the local address of the connection."""
    transport = request.transport
    here = transport.get_extra_info("sockname") if transport else None
    try:
        # Only numeric: a name could be rebound.
        return here is not None and ip_address(name) == ip_address(here[0])
    except ValueError:
        return False
