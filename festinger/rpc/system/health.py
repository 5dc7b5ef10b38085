"""The standard health service, whose streams end when the server stops."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import grpc
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from festinger.rpc.system.callers import Context


class Health(health_pb2_grpc.HealthServicer):
    """Servicer that reports which services should be used.

    Unlike the library's own servicer it ends its streams at a stop: otherwise a
    watching client would delay the stop for the whole drain time.
    """

    def __init__(self) -> None:
        self._statuses: dict[str, int] = {}
        self._changed = asyncio.Event()
        self._stopping = False

    def set(self, service: str, serving: bool) -> None:
        """Set whether a service should be used; no effect once the server stops."""
        if not self._stopping:
            self._statuses[service] = (
                HealthCheckResponse.SERVING
                if serving
                else HealthCheckResponse.NOT_SERVING
            )
            self._tell()

    def stop(self) -> None:
        """Report all services as NOT_SERVING for good, and end the streams."""
        self._stopping = True
        self._statuses = dict.fromkeys(self._statuses, HealthCheckResponse.NOT_SERVING)
        self._tell()

    async def Check(
        self, request: HealthCheckRequest, context: Context
    ) -> HealthCheckResponse:
        """Return the status of a service."""
        status = self._statuses.get(request.service)
        if status is None:
            await context.abort(grpc.StatusCode.NOT_FOUND, "there is no such service")
        return HealthCheckResponse(status=status)

    async def Watch(
        self, request: HealthCheckRequest, context: Context
    ) -> AsyncIterator[HealthCheckResponse]:
        """Stream the status of a service, now and at each change until the stop."""
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
