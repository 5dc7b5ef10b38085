"""Request dispatch of the console: routing, access control and errors."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar
from urllib.parse import unquote, urlencode

import structlog
from aiohttp import web

from festinger.config import ServerSettings, ShimSettings
from festinger.config.addresses import without_password
from festinger.console import facade
from festinger.console.access import (
    COOKIE,
    COOKIE_PATH,
    SAFE_METHODS,
    SESSION_SECONDS,
    Access,
    check_origin,
)
from festinger.console.context import (
    HEADERS,
    PathRoute,
    RequestContext,
    read_body,
    read_form,
    read_object,
)
from festinger.console.errors import PageRefused
from festinger.console.graph import concepts, conflicts, predicates
from festinger.console.pages import Pages, static
from festinger.console.progress import PROGRESS
from festinger.console.provenance import trails
from festinger.console.recollection import lines
from festinger.console.recollection.prompt_log import PromptLog
from festinger.console.review import inbox, records, review, state
from festinger.console.server import OperatorClient
from festinger.console.system import overview, settings
from festinger.console.validation import curation, metrics

log = structlog.get_logger(__name__)

ROOT: Final = "/admin"
_STATIC: Final = f"{ROOT}/static/"
_INBOX: Final = f"{ROOT}/inbox"
_BECAME_INBOX: Final = frozenset({f"{ROOT}/review", f"{ROOT}/curation"})  # former pages
"""Addresses of lists whose items are in the inbox now."""


class Console:
    """Request handler of the pages below /admin and the JSON routes of the facade.

    Args:
        settings: The settings of the shim.
        server: The settings with the address of the memory server.
        credential: Returns the operator's token, or None if it cannot be read.
        agents: Returns the shim's token, with which its clients propose candidates.
    """

    def __init__(
        self,
        settings: ShimSettings,
        server: ServerSettings,
        credential: Callable[[], str | None],
        *,
        agents: Callable[[], str | None] = lambda: None,
        now: Callable[[], float],
    ) -> None:
        self._tenant = settings.tenant
        self._upstream = without_password(settings.upstream)
        self._server = OperatorClient(server.address, credential, server.tls)
        self._pages = Pages(now)
        self._access = Access(
            credential, now, agents=agents, sign_in_always=settings.asks_to_sign_in
        )
        self._live = PromptLog(now)
        self._reader_state: Callable[[], str] = lambda: ""
        # The first match wins: `/admin/inbox/undo` stands before `/admin/inbox/{name}`.
        self._routes = [(route.pattern, route) for route in self._table()]

    def _table(self) -> list[PathRoute]:
        return [
            PathRoute("GET", "/admin/sign-in", self._sign_in_page, open=True),
            PathRoute("POST", "/admin/sign-in", self._sign_in, open=True),
            PathRoute("POST", "/admin/sign-out", self._sign_out),
            *overview.ROUTES,
            *inbox.ROUTES,
            *review.ROUTES,
            *records.ROUTES,
            *state.ROUTES,
            *conflicts.ROUTES,
            *lines.ROUTES,
            *concepts.ROUTES,
            *curation.ROUTES,
            *trails.ROUTES,
            *metrics.ROUTES,
            *predicates.ROUTES,
            *settings.ROUTES,
            *self._live.routes,
            *facade.ROUTES,
        ]

    # The shim's interface

    def owns(self, path: str) -> bool:
        """Return whether the console handles a path."""
        # With a slash at the end, `/administrator` is not below `/admin`.
        return f"{path}/".startswith((f"{ROOT}/", *facade.ROOTS))

    def has_sign_in(self, path: str) -> bool:
        """Return whether the console has visitors of a path sign in: of its pages."""
        return f"{path}/".startswith(f"{ROOT}/")

    def apply(self, settings: ShimSettings) -> None:
        """Apply changed settings."""
        self._access.sign_in_always = settings.asks_to_sign_in
        self._upstream = without_password(settings.upstream)

    async def start(self) -> None:
        """Open the channel to the memory server."""
        self._server.start()

    def close(self) -> None:
        """End all streaming responses: live pages and the progress of runs."""
        self._live.close()
        self._server.end()

    async def reopen(self) -> None:
        """Connect to the memory server anew, with changed certificates."""
        await self._server.reopen()

    async def stop(self) -> None:
        """Close the channel."""
        await self._server.stop()

    def know_reader(self, state: Callable[[], str]) -> None:
        """Set the function that returns the state of the agents' reading model."""
        self._reader_state = state

    def note(
        self, told: Callable[[], Mapping[str, Any]], *, told_anything: bool
    ) -> None:
        """Add an enriched prompt to the live page."""
        self._live.note(told, told_anything=told_anything)

    async def handle(
        self, request: web.Request, path: str, principal: str
    ) -> web.StreamResponse:
        """Handle a request."""
        try:
            response = await self._handle(request, path, principal)
        except PageRefused as refusal:
            return self.refuse(
                request, path, refusal.status, str(refusal), refusal.word
            )
        except Exception as error:
            # The message may quote statements, so only the type of the error is logged.
            at = traceback.extract_tb(error.__traceback__)[-1]
            log.error(
                "console_failed",
                path=path,
                error=type(error).__name__,
                at=f"{at.filename}:{at.lineno}",
            )
            # The status is sent already: only breaking the connection tells that something failed.
            if request.writer.output_size > 0:
                raise
            message = "the console failed; the log of the shim says why"
            return self.refuse(request, path, 500, message)
        return _dressed(response)

    def refuse(
        self,
        request: web.Request,
        path: str,
        status: int,
        message: str,
        reason: str = "",
    ) -> web.Response:
        """Return an error response: a page below /admin, and JSON elsewhere."""
        # Scripts that follow an operation's progress read JSON, below /admin as well.
        wants_page = PROGRESS not in request.headers.get("Accept", "")
        if self.has_sign_in(path) and wants_page:
            text = self._pages.render(
                "refused.html", status=status, message=message, path=path
            )
            response = web.Response(text=text, status=status, content_type="text/html")
        else:
            body = {"error": message} | ({"reason": reason} if reason else {})
            response = web.json_response(body, status=status)
        if request.can_read_body:
            response.force_close()  # the rest of the body is not read
        return _dressed(response)

    async def _handle(
        self, request: web.Request, path: str, principal: str
    ) -> web.StreamResponse:
        # Files come before the access checks, since the page for signing in needs its style.
        is_static = path.startswith(_STATIC) and request.method in SAFE_METHODS
        if is_static and (answer := static(request, path.removeprefix(_STATIC))):
            return answer
        route, found = self._routed(request.method, path)
        asker = None
        if route.json:
            # Credentials are checked before the body is read, so that others cannot keep us busy.
            asker = self._access.asker(
                request,
                route.audience,
                acts=route.acts,
                principal=principal,
                elsewhere=request.query.get("tenant", self._tenant) != self._tenant,
            )
            form: Mapping[str, Any] = {}
            if request.method not in SAFE_METHODS:
                form = read_object(await read_body(request))
        else:
            check_origin(request)
            if not (route.open or self._permits(request)):
                return self._to_sign_in(request, path)
            form = {}
            if request.method not in SAFE_METHODS:
                form = await read_form(request)
        context = self._visit(request, path, found, form)
        context.asker = asker
        # Pages with a menu show how many items wait; JSON and the sign-in have no menu.
        if not (route.json or route.open):
            await context.look()
        try:
            return await route.handler(context)
        except PageRefused as refusal:
            # The memory server did not know the caller's token, so it counts as a wrong one.
            if refusal.status == 401:
                self._access.fail()
            raise

    def _routed(self, method: str, path: str) -> tuple[PathRoute, dict[str, str]]:
        methods = set()
        for pattern, route in self._routes:
            if match := pattern.fullmatch(path):
                # A GET that leases work must not do so for a HEAD, whose answer nobody sees.
                head = method == "HEAD" and not route.changes
                if route.method == ("GET" if head else method):
                    # Decoded after matching: a name with `%2F` is still one segment of the path.
                    return route, {k: unquote(v) for k, v in match.groupdict().items()}
                methods.add(route.method)
        if methods:
            raise PageRefused(405, f"use {' or '.join(sorted(methods))} here")
        hint = f"; what waits is in {_INBOX}" if path in _BECAME_INBOX else ""
        raise PageRefused(404, f"there is no {path}{hint}")

    def _visit(
        self,
        request: web.Request,
        path: str,
        found: Mapping[str, str],
        form: Mapping[str, Any],
    ) -> RequestContext:
        return RequestContext(
            request,
            path,
            self._server,
            self._pages,
            self._tenant,
            found,
            form,
            signed_in=self._access.is_signed_in(request),
            reader_state=self._reader_state(),
            upstream=self._upstream,
            prompts=self._live.newest,
            told_hours=self._live.hours,
        )

    # Signing in

    def _permits(self, request: web.Request) -> bool:
        return self._access.is_local(request) or self._access.is_signed_in(request)

    def _to_sign_in(self, request: web.Request, path: str) -> web.Response:
        # A redirect would lose what the form said.
        if request.method not in SAFE_METHODS:
            raise PageRefused(401, "you are not signed in. Sign in at /admin/sign-in")
        query = urlencode({"next": path} if path != ROOT else {})
        location = f"{ROOT}/sign-in" + (f"?{query}" if query else "")
        return web.Response(status=303, headers={"Location": location})

    async def _sign_in_page(self, context: RequestContext) -> web.Response:
        return context.page("sign_in.html", next=context.query("next"), error="")

    async def _sign_in(self, context: RequestContext) -> web.Response:
        follow = context.field("next")
        try:
            cookie = self._access.sign_in(context.field("token"))
        except PageRefused as refusal:
            return context.page(
                "sign_in.html", refusal.status, next=follow, error=str(refusal)
            )
        if cookie is None:
            error = "this is not the operator's token"
            return context.page("sign_in.html", 403, next=follow, error=error)
        log.info("console_signed_in", peer=context.request.remote)
        # Redirect to pages of the console only.
        response = context.go(follow if _PAGE.fullmatch(follow) else ROOT)
        request = context.request
        response.set_cookie(
            COOKIE,
            cookie,
            path=COOKIE_PATH,
            max_age=SESSION_SECONDS,
            httponly=True,
            samesite="Strict",
            # TLS may end at a proxy before us, which says so in this header.
            secure=request.secure
            or request.headers.get("X-Forwarded-Proto", "") == "https",
        )
        return response

    async def _sign_out(self, context: RequestContext) -> web.Response:
        self._access.sign_out(context.request)
        response = context.go(f"{ROOT}/sign-in")
        response.del_cookie(COOKIE, path=COOKIE_PATH)
        return response


# An address of this console and nothing else: `//evil.example/admin` would lead away.
_PAGE: Final = re.compile(r"/admin(/[\w./%-]*)?", re.ASCII)

_Response = TypeVar("_Response", bound=web.StreamResponse)


def _dressed(response: _Response) -> _Response:
    """Add the common headers to a response that is not sent yet."""
    if not response.prepared:
        # Handlers may have set their own: static files can be cached.
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
    return response
