"""Client of the memory server's services for lines: search, explain, say, state, forget."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final

import grpc

from festinger.api.v1 import line_service_pb2 as pb
from festinger.api.v1 import line_service_pb2_grpc, memory_service_pb2_grpc
from festinger.api.v1 import memory_service_pb2 as memory_pb
from festinger.client.channel import Metadata
from festinger.shim.system.identity import RequestCaller
from festinger.shim.system.refusals import accepted

SECONDS_MAX: Final = 10.0
"""Timeout of a call in seconds; long, since no prompt waits for it."""


class LineClient:
    """Client of the services that show and change lines of the memory.

    Every method raises `MemoryRefused` if the server refuses or cannot be reached.

    Args:
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

    def search(
        self, request: pb.SearchLinesRequest, caller: RequestCaller
    ) -> Awaitable[pb.SearchLinesResponse]:
        """Return the lines that match best, or the newest without a query."""
        return self._call(self._lines.SearchLines, request, caller)

    def say(
        self, request: pb.SayRequest, caller: RequestCaller
    ) -> Awaitable[pb.SayResponse]:
        """Store what somebody says, and return once it is committed."""
        return self._call(self._lines.Say, request, caller)

    def forget(
        self, request: pb.ForgetLinesRequest, caller: RequestCaller
    ) -> Awaitable[pb.ForgetLinesResponse]:
        """Delete lines, and return once that is committed."""
        return self._call(self._lines.ForgetLines, request, caller)

    def explain(
        self, request: pb.ExplainRequest, caller: RequestCaller
    ) -> Awaitable[pb.ExplainResponse]:
        """Return the lines that a prompt would get, and why."""
        return self._call(self._lines.Explain, request, caller)

    def state(
        self, request: memory_pb.AssertRequest, caller: RequestCaller
    ) -> Awaitable[memory_pb.AssertResponse]:
        """State a fact, and return once it is committed."""
        return self._call(self._memory.Assert, request, caller)

    async def outdated(
        self, told: Sequence[memory_pb.RecollectRequest.Told], caller: RequestCaller
    ) -> set[int]:
        """Return the indexes of lines that no longer hold, including deleted ones."""
        # Without turns: the memory only checks the lines, and reads and counts nothing.
        request = memory_pb.RecollectRequest(told=told, without_hints=True)
        response = await self._call(self._memory.Recollect, request, caller)
        return {change.told_index for change in response.changes}

    def _call(
        self, method: Any, request: Any, caller: RequestCaller
    ) -> Coroutine[Any, Any, Any]:
        # Not `MemoryUnavailable`: a person waits for this answer and gets the reason.
        return accepted(
            method(request, metadata=self._metadata(caller), timeout=SECONDS_MAX)
        )
