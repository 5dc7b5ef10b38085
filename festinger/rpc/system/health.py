"""The standard health service, which does not outlast the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import grpc
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from festinger.rpc.system.callers import Context


class Health(health_pb2_grpc.HealthServicer):
    """Tells whether services should be used.

    Unlike the library's own servicer it ends its streams at a stop: a client that
    watches would else keep the server for all of its drain time.
    """

    def __init__(self) -> None:
        self._statuses: dict[str, int] = {}
        self._changed = asyncio.Event()
        self._stopping = False

    def set(self, service: str, serving: bool) -> None:
        """Says whether a service should be used; once it stops, none should."""
        if not self._stopping:
            self._statuses[service] = (
                HealthCheckResponse.SERVING
                if serving
                else HealthCheckResponse.NOT_SERVING
            )
            self._tell()

    def stop(self) -> None:
        """Says no for all services, for good, and ends the streams."""
        self._stopping = True
        self._statuses = dict.fromkeys(self._statuses, HealthCheckResponse.NOT_SERVING)
        self._tell()

    async def Check(
        self, request: HealthCheckRequest, context: Context
    ) -> HealthCheckResponse:
        """Says how a service is."""
        status = self._statuses.get(request.service)
        if status is None:
            await context.abort(grpc.StatusCode.NOT_FOUND, "there is no such service")
        return HealthCheckResponse(status=status)

    async def Watch(
        self, request: HealthCheckRequest, context: Context
    ) -> AsyncIterator[HealthCheckResponse]:
        """Says how a service is, and again at each change; the stop is the last."""
        told = None
        while True:
            changed = self._changed
            status = self._statuses.get(
                request.service, HealthCheckResponse.SERVICE_UNKNOWN
            )
            if status != told:
                yield HealthCheckResponse(status=status)
                told = status
            elif self._stopping:
                return
            else:
                await changed.wait()

    def _tell(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
