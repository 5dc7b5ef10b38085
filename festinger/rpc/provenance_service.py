"""ProvenanceService: where a fact comes from, in steps that anybody can check."""

from __future__ import annotations

from festinger.api.v1 import provenance_service_pb2_grpc
from festinger.flows.memory import Memories


class ProvenanceServicer(provenance_service_pb2_grpc.ProvenanceServiceServicer):
    """Walks from a fact to all that it comes from."""

    def __init__(self, memories: Memories) -> None:
        self._memories = memories
