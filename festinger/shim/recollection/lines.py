"""Client of the memory server's services for lines: search, explain, say, forget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import grpc

from festinger.api.v1 import line_service_pb2 as pb
from festinger.api.v1 import line_service_pb2_grpc, memory_service_pb2_grpc
from festinger.api.v1 import memory_service_pb2 as memory_pb
from festinger.client.channel import Metadata
from festinger.shim.system.identity import RequestCaller
from festinger.shim.system.refusals import MemoryRefused

SECONDS_MAX: Final = 10.0
"""Timeout of a call in seconds; long, since no prompt waits for it."""


class LineClient:
    """Client of the services that show and change lines of the memory.

    Every method raises `MemoryRefused` if the server refuses or cannot be reached.

    Args:
        channel: Channel to the server.
        metadata: Returns the metadata of a call on behalf of a caller.
    """

    def __init__(
        self, channel: grpc.aio.Channel, metadata: Callable[[RequestCaller], Metadata]
    ) -> None:
        # The generated stubs carry no types.
        stub: Any = line_service_pb2_grpc.LineServiceStub
        self._lines = stub(channel)
        stub = memory_service_pb2_grpc.MemoryServiceStub
        self._memory = stub(channel)
        self._metadata = metadata

    async def search(
        self, request: pb.SearchLinesRequest, caller: RequestCaller
    ) -> pb.SearchLinesResponse:
        """Return the lines that match best, or the newest without a query."""
        found: pb.SearchLinesResponse = await self._call(
            self._lines.SearchLines, request, caller
        )
        return found

    async def say(
        self, request: pb.SayRequest, caller: RequestCaller
    ) -> pb.SayResponse:
        """Store what somebody says, and return once it is committed."""
        said: pb.SayResponse = await self._call(self._lines.Say, request, caller)
        return said

    async def forget(
        self, request: pb.ForgetLinesRequest, caller: RequestCaller
    ) -> pb.ForgetLinesResponse:
        """Delete lines, and return once that is committed."""
        gone: pb.ForgetLinesResponse = await self._call(
            self._lines.ForgetLines, request, caller
        )
        return gone

    async def explain(
        self, request: pb.ExplainRequest, caller: RequestCaller
    ) -> pb.ExplainResponse:
        """Return the lines that a prompt would get, and why."""
        explained: pb.ExplainResponse = await self._call(
            self._lines.Explain, request, caller
        )
        return explained

    async def outdated(
        self, told: Sequence[memory_pb.RecollectRequest.Told], caller: RequestCaller
    ) -> set[int]:
        """Return the indexes of lines that no longer hold, including deleted ones."""
        # Without turns: the memory only checks the lines, and reads and counts nothing.
        request = memory_pb.RecollectRequest(told=told, without_hints=True)
        response: memory_pb.RecollectResponse = await self._call(
            self._memory.Recollect, request, caller
        )
        return {change.told_index for change in response.changes}

    async def _call(self, method: Any, request: Any, caller: RequestCaller) -> Any:
        try:
            return await method(
                request, metadata=self._metadata(caller), timeout=SECONDS_MAX
            )
        except grpc.aio.AioRpcError as error:
            # Not `MemoryUnavailable`: a person waits for this answer and gets the reason.
            raise MemoryRefused.of(error) from None
