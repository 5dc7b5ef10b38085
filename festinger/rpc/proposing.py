"""Candidates: put forward, read, answered and directed."""

from __future__ import annotations

from festinger.api.v1 import validation_service_pb2_grpc
from festinger.flows.memory import Memories


class Proposing(validation_service_pb2_grpc.ValidationServiceServicer):
    """Part of `festinger.rpc.validation_service`."""

    _memories: Memories
