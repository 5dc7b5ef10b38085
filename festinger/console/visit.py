"""A request as the console's pages see it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from aiohttp import web

from festinger.api.v1.promotion_service_pb2 import GetQueueRequest
from festinger.console.access import SAFE_METHODS, PathAudience
from festinger.console.errors import PageRefused
from festinger.console.pages import Pages
from festinger.console.server import SECONDS, CallCredential, OperatorClient

FORM_BYTES_MAX: Final = 64 * 2**10
"""The largest form or JSON object that is read."""
FORM_SECONDS_MAX: Final = 30.0
"""How long a client may take to send it."""
FIELDS_MAX: Final = 50
LOOK_SECONDS: Final = 1.0
"""How long a page waits for what stands in its margin."""
NUMBERS_MAX: Final = 1000
"""Numbers that one value names."""

_NUMBER: Final = re.compile(r"[0-9]{1,18}")
_TENANT: Final = re.compile(r"[\w.@:+-]{1,128}", re.ASCII)


HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    # Without a referrer, browsers that know no Sec-Fetch-Site would send no Origin.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""What every answer carries."""


@dataclass(slots=True)
class Visit:
    """A request, and what it takes to answer it.

    Attributes:
        tenant: Whose memory is looked at.
        found: The parts of the path that its pattern names.
        form: The fields of a form that was sent.
        signed_in: Whether there is a sign-in to end.
        reader_state: What the agents' own model does about reading; empty if that is not
            known here.
        queue: How the review queue stands; None if that is not known.
        asker: Who asks; None for the operator.
    """

    request: web.Request
    path: str
    server: OperatorClient
    pages: Pages
    default_tenant: str
    found: Mapping[str, str]
    form: Mapping[str, Any]
    signed_in: bool = False
    reader_state: str = ""
    queue: Any = None
    asker: CallCredential | None = None

    @property
    def tenant(self) -> str:
        """Whose memory is looked at.

        Raises:
            Refused: No tenant can be named so.
        """
        name = self.query("tenant") or self.default_tenant
        if not _TENANT.fullmatch(name):
            raise PageRefused(400, "no tenant has a name like this")
        return name

    def query(self, name: str) -> str:
        """A value of the query; empty if there is none."""
        return self.request.query.get(name, "").strip()

    def query_number(self, name: str) -> int:
        """A number of the query; 0 if there is none."""
        value = self.query(name)
        return int(value) if _NUMBER.fullmatch(value) else 0

    def numbers(self, name: str, text: str | None = None) -> list[int]:
        """The numbers of the query, or of a text: `7,9-11`; none of what is none."""
        found: list[int] = []
        for part in (self.query(name) if text is None else text).split(","):
            first, _, last = part.partition("-")
            if _NUMBER.fullmatch(first) and _NUMBER.fullmatch(last or first):
                end = min(int(last or first), int(first) + NUMBERS_MAX)
                found += range(int(first), end + 1)
            if len(found) >= NUMBERS_MAX:
                break
        return found[:NUMBERS_MAX]

    def said(self, name: str) -> str:
        """A field of the form; empty if there is none. Raises `PageRefused`."""
        value = self.form.get(name, "")
        if not isinstance(value, str):
            raise PageRefused(400, f"{name} must be a string")
        return value.strip()

    def number(self, name: str = "number") -> int:
        """A number in the path."""
        return int(self.found[name])

    async def ask(self, method: str, request: Any, seconds: float = SECONDS) -> Any:
        """The memory server's answer. Raises `PageRefused`."""
        try:
            return await self.server.ask(
                method, request, self.tenant, seconds, self.asker
            )
        except PageRefused as refusal:
            asker = self.asker
            if refusal.status != 401 or asker is None or asker.otherwise is None:
                raise
        self.asker = asker.otherwise
        return await self.ask(method, request, seconds)

    async def look(self) -> None:
        """Finds out how the review queue stands, for whatever page is shown."""
        request = GetQueueRequest()
        with suppress(PageRefused):
            self.queue = await self.server.ask(
                "promotion.GetQueue", request, self.tenant, LOOK_SECONDS
            )

    def follow(self, method: str, request: Any) -> AsyncIterator[Any]:
        """The memory server's answers. Raises `PageRefused`."""
        return self.server.follow(method, request, self.tenant, self.asker)

    def url(self, path: str, **query: object) -> str:
        """A link to a page, within the same tenant."""
        values = {key: str(value) for key, value in query.items() if value}
        if (tenant := self.query("tenant")) and tenant != self.default_tenant:
            values["tenant"] = tenant
        return f"{path}?{urlencode(values)}" if values else path

    def page(self, template: str, status: int = 200, **values: Any) -> web.Response:
        """A page."""
        return web.Response(
            text=self.render(template, **values),
            status=status,
            content_type="text/html",
            charset="utf-8",
        )

    def render(self, template: str, **values: Any) -> str:
        """The text of a page, or of a part of one."""
        return self.pages.render(
            template,
            url=self.url,
            path=self.path,
            tenant=self.query("tenant") or self.default_tenant,
            default_tenant=self.default_tenant,
            decides=self.server.decides,
            signed_in=self.signed_in,
            queue=self.queue,
            **values,
        )

    def go(self, path: str, **query: object) -> web.Response:
        """Leads to a page after something was done."""
        return web.Response(status=303, headers={"Location": self.url(path, **query)})


Handler = Callable[[Visit], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class PathRoute:
    """What answers a path.

    Attributes:
        path: A pattern; `{number}`, `{name}` and `{cid}` in it stand for what is found.
        open: Whether it is answered to who is not signed in.
        json: Whether programs ask it rather than people.
        audience: Which programs.
        claims: Whether it changes something, though it is a GET.
    """

    method: str
    path: str
    handler: Handler
    open: bool = False
    json: bool = False
    audience: PathAudience = PathAudience.OPERATORS
    claims: bool = False

    @property
    def acts(self) -> bool:
        """Whether it changes something."""
        return self.claims or self.method not in SAFE_METHODS

    @property
    def pattern(self) -> re.Pattern[str]:
        """The path as a regular expression."""
        pattern = self.path.replace("{number}", r"(?P<number>[0-9]{1,18})")
        for name in ("name", "cid"):
            pattern = pattern.replace(f"{{{name}}}", f"(?P<{name}>[^/]+)")
        return re.compile(pattern)


def json_answer(body: Mapping[str, Any], status: int = 200) -> web.Response:
    """An answer for programs."""
    return web.json_response(body, status=status, dumps=_dump)


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def read_object(body: bytes) -> Mapping[str, Any]:
    """The JSON object of a body; an empty one may be left out. Raises `PageRefused`."""
    if not body.strip():
        return {}
    try:
        value = json.loads(body)
        json.dumps(value, ensure_ascii=False).encode()  # no half surrogate pairs
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise PageRefused(400, "send a JSON object")
    return value


async def read_body(request: web.Request) -> bytes:
    """The body of a request.

    Raises:
        Refused: It is too large, or too slow.
    """
    body = b""
    try:
        async with asyncio.timeout(FORM_SECONDS_MAX):
            async for chunk in request.content.iter_any():
                body += chunk
                if len(body) > FORM_BYTES_MAX:
                    raise PageRefused(413, f"the body is over {FORM_BYTES_MAX} bytes")
    except TimeoutError:
        raise PageRefused(408, "the body did not come in time") from None
    return body


async def read_form(request: web.Request) -> dict[str, str]:
    """The fields of a form, the last of each name. Raises `PageRefused`."""
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
