"""Options, addresses and metadata of connections to a memory server."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from urllib.parse import quote

Metadata: TypeAlias = tuple[tuple[str, str], ...]

ADDRESS: Final = "127.0.0.1:7700"
"""Where a memory server listens by default."""

PING_MILLISECONDS: Final = 2000
"""Interval of the pings on a connection, and the time in which one must be answered. An
end that vanished without closing its connection is noticed after twice that."""

PINGS: Final = (
    ("grpc.keepalive_time_ms", PING_MILLISECONDS),
    ("grpc.keepalive_timeout_ms", PING_MILLISECONDS),
    # The other one holds only where nothing else was sent meanwhile; this one is a minute.
    ("grpc.http2.ping_timeout_ms", PING_MILLISECONDS),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
)

CLIENT_OPTIONS: Final = (
    *PINGS,
    # Reconnect within a second of the server's return, and never use a proxy.
    ("grpc.initial_reconnect_backoff_ms", 100),
    # The timeout of an attempt: on a busy machine, longer than a prompt waits.
    ("grpc.min_reconnect_backoff_ms", 2000),
    ("grpc.max_reconnect_backoff_ms", 1000),
    ("grpc.enable_http_proxy", 0),
    ("grpc.enable_retries", 0),
    # An idle channel would have to reconnect within the next call's timeout.
    ("grpc.client_idle_timeout_ms", 2**31 - 1),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_receive_message_length", -1),
)
"""Options of a channel to a memory server."""


@dataclass(frozen=True, slots=True)
class ClientScope:
    """Whose memory a client uses, on whose behalf, and where.

    Attributes:
        tenant: The memory; the server's default if empty.
        token: The bearer token; none is sent if empty.
        project: Where the agent works; nowhere in particular if empty.
        person: On whose behalf it calls, and whom the conversation is with. Only tokens
            of trusted callers may name one; the token's own principal if empty.
    """

    tenant: str = ""
    token: str = ""
    project: str = ""
    person: str = ""

    @property
    def metadata(self) -> Metadata:
        """The metadata of its calls."""
        pairs = (
            ("festinger-tenant", self.tenant),
            ("authorization", self.token and f"Bearer {self.token}"),
            ("festinger-project", _escaped(self.project)),
            # One name for both: who calls, and whom the conversation is with.
            ("festinger-principal", _escaped(self.person)),
            ("festinger-subject", _escaped(self.person)),
        )
        return tuple(pair for pair in pairs if pair[1])


def from_environment(environment: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Return the arguments of a client that the environment names.

    They are FESTINGER_SERVER, FESTINGER_TENANT, FESTINGER_TOKEN and FESTINGER_PROJECT.
    """
    # Environment variable → argument; empty for the same name.
    names = {"server": "address", "tenant": "", "token": "", "project": ""}
    return {
        argument or name: value
        for name, argument in names.items()
        if (value := environment.get(f"FESTINGER_{name.upper()}"))
    }


def _escaped(name: str) -> str:
    """Return a name percent-encoded in ASCII."""
    # Metadata of gRPC is ASCII only; the server decodes it.
    return quote(name, safe="@:+", errors="replace")
