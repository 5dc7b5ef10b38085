"""Request context, routes and body parsing of the console."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from aiohttp import web
from google.protobuf.message import Message

from festinger.api.v1.inbox_service_pb2 import CountInboxRequest
from festinger.console.access import SAFE_METHODS, PathAudience
from festinger.console.errors import PageRefused
from festinger.console.pages import Pages
from festinger.console.server import SECONDS, CallCredential, OperatorClient

FORM_BYTES_MAX: Final = 64 * 2**10
"""The maximum size of a form or a JSON object in bytes."""
FORM_SECONDS_MAX: Final = 30.0
"""Timeout in seconds for receiving a body."""
FIELDS_MAX: Final = 50  # all ticks of a page of the inbox
LOOK_SECONDS: Final = 1.0
"""Timeout in seconds of the call for the number of waiting items."""
WAITING_MAX: Final = 1000
"""More waiting items than this are not counted on every page."""
NUMBERS_MAX: Final = 1000
"""The maximum number of numbers in one value."""

# At most 18 digits, so that a number fits the API's int64.
_NUMBER: Final = re.compile(r"[0-9]{1,18}")
_TENANT: Final = re.compile(r"[\w.@:+-]{1,128}", re.ASCII)  # `acme`, `team.a@eu`


HEADERS: Final = {
    "Content-Security-Policy": (
        # No inline scripts: text of a prompt that gets into a page unescaped does not run.
        "default-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    # Without a referrer, browsers that lack Sec-Fetch-Site would send no Origin.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""The headers of all responses."""


@dataclass(slots=True)
class RequestContext:
    """Request, and what handlers need to answer it.

    Attributes:
        request: The HTTP request.
        server: The client of the memory server.
        pages: The renderer of templates.
        default_tenant: The tenant of requests that name none.
        path_params: The parameters of the path.
        form: The fields of the form or of the JSON body.
        signed_in: Whether the request belongs to a sign-in.
        reader_state: The state of the agents' reading model; empty if it is unknown.
        upstream: The URL of the upstream, without a password.
        waiting: How many items wait in the inbox, up to `WAITING_MAX`.
        prompts: Returns the newest prompts that were enriched, newest first.
        told_hours: Returns how many prompts were told something and how many were not,
            by the start of the hour in seconds since the epoch, oldest first.
        asker: The credential of the client; None for the operator's.
    """

    request: web.Request
    path: str
    server: OperatorClient
    pages: Pages
    default_tenant: str
    path_params: Mapping[str, str]
    form: Mapping[str, Any]
    signed_in: bool = False
    reader_state: str = ""
    upstream: str = ""
    waiting: int = 0
    prompts: Callable[[], Sequence[Mapping[str, Any]]] = tuple
    told_hours: Callable[[], Sequence[tuple[float, int, int]]] = tuple
    asker: CallCredential | None = None

    @property
    def tenant(self) -> str:
        """The tenant of the request. Raises `PageRefused` if its name is invalid."""
        name = self.query("tenant") or self.default_tenant
        if not _TENANT.fullmatch(name):
            raise PageRefused(400, "no tenant has a name like this")
        return name

    def query(self, name: str) -> str:
        """Return a query parameter, or an empty string if there is none."""
        return self.request.query.get(name, "").strip()

    def queries(self, *names: str) -> dict[str, str]:
        """Return query parameters by name, empty ones too."""
        return {name: self.query(name) for name in names}

    def query_number(self, name: str) -> int:
        """Return a query parameter as a number, or 0 if it is none."""
        value = self.query(name)
        return int(value) if _NUMBER.fullmatch(value) else 0

    def numbers(self, name: str, text: str | None = None) -> list[int]:
        """Parse numbers such as `7,9-11`; invalid parts are skipped."""
        found: list[int] = []
        for part in (self.query(name) if text is None else text).split(","):
            first, _, last = part.partition("-")
            if _NUMBER.fullmatch(first) and _NUMBER.fullmatch(last or first):
                # A range is cut before it is expanded: `1-10000000` is a short form.
                end = min(int(last or first), int(first) + NUMBERS_MAX)
                found += range(int(first), end + 1)
            if len(found) >= NUMBERS_MAX:
                break
        return found[:NUMBERS_MAX]

    def field(self, name: str) -> str:
        """Return a form field, or an empty string. Raises `PageRefused`."""
        value = self.form.get(name, "")
        if not isinstance(value, str):
            raise PageRefused(400, f"{name} must be a string")
        return value.strip()

    def fields(self, *names: str) -> dict[str, str]:
        """Return form fields by name, empty ones too. Raises `PageRefused`."""
        return {name: self.field(name) for name in names}

    def field_number(self, name: str) -> int:
        """Return a form field as a record's number, 0 if empty. Raises `PageRefused`."""
        text = self.field(name).removeprefix("#")
        if text and not _NUMBER.fullmatch(text):
            raise PageRefused(400, f"{name} must be the number of a record")
        return int(text or 0)

    def number(self, name: str = "number") -> int:
        """Return a number of the path."""
        return int(self.path_params[name])

    async def ask(self, request: Any, seconds: float = SECONDS) -> Any:
        """Make the call of a request, and return the response. Raises `PageRefused`."""
        try:
            return await self.server.ask(request, self.tenant, seconds, self.asker)
        except PageRefused as refusal:
            asker = self.asker
            # An unknown token falls back once: `otherwise` has no fallback itself.
            if refusal.status != 401 or asker is None or asker.otherwise is None:
                raise
        # Kept for further calls of the same request.
        self.asker = asker.otherwise
        return await self.ask(request, seconds)

    async def look(self) -> None:
        """Count what waits in the inbox, which all pages show; ignore errors."""
        # A page is shown without the number rather than late.
        request = CountInboxRequest(waiting_count_max=WAITING_MAX)
        with suppress(PageRefused):
            answer = await self.server.ask(request, self.tenant, LOOK_SECONDS)
            self.waiting = answer.waiting_count

    def follow(self, request: Any) -> AsyncIterator[Any]:
        """Make a streaming call and yield its responses. Raises `PageRefused`."""
        return self.server.follow(request, self.tenant, self.asker)

    def url(self, path: str, **query: object) -> str:
        """Return the URL of a page within the same tenant."""
        # Empty filters are left out, and so is 0.
        values = {key: str(value) for key, value in query.items() if value}
        if (tenant := self.query("tenant")) and tenant != self.default_tenant:
            values["tenant"] = tenant
        return f"{path}?{urlencode(values)}" if values else path

    def page(self, template: str, status: int = 200, **values: Any) -> web.Response:
        """Return a response with a rendered page."""
        return web.Response(
            text=self.render(template, **values),
            status=status,
            content_type="text/html",
            charset="utf-8",
        )

    def render(self, template: str, **values: Any) -> str:
        """Render a template with the common values of all pages."""
        return self.pages.render(
            template,
            url=self.url,
            path=self.path,
            tenant=self.query("tenant") or self.default_tenant,
            default_tenant=self.default_tenant,
            decides=self.server.decides,
            signed_in=self.signed_in,
            waiting=self.waiting,
            **values,
        )

    def go(self, path: str, **query: object) -> web.Response:
        """Return a redirect to a page (303), after a successful action."""
        # 303 makes the browser GET it: reloading the page does not repeat the action.
        return web.Response(status=303, headers={"Location": self.url(path, **query)})


