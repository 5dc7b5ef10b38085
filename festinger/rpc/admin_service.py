"""AdminService: keeping a running server in order."""

from __future__ import annotations

from datetime import timedelta
from time import monotonic

import structlog

from festinger.api.v1 import admin_service_pb2 as pb
from festinger.api.v1 import admin_service_pb2_grpc
from festinger.flows.memory import Memories
from festinger.rpc.callers import CALLER, Context

log = structlog.get_logger(__name__)


class AdminServicer(admin_service_pb2_grpc.AdminServiceServicer):
    """Keeps a running server in order."""

    def __init__(self, memories: Memories) -> None:
        self._memories = memories

    async def Reload(
        self, request: pb.ReloadRequest, context: Context
    ) -> pb.ReloadResponse:
        """Loads the memory of the tenant anew."""
        caller, started = CALLER.get(), monotonic()
        world = (await self._memories.reload(caller.tenant)).world
        seconds = monotonic() - started
        response = pb.ReloadResponse(
            version=world.version,
            concept_count=len(world.vocabulary),
            edge_count=len(world.graph),
            duration=timedelta(seconds=seconds),
        )
        log.info(
            "memory_reloaded",
            tenant=caller.tenant,
            principal=caller.principal,
            version=response.version,
            concepts=response.concept_count,
            edges=response.edge_count,
            seconds=round(seconds, 3),
        )
        return response
