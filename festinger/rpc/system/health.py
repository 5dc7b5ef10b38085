"""The standard health service, whose streams end when the server stops."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import grpc
from grpc_health.v1 import health_pb2_grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from festinger.rpc.system.callers import Context


class Health(health_pb2_grpc.HealthServicer):
    """Servicer that reports which services should be used."""

    def __init__(self) -> None:
        self._statuses: dict[str, int] = {}
        self._changed = asyncio.Event()
        self._stopping = False

    def set(self, service: str, serving: bool) -> None:
        """Set whether a service should be used; no effect once the server stops."""
        # A database that answers once more must not make a stopping server look healthy.
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
        # The library's servicer leaves its streams open: a watching client would delay the stop.
        self._statuses = dict.fromkeys(self._statuses, HealthCheckResponse.NOT_SERVING)
        self._tell()

    async def Check(
        self, request: HealthCheckRequest, context: Context
    ) -> HealthCheckResponse:
        """Return the status of a service."""
        status = self._statuses.get(request.service)
        if status is None:
            # By the protocol, Check fails for an unknown service, and Watch waits for it.
            await context.abort(grpc.StatusCode.NOT_FOUND, "there is no such service")
        return HealthCheckResponse(status=status)

    async def Watch(
        self, request: HealthCheckRequest, context: Context
    ) -> AsyncIterator[HealthCheckResponse]:
        """Stream the status of a service, now and at each change until the stop."""
        told = None
        while True:
            # Taken before the status is read, so that a change in between is not missed.
            changed = self._changed
            status = self._statuses.get(
                request.service, HealthCheckResponse.SERVICE_UNKNOWN
            )
            if status != told:
                yield HealthCheckResponse(status=status)
                told = status
            # After the last status was told, so that a watcher learns why the stream ends.
            elif self._stopping:
                return
            else:
                await changed.wait()

    def _tell(self) -> None:
        # A new event for the next change; all watchers of the old one wake up.
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
