"""Interface of a handler of further paths in the shim's process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from aiohttp import web

from festinger.config import ShimSettings


class Site(Protocol):
    """A handler of further paths; its requests' `Host` is checked beforehand."""

    def owns(self, path: str) -> bool:
        """Return whether this site handles a path."""

    def has_sign_in(self, path: str) -> bool:
        """Return whether this site itself asks who visits a path from elsewhere."""

    def apply(self, settings: ShimSettings) -> None:
        """Apply a changed configuration."""

    async def start(self) -> None:
        """Open the site's resources without waiting for other services."""

    # Called before requests are drained, which would otherwise take the whole timeout.
    def close(self) -> None:
        """End responses that would otherwise never end, such as event streams."""

    async def reopen(self) -> None:
        """Connect to the memory server anew, with changed certificates."""

    async def stop(self) -> None:
        """Close the site's resources."""

    async def handle(
        self, request: web.Request, path: str, principal: str
    ) -> web.StreamResponse:
        """Answer a request.

        Args:
            path: Its path, without the prefix that names the caller.
            principal: The principal that the shim identified.
        """

    def refuse(
        self, request: web.Request, path: str, status: int, message: str
    ) -> web.Response:
        """Return an error response in the format that a path's clients expect."""

    def know_reader(self, state: Callable[[], str]) -> None:
        """Register a callable that returns the reader's state in a sentence."""

    # `told` is lazy: JSON is made of the record only if somebody watches.
    def note(
        self, told: Callable[[], Mapping[str, Any]], *, told_anything: bool
    ) -> None:
        """Receive notice of an enriched prompt; `told` returns its record."""
