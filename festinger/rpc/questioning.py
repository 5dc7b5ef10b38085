"""Questions: worded, lent to bots, found and listed."""

from __future__ import annotations

from festinger.api.v1 import validation_service_pb2_grpc
from festinger.flows.memory import Memories


class Questioning(validation_service_pb2_grpc.ValidationServiceServicer):
    """Part of `festinger.rpc.validation_service`."""

    _memories: Memories
