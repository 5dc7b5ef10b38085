"""Client of the memory server with the credential of the operator."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any, Final

import grpc

from festinger.channels import PLAIN, REOPEN_SECONDS, open_channel
from festinger.client.details import reason_of
from festinger.client.methods import calling, method_of
from festinger.config import TlsSettings
from festinger.console.errors import PageRefused
from festinger.core.system.principals import as_metadata

SECONDS: Final = 10.0
"""Timeout of a call in seconds."""

RUN_SECONDS: Final = 86_400.0
"""Timeout of a streaming call in seconds."""

TEST_SECONDS: Final = 600.0
"""Timeout of a model test in seconds: the longest that a server allows."""

_STATUSES: Final = {
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    # The console's own token is unknown: signing in again would not help. See `_refusal`.
    grpc.StatusCode.UNAUTHENTICATED: 403,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.FAILED_PRECONDITION: 409,
    grpc.StatusCode.ABORTED: 409,
    grpc.StatusCode.UNAVAILABLE: 503,
    # Both may succeed later, as with a server that is not there.
    grpc.StatusCode.DEADLINE_EXCEEDED: 503,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 503,
}

NO_TOKEN: Final = (
    "this needs the operator's token, operator.token in the data directory of the memory "
    "server, which is not there or not the console's to read. Start the shim with that "
    "directory: --data-dir or FESTINGER_DATA_DIR"
)


@dataclass(frozen=True, slots=True)
class CallCredential:
    """Credential of a call that is not the operator's.

    Attributes:
        token: The bearer token; None for none.
        principal: The principal that the call is made for; empty for the token's own.
        own: Whether the client may see only its own items.
        otherwise: The fallback if the token is unknown; None for none.
    """

    token: str | None
    principal: str = ""
    own: bool = False
    otherwise: CallCredential | None = None


@dataclass(eq=False)
class OperatorClient:
    """Client of the memory server that uses the operator's credential by default.

    Args:
        address: HOST:PORT of the server.
        credential: Returns the operator's token, or None if it cannot be read.
        tls: Certificates of the connection.
    """

    address: str
    credential: Callable[[], str | None]
    tls: TlsSettings = PLAIN
    _channel: grpc.aio.Channel | None = field(default=None, init=False)
    # Streams under way, for `end`.
    _followed: set[Any] = field(default_factory=set, init=False)

    @property
    def decides(self) -> bool:
        """True if the operator's token is available, which decisions need."""
        return self.credential() is not None

    def start(self) -> None:
        """Open the channel without waiting for the server."""
        # Opened here, since a channel belongs to the running event loop.
        self._channel = open_channel(self.address, self.tls)

    def end(self) -> None:
        """Cancel the streaming calls; the operations that they watch continue."""
        for call in self._followed:
            call.cancel()

    async def reopen(self) -> None:
        """Connect anew, with the certificates as they are now; calls may end first."""
        # New calls use the new channel at once; those on the old one get time to end.
        former = self._channel
        self.start()
        if former:
            await former.close(REOPEN_SECONDS)

    async def stop(self) -> None:
        """Close the channel."""
        if self._channel:
            await self._channel.close()

    async def ask(
        self,
        request: Any,
        tenant: str,
        seconds: float = SECONDS,
        asker: CallCredential | None = None,
    ) -> Any:
        """Make a call and return its response.

        Args:
            seconds: The timeout in seconds.
            asker: The credential; None for the operator's.

        Raises:
            PageRefused: The call fails; the message is the server's if it has one.
        """
        shown = asker or CallCredential(self.credential())
        try:
            return await self._method(request)(
                request, metadata=_metadata(shown, tenant), timeout=seconds
            )
        except grpc.aio.AioRpcError as error:
            raise self._refusal(error, shown, own=asker is None) from None

    async def follow(
        self, request: Any, tenant: str, asker: CallCredential | None = None
    ) -> AsyncIterator[Any]:
        """Make a streaming call and yield its responses. Raises `PageRefused`."""
        shown = asker or CallCredential(self.credential())
        # A run may last for hours.
        call = self._method(request)(
            request, metadata=_metadata(shown, tenant), timeout=RUN_SECONDS
        )
        self._followed.add(call)
        try:
            async for answer in call:
                yield answer
        except grpc.aio.AioRpcError as error:
            raise self._refusal(error, shown, own=asker is None) from None
        except asyncio.CancelledError:
            # `end` cancelled the call, not the task: the watcher is told. Else the task ends.
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            message = "the shim stops; what was begun goes on without it"
            raise PageRefused(503, message) from None
        finally:
            self._followed.discard(call)
            # Also where the consumer stopped early, so that the server sends no more.
            call.cancel()

    def _method(self, request: Any) -> Any:
        assert self._channel is not None, "calls are made once it is started"
        return calling(self._channel, method_of(request))

    def _refusal(
        self, error: grpc.aio.AioRpcError, asker: CallCredential, *, own: bool
    ) -> PageRefused:
        """Convert an error of a call to a `PageRefused`.

        Args:
            asker: The credential of the call.
            own: Whether the credential is the console's own.
        """
        code, details = error.code(), error.details() or ""
        reason = reason_of(error)
        # A server that is there and refuses names a reason; a connection that fails does not.
        if code is grpc.StatusCode.UNAVAILABLE and not reason:
            details = (
                f"no memory server answers at {self.address}. Start one with `festinger "
                "system serve` (or `festinger up`) and try again"
            )
        elif code is grpc.StatusCode.DEADLINE_EXCEEDED:
            details = "the memory server did not answer in time. Try again"
        # The client's token, not ours, is unknown: it is told so, and may send another.
        elif code is grpc.StatusCode.UNAUTHENTICATED and not own:
            return PageRefused(401, details, reason)
        # The missing token is why: the message says how to provide it.
        elif code is grpc.StatusCode.PERMISSION_DENIED and own and asker.token is None:
            details = NO_TOKEN
        elif code is grpc.StatusCode.UNAUTHENTICATED:
            details = (
                "the memory server does not know the console's token: the shim was "
                "started with another data directory than the server's"
            )
        message = details or "the memory server failed; its log says why"
        return PageRefused(_STATUSES.get(code, 502), message, reason)


def _metadata(asker: CallCredential, tenant: str) -> list[tuple[str, str]]:
    metadata = [("festinger-tenant", tenant)]
    if asker.token is not None:
        metadata.append(("authorization", f"Bearer {asker.token}"))
        # The server accepts a principal only with a token.
        if asker.principal:
            metadata.append(("festinger-principal", as_metadata(asker.principal)))
    return metadata
