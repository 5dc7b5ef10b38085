"""The parts that both clients have: a channel, and the scope of their calls."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any, Final, Self, TypeVar

import grpc
from google.protobuf.message import Message

from festinger.client.channel import (
    ADDRESS,
    CLIENT_OPTIONS,
    ClientScope,
    from_environment,
)

Answer = TypeVar("Answer", bound=Message)

SECONDS: Final = 10.0
"""Default timeout of a call with all its tries, in seconds."""


class ClientConnection:
    """A channel to a memory server; its arguments are those of `Client`.

    Attributes:
        address: HOST:PORT of the server.
        scope: Whose memory is used, on whose behalf, and where.
        timeout: Time for a call with all its tries, in seconds.
    """

    # `grpc` or `grpc.aio`, whose functions that open a channel have the same names.
    _grpc: Any

    def __init__(
        self,
        address: str = ADDRESS,
        *,
        tenant: str = "",
        token: str = "",
        project: str = "",
        person: str = "",
        timeout: float = SECONDS,
        credentials: grpc.ChannelCredentials | None = None,
    ) -> None:
        self.address = address
        self.scope = ClientScope(tenant, token, project, person)
        self.timeout = timeout
        # gRPC's channels may be used by several threads, or tasks.
        self._channel: Any = (
            self._grpc.insecure_channel(address, options=CLIENT_OPTIONS)
            if credentials is None
            else self._grpc.secure_channel(address, credentials, options=CLIENT_OPTIONS)
        )

    @classmethod
    def from_environment(cls, **arguments: Any) -> Self:
        """Return a client of the server that FESTINGER_SERVER and others name."""
        # Arguments win over the environment.
        return cls(**(from_environment() | arguments))

    def scoped(self, **scope: str) -> Self:
        """Return a client of the same connection for another project or person.

        Args:
            scope: Fields of `ClientScope`. Example: `project="shop", person="nadia"`.
        """
        # Shallow: the connection is shared, only the scope is another.
        other = copy(self)
        other.scope = replace(self.scope, **scope)
        return other

    def _seconds(self, seconds: float | None) -> float:
        return self.timeout if seconds is None else seconds
