"""The base of servicers, and their registration with a server."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

import grpc
import grpc.aio

from festinger.rpc.system.callers import CALLER
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory


class TenantServicer:
    """Base of servicers, whose calls are about the memory of the caller's tenant."""

    def __init__(self, memories: Memories) -> None:
        self._memories = memories

    async def _memory(self) -> TenantMemory:
        """Return the caller's memory, once it has the version that the call names."""
        return await self._memories.get(*CALLER.get().wanted)


class GenericHandlers:
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


def add_servicer(servicer: object, server: GenericHandlers) -> None:
    """Add a servicer to a server, by the generated function of its service."""
    bases = type(servicer).__mro__
    generated = next(it for it in bases if it.__module__.endswith("_pb2_grpc"))
    add = getattr(
        sys.modules[generated.__module__], f"add_{generated.__name__}_to_server"
    )
    add(servicer, server)
