"""What else answers in the shim's process, beside what the shim forwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from aiohttp import web

from festinger.config import ShimSettings


class Site(Protocol):
    """Answers paths of its own; requests come to it once their `Host` is checked."""

    def owns(self, path: str) -> bool:
        """Whether a path is this site's."""

    def apply(self, settings: ShimSettings) -> None:
        """Takes a changed configuration over."""

    async def start(self) -> None:
        """Opens what it needs; waits for nobody."""

    def close(self) -> None:
        """Ends the answers that would go on for ever."""

    async def stop(self) -> None:
        """Closes what it opened."""

    async def handle(
        self, request: web.Request, path: str, principal: str
    ) -> web.StreamResponse:
        """Answers a request of somebody whom the shim takes for this principal."""

    def refuse(
        self, request: web.Request, path: str, status: int, message: str
    ) -> web.Response:
        """Words an error for those who read a path."""

    def know_reader(self, state: Callable[[], str]) -> None:
        """Learns what says what the agents' own model does about reading."""

    def note(self, told: Callable[[], Mapping[str, Any]]) -> None:
        """Hears that a prompt was enriched; `told` says what became of it."""
