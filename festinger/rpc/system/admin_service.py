"""AdminService: maintenance of a running server."""

from __future__ import annotations

from datetime import timedelta
from time import monotonic

import structlog

from festinger.api.v1 import admin_service_pb2 as pb
from festinger.api.v1.admin_service_pb2_grpc import AdminServiceServicer
from festinger.core.graph.values.dates import DAY
from festinger.core.world.comparing import rows
from festinger.errors import InvalidArgument
from festinger.rpc import convert
from festinger.rpc.fields import message_of, to_time
from festinger.rpc.serving import TenantServicer
from festinger.rpc.system import paging
from festinger.rpc.system.callers import CALLER, Context

TREND_DAYS, TREND_DAYS_MAX = 30, 366
"""Number of days of trends: the default and the maximum."""

log = structlog.get_logger(__name__)


class AdminServicer(TenantServicer, AdminServiceServicer):
    """Servicer that reloads, checks and measures memories."""

    async def Reload(
        self, request: pb.ReloadRequest, context: Context
    ) -> pb.ReloadResponse:
        """Reload the memory of the tenant from the database."""
        caller, started = CALLER.get(), monotonic()
        # The loaded memory answers until the new one is there.
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

    async def CheckWorld(
        self, request: pb.CheckWorldRequest, context: Context
    ) -> pb.CheckWorldResponse:
        """Return the differences between the tenant's memory and the database."""
        memory = await self._memory()
        # By the writer, between two batches: otherwise each commit would be a difference.
        differences = await memory.writer.check()
        for difference in differences:
            log.error("world_differs", tenant=memory.tenant, difference=difference)
        return pb.CheckWorldResponse(
            version=memory.world.version,
            row_count=rows(memory.world),
            differences=differences,
        )

    async def GetSize(
        self, request: pb.GetSizeRequest, context: Context
    ) -> pb.GetSizeResponse:
        """Return the size of the tenant's memory."""
        memory = await self._memory()
        async with memory.store.reading(memory.tenant) as reads:
            dimensions = await reads.dimension_count()
        world = memory.world
        return pb.GetSizeResponse(
            version=world.version,
            concept_count=len(world.vocabulary),
            # Each dimension has its root in the graph, which is no fact.
            fact_count=max(0, len(world.graph) - dimensions),
            denial_count=len(world.denials),
        )

    async def GetTrends(
        self, request: pb.GetTrendsRequest, context: Context
    ) -> pb.GetTrendsResponse:
        """Return what happened in the tenant's memory, day by day."""
        count = request.day_count or TREND_DAYS
        if not 0 < count <= TREND_DAYS_MAX:
            raise InvalidArgument(
                f"day_count is from 0 to {TREND_DAYS_MAX}", field="day_count"
            )
        memory = await self._memory()
        now = memory.now()
        # Whole days of UTC, the last one being today: it is not over.
        first = now // DAY * DAY - (count - 1) * DAY
        async with memory.store.reading(memory.tenant) as reads:
            days = await reads.trends(first, now)
        return pb.GetTrendsResponse(
            days=[
                message_of(pb.GetTrendsResponse.Day, it, start_time=to_time(it.began))
                for it in days
            ]
        )

    async def GetDay(
        self, request: pb.GetDayRequest, context: Context
    ) -> pb.GetDayResponse:
        """Return what happened in the tenant's memory since a time."""
        since = convert.from_time(request.since_time, "since_time")
        size = min(
            paging.page_size(request.events_max) if request.events_max else 5, 100
        )
        memory = await self._memory()
        async with memory.store.reading(memory.tenant) as reads:
            counts = await reads.day_counts(since)
            events = await reads.day_events(since, size)
        return pb.GetDayResponse(
            counts=[message_of(pb.GetDayResponse.Count, it) for it in counts],
            events=[message_of(pb.GetDayResponse.Event, it) for it in events],
        )