Handler = Callable[[RequestContext], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class PathRoute:
    """Route: a method and path, and their handler.

    Attributes:
        method: The HTTP method.
        path: The pattern of the path; parameters are `{number}`, `{name}` and `{cid}`.
        open: Whether it needs no sign-in.
        json: Whether it is a JSON route for programs.
        audience: The clients that may call a JSON route.
        changes: Whether it changes something although it is a GET.
    """

    method: str
    path: str
    handler: Handler
    open: bool = False
    json: bool = False
    audience: PathAudience = PathAudience.OPERATORS
    changes: bool = False

    @property
    def acts(self) -> bool:
        """True if the route changes something."""
        return self.changes or self.method not in SAFE_METHODS

    @property
    def pattern(self) -> re.Pattern[str]:
        """The path as a regular expression."""
        pattern = self.path.replace("{number}", r"(?P<number>[0-9]{1,18})")
        for name in ("name", "cid"):
            pattern = pattern.replace(f"{{{name}}}", f"(?P<{name}>[^/]+)")
        return re.compile(pattern)


def json_answer(body: Mapping[str, Any], status: int = 200) -> web.Response:
    """Return a JSON response."""
    return web.json_response(body, status=status, dumps=_dump)


def time_of(message: Message, field: str) -> str | None:
    """Return a timestamp of a message in ISO 8601, or None if it is not set."""
    if not message.HasField(field):
        return None
    text: str = getattr(message, field).ToJsonString()
    return text


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def read_object(body: bytes) -> Mapping[str, Any]:
    """Parse the JSON object of a body, which may be empty. Raises `PageRefused`."""
    if not body.strip():
        return {}
    try:
        value = json.loads(body)
        # A lone surrogate, `"\ud800"`, is JSON but no UTF-8, which protobuf needs.
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):  # `[[[[…` exhausts the stack
        value = None
    if not isinstance(value, dict):
        raise PageRefused(400, "send a JSON object")
    return value


async def read_body(request: web.Request) -> bytes:
    """Return the body of a request. Raises `PageRefused` if it is large or slow."""
    body = b""
    try:
        async with asyncio.timeout(FORM_SECONDS_MAX):
            async for chunk in request.content.iter_any():
                body += chunk
                # Counted while it arrives: a chunked body does not say how long it is.
                if len(body) > FORM_BYTES_MAX:
                    raise PageRefused(413, f"the body is over {FORM_BYTES_MAX} bytes")
    except TimeoutError:
        raise PageRefused(408, "the body did not come in time") from None
    return body


async def read_form(request: web.Request) -> dict[str, str]:
    """Read the fields of a form; the last of a name counts. Raises `PageRefused`."""
    if request.content_type != "application/x-www-form-urlencoded":
        raise PageRefused(415, "send application/x-www-form-urlencoded")
    body = await read_body(request)
    try:
        fields = parse_qsl(
            body.decode(), keep_blank_values=True, max_num_fields=FIELDS_MAX
        )
    except ValueError:
        raise PageRefused(400, "this is no form") from None
    return dict(fields)
