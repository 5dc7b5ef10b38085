"""Registration of services so that accepting a call costs the same with any number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import grpc
import grpc.aio


class _GenericHandlers:
    """Stand-in for a server that is given services: it registers no single methods."""

    def __init__(self, server: grpc.aio.Server) -> None:
        self._server = server

    def add_generic_rpc_handlers(
        self, handlers: Sequence[grpc.GenericRpcHandler]
    ) -> None:
        """Add the handlers of a service, which find its methods by name."""
        self._server.add_generic_rpc_handlers(handlers)

    # `grpc.aio` waits for one future for each method: with 120, that took most of a call's time.
    def add_registered_method_handlers(
        self, service: str, handlers: Mapping[str, object]
    ) -> None:
        """Do nothing: the generic handlers serve these methods as well."""


def for_services(server: grpc.aio.Server) -> grpc.aio.Server:
    """Return what the generated functions are given to add services to a server."""
    # The generated functions call nothing but these two methods of a server.
    return cast("grpc.aio.Server", _GenericHandlers(server))
